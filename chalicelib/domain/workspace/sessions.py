"""Links, sessions, and sign-ins at platforms in progress (flows).

Whoever has a link's or a session's secret may use it, so only its hash is stored. A link names its
workspace and a session its person, so that each is found by one key (docs/app.md "Sessions and
links"). A link ends when it expires, is used or is revoked. A flow is found by the hash of the
state that the platform sends back, belongs to the browser that began it, and ends at its first use.
"""

import hashlib
import secrets
from dataclasses import field
from datetime import datetime, timedelta
from enum import StrEnum

from chalicelib.domain.ids import is_id
from chalicelib.domain.platforms.platform import Platform
from chalicelib.kit.dataclass import dataclass


class LinkKind(StrEnum):
    """What a link opens."""

    SIGN_IN = "sign-in"
    CONNECT = "connect"
    REVIEW = "review"
    ADDRESS = "address"
    CLIENT = "client"


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A link as it is stored; `hash` is that of its secret.

    `subject` is the member or post that it is about, or a client's name. `made_by` is the name of
    its maker, `maker_id` the member's id, None for operators and old links. `address` is the e-mail
    address that it confirms, `account_ids` are the accounts whose posts a client's page shows,
    `reader` is the name of the reviewer, if it was given.
    """

    hash: str
    kind: LinkKind
    workspace_id: str
    made_by: str
    created_at: datetime
    expires_at: datetime
    subject: str = ""
    platform: Platform | None = None
    return_to: str | None = None
    maker_id: str | None = None
    address: str | None = None
    account_ids: tuple[str, ...] = ()
    reader: str = ""

    def is_made_by(self, member_id: str, name: str) -> bool:
        """Tell whether a member made it."""
        return name == self.made_by if self.maker_id is None else member_id == self.maker_id

    def works_as(self, kind: LinkKind, now: datetime) -> bool:
        """Tell whether it is of that kind and has not expired."""
        return self.kind is kind and now < self.expires_at


FLOW_LIFETIME = timedelta(minutes=15)


@dataclass(frozen=True, slots=True, kw_only=True)
class Flow:
    """A sign-in at a platform, begun by a member (`member_id`) or with a link (`link_hash`).

    `account_id` is the account to sign in to again, if it is known. `secret` is JSON: the pending
    sign-in, or the accounts to which it gives access.
    """

    state_hash: str
    browser_hash: str
    workspace_id: str
    platform: Platform
    expires_at: datetime
    method: str | None = None
    member_id: str | None = None
    link_hash: str | None = None
    account_id: str | None = None
    secret: str = field(repr=False)


LINK_LIFETIME = timedelta(minutes=15)
IDLE = timedelta(days=14)
LONGEST = timedelta(days=90)
NOTE_USE_EVERY = timedelta(minutes=1)
PROOF_LIFETIME = timedelta(minutes=10)
_SECRET_BYTES = 32
_SECRET_LENGTH = 43
_ID_LENGTH = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A signed-in browser; `hash` is that of its secret, `device` the browser's name.

    `reach` are the workspaces whose sign-in links the browser opened. Managers of a workspace can
    make such links, so one opens only that workspace. None means a sign-in with a passkey, which
    opens all workspaces of the person. `proven_at` is when a passkey or link was last used,
    `proven_in` the link's workspace. That proof replaced the session; `former_form` is the hash of
    the form token before it, so that pages opened before still work.
    """

    hash: str
    person_id: str
    created_at: datetime
    seen_at: datetime
    device: str = ""
    reach: frozenset[str] | None = None
    proven_at: datetime | None = None
    proven_in: str | None = None
    former_form: str = ""

    def is_over(self, now: datetime) -> bool:
        """Tell whether it was idle for 14 days or has lasted 90."""
        return now >= min(self.seen_at + IDLE, self.created_at + LONGEST)

    def is_live(self, signed_out_at: datetime | None, now: datetime) -> bool:
        """Tell whether it is not over, and began after its person last signed out everywhere."""
        is_out = signed_out_at is not None and self.created_at <= signed_out_at
        return not is_out and not self.is_over(now)

    def is_due(self, now: datetime) -> bool:
        """Tell whether the time of its last use must be saved again."""
        return now - self.seen_at >= NOTE_USE_EVERY

    def opens(self, workspace_id: str) -> bool:
        """Tell whether it opens a workspace of its person."""
        return self.reach is None or workspace_id in self.reach

    def is_proven(self, workspace_id: str, now: datetime) -> bool:
        """Tell whether a passkey or a link of this workspace was used in the last 10 minutes."""
        is_for_it = self.proven_in in {None, workspace_id}
        return self.proven_at is not None and is_for_it and now - self.proven_at < PROOF_LIFETIME


def with_workspace(session: Session | None, workspace_id: str) -> frozenset[str] | None:
    """Return the reach of a session, or of a new one, after a workspace's link was opened."""
    if session is None:
        return frozenset({workspace_id})
    return None if session.reach is None else session.reach | {workspace_id}


@dataclass(frozen=True, slots=True)
class Token:
    """The text in a link: a workspace's id and a secret."""

    workspace_id: str
    secret: str

    def __repr__(self) -> str:
        return f"Token({self.workspace_id})"

    def __str__(self) -> str:
        return self.workspace_id + self.secret

    @property
    def hash(self) -> str:
        """Return the SHA-256 of the secret in hex, which is stored."""
        return hash_of_secret(self.secret)


def hash_of_secret(secret: str) -> str:
    """Return the SHA-256 of a secret in hex, which is stored."""
    return hashlib.sha256(secret.encode()).hexdigest()


def new_secret() -> str:
    """Return a secret that nobody can guess."""
    return secrets.token_urlsafe(_SECRET_BYTES)


def is_secret(text: str) -> bool:
    """Tell whether a text has the form of a secret."""
    return len(text) == _SECRET_LENGTH and text.isascii()


def new_token(workspace_id: str) -> Token:
    """Return a new token with a secret that nobody can guess."""
    return Token(workspace_id, new_secret())


def read_token(text: str) -> Token | None:
    """Return the token in a text, None if it is malformed."""
    workspace_id, secret = text[:_ID_LENGTH], text[_ID_LENGTH:]
    return Token(workspace_id, secret) if is_id(workspace_id) and is_secret(secret) else None
