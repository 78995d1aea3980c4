"""A push service on loopback, and a browser that it carries messages to: RFC 8030 and 8291.

The browser's side opens messages by `http_ece`, and signatures are read by PyJWT: neither is what
the service seals and signs with.
"""

import base64
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import http_ece
import jwt
from cryptography.hazmat.primitives.asymmetric.ec import (
    SECP256R1,
    EllipticCurvePublicKey,
    derive_private_key,
)
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


def unbase64(text: str) -> bytes:
    """Read URL-safe Base64 without padding."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def base64_of(data: bytes) -> str:
    """Spell URL-safe Base64 without padding."""
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


class PlayedBrowser:
    """A browser's keys, always the same ones for a number."""

    def __init__(self, number: int = 1) -> None:
        self._private = derive_private_key(1_000_000_007 * number, SECP256R1())
        self.secret_bytes = bytes([number] * 16)
        point = self._private.public_key().public_bytes(
            Encoding.X962, PublicFormat.UncompressedPoint
        )
        self.key, self.secret = base64_of(point), base64_of(self.secret_bytes)

    def opens(self, body: bytes) -> dict[str, Any]:
        """Return what a message says."""
        text = http_ece.decrypt(body, private_key=self._private, auth_secret=self.secret_bytes)
        told: dict[str, Any] = json.loads(text)
        return told


@dataclass(frozen=True, slots=True)
class Pushed:
    """A message as the push service got it."""

    path: str
    headers: dict[str, str]
    body: bytes

    def claims(self, audience: str) -> dict[str, Any]:
        """Return what its signature claims, if it is the key's that it names. Raises PyJWTError."""
        scheme, _, rest = self.headers["authorization"].partition(" ")
        assert scheme == "vapid"
        named = dict(part.strip().split("=", 1) for part in rest.split(","))
        key = EllipticCurvePublicKey.from_encoded_point(SECP256R1(), unbase64(named["k"]))
        found: dict[str, Any] = jwt.decode(
            named["t"], key, algorithms=["ES256"], audience=audience, options={"verify_exp": False}
        )
        return found


@dataclass(slots=True)
class PushService:
    """What was pushed; `answer` is the status and the headers of what comes next.

    Where a number `meets`, each waits for the others, and is answered 503 if they do not come.
    """

    port: int
    pushed: list[Pushed] = field(default_factory=list)
    answer: tuple[int, dict[str, str]] = (201, {})
    meets: threading.Barrier = field(default_factory=lambda: threading.Barrier(1))

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def address(self, name: str = "ada") -> str:
        """Return the address of one browser."""
        return f"{self.origin}/send/{name}"


@contextmanager
def a_push_service() -> Iterator[PushService]:
    """Run a push service until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): text for name, text in self.headers.items()}
            kept.pushed.append(Pushed(self.path, headers, body))
            status, more = kept.answer
            try:
                kept.meets.wait(5)
            except threading.BrokenBarrierError:
                status = 503
            self.send_response(status)
            for name, text in {"Content-Length": "0", **more}.items():
                self.send_header(name, text)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        kept = PushService(port=server.server_address[1])
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        yield kept
        server.shutdown()
