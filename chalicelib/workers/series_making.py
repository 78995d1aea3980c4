"""Makes the occurrences of series that are due: goes through all workspaces once an hour.

`review` runs it. An occurrence is due 35 days before its time, so an hour does not matter, and an
outage of weeks loses none.
"""

import logging
from datetime import timedelta

from chalicelib.domain.clock import Clock
from chalicelib.kit.dataclass import dataclass
from chalicelib.services.posts.series import PostSeries
from chalicelib.storage.posts.series import SeriesRepository
from chalicelib.storage.workspace.workspaces import WorkspaceRepository

EVERY = timedelta(hours=1)
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesMaking:
    """Makes what is due; safe to run at any time, and twice at once."""

    rows: SeriesRepository
    workspaces: WorkspaceRepository
    series: PostSeries
    clock: Clock

    def run(self) -> int:
        """Make what is due, once an hour at most; return how many were made."""
        now, last = self.clock(), self.rows.last_round()
        if last is not None and timedelta() <= now - last < EVERY:
            return 0
        made = sum(self._make_in(workspace_id) for workspace_id in self.workspaces.marks())
        self.rows.note_round(now)
        if made:
            facts = {"action": "series.made", "posts": made}
            _LOG.info("Posts of series were made.", extra=facts)
        return made

    def _make_in(self, workspace_id: str) -> int:
        """Make what is due in a workspace; one where that fails does not keep the others."""
        try:
            workspace = self.workspaces.get(workspace_id)
            return 0 if workspace is None else self.series.make_due(workspace)
        except Exception:  # noqa: BLE001 - a row that a later release wrote; the next round tries
            facts = {"action": "series.put_off", "workspace_id": workspace_id}
            _LOG.exception("The series of a workspace could not be looked at.", extra=facts)
            return 0
