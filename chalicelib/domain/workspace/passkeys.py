"""Passkeys: keys on a person's devices with which they sign in, after W3C Web Authentication.

A browser lets a page use a passkey only at the host for which it was made, the relying party, and
only over https or at localhost. Each use answers a challenge that works once, for 5 minutes, in the
browser that asked for it (docs/app.md "Sessions and links"). A challenge is not stored: it is
computed from a key of the service and from the browser's cookie, which contains when it asked.
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
"""The most that a person can have: an operator's sign-out deletes all in one transaction."""
_SECRET_BYTES, _RANDOM_LENGTH, _SECOND_LENGTH = 32, 43, 11
_ID_LENGTH = 32


class PasskeyRefused(Forbidden):
    """This passkey was not accepted. Try again, or sign in with a link."""

    code = "passkey_refused"


class PasskeyElsewhere(Forbidden):
    """Passkeys need an https address. This service is reached over plain http."""

    code = "passkey_elsewhere"


@dataclass(frozen=True, slots=True, kw_only=True)
class Passkey:
    """A passkey as it is stored; `hash` is the SHA-256 of its credential id.

    `credential` is its id and public key (W3C "attested credential data"), `counter` the number of
    signatures that its device last reported; many devices do not count and report 0.
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
    """A challenge that was answered, which is stored until it would have expired."""

    hash: str
    expires_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A challenge for a browser, as JSON, and the secret that it must send with its answer."""

    options: str
    secret: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A browser's answer, as JSON, and the secret that it sent with it, if any."""

    text: str = field(repr=False)
    secret: str | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class RelyingParty:
    """Where passkeys work: the host they belong to, and the origin of its pages."""

    host: str
    origin: str

    @classmethod
    def at(cls, base_url: str) -> Self | None:
        """Return the relying party at an address; None where browsers allow no passkeys."""
        parts = urlsplit(base_url)
        host = parts.hostname or ""
        if parts.scheme == "https":
            return None if _address(host) else cls(host, f"https://{parts.netloc}")
        if host != "localhost" and not _is_loopback(host):
            return None
        port = "" if parts.port is None else f":{parts.port}"
        return cls("localhost", f"http://localhost{port}")


def page_address(url: str) -> str:
    """Return the app's address for browsers; on loopback, `localhost`, where passkeys work."""
    party = RelyingParty.at(url)
    return party.origin if party is not None and url.startswith("http://") else url


def new_secret(now: datetime) -> str:
    """Return a browser's secret for a challenge: the Unix time and a random text."""
    return f"{int(now.timestamp())}.{secrets.token_urlsafe(_SECRET_BYTES)}"


def ending_of(secret: str) -> datetime | None:
    """Return when the challenge of a browser's secret expires, None for an invalid secret."""
    second, _, random = secret.partition(".")
    fits = len(second) <= _SECOND_LENGTH and second.isascii() and second.isdecimal()
    if not fits or len(random) != _RANDOM_LENGTH:
        return None
    return datetime.fromtimestamp(int(second), UTC) + CHALLENGE_LIFETIME


def challenge_of(key: bytes, secret: str, session: str) -> bytes:
    """Return the challenge for a browser's secret; `session` is that in which a passkey is added.

    Without the service's key, nobody can compute a challenge, nor change its time or session.
    """
    return hmac.digest(key, f"passkey/{session}/{secret}".encode(), "sha256")


def hash_of(data: bytes) -> str:
    """Return the SHA-256 of bytes in hex, by which rows are found."""
    return hashlib.sha256(data).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Handle:
    """Whom a passkey signs in.

    Devices keep forever what they got with a passkey. Before persons existed, that was a workspace
    and a member (`former`), whose id is now the person's.
    """

    person_id: str
    former: tuple[str, str] | None = None


def user_handle(person_id: str) -> bytes:
    """Return the user handle that a device stores with a passkey: an id, no name."""
    return bytes.fromhex(person_id)


def read_handle(handle: bytes) -> Handle | None:
    """Read a user handle; None if it is not one of this service."""
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
