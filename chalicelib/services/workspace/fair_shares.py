"""A limit of requests for each workspace, so that none uses up a stage: beyond it, 429.

Each process counts for itself, and adds its count to a shared row every few requests. A workspace
with few requests therefore costs no write, and one beyond its share costs none until the next
window. Requests that processes have not yet added go through beyond the share: a few each.
"""

import logging
import math
from dataclasses import field
from datetime import datetime
from threading import Lock

from chalicelib.domain.clock import Clock
from chalicelib.domain.errors import TooManyRequests
from chalicelib.domain.workspace.fair_share import TOGETHER, WINDOW, FairShare, window_of
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.dynamodb.failures import AwsFailure
from chalicelib.storage.workspace.request_counts import RequestCounts

_LOG = logging.getLogger(__name__)


@dataclass(slots=True)
class _Window:
    """What this process knows of the present window."""

    began: datetime
    counted: dict[str, int] = field(default_factory=dict)
    over: set[str] = field(default_factory=set)


class FairShares:
    """Counts requests of workspaces."""

    def __init__(self, rows: RequestCounts, clock: Clock, share: FairShare) -> None:
        self._rows = rows
        self._clock = clock
        self._share = share
        self._lock = Lock()
        self._window = _Window(window_of(clock()))

    def take(self, workspace_id: str) -> None:
        """Count a request of a workspace. Raises TooManyRequests once its share is used up."""
        now = self._clock()
        window = self._running(now)
        if workspace_id not in window.over and not self._is_used_up(window, workspace_id):
            return
        window.over.add(workspace_id)
        left_s = (window.began + WINDOW - now).total_seconds()
        raise TooManyRequests(retry_after_s=max(math.ceil(left_s), 1))

    def _running(self, now: datetime) -> _Window:
        with self._lock:
            began = window_of(now)
            if self._window.began != began:
                self._window = _Window(began)
            return self._window

    def _is_used_up(self, window: _Window, workspace_id: str) -> bool:
        with self._lock:
            counted = window.counted.get(workspace_id, 0) + 1
            window.counted[workspace_id] = counted
        if counted % TOGETHER:
            return False
        try:
            total = self._rows.add(workspace_id, window.began, TOGETHER)
        except AwsFailure:
            facts = {"action": "share.uncounted", "workspace_id": workspace_id}
            _LOG.warning("Requests were not counted; none is refused for that.", extra=facts)
            return False
        return total > self._share.in_a_window
