"""Passkeys: keys on a member's devices that sign in to the app, after W3C Web Authentication.

A browser lets a page use a passkey only at the host that it was made for, the relying party, and
only there where nobody can listen: by https, or at localhost. Each use answers a challenge that
works once, for 5 minutes, in the browser that asked for it (docs/app.md "Sessions and links").
Whoever asks costs no row: the challenge follows from a key of the service's and from what the
browser keeps in a cookie, which says when it asked.
"""

import hashlib
import hmac
import secrets
from dataclasses import field
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from typing import Self
from urllib.parse import urlsplit

from chalicelib.domain.error_kinds import Forbidden
from chalicelib.kit.dataclass import dataclass

CHALLENGE_LIFETIME = timedelta(minutes=5)
MOST_PASSKEYS = 20
"""Of one person: an operator's sign-out deletes them in one transaction."""
_SECRET_BYTES, _RANDOM_LENGTH, _SECOND_LENGTH = 32, 43, 11
_ID_LENGTH = 32


class PasskeyRefused(Forbidden):
    """This passkey was not accepted. Try again, or sign in by a link."""

    code = "passkey_refused"


class PasskeyElsewhere(Forbidden):
    """Passkeys need an address with https. This service is reached by plain http."""

    code = "passkey_elsewhere"


@dataclass(frozen=True, slots=True, kw_only=True)
class Passkey:
    """A passkey as it is stored; `hash` is the SHA-256 of its credential id.

    `credential` holds its id and public key (W3C "attested credential data"), `counter` how many
    signatures its device said that it had made; many devices do not count and say 0.
    """

    hash: str
    person_id: str
    name: str
    credential: bytes = field(repr=False)
    counter: int
    created_at: datetime
    used_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenge:
    """A challenge that was answered, as it is stored until it would have ended by itself."""

    hash: str
    expires_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What a browser is asked, as JSON, and the secret that it brings with its answer."""

    options: str
    secret: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a browser answered, as JSON, and the secret that it brought, if any."""

    text: str = field(repr=False)
    secret: str | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class RelyingParty:
    """Where passkeys work: the host they belong to, and the origin of its pages."""

    host: str
    origin: str

    @classmethod
    def at(cls, base_url: str) -> Self | None:
        """Return the party of a service at an address; None where browsers allow no passkeys."""
        parts = urlsplit(base_url)
        host = parts.hostname or ""
        if parts.scheme == "https":
            return None if _address(host) else cls(host, f"https://{parts.netloc}")
        if host != "localhost" and not _is_loopback(host):
            return None
        port = "" if parts.port is None else f":{parts.port}"
        return cls("localhost", f"http://localhost{port}")


def page_address(url: str) -> str:
    """Return where browsers open the app: on one machine at `localhost`, where passkeys work."""
    party = RelyingParty.at(url)
    return party.origin if party is not None and url.startswith("http://") else url


def new_secret(now: datetime) -> str:
    """Return what a browser keeps of its challenge, in a cookie: the second, and what is random."""
    return f"{int(now.timestamp())}.{secrets.token_urlsafe(_SECRET_BYTES)}"


def ending_of(secret: str) -> datetime | None:
    """Return when a browser's challenge ends by itself, None for no secret of ours."""
    second, _, random = secret.partition(".")
    fits = len(second) <= _SECOND_LENGTH and second.isascii() and second.isdecimal()
    if not fits or len(random) != _RANDOM_LENGTH:
        return None
    return datetime.fromtimestamp(int(second), UTC) + CHALLENGE_LIFETIME


def challenge_of(key: bytes, secret: str, session: str) -> bytes:
    """Return the challenge of a browser with this secret, perhaps to add a passkey in a session.

    Who has not the service's key can make none, for another second or session neither.
    """
    return hmac.digest(key, f"passkey/{session}/{secret}".encode(), "sha256")


def hash_of(data: bytes) -> str:
    """Return what rows are found by: a SHA-256 in hex."""
    return hashlib.sha256(data).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Handle:
    """Whom a passkey signs in.

    Devices keep for ever what they got with a passkey: before there were persons, that was the
    workspace and the member, `former`, whose id is the person's.
    """

    person_id: str
    former: tuple[str, str] | None = None


def user_handle(person_id: str) -> bytes:
    """Return what a device keeps of whom its passkey signs in: an id, no name."""
    return bytes.fromhex(person_id)


def read_handle(handle: bytes) -> Handle | None:
    """Read a user handle; None if it is none of ours."""
    text = handle.hex()
    if len(text) == _ID_LENGTH:
        return Handle(person_id=text)
    if len(text) == 2 * _ID_LENGTH:
        workspace_id, member_id = text[:_ID_LENGTH], text[_ID_LENGTH:]
        return Handle(person_id=member_id, former=(workspace_id, member_id))
    return None


def _address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _is_loopback(host: str) -> bool:
    return _address(host) and ip_address(host).is_loopback
