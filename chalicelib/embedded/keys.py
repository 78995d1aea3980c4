"""KMS as the storage calls it: data keys, wrapped by keys that lie in a file beside the tables.

The file is readable by its owner alone. What was wrapped for one context opens in no other.
"""

import base64
import json
import os
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import ClassVar

from chalicelib.embedded.base_client import Answer, Call, EmbeddedClient, operation
from chalicelib.embedded.failures import refusal

FILE = "keys.json"
_KEY_BYTES = 32
_NONCE_BYTES = 12
_ID_BYTES = 8


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
            "CiphertextBlob": self._wrapped(call["KeyId"], plain, _context(call)),
        }

    def _wrapped(self, alias: str, plain: bytes, context: bytes) -> bytes:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415 - 20 MB

        keys = self._keys()
        if alias not in keys:
            raise refusal("NotFoundException", f"Alias {alias} is not found.")
        nonce, name = os.urandom(_NONCE_BYTES), _name(keys[alias])
        return name + nonce + AESGCM(keys[alias]).encrypt(nonce, plain, context)

    @operation("Decrypt", "CiphertextBlob", "EncryptionContext", "KeyId")
    def decrypt(self, call: Call) -> Answer:
        """Return what was wrapped. Raises InvalidCiphertextException."""
        from cryptography.exceptions import InvalidTag  # noqa: PLC0415 - as `_wrapped`
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415

        blob = bytes(call["CiphertextBlob"])
        name, nonce = blob[:_ID_BYTES], blob[_ID_BYTES : _ID_BYTES + _NONCE_BYTES]
        for alias, key in self._keys().items():
            if _name(key) == name:
                try:
                    sealed = blob[_ID_BYTES + _NONCE_BYTES :]
                    plain = AESGCM(key).decrypt(nonce, sealed, _context(call))
                except (InvalidTag, ValueError):
                    break
                return {"KeyId": alias, "Plaintext": plain}
        raise refusal("InvalidCiphertextException", "It was not wrapped here, or not for this.")

    @operation("DescribeKey", "KeyId")
    def describe_key(self, call: Call) -> Answer:
        """Tell that a key is there. Raises NotFoundException."""
        if call["KeyId"] not in self._keys():
            raise refusal("NotFoundException", f"Alias {call['KeyId']} is not found.")
        return {"KeyMetadata": {"KeyId": call["KeyId"], "Enabled": True, "KeyState": "Enabled"}}

    def _keys(self) -> dict[str, bytes]:
        return read_keys(self._engine.folder)


def read_keys(folder: Path) -> dict[str, bytes]:
    """Return the keys of a folder by their aliases."""
    try:
        kept = json.loads((folder / FILE).read_text(encoding="ascii"))
    except FileNotFoundError:
        return {}
    return {alias: base64.b64decode(text) for alias, text in kept.items()}


def make_key(folder: Path, alias: str) -> None:
    """Make a key unless it is there."""
    keys = read_keys(folder)
    if alias not in keys:
        keep_keys(folder, {**keys, alias: os.urandom(_KEY_BYTES)})


def keep_keys(folder: Path, keys: Mapping[str, bytes]) -> None:
    """Write the keys so that a power cut leaves the old file or the new one."""
    text = json.dumps({a: base64.b64encode(key).decode("ascii") for a, key in keys.items()})
    fresh = folder / f"{FILE}.new"
    with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:  # noqa: PTH123 - with rights
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(folder / FILE)


def _name(key: bytes) -> bytes:
    return sha256(key).digest()[:_ID_BYTES]


def _context(call: Call) -> bytes:
    return json.dumps(call.get("EncryptionContext", {}), sort_keys=True).encode()
