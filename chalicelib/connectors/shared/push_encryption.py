"""Encrypts a push service's message to a browser: RFC 8291 over RFC 8188, one record.

`cryptography` does the curve, the derivation and the cipher. `http_ece`, which would do all of it,
has no wheel, and Lambda's packages are installed from wheels alone; it decrypts this module's
messages in `tests/connectors/shared/test_web_push.py`.
"""

import os
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDH,
    SECP256R1,
    EllipticCurvePrivateKey,
    EllipticCurvePublicKey,
    generate_private_key,
)
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

_RECORD_BYTES: Final = 4_096
"""What a push service must take (RFC 8030, section 7.2), so one record holds every message."""
_SALT_BYTES: Final = 16
_LAST_RECORD: Final = b"\x02"


def encrypt(text: bytes, *, browser_key: bytes, browser_secret: bytes) -> bytes:
    """Return a message that the browser with these keys alone can read.

    Raises ValueError for a key that is no point of P-256.
    """
    return encrypt_with(
        text,
        browser_key=browser_key,
        browser_secret=browser_secret,
        own_key=generate_private_key(SECP256R1()),
        salt=os.urandom(_SALT_BYTES),
    )


def encrypt_with(
    text: bytes,
    *,
    browser_key: bytes,
    browser_secret: bytes,
    own_key: EllipticCurvePrivateKey,
    salt: bytes,
) -> bytes:
    """Return the message that this key and this salt make; each may serve one message only."""
    own = public_bytes(own_key)
    browser = EllipticCurvePublicKey.from_encoded_point(SECP256R1(), browser_key)
    shared = own_key.exchange(ECDH(), browser)
    secret = _derive(shared, browser_secret, b"WebPush: info\x00" + browser_key + own, 32)
    key = _derive(secret, salt, b"Content-Encoding: aes128gcm\x00", 16)
    nonce = _derive(secret, salt, b"Content-Encoding: nonce\x00", 12)
    sealed = AESGCM(key).encrypt(nonce, text + _LAST_RECORD, None)
    return salt + _RECORD_BYTES.to_bytes(4, "big") + bytes([len(own)]) + own + sealed


def public_bytes(key: EllipticCurvePrivateKey) -> bytes:
    """Return the public half of a key in browsers' form: an uncompressed point."""
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _derive(secret: bytes, salt: bytes, about: bytes, length: int) -> bytes:
    return HKDF(algorithm=SHA256(), length=length, salt=salt, info=about).derive(secret)
