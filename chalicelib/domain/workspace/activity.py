"""The activity of a workspace: who did what and from where, kept 400 days for owners and admins.

Posts have a history of their own. What is here is about people, keys, accounts and settings: who
signed in, and who granted or removed what (docs/app.md "Activity").
"""

from datetime import datetime, timedelta
from enum import StrEnum

from chalicelib.domain.workspace.access import Caller
from chalicelib.kit.dataclass import dataclass

KEPT = timedelta(days=400)


class Deed(StrEnum):
    """The kinds of actions."""

    SIGNED_IN = "signed_in"
    SIGNED_IN_ELSEWHERE = "signed_in.new_place"
    REFUSED = "refused"
    SIGNED_OUT = "signed_out"
    PASSKEY_ADDED = "passkey.added"
    PASSKEY_REMOVED = "passkey.removed"
    KEY_CREATED = "key.created"
    KEY_FIRST_USED = "key.first_used"
    KEY_REVOKED = "key.revoked"
    KEY_ROTATED = "key.rotated"
    MEMBER_ADDED = "member.added"
    MEMBER_INVITED = "member.invited"
    MEMBER_CHANGED = "member.changed"
    MEMBER_REMOVED = "member.removed"
    ACCOUNT_INVITED = "account.invited"
    ACCOUNT_CONNECTED = "account.connected"
    ACCOUNT_DISCONNECTED = "account.disconnected"
    PLAN_CHANGED = "plan.changed"
    SETTINGS_CHANGED = "settings.changed"
    POST_APPROVED_BY_LINK = "post.approved_by_link"
    POST_REJECTED_BY_LINK = "post.rejected_by_link"
    EXPORTED = "exported"
    DELETED = "deleted"


class ActorKind(StrEnum):
    """The means with which somebody acted."""

    MEMBER = "member"
    KEY = "key"
    OPERATOR = "operator"
    LINK = "link"
    NOBODY = "nobody"


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """Who did something: `id` is a member's or a key's, `client` the IP address."""

    kind: ActorKind
    id: str = ""
    name: str = ""
    client: str = ""

    @classmethod
    def of(cls, caller: Caller) -> "Actor":
        """Return the caller as an actor: a member who is signed in, or a key."""
        if caller.key_name is None:
            return cls(
                kind=ActorKind.MEMBER,
                id=caller.member_id,
                name=caller.member_name,
                client=caller.client,
            )
        name = caller.key_name or caller.member_name
        return cls(kind=ActorKind.KEY, id=caller.key_id, name=name, client=caller.client)


TOLD = frozenset({Deed.SIGNED_IN_ELSEWHERE, Deed.PASSKEY_ADDED, Deed.KEY_CREATED, Deed.KEY_ROTATED})
"""Actions about which the affected member gets an e-mail."""
OPERATOR = Actor(kind=ActorKind.OPERATOR, name="operator")


@dataclass(frozen=True, slots=True, kw_only=True)
class Activity:
    """One action: `deed` on `subject`, with its details in `detail`.

    `member_id` is the member whose key, passkey or sign-in it concerns.
    """

    id: str
    workspace_id: str
    at: datetime
    deed: Deed
    by: ActorKind
    by_id: str = ""
    by_name: str = ""
    client: str = ""
    subject_id: str = ""
    subject: str = ""
    detail: str = ""
    member_id: str = ""
