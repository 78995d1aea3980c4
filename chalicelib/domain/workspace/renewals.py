"""What a refresh token of an assistant is answered, and what is kept of its grant then."""

import hmac
from dataclasses import field, replace
from datetime import datetime

from chalicelib.domain.workspace.grants import ACCESS_LIFETIME, IDLE_LIFETIME, Grant, RefreshToken
from chalicelib.domain.workspace.key_form import key_of
from chalicelib.kit import base64url
from chalicelib.kit.dataclass import dataclass

_SECRET_BYTES = 32


@dataclass(frozen=True, slots=True)
class Tokens:
    """What an assistant gets: a key and what renews it."""

    access: str = field(repr=False)
    refresh: RefreshToken


def tokens_after(last: RefreshToken, seed: str) -> Tokens:
    """Return what a refresh token is answered with a seed; nobody without both can tell it."""
    access, secret = (
        hmac.digest(seed.encode(), f"{name} {last}".encode(), "sha512")
        for name in ("access", "refresh")
    )
    text = base64url.encode(secret[:_SECRET_BYTES])
    return Tokens(key_of(access), RefreshToken(last.workspace_id, last.key_id, last.family, text))


def grant_after(
    grant: Grant, last: RefreshToken, seed: str, *, now: datetime, latest: datetime
) -> Grant:
    """Return a grant after its last refresh token was used; it ends at `latest`."""
    return replace(
        grant,
        refresh_hash=tokens_after(last, seed).refresh.hash,
        access_ends_at=now + ACCESS_LIFETIME,
        ends_at=min(now + IDLE_LIFETIME, latest),
        used_hash=last.hash,
        seed=seed,
    )
