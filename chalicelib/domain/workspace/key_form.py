"""The form of API keys: a known beginning, forty random characters, a checksum.

Whoever holds the text is the caller; only its SHA-256 is stored. A mistyped key is recognised by
its checksum alone, without reading the database.
"""

import hashlib
import re
import secrets
import string
import zlib

PREFIX = "gh_live_"
_ALPHABET = string.digits + string.ascii_uppercase + string.ascii_lowercase
_RANDOM_LENGTH = 40
_CHECKSUM_LENGTH = 6
_SECRET_BYTES = 64
_FORM = re.compile(rf"{PREFIX}[0-9A-Za-z]{{{_RANDOM_LENGTH + _CHECKSUM_LENGTH}}}")


def make_key() -> str:
    """Return a new key; whoever holds it is the caller."""
    return key_of(secrets.token_bytes(_SECRET_BYTES))


def key_of(secret: bytes) -> str:
    """Return the key of 64 secret bytes, so many that each character is as likely as another."""
    body = PREFIX + _in_base_62(int.from_bytes(secret), _RANDOM_LENGTH)
    return body + _checksum(body)


def looks_like_key(text: str) -> bool:
    """Tell whether the text has a key's form and its checksum is right."""
    if _FORM.fullmatch(text) is None:
        return False
    return text[-_CHECKSUM_LENGTH:] == _checksum(text[:-_CHECKSUM_LENGTH])


def key_hash(key: str) -> str:
    """Return a key's SHA-256 in hex, which is stored."""
    return hashlib.sha256(key.encode()).hexdigest()


def _checksum(body: str) -> str:
    """Return the CRC-32 of the text in base 62."""
    return _in_base_62(zlib.crc32(body.encode()), _CHECKSUM_LENGTH)


def _in_base_62(number: int, length: int) -> str:
    """Return the last characters of a number in base 62, most significant character first."""
    rests = (number // len(_ALPHABET) ** place for place in reversed(range(length)))
    return "".join(_ALPHABET[rest % len(_ALPHABET)] for rest in rests)
