"""Makes the occurrences of series that are due: goes through all workspaces once an hour.

`review` runs it. An occurrence is due 35 days before its time, so an hour does not matter, and an
outage of weeks loses none. Where very many are due at once, a run leaves time for what else
`review` does, and the next one goes on there.
"""

import logging
from dataclasses import replace
from datetime import datetime, timedelta

from chalicelib.domain.clock import Clock
from chalicelib.domain.workspace.rounds import Stand, after_last
from chalicelib.kit.dataclass import dataclass
from chalicelib.services.posts.series import PostSeries
from chalicelib.storage.posts.series import SeriesRepository
from chalicelib.storage.workspace.workspaces import WorkspaceRepository

EVERY = timedelta(hours=1)
ROUND = timedelta(minutes=1)
"""A run looks at no further series after this time."""
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesMaking:
    """Makes what is due; safe to run at any time, and twice at once."""

    rows: SeriesRepository
    workspaces: WorkspaceRepository
    series: PostSeries
    clock: Clock

    def run(self) -> int:
        """Make what is due, all once an hour at most; return how many were made."""
        now = self.clock()
        stand = self.rows.stand() or Stand(at=now - EVERY)
        if timedelta() <= now - stand.at < EVERY:
            return 0
        made, end = 0, now + ROUND
        for workspace_id in after_last([*self.workspaces.marks()], stand):
            made += self._make_in(workspace_id, end)
            if self.clock() > end:
                break
            stand = replace(stand, last_id=workspace_id)
        else:
            stand = Stand(at=now)
        self.rows.note(stand)
        if made:
            facts = {"action": "series.made", "posts": made}
            _LOG.info("Posts of series were made.", extra=facts)
        return made

    def _make_in(self, workspace_id: str, end: datetime) -> int:
        """Make what is due in a workspace; one where that fails does not keep the others."""
        try:
            workspace = self.workspaces.get(workspace_id)
            return 0 if workspace is None else self.series.make_due(workspace, end)
        except Exception:  # noqa: BLE001 - a row that a later release wrote; the next round tries
            facts = {"action": "series.put_off", "workspace_id": workspace_id}
            _LOG.exception("The series of a workspace could not be looked at.", extra=facts)
            return 0
