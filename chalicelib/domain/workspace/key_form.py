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
_FORM = re.compile(rf"{PREFIX}[0-9A-Za-z]{{{_RANDOM_LENGTH + _CHECKSUM_LENGTH}}}")


def make_key() -> str:
    """Return a new key; whoever holds it is the caller."""
    body = PREFIX + "".join(secrets.choice(_ALPHABET) for _ in range(_RANDOM_LENGTH))
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
    """Return the CRC-32 of the text in base 62, most significant character first."""
    rest = zlib.crc32(body.encode())
    characters = []
    for _ in range(_CHECKSUM_LENGTH):
        rest, digit = divmod(rest, len(_ALPHABET))
        characters.append(_ALPHABET[digit])
    return "".join(reversed(characters))
