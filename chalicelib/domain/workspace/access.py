"""Who may do what: scopes of a key, permissions of a role, and the caller that both describe.

A key may do what both its scopes and its member's role allow (docs/api.md "Authentication");
somebody who signed in to the app has every scope, so that only the role decides. Endpoints, pages
and changes of scheduled posts (`posts/post.py`) call `may` or `require`. The caller is read again
for every request.
"""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum

from chalicelib.domain.errors import RoleForbids, ScopeMissing
from chalicelib.kit.dataclass import dataclass


class Scope(StrEnum):
    """What a key may be used for (docs/api.md "Authentication", table of scopes)."""

    READ = "post.read"
    WRITE = "post.write"
    PUBLISH = "post.publish"
    DELETE_PUBLISHED = "post.delete_published"
    ACCOUNTS = "account.manage"


class Role(StrEnum):
    """What a member may do in a workspace."""

    OWNER = "owner"
    ADMIN = "admin"
    EDITOR = "editor"
    CONTRIBUTOR = "contributor"
    VIEWER = "viewer"


class Plan(StrEnum):
    """What a workspace has paid for."""

    FREE = "free"
    TRIAL = "trial"
    STARTER = "starter"
    CREATOR = "creator"
    STUDIO = "studio"


DEFAULT_SCOPES = frozenset({Scope.READ, Scope.WRITE, Scope.PUBLISH})
_PERMISSIONS: dict[Role, frozenset[Scope]] = {
    Role.OWNER: frozenset(Scope),
    Role.ADMIN: frozenset(Scope),
    Role.EDITOR: frozenset({Scope.READ, Scope.WRITE, Scope.PUBLISH, Scope.DELETE_PUBLISHED}),
    Role.CONTRIBUTOR: frozenset({Scope.READ, Scope.WRITE}),
    Role.VIEWER: frozenset({Scope.READ}),
}


def permissions(role: Role) -> frozenset[Scope]:
    """Return what a role allows, regardless of a key's scopes."""
    return _PERMISSIONS[role]


def manages(role: Role, other: Role) -> bool:
    """Tell whether a role may change members of another: an owner all, an admin all but owners."""
    return role is Role.OWNER or (role is Role.ADMIN and other is not Role.OWNER)


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """The member for whom a request acts, and the workspace, as they are now.

    `accounts` maps each connected account's id, oldest first, to its audience regions. They are
    stored with the key (each change of accounts rewrites them in its transaction), so that reading
    a post or finding a golden hour needs no further read. `raised_storage` is the number of bytes
    of files that an operator allowed, if more than the plan's. `key_name` is None for somebody who
    signed in to the app. `client` is the IP address of the request, empty without a request.
    `revisions` are the states of a post that this request may change; None means any.
    """

    workspace_id: str
    member_id: str
    member_name: str
    role: Role
    scopes: frozenset[Scope]
    key_id: str
    plan: Plan
    trial_ends_at: datetime | None
    workspace_created_at: datetime
    timezone: str
    member_timezone: str
    approvals: bool
    accounts: Mapping[str, tuple[str, ...]]
    revisions: frozenset[str] | None = None
    raised_storage: int | None = None
    key_name: str | None = None
    client: str = ""

    def accepts(self, revision: str) -> bool:
        """Tell whether a change is meant for a post in this state (its `revision`)."""
        return self.revisions is None or revision in self.revisions

    def trial_is_over(self, now: datetime) -> bool:
        """Tell whether the workspace's trial has ended; False on other plans."""
        return self.trial_ends_at is not None and now >= self.trial_ends_at


def may(caller: Caller, scope: Scope) -> bool:
    """Tell whether both the key and the role allow something."""
    return scope in caller.scopes and scope in permissions(caller.role)


def require(caller: Caller, scope: Scope, *, why: str = "") -> None:
    """Check that key and role allow something; `why` is a sentence that says what needs it.

    Raises ScopeMissing for the key, or else RoleForbids.
    """
    if scope not in caller.scopes:
        lacks = f'The key lacks the scope "{scope}". Create a key that has it.'
        raise ScopeMissing(f"{why} {lacks}".lstrip())
    if scope not in permissions(caller.role):
        raise RoleForbids(f"{why} {RoleForbids.__doc__}".lstrip())
