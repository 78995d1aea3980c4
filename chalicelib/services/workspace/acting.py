"""A member as a caller: what somebody who signed in, or whose work is done later, may do now."""

from collections.abc import Iterable

from chalicelib.domain.workspace.access import Caller, Scope
from chalicelib.domain.workspace.accounts import Account
from chalicelib.domain.workspace.workspaces import Member, Workspace


def member_caller(
    member: Member,
    workspace: Workspace,
    accounts: Iterable[Account],
    *,
    key_id: str,
    client: str = "",
) -> Caller:
    """Return the caller that a member is right now: with every scope, so the role alone decides."""
    return Caller(
        workspace_id=workspace.id,
        member_id=member.id,
        member_name=member.name,
        role=member.role,
        scopes=frozenset(Scope),
        key_id=key_id,
        plan=workspace.plan,
        trial_ends_at=workspace.trial_ends_at,
        workspace_created_at=workspace.created_at,
        timezone=workspace.timezone,
        member_timezone=member.timezone,
        approvals=workspace.approvals,
        accounts={account.id: account.audience_regions for account in accounts},
        raised_storage=workspace.raised_storage,
        client=client,
    )
