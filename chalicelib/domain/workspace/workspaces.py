"""Workspaces, their members and the keys that members act with.

A workspace is what a plan is paid for and what every post, file and account belongs to. Operators
make all three on the command line (docs/operations.md); the API only ever reads them, as a
`Caller`.
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
    """One customer's room; `version` counts changes to it, its members, keys and accounts.

    With `passkeys_only` a sign-in link lets nobody see anything of it: a passkey does.
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
        """When the trial ends or ended, None on every other plan."""
        return self.created_at + TRIAL_LENGTH if self.plan is Plan.TRIAL else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A person in a workspace; a removed one stays on record, without any key that works.

    `person_id` is the person, None until somebody comes by a sign-in link.

    `notices` are the kinds of letters that go to the person's address, `email`; `notices_for` tells
    what the person is told elsewhere. An address that the person typed is `asked_email` until a
    link that was sent there is opened; `asked_at` is when, and `email_at` since when `email` is
    used.

    Sessions that began before `signed_out_at` have ended.
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
        """Return what the person is told by a channel.

        Who never chose for it is told in browsers what comes by e-mail, and everything on the
        bell's page and in the morning's letter.
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
    """A key as operators see it; the key itself is not kept.

    `client_hash` tells which assistant a member gave it to, None for a key that was made.
    `expires_at` is when it stops working by itself, if it does.
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
        """Tell whether it was not revoked and has not ended; an assistant's is renewed."""
        is_over = self.expires_at is not None and now >= self.expires_at
        return self.revoked_at is None and not is_over


def is_name(text: str) -> bool:
    """Tell whether the text can name a workspace, a member, a key or an account."""
    return text.strip() == text and 0 < len(text) <= LONGEST_NAME and text.isprintable()


def is_timezone(text: str) -> bool:
    """Tell whether the text is the name of a time zone, spelled as the IANA database spells it."""
    return text in all_timezones()


@cache
def all_timezones() -> frozenset[str]:
    """Return the names of all time zones, read once: they are a walk over hundreds of files."""
    return frozenset(available_timezones())


def check_name(text: str) -> str:
    """Return a name that can be one. Raises OperatorError."""
    if not is_name(text):
        message = (
            f"A name has 1 to {LONGEST_NAME} printable characters and no spaces at either end."
        )
        raise OperatorError(message)
    return text


def check_timezone(text: str) -> str:
    """Return the name of a time zone that there is. Raises OperatorError."""
    if not is_timezone(text):
        message = f'There is no time zone "{text}". Use a name such as Europe/Paris or UTC.'
        raise OperatorError(message)
    return text
