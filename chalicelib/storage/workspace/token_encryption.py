"""Encrypts secrets in tables: AES-GCM under a data key that only KMS can unwrap.

Every encryption asks KMS for a fresh key, bound to its owner by the encryption context, so a row
that is copied elsewhere cannot be decrypted, and each decryption is logged in CloudTrail. KMS
itself encrypts no more than 4,096 bytes (KMS API reference, "Encrypt"), and tokens may have more.
Layout: version, length of the wrapped key, wrapped key, nonce, ciphertext.
"""

import json
import os
from datetime import datetime
from typing import TYPE_CHECKING

from chalicelib.domain.workspace.tokens import Tokens

if TYPE_CHECKING:
    from mypy_boto3_kms import KMSClient

_VERSION = b"\x01"
_NONCE = 12


class UnsealableError(Exception):
    """What is stored is not what was sealed for this account."""


class TokenEncryption:
    """Encrypts and decrypts with one KMS key."""

    def __init__(self, kms: "KMSClient", key: str) -> None:
        self._kms = kms
        self._key = key

    def seal(self, account_id: str, tokens: Tokens) -> bytes:
        """Return encrypted tokens, which may be stored."""
        from cryptography.hazmat.primitives.ciphers.aead import (  # noqa: PLC0415 - as `open`
            AESGCM,
        )

        made = self._kms.generate_data_key(
            KeyId=self._key, KeySpec="AES_256", EncryptionContext=_context(account_id)
        )
        wrapped, nonce = made["CiphertextBlob"], os.urandom(_NONCE)
        text = json.dumps(_as_json(tokens)).encode()
        sealed = AESGCM(made["Plaintext"]).encrypt(nonce, text, account_id.encode())
        return _VERSION + len(wrapped).to_bytes(2, "big") + wrapped + nonce + sealed

    def open(self, account_id: str, secret: bytes) -> Tokens:
        """Return the decrypted tokens of the account. Raises UnsealableError."""
        # A process that has only test accounts, or answers requests, decrypts nothing.
        from cryptography.exceptions import InvalidTag  # noqa: PLC0415
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415

        if secret[:1] != _VERSION:
            raise UnsealableError(account_id)
        start = 3 + int.from_bytes(secret[1:3], "big")
        wrapped, nonce = secret[3:start], secret[start : start + _NONCE]
        try:
            key = self._kms.decrypt(CiphertextBlob=wrapped, EncryptionContext=_context(account_id))
            text = AESGCM(key["Plaintext"]).decrypt(
                nonce, secret[start + _NONCE :], account_id.encode()
            )
        except (InvalidTag, self._kms.exceptions.InvalidCiphertextException) as error:
            raise UnsealableError(account_id) from error
        return _read(json.loads(text))


def _context(account_id: str) -> dict[str, str]:
    """Return the encryption context, which KMS requires to decrypt and policies check.

    Its form tells what is encrypted, an account's tokens or something else: docs/security-model.md.
    Another form would need another policy, and existing rows new encryption.
    """
    return {"account_id": account_id}


def _as_json(tokens: Tokens) -> dict[str, object]:
    return {
        "access": tokens.access,
        "refresh": tokens.refresh,
        "expires_at": None if tokens.expires_at is None else tokens.expires_at.isoformat(),
        "renew_at": None if tokens.renew_at is None else tokens.renew_at.isoformat(),
        "ends_at": None if tokens.ends_at is None else tokens.ends_at.isoformat(),
        "extra": dict(tokens.extra),
    }


def _read(spelled: dict[str, object]) -> Tokens:
    extra = spelled["extra"]
    return Tokens(
        access=str(spelled["access"]),
        refresh=None if spelled["refresh"] is None else str(spelled["refresh"]),
        expires_at=_instant(spelled["expires_at"]),
        renew_at=_instant(spelled["renew_at"]),
        ends_at=_instant(spelled.get("ends_at")),  # older rows have none
        extra={str(name): str(value) for name, value in dict(extra).items()}  # type: ignore[call-overload]  # a JSON object
        if extra
        else {},
    )


def _instant(text: object) -> datetime | None:
    return datetime.fromisoformat(text) if isinstance(text, str) else None
