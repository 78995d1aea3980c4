"""Workspaces, their members and the keys that members act with.

A plan is paid for a workspace, and every post, file and account belongs to one. Operators create
all three on the command line (docs/operations.md), members in the app; the API only reads them, as
a `Caller`.
"""

from datetime import datetime
from functools import cache
from zoneinfo import available_timezones

from chalicelib.domain.workspace.access import Plan, Role, Scope
from chalicelib.domain.workspace.notices import Channel, NoticeKind
from chalicelib.domain.workspace.operator_errors import OperatorError
from chalicelib.domain.workspace.plans import TRIAL_LENGTH
from chalicelib.kit.dataclass import dataclass

LONGEST_NAME = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Workspace:
    """A tenant; `version` counts changes to it, its members, keys and accounts.

    With `passkeys_only`, a sign-in link alone shows nothing of it: a passkey is needed.
    """

    id: str
    name: str
    plan: Plan
    timezone: str
    approvals: bool
    created_at: datetime
    raised_storage: int | None = None
    passkeys_only: bool = False
    version: int = 1

    @property
    def trial_ends_at(self) -> datetime | None:
        """When the trial ends or ended; None on every other plan."""
        return self.created_at + TRIAL_LENGTH if self.plan is Plan.TRIAL else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A person in a workspace; a removed one stays on record, without working keys.

    `person_id` is None until the first sign-in. `notices` are the kinds of notices that are mailed
    to `email`; `notices_for` returns those of all channels. An address that the person typed is
    `asked_email` until the link that is sent there is opened. `asked_at` is when it was typed,
    `email_at` since when `email` is used. Sessions that began before `signed_out_at` have ended.
    """

    id: str
    workspace_id: str
    name: str
    role: Role
    timezone: str
    created_at: datetime
    removed_at: datetime | None = None
    signed_out_at: datetime | None = None
    email: str | None = None
    email_at: datetime | None = None
    notices: frozenset[NoticeKind] = frozenset()
    person_id: str | None = None
    asked_email: str | None = None
    asked_at: datetime | None = None
    notices_in_bell: frozenset[NoticeKind] | None = None
    notices_by_push: frozenset[NoticeKind] | None = None
    notices_in_digest: frozenset[NoticeKind] | None = None

    def notices_for(self, channel: Channel) -> frozenset[NoticeKind]:
        """Return the kinds of notices that the person gets by a channel.

        Without a choice of the person, browsers show what is mailed, and the bell's page and the
        digest everything.
        """
        if channel is Channel.MAIL:
            return self.notices
        if channel is Channel.PUSH:
            return self.notices if self.notices_by_push is None else self.notices_by_push
        is_bell = channel is Channel.BELL
        chosen = self.notices_in_bell if is_bell else self.notices_in_digest
        return channel.kinds if chosen is None else chosen


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiKey:
    """A key as operators see it; the key itself is not stored.

    `client_hash` is that of the assistant to which a member gave it, None for other keys.
    `expires_at` is when it stops working by itself, None for never.
    """

    id: str
    workspace_id: str
    member_id: str
    name: str
    scopes: frozenset[Scope]
    created_at: datetime
    last_used_at: datetime | None = None
    revoked_at: datetime | None = None
    expires_at: datetime | None = None
    client_hash: str | None = None

    def works(self, now: datetime) -> bool:
        """Tell whether it is neither revoked nor expired."""
        is_over = self.expires_at is not None and now >= self.expires_at
        return self.revoked_at is None and not is_over


def is_name(text: str) -> bool:
    """Tell whether the text can name a workspace, a member, a key or an account."""
    return text.strip() == text and 0 < len(text) <= LONGEST_NAME and text.isprintable()


def is_timezone(text: str) -> bool:
    """Tell whether the text is a time zone's name, exactly as in the IANA database."""
    return text in all_timezones()


@cache
def all_timezones() -> frozenset[str]:
    """Return the names of all time zones, cached: reading them opens hundreds of files."""
    return frozenset(available_timezones())


def check_name(text: str) -> str:
    """Return the text if `is_name` accepts it. Raises OperatorError."""
    if not is_name(text):
        message = (
            f"A name has 1 to {LONGEST_NAME} printable characters and no spaces at either end."
        )
        raise OperatorError(message)
    return text


def check_timezone(text: str) -> str:
    """Return the text if it is the name of a time zone. Raises OperatorError."""
    if not is_timezone(text):
        message = f'There is no time zone "{text}". Use a name such as Europe/Paris or UTC.'
        raise OperatorError(message)
    return text
