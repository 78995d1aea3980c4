"""Callers for use cases that take all they need to know from them."""

from collections.abc import Mapping

from chalicelib.domain.workspace.access import Caller, Plan, Role, Scope
from tests.support.builders import WORKSPACE
from tests.support.frozen_clock import NOON


def a_caller(
    *,
    workspace_id: str = WORKSPACE,
    timezone: str = "Europe/Paris",
    accounts: Mapping[str, tuple[str, ...]] | None = None,
) -> Caller:
    """Return the owner of a workspace, with all scopes; the owner's own clock is Tokyo's."""
    return Caller(
        workspace_id=workspace_id,
        member_id="1" * 32,
        member_name="Ada",
        role=Role.OWNER,
        scopes=frozenset(Scope),
        key_id="2" * 32,
        plan=Plan.STUDIO,
        trial_ends_at=None,
        workspace_created_at=NOON,
        timezone=timezone,
        member_timezone="Asia/Tokyo",
        approvals=False,
        accounts=accounts or {},
    )
