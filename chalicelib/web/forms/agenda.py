"""Days with what goes out on them: an entry is the targets of one post at one instant.

The front page and the calendar show them. Each day asks for its own posts, so that a full week
hides none of its days; what is left out is counted.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from itertools import groupby
from zoneinfo import ZoneInfo

from chalicelib.domain.posts.post import Post, status_of
from chalicelib.domain.posts.target import Target
from chalicelib.web.forms.times import start_of
from chalicelib.web.routing import Visit

Keeps = Callable[[Target], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """The targets of a post that share an instant."""

    at: datetime
    post: Post
    targets: Sequence[Target]

    @property
    def status(self) -> str:
        """Return where these targets stand."""
        return status_of([target.status for target in self.targets])

    @property
    def moves(self) -> bool:
        """Tell whether all of them can still go out at another time."""
        return all(target.is_editable for target in self.targets)

    @property
    def text(self) -> str:
        """Return the text of the first of them."""
        return self.targets[0].caption(self.post.caption)


@dataclass(slots=True, kw_only=True)
class Day:
    """One day, its entries in order, how many posts it has besides, and its quiet marks."""

    date: date
    entries: list[Entry]
    more: int
    golden: list[tuple[datetime, list[str]]] = field(default_factory=list)
    free: list[datetime] = field(default_factory=list)


def days_of(
    visit: Visit, dates: Sequence[date], *, most: int, keeps: Keeps = lambda _target: True
) -> list[Day]:
    """Return days that follow one another, with what goes out on them."""
    zone = visit.zone
    bounds = [start_of(day, zone) for day in (*dates, dates[-1] + timedelta(days=1))]
    found = visit.services.post_lists.on_days(visit.caller.workspace_id, bounds, most)
    return [
        Day(date=day, entries=sorted(_entries(posts, day, zone, keeps), key=_at), more=more)
        for day, (posts, more) in zip(dates, found, strict=True)
    ]


def _entries(posts: Sequence[Post], day: date, zone: ZoneInfo, keeps: Keeps) -> Iterator[Entry]:
    for post in posts:
        timed = [(t.scheduled_at, t) for t in post.targets if t.scheduled_at and keeps(t)]
        for at, group in groupby(sorted(timed, key=_first), key=_first):
            if at.astimezone(zone).date() == day:
                yield Entry(at=at, post=post, targets=[target for _, target in group])


def _first(timed: tuple[datetime, Target]) -> datetime:
    return timed[0]


def _at(entry: Entry) -> datetime:
    return entry.at
