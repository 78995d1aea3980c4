"""KMS as the storage calls it: data keys, wrapped by keys in a file beside the tables.

Only its owner can read the file. What was wrapped for one context cannot be unwrapped in another.
"""

import base64
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import field
from hashlib import sha256
from pathlib import Path
from typing import ClassVar

from chalicelib.kit.aws_on_sqlite.base_client import Answer, Call, EmbeddedClient, operation
from chalicelib.kit.aws_on_sqlite.engine import Engine
from chalicelib.kit.aws_on_sqlite.failures import refusal
from chalicelib.kit.aws_on_sqlite.shared_sync import write_safely
from chalicelib.kit.dataclass import dataclass

FILE = "keys.json"
_KEY_BYTES = 32
_NONCE_BYTES = 12
_ID_BYTES = 8
_KINDS = ("wrapping", "former")


class EmbeddedKms(EmbeddedClient):
    """The keys of an engine."""

    service: ClassVar[str] = "kms"

    @operation("GenerateDataKey", "KeyId", "KeySpec", "EncryptionContext")
    def generate_data_key(self, call: Call) -> Answer:
        """Return a new key of 256 bits, plain and wrapped."""
        plain = os.urandom(_KEY_BYTES)
        return {
            "KeyId": call["KeyId"],
            "Plaintext": plain,
            "CiphertextBlob": self._wrap(call["KeyId"], plain, _context(call)),
        }

    def _wrap(self, alias: str, plain: bytes, context: bytes) -> bytes:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415 - 20 MB

        keys = self._keys().wrapping
        if alias not in keys:
            raise refusal("NotFoundException", f"Alias {alias} is not found.")
        nonce, name = os.urandom(_NONCE_BYTES), _name(keys[alias])
        return name + nonce + AESGCM(keys[alias]).encrypt(nonce, plain, context)

    @operation("Decrypt", "CiphertextBlob", "EncryptionContext", "KeyId")
    def decrypt(self, call: Call) -> Answer:
        """Return the unwrapped bytes. Raises InvalidCiphertextException."""
        from cryptography.exceptions import InvalidTag  # noqa: PLC0415 - as `_wrap`
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415

        blob = bytes(call["CiphertextBlob"])
        name, nonce = blob[:_ID_BYTES], blob[_ID_BYTES : _ID_BYTES + _NONCE_BYTES]
        keys, sealed = self._keys(), blob[_ID_BYTES + _NONCE_BYTES :]
        for alias, key in keys.wrapping.items():
            if _name(key) == name:
                with suppress(InvalidTag, ValueError):
                    plain = AESGCM(key).decrypt(nonce, sealed, _context(call))
                    return {"KeyId": alias, "Plaintext": plain}
        former = _open_former(blob, keys.former, _context(call))
        if former is not None:
            return {"Plaintext": former}
        raise refusal("InvalidCiphertextException", "It was not wrapped here, or not for this.")

    @operation("DescribeKey", "KeyId")
    def describe_key(self, call: Call) -> Answer:
        """Describe an existing key. Raises NotFoundException."""
        if call["KeyId"] not in self._keys().wrapping:
            raise refusal("NotFoundException", f"Alias {call['KeyId']} is not found.")
        return {"KeyMetadata": {"KeyId": call["KeyId"], "Enabled": True, "KeyState": "Enabled"}}

    def _keys(self) -> "Keys":
        return Keys.read(self._engine.folder)


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of an engine: those that wrap, by alias, and those that only unwrap, by id."""

    wrapping: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    former: Mapping[str, bytes] = field(default_factory=dict, repr=False)

    @classmethod
    def read(cls, folder: Path) -> "Keys":
        """Return the keys of a folder."""
        try:
            kept = json.loads((folder / FILE).read_text(encoding="ascii"))
        except FileNotFoundError:
            return cls()
        return cls(*({n: base64.b64decode(t) for n, t in kept[k].items()} for k in _KINDS))


def make_key(engine: Engine, alias: str) -> None:
    """Make a key unless it exists; of several processes only one makes it."""
    with engine.alone():
        keys = Keys.read(engine.folder)
        if alias not in keys.wrapping:
            fresh = {**keys.wrapping, alias: os.urandom(_KEY_BYTES)}
            keep_keys(engine.folder, Keys(fresh, keys.former))


def renew_keys(folder: Path) -> None:
    """Wrap with new keys from now on, while nothing runs; the old ones still unwrap."""
    keys = Keys.read(folder)
    old = {
        f"{alias}#{_name(key).hex()}": key
        for alias, key in keys.wrapping.items()
        if "#" not in alias
    }
    new = {alias: os.urandom(_KEY_BYTES) for alias in keys.wrapping if "#" not in alias}
    keep_keys(folder, Keys({**keys.wrapping, **old, **new}, keys.former))


def keep_keys(folder: Path, keys: Keys) -> None:
    """Write the keys so that a power cut leaves the old file or the new one."""
    both = zip(_KINDS, (keys.wrapping, keys.former), strict=True)
    text = {k: {n: base64.b64encode(key).decode() for n, key in of.items()} for k, of in both}
    write_safely(folder / FILE, json.dumps(text), mode=0o600)


def _open_former(blob: bytes, keys: Mapping[str, bytes], context: bytes) -> bytes | None:
    """Unwrap a key of the first data directory format: key id, digest, nonce, masked key."""
    key, nonce = keys.get(blob[:36].decode("ascii", "replace")), blob[68:84]
    if key is None or blob[36:68] != sha256(context).digest():
        return None
    mask = sha256(sha256(key + context + nonce).digest() + bytes(4)).digest()
    return bytes(a ^ b for a, b in zip(blob[84:], mask, strict=True))


def _name(key: bytes) -> bytes:
    return sha256(key).digest()[:_ID_BYTES]


def _context(call: Call) -> bytes:
    return json.dumps(call.get("EncryptionContext", {}), sort_keys=True).encode()
