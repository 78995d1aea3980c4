"""A device with passkeys, and the browser before it, in software: W3C Web Authentication, level 3.

    device = Device()
    made = device.create(options, origin)     # what a page gets from navigator.credentials.create
    answer = device.get(options, origin)      # ... and from navigator.credentials.get

Written from the specification with its own CBOR, so that the library under test does not check
itself. Attributes of a device are what an attacker's could say instead.
"""

import hashlib
import json
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256

PRESENT, VERIFIED, MAY_BE_BACKED_UP, BACKED_UP, ATTESTED = 0x01, 0x04, 0x08, 0x10, 0x40
_ES256 = -7

Options = Mapping[str, Any]


@dataclass(slots=True)
class Device:
    """A device with one passkey.

    `counts` says whether it counts its signatures, `backup` which flags of copies it sets.
    """

    counts: bool = True
    verifies: bool = True
    in_frame: bool = False
    backup: int = 0
    algorithm: int = _ES256
    counter: int = 0
    identifier: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )
    handle: bytes = b""

    def create(self, options: Options, origin: str) -> dict[str, Any]:
        """Make the passkey that a service asks for."""
        self.handle = decoded(options["user"]["id"])
        data = self._data(options["rp"]["id"], ATTESTED) + self._credential()
        attestation = _map({"fmt": "none", "attStmt": {}, "authData": data})
        response = {
            "clientDataJSON": encoded(self._client("webauthn.create", options, origin)),
            "attestationObject": encoded(attestation),
        }
        return self._answered(response)

    def get(self, options: Options, origin: str, **said: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
        """Sign what a service asks for; `said` replaces what the page would say."""
        data = self._data(options["rpId"])
        client = self._client("webauthn.get", options, origin)
        signed = data + hashlib.sha256(client).digest()
        response = {
            "clientDataJSON": encoded(client),
            "authenticatorData": encoded(data),
            "signature": encoded(self.key.sign(signed, ec.ECDSA(SHA256()))),
            "userHandle": encoded(self.handle),
        }
        return self._answered({**response, **said})

    def _answered(self, response: Mapping[str, Any]) -> dict[str, Any]:
        identifier = encoded(self.identifier)
        return {
            "id": identifier,
            "rawId": identifier,
            "type": "public-key",
            "response": dict(response),
            "clientExtensionResults": {},
            "authenticatorAttachment": "platform",
        }

    def _client(self, kind: str, options: Options, origin: str) -> bytes:
        said = {"type": kind, "challenge": options["challenge"], "origin": origin}
        return json.dumps({**said, "crossOrigin": self.in_frame}).encode()

    def _data(self, host: str, flags: int = 0) -> bytes:
        """Return the authenticator data up to where a credential may follow."""
        self.counter += self.counts
        flags |= PRESENT | self.backup | (VERIFIED if self.verifies else 0)
        counted = self.counter.to_bytes(4, "big")
        return hashlib.sha256(host.encode()).digest() + bytes([flags]) + counted

    def _credential(self) -> bytes:
        point = self.key.public_key().public_numbers()
        x, y = (number.to_bytes(32, "big") for number in (point.x, point.y))
        key = _map({1: 2, 3: self.algorithm, -1: 1, -2: x, -3: y})
        return bytes(16) + len(self.identifier).to_bytes(2, "big") + self.identifier + key


def encoded(data: bytes) -> str:
    """Return base64url without padding."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    """Read base64url without padding."""
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _map(values: Mapping[Any, Any]) -> bytes:
    parts = b"".join(_cbor(key) + _cbor(value) for key, value in values.items())
    return _head(5, len(values)) + parts


def _cbor(value: object) -> bytes:
    """Spell a value in CBOR (RFC 8949), as far as devices use it."""
    match value:
        case int():
            return _head(0, value) if value >= 0 else _head(1, -1 - value)
        case bytes():
            return _head(2, len(value)) + value
        case str():
            return _head(3, len(value.encode())) + value.encode()
        case dict():
            return _map(value)
        case _:
            raise TypeError


def _head(major: int, number: int) -> bytes:
    if number < 24:
        return bytes([major << 5 | number])
    if number < 256:
        return bytes([major << 5 | 24, number])
    return bytes([major << 5 | 25]) + number.to_bytes(2, "big")
