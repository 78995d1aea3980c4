"""Days with their scheduled posts: an entry is the targets of one post at one time.

The front page and the calendar show them. Each day, or each hour of it, asks for its own posts, so
that a full week hides none of its hours; posts left out are counted in place.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from datetime import date, datetime, time, timedelta
from itertools import groupby, islice

from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.post import Post, status_of
from chalicelib.domain.posts.target import Target, TargetStatus
from chalicelib.domain.times.local_time import first_instant
from chalicelib.kit.dataclass import dataclass
from chalicelib.web.forms.times import start_of
from chalicelib.web.routing import Visit

Keeps = Callable[[Target], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fits:
    """The filter of a view: targets that `keeps` keeps, of any post or of those with a label."""

    keeps: Keeps = lambda _target: True
    label: str | None = None


ALL = Fits()
_HOURS = range(24)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """The targets of a post that share a time."""

    at: datetime
    post: Post
    targets: Sequence[Target]

    @property
    def status(self) -> str:
        """Return the status of these targets."""
        return status_of([target.status for target in self.targets])

    @property
    def is_scheduled(self) -> bool:
        """Tell whether any of them is scheduled."""
        return any(target.status is TargetStatus.SCHEDULED for target in self.targets)

    @property
    def moves(self) -> bool:
        """Tell whether all of them can still be moved to another time."""
        return all(target.is_editable for target in self.targets)

    @property
    def text(self) -> str:
        """Return the text of the first of them."""
        return self.targets[0].caption(self.post.caption)


@dataclass(slots=True, kw_only=True)
class Stretch:
    """A day, or an hour of one: its entries in order, how many posts it has besides.

    `golden` tells whose best time is in it and how good it is, `free` the unused queue times.
    """

    entries: list[Entry]
    more: int
    golden: list[str] = field(default_factory=list)
    free: list[datetime] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class Day:
    """One day of the calendar: one stretch, or one for each hour, and its best times in words."""

    date: date
    stretches: list[Stretch]
    best: list[str] = field(default_factory=list)

    @property
    def entries(self) -> list[Entry]:
        """Return its entries, in order."""
        return [entry for stretch in self.stretches for entry in stretch.entries]

    @property
    def more(self) -> int:
        """Return how many posts it has besides."""
        return sum(stretch.more for stretch in self.stretches)

    @property
    def free(self) -> list[datetime]:
        """Return its free queue times."""
        return [at for stretch in self.stretches for at in stretch.free]

    @property
    def bands(self) -> dict[int, list[tuple[int, Stretch]]]:
        """Return consecutive golden hours, each run under its first hour."""
        golden = [hour for hour, stretch in enumerate(self.stretches) if stretch.golden]
        runs = [list(run) for _, run in groupby(enumerate(golden), _apart)]
        return {run[0][1]: [(hour, self.stretches[hour]) for _, hour in run] for run in runs}

    def around(self, local: datetime) -> Stretch:
        """Return the stretch that contains a time of its clock."""
        return self.stretches[local.hour if len(self.stretches) > 1 else 0]


def days_of(
    visit: Visit,
    dates: Sequence[date],
    *,
    most: int,
    by_hour: bool = False,
    fits: Fits = ALL,
    cut: datetime | None = None,
) -> list[Day]:
    """Return consecutive days, with a limited number of posts a day, or an hour.

    `cut`, a time of the first day, makes two stretches of it: before and from then.
    """
    zone = visit.zone
    hours = _HOURS if by_hour else _HOURS[:1]
    starts = [
        first_instant(datetime.combine(day, time(hour)), zone) for day in dates for hour in hours
    ]
    cuts = [] if cut is None else [cut]
    bounds = [starts[0], *cuts, *starts[1:], start_of(dates[-1] + timedelta(days=1), zone)]
    found = visit.services.stores.post_lists.on_days(
        visit.caller.workspace_id, bounds, most, label=fits.label
    )
    stretches = [
        Stretch(entries=sorted(_entries(posts, since, until, fits.keeps), key=_at), more=more)
        for (posts, more), since, until in zip(found, bounds[:-1], bounds[1:], strict=True)
    ]
    rest = iter(stretches)
    return [
        Day(
            date=day,
            stretches=list(islice(rest, len(hours) + (len(cuts) if day == dates[0] else 0))),
        )
        for day in dates
    ]


def golden_for(platform: Platform, times: float | None) -> str:
    """Say whose golden hour it is, and how many times the usual views it has."""
    told = "" if times is None else f" {times:.1f} \N{MULTIPLICATION SIGN}"
    return f"{FACTS[platform].name}{told}"


def _entries(
    posts: Sequence[Post], since: datetime, until: datetime, keeps: Keeps
) -> Iterator[Entry]:
    for post in posts:
        timed = [(t.scheduled_at, t) for t in post.targets if t.scheduled_at]
        for at, group in groupby(sorted(timed, key=_first), key=_first):
            targets = [target for _, target in group]
            if since <= at < until and any(map(keeps, targets)):
                yield Entry(at=at, post=post, targets=targets)


def _apart(place_and_hour: tuple[int, int]) -> int:
    place, hour = place_and_hour
    return hour - place


def _first(timed: tuple[datetime, Target]) -> datetime:
    return timed[0]


def _at(entry: Entry) -> datetime:
    return entry.at
