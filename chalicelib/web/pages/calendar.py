"""The front page: a week or a month in the workspace's zone, and on top what needs somebody.

Each day has its posts, the golden hours that come, and the queue times that are free. Posts that
failed or will fail stand on top, each with what to do: found by the rules of
`POST /v1/posts/{id}/check`, for what goes out in the next days; no platform is asked while a page
is made.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import partial

from chalicelib.domain.error_kinds import InvalidInput
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.drafting import PostChanges, TargetChange
from chalicelib.domain.posts.post import Post, PostStatus
from chalicelib.domain.posts.problems import Problem
from chalicelib.domain.posts.query import PostQuery
from chalicelib.domain.times.queue_slots import HORIZON, upcoming
from chalicelib.domain.workspace.access import Scope
from chalicelib.domain.workspace.accounts import Health
from chalicelib.services.in_parallel import in_parallel
from chalicelib.services.posts.times import SlotList
from chalicelib.web.forms.post_forms import days_from, read_day, read_time, start_of
from chalicelib.web.messages import Answer, redirect
from chalicelib.web.pages.post import show_refused
from chalicelib.web.routing import Visit, page

_MOST = 5
_LOOKED_AT = 50
_AHEAD = timedelta(days=7)
_FAILED = frozenset({PostStatus.FAILED, PostStatus.PARTIAL})
_SCHEDULED = frozenset({PostStatus.SCHEDULED})


@dataclass(frozen=True, slots=True)
class AtRisk:
    """A post that is scheduled, and what is known to speak against it."""

    post: Post
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class Attention:
    """What needs somebody."""

    failed: Sequence[Post]
    at_risk: Sequence[AtRisk]


def needing_somebody(visit: Visit) -> Attention:
    """Return the newest posts that failed, and those of the next days that are at risk."""
    reader, caller = visit.services.api.posts_reader, visit.caller
    failed, at_risk = in_parallel(
        lambda: reader.find(caller, PostQuery(statuses=_FAILED, limit=_MOST)),
        lambda: _at_risk(visit),
    )
    return Attention(failed.posts, at_risk)


def _at_risk(visit: Visit) -> list[AtRisk]:
    api, now = visit.services.api, visit.now
    query = PostQuery(statuses=_SCHEDULED, since=now, until=now + _AHEAD, limit=_LOOKED_AT)
    posts = api.posts_reader.find(visit.caller, query).posts
    if not posts:
        return []
    known = api.checks.known(visit.caller, posts)
    return [AtRisk(post, known[post.id]) for post in posts if known[post.id]][:_MOST]


_MOST_POSTS = 200
_WEEK = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A moment of a day: a post, a free queue time, or golden hours of some platforms.

    `is_in_band` tells that it lies in a golden hour, which the page shades.
    """

    at: datetime
    post: Post | None = None
    is_free: bool = False
    golden: tuple[Platform, ...] = ()
    is_in_band: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """One day of the calendar."""

    date: date
    is_today: bool
    is_outside: bool
    entries: tuple[Entry, ...]


@page("GET", "/app")
def calendar(visit: Visit) -> Answer:
    """Show the week or month around a day."""
    is_month = visit.query["view"] == "month"
    today = visit.now.astimezone(visit.zone).date()
    day = read_day(visit.query["day"], today)
    first, count = _month(day) if is_month else (day - timedelta(days=day.weekday()), _WEEK)
    dates = days_from(first, count)
    since, until = start_of(first, visit.zone), start_of(dates[-1] + timedelta(days=1), visit.zone)
    reader, caller = visit.services.api.posts_reader, visit.caller
    (page_found, troubled), (slots, golden) = in_parallel(
        lambda: in_parallel(
            lambda: reader.find(caller, PostQuery(since=since, until=until, limit=_MOST_POSTS)),
            lambda: needing_somebody(visit),
        ),
        lambda: in_parallel(
            lambda: visit.services.api.queue_slots.list(caller),
            lambda: _golden(visit, since, until),
        ),
    )
    entries = [*_posts(page_found.posts, since, until)]
    entries += _free(visit, slots, page_found.posts)
    entries = [*golden, *(_in_band(entry, golden) for entry in entries)]
    by_day = _by_day(entries, visit)
    return visit.show(
        "workspace/calendar.html",
        days=[
            Day(
                date=one,
                is_today=one == today,
                is_outside=is_month and one.month != day.month,
                entries=by_day.get(one, ()),
            )
            for one in dates
        ],
        is_month=is_month,
        title=f"{day:%B %Y}" if is_month else f"Week of {first:%-d %B %Y}",
        earlier=_step(day, is_month=is_month, forward=False),
        later=_step(day, is_month=is_month, forward=True),
        day=day,
        today=today,
        failed=troubled.failed,
        at_risk=troubled.at_risk,
        broken=[a for a in visit.who.accounts if a.health is not Health.OK],
        is_cut=page_found.cursor is not None,
    )


