"""How much of its plan a workspace has used: posts on X, and bytes of files."""

from collections.abc import Sequence
from datetime import datetime

from chalicelib.domain.workspace.access import Plan
from chalicelib.domain.workspace.plans import TRIAL_COUNTER, period_of, storage_limit, x_allowance
from chalicelib.domain.workspace.workspaces import Workspace
from chalicelib.kit.dataclass import dataclass
from chalicelib.services.in_parallel import in_parallel
from chalicelib.storage.workspace.workspaces import WorkspaceRepository


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkspaceUse:
    """A workspace, what of its X allowance is used up this month or in the trial, and its files."""

    workspace: Workspace
    x_posts: int
    x_allowance: int
    stored_bytes: int
    storage_limit: int


def with_use(
    rows: WorkspaceRepository, workspaces: Sequence[Workspace], now: datetime
) -> list[WorkspaceUse]:
    """Return workspaces with what each has used up."""
    counters = [
        (w.id, TRIAL_COUNTER if w.plan is Plan.TRIAL else period_of(now, w.timezone))
        for w in workspaces
    ]
    used, stored = in_parallel(
        lambda: rows.x_units(counters),
        lambda: rows.stored_bytes([w.id for w in workspaces]),
    )
    return [
        WorkspaceUse(
            workspace=w,
            x_posts=used[w.id],
            x_allowance=x_allowance(w.plan),
            stored_bytes=stored[w.id],
            storage_limit=storage_limit(w.plan, w.raised_storage),
        )
        for w in workspaces
    ]
