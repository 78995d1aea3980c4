"""Proofs that a token is used by the client it was issued to (RFC 9449, DPoP), with ES256.

A key belongs to one sign-in and is kept, sealed, with its tokens. Every call carries a proof of its
own; servers return nonces that the next proof must include.
"""

import hashlib
import json
import secrets
import threading
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from time import monotonic, time
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils

from chalicelib.connectors.shared.calls.http import Call, PlatformHttp
from chalicelib.kit import base64url
from chalicelib.kit.transport.responses import PlatformResponse

_ASKS_FOR_NONCE = frozenset({400, 401})
_HALF = 32
_MOST_SERVERS = 1_000
"""On Bluesky anybody may run servers; one whose nonce is forgotten asks for another."""


def new_key() -> str:
    """Return a new key, serialized to be kept with tokens."""
    secret = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return base64url.encode(secret.to_bytes(_HALF, "big"))


def proof(key: str, claims: Mapping[str, object]) -> str:
    """Return a signed proof of these claims."""
    signer = ec.derive_private_key(int.from_bytes(base64url.decode(key), "big"), ec.SECP256R1())
    point = signer.public_key().public_numbers()
    jwk = {"kty": "EC", "crv": "P-256", "x": _number(point.x), "y": _number(point.y)}
    head = {"typ": "dpop+jwt", "alg": "ES256", "jwk": jwk}
    signed = ".".join(base64url.encode(json.dumps(part).encode()) for part in (head, dict(claims)))
    signature = signer.sign(signed.encode(), ec.ECDSA(hashes.SHA256()))
    first, second = utils.decode_dss_signature(signature)
    raw = first.to_bytes(_HALF, "big") + second.to_bytes(_HALF, "big")
    return f"{signed}.{base64url.encode(raw)}"


class ProvenCalls:
    """Makes calls with proofs, and again at once when a server names the nonce it wants."""

    def __init__(self, http: PlatformHttp) -> None:
        self._http = http
        self._nonces: dict[str, str] = {}
        self._guard = threading.Lock()

    def send(self, call: Call, key: str, token: str | None = None) -> PlatformResponse:
        """Make a call, with repeats within its deadline; raises as PlatformHttp does."""
        began = monotonic()
        response = self._once(call, key, token)
        if response.status in call.takes:
            return response
        if response.find("error") == "use_dpop_nonce":
            left = call.deadline - timedelta(seconds=monotonic() - began)
            response = self._once(replace(call, deadline=left), key, token)
        if response.status in call.takes:
            return response
        raise self._http.read_error(response)

    def _once(self, call: Call, key: str, token: str | None) -> PlatformResponse:
        server = urlsplit(call.url).netloc
        headers = {**call.headers, "DPoP": self._proof(call, key, token, self._nonces.get(server))}
        if token is not None:
            headers["Authorization"] = f"DPoP {token}"
        response = self._http.send(
            replace(call, headers=headers, takes=call.takes | _ASKS_FOR_NONCE)
        )
        nonce = response.headers.get("DPoP-Nonce")
        if nonce is not None:
            with self._guard:
                self._nonces.pop(server, None)
                self._nonces[server] = nonce
                if len(self._nonces) > _MOST_SERVERS:
                    del self._nonces[next(iter(self._nonces))]
        return response

    def _proof(self, call: Call, key: str, token: str | None, nonce: str | None) -> str:
        claims: dict[str, object] = {
            "jti": secrets.token_urlsafe(16),
            "htm": call.method,
            "htu": call.url.partition("?")[0],
            "iat": int(time()),  # the wall clock: the server compares its own with it
        }
        if nonce is not None:
            claims["nonce"] = nonce
        if token is not None:
            claims["ath"] = base64url.encode(hashlib.sha256(token.encode()).digest())
        return proof(key, claims)


def _number(value: int) -> str:
    return base64url.encode(value.to_bytes(_HALF, "big"))
