"""Plays EventBridge: every scheduled handler at start and then at its times, never twice at once.

One thread per rule. A run that outlasts its period makes the next one late, not parallel; a run
that fails is logged and forgotten, as the next one starts from the truth in the tables.
"""

import logging
import threading
from datetime import datetime, timedelta

from chalicelib.domain.clock import Clock
from chalicelib.local.handlers import ScheduledHandler, scheduled_event
from chalicelib.local.schedule_expression import next_run

_LOG = logging.getLogger(__name__)


class Scheduler:
    """Runs one scheduled handler until told to stop."""

    def __init__(self, scheduled: ScheduledHandler, region: str, clock: Clock) -> None:
        self._scheduled = scheduled
        self._region = region
        self._clock = clock
        self._stopping = threading.Event()
        name = f"schedule-{scheduled.handler.name}"
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Begin with a run at once."""
        self._thread.start()

    def stop(self) -> None:
        """Start no further run."""
        self._stopping.set()

    def join(self, timeout_s: float) -> None:
        """Wait for a run in progress."""
        self._thread.join(timeout_s)

    def _run(self) -> None:
        while not self._stopping.is_set():
            began = self._clock()
            self._invoke(began)
            due = next_run(self._scheduled.expression, began)
            self._stopping.wait(max(timedelta(), due - self._clock()).total_seconds())

    def _invoke(self, now: datetime) -> None:
        handler = self._scheduled.handler
        try:
            handler(scheduled_event(handler.name, now, self._region))
        except Exception:  # noqa: BLE001 - a handler's failure is the handler's alone, as in Lambda
            _LOG.exception("the scheduled handler %s failed", handler.name)