@page("POST", "/app/posts/{post_id}/move", scope=Scope.WRITE, pays=True)
def move(visit: Visit) -> Answer:
    """Move every target of a post that can still move to one time."""
    post_id = visit.path["post_id"]
    visit.show_again = partial(show_refused, visit)
    at = read_time(visit.form["at"], visit.zone)
    if at is None:
        raise InvalidInput("Type a time first.", loc=("body", "at"))
    post = visit.services.api.posts_reader.get(visit.caller, post_id)
    moved = tuple(
        TargetChange(id=target.id, scheduled_at=at)
        for target in post.targets
        if target.is_editable and target.scheduled_at is not None
    )
    if moved:
        visit.services.api.drafts.edit(visit.writer, post_id, PostChanges(targets=moved))
    return redirect(f"/app?day={at.astimezone(visit.zone).date()}")


def _month(day: date) -> tuple[date, int]:
    """Return the Monday before a month and how many days of whole weeks cover it."""
    first = day.replace(day=1)
    last = (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)
    monday = first - timedelta(days=first.weekday())
    return monday, (last - monday).days // _WEEK * _WEEK + _WEEK


def _step(day: date, *, is_month: bool, forward: bool) -> date:
    if not is_month:
        return day + timedelta(days=_WEEK if forward else -_WEEK)
    first = day.replace(day=1)
    return (first + timedelta(days=32) if forward else first - timedelta(days=1)).replace(day=1)


def _posts(posts: Iterable[Post], since: datetime, until: datetime) -> Iterator[Entry]:
    for post in posts:
        times = {t.scheduled_at for t in post.targets if t.scheduled_at is not None}
        for at in times:
            if since <= at < until:
                yield Entry(at=at, post=post)


def _free(visit: Visit, slots: SlotList, posts: Iterable[Post]) -> Iterator[Entry]:
    """Yield the queue times from the next free one on that no post of the window has."""
    if slots.next_free is None:
        return
    taken = {target.scheduled_at for post in posts for target in post.targets}
    for at in upcoming(slots.slots, visit.caller.timezone, visit.now, HORIZON):
        if at >= slots.next_free and at not in taken:
            yield Entry(at=at, is_free=True)


def _golden(visit: Visit, since: datetime, until: datetime) -> list[Entry]:
    platforms = list({account.platform: None for account in visit.who.accounts})
    found = visit.services.api.golden_hours.between(visit.caller, platforms, since, until)
    return [Entry(at=at, golden=tuple(named)) for at, named in found.items()]


def _in_band(entry: Entry, golden: Iterable[Entry]) -> Entry:
    """Return an entry that knows whether it lies in a golden hour."""
    is_in = any(hour.at <= entry.at < hour.at + timedelta(hours=1) for hour in golden)
    return replace(entry, is_in_band=is_in)


def _by_day(entries: Iterable[Entry], visit: Visit) -> Mapping[date, tuple[Entry, ...]]:
    days: dict[date, list[Entry]] = {}
    for entry in sorted(entries, key=lambda entry: (entry.at, not entry.golden)):
        days.setdefault(entry.at.astimezone(visit.zone).date(), []).append(entry)
    return {day: tuple(found) for day, found in days.items()}
