"""Keeps stored metrics and their sums up to date with posts and platforms' answers.

The metrics worker calls it with answers. Removal and deletion call it without any, so that a
removed post stops counting at once. It is safe to call at any time and repeatedly: what is stored
depends only on the post and the answers, and is written only if nobody else wrote it since.
"""

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date, datetime
from zoneinfo import ZoneInfo

from chalicelib.domain.analytics.counters import DayCounters
from chalicelib.domain.analytics.polling_schedule import next_poll
from chalicelib.domain.analytics.post_metrics import Answer, StoredPostMetrics, in_line
from chalicelib.domain.clock import Clock
from chalicelib.domain.posts.post import Post
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.dynamodb.failures import backoff_s
from chalicelib.kit.dynamodb.table import ContentionError
from chalicelib.kit.dynamodb.transaction import StaleWriteError
from chalicelib.storage.analytics.counters import Change, CounterRows, CountersRead, Entry

_MOST_WRITES = 90
_TRIES = 8
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class CounterUpdates:
    """Stores metrics and their sums."""

    counter_rows: CounterRows
    clock: Clock
    plan: Callable[[StoredPostMetrics, str, datetime], datetime | None] = next_poll

    def refresh(
        self,
        workspace_id: str,
        timezone: str,
        post_ids: Sequence[str],
        answers: Mapping[str, Answer] | None = None,
    ) -> int:
        """Update posts' metrics; return for how many targets a first day became known.

        A post that others keep changing meanwhile is left until its next poll.
        """
        grown = 0
        left = list(post_ids)
        for tried in range(_TRIES):
            entries = self.counter_rows.entries(workspace_id, left)
            changes = [self._change(entry, ZoneInfo(timezone), answers or {}) for entry in entries]
            left = []
            for day, some in _together(changes):
                try:
                    self._write(workspace_id, day, some)
                except (StaleWriteError, ContentionError):
                    left += [change.entry.post.id for change in some]
                else:
                    grown += sum(_growth(change) for change in some)
            if not left:
                return grown
            time.sleep(backoff_s(tried))
        facts = {"action": "results.busy", "workspace_id": workspace_id, "posts": len(left)}
        _LOG.warning("Results could not be kept this time.", extra=facts)
        return grown

    def find_known(self, workspace_id: str, post_id: str) -> StoredPostMetrics | None:
        """Return what is known of a post, for `read_counters`."""
        return self.counter_rows.find_known(workspace_id, post_id)

    def read_counters(
        self, workspace_id: str, timezone: str, post: Post, known: StoredPostMetrics | None
    ) -> CountersRead | None:
        """Read what `refresh_changed` needs of a live post, while the post is being changed."""
        stored = in_line(known, post, ZoneInfo(timezone))
        if stored is None:
            return None
        return self.counter_rows.read_counters(workspace_id, post, known, stored.live_day)

    def refresh_changed(self, timezone: str, post: Post, read: CountersRead | None) -> None:
        """Update the metrics of a changed post by what was read, or by a new read if it is old."""
        if read is not None:
            entry = replace(read.entry, post=post)
            change = self._change(entry, ZoneInfo(timezone), {})
            day = read.day.with_change(entry.known, change.after)
            with suppress(StaleWriteError, ContentionError):
                self.counter_rows.write(entry.workspace_id, read.day, day, [change])
                return
        self.refresh(post.workspace_id, timezone, [post.id])

    def _change(self, entry: Entry, zone: ZoneInfo, answers: Mapping[str, Answer]) -> Change:
        now = self.clock()
        if entry.known is None and not entry.fresh:
            return Change(entry=entry, after=None, poll_at=None)
        after = in_line(entry.known, entry.post, zone)
        if after is None:
            return Change(entry=entry, after=None, poll_at=None)
        after = after.add_answers(answers, at=now, zone=zone)
        poll_at = self.plan(after, entry.workspace_id, now)
        return Change(entry=entry, after=after, poll_at=poll_at)

    def _write(self, workspace_id: str, day: date | None, changes: Sequence[Change]) -> None:
        if day is None:
            for change in changes:
                self.counter_rows.write_unmoved(workspace_id, change)
            return
        before = self.counter_rows.day(workspace_id, day)
        after: DayCounters = before
        for change in changes:
            after = after.with_change(change.entry.known, change.after)
        self.counter_rows.write(workspace_id, before, after, changes)


def _together(changes: Sequence[Change]) -> Iterator[tuple[date | None, list[Change]]]:
    """Yield changes as they are written: one without a day by itself, those of a day together."""
    moving = [change for change in changes if change.moves_sums]
    yield from ((None, [change]) for change in changes if not change.moves_sums)
    yield from _by_day(moving)


def _by_day(changes: Sequence[Change]) -> Iterator[tuple[date, list[Change]]]:
    """Yield changes of one day's posts, as many at a time as one transaction takes."""
    by_day: dict[date, list[Change]] = {}
    for change in changes:
        stored = change.entry.known or change.after
        if stored is not None:
            by_day.setdefault(stored.live_day, []).append(change)
        elif change.entry.fresh:
            by_day.setdefault(date.min, []).append(change)
    for day, same_day in by_day.items():
        some: list[Change] = []
        for change in same_day:
            if sum(one.writes for one in some) + change.writes > _MOST_WRITES:
                yield day, some
                some = []
            some.append(change)
        yield day, some


def _growth(change: Change) -> int:
    return _known_first_days(change.after) - _known_first_days(change.entry.known)


def _known_first_days(stored: StoredPostMetrics | None) -> int:
    if stored is None:
        return 0
    return sum(target.first_day is not None for target in stored.targets.values())
