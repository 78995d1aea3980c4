"""Times that a request gives and that have passed: a wrong year must not go out at once.

Up to a minute in the past counts as now, because clocks differ and requests take time.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import Final

from chalicelib.domain.error_kinds import InvalidInput
from chalicelib.domain.posts.drafting import NewTarget, PostChanges

TIME_IN_PAST: Final = "time_in_past"
COUNTS_AS_NOW: Final = timedelta(seconds=60)

Loc = tuple[str | int, ...]


def past_time(at: datetime | None, *, now: datetime, loc: Loc) -> Iterator[InvalidInput]:
    """Yield the mistake if a time that was sent has passed by more than a minute."""
    if at is not None and at < now - COUNTS_AS_NOW:
        message = f"{at.isoformat()} is in the past; it is {now.isoformat(timespec='seconds')} now"
        yield InvalidInput(message, loc=loc, kind=TIME_IN_PAST)


def past_times(
    new: Iterable[NewTarget], *, now: datetime, at: str = "targets"
) -> Iterator[InvalidInput]:
    """Yield every time of new targets that has passed; `at` names the body's list of them."""
    for place, target in enumerate(new):
        loc = ("body", at, place, "scheduled_at")
        yield from past_time(target.scheduled_at, now=now, loc=loc)


def past_times_of_changes(changes: PostChanges, *, now: datetime) -> Iterator[InvalidInput]:
    """Yield every time of an edit that has passed."""
    for place, change in enumerate(changes.targets):
        loc = ("body", "targets", place, "scheduled_at")
        yield from past_time(change.scheduled_at, now=now, loc=loc)
    yield from past_times(changes.add, now=now, at="add")
