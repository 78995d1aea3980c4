"""The front page: today's golden hours and posts, what waits, the next seven days, yesterday.

Failures are listed as long as somebody can act on them. Posts of the next days are checked without
asking a platform. A new workspace sees its first steps, each ticked when it is done.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from chalicelib.domain.analytics.metrics import Summary
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.post import Approval, Post, PostStatus
from chalicelib.domain.posts.query import PostQuery
from chalicelib.domain.posts.target import TargetStatus
from chalicelib.domain.times.golden_hour import GoldenHourResult, Hours
from chalicelib.domain.workspace.access import Scope
from chalicelib.kit.asgi.messages import Response
from chalicelib.services.app.demo_week import is_of_demo
from chalicelib.services.in_parallel import in_parallel
from chalicelib.web.forms.agenda import Day, Entry, days_of
from chalicelib.web.forms.drawn import Tile
from chalicelib.web.forms.ribbon import Ribbon, hour_in_zone, in_zone, ribbon
from chalicelib.web.forms.times import days_from, start_of, typed_time
from chalicelib.web.pages.waiting import waiting_of
from chalicelib.web.routing import Visit, page

_MOST = 5
_DAYS = 7
_AHEAD = timedelta(days=_DAYS)
_NEAR = timedelta(days=1)
_A_DAY = 8
_LOOKED_BACK = 15
_MORNING, _NOON, _EVENING = 5, 12, 18
_DRAFT = frozenset({PostStatus.DRAFT})
_TILES: Final = (("Views", "views"), ("Likes", "likes"), ("Comments", "comments"))


Golden = tuple[GoldenHourResult, dict[Platform, Hours]]


@page("GET", "/app")
def front(visit: Visit) -> Response:
    """Show what goes out next, what waits for the member, and yesterday's numbers."""
    today = visit.local_now.date()
    dates = days_from(today, _DAYS)
    analytics, caller = visit.services.people.analytics, visit.caller
    waiting, drafts, days, free, golden, summary = in_parallel(
        lambda: waiting_of(visit),
        lambda: _forgotten_drafts(visit),
        lambda: days_of(visit, dates, most=_A_DAY, cut=visit.now),
        lambda: _free(visit, start_of(dates[-1] + timedelta(days=1), visit.zone)),
        lambda: _golden(visit),
        lambda: analytics.summary_in(caller, analytics.window(caller, days=_LOOKED_BACK)),
    )
    for day in days:
        day.stretches[0].free += [at for at in free if at.astimezone(visit.zone).date() == day.date]
    following = _following(days, visit.now)
    was_timed = _was_timed(waiting.newest) or waiting.failed or waiting.by_hand
    return visit.show_with(
        "workspace/front.html",
        {
            **waiting.kinds,
            "days": days,
            "ribbon": None if golden is None else _ribbon(visit, days[0], golden),
            "greeting": _greeting(visit.local_now.hour),
            "following": following,
            "typed": typed_time(following.at, visit.zone) if following else "",
            "today": today,
            "drafts": [post for post in drafts if post not in waiting.by_hand],
            "tiles": _tiles(summary),
            "has_written": bool(waiting.newest),
            "has_demo": any(map(is_of_demo, visit.who.accounts)),
            "is_new": not visit.who.accounts or not (following or was_timed),
        },
    )


@page("POST", "/app/demo-week", scope=Scope.ACCOUNTS, pays=True)
def fill_demo_week(visit: Visit) -> Response:
    """Plan a demo week on test accounts."""
    visit.services.people.demo_week.fill(visit.caller)
    said = "The demo week is on the calendar. None of it is sent to a platform."
    return visit.lead_to("/app", said, undo=("/app/demo-week/remove", {}))


@page("POST", "/app/demo-week/remove", scope=Scope.ACCOUNTS)
def remove_demo_week(visit: Visit) -> Response:
    """Remove the demo's posts and accounts again."""
    visit.services.people.demo_week.remove(visit.caller)
    return visit.lead_to("/app", "The demo week is removed.")


def _forgotten_drafts(visit: Visit) -> list[Post]:
    """Return drafts with a time in the last seven days or the next one; none goes out by itself."""
    now = visit.now
    query = PostQuery(statuses=_DRAFT, since=now - _AHEAD, until=now + _NEAR, limit=_MOST)
    found = visit.find_posts(query).posts
    return [post for post in found if post.approval is not Approval.PENDING]


def _was_timed(posts: Sequence[Post]) -> bool:
    return any(
        target.status not in {TargetStatus.DRAFT, TargetStatus.CANCELLED}
        for post in posts
        for target in post.targets
    )


def _free(visit: Visit, until: datetime) -> Sequence[datetime]:
    """Return the free queue times until then; none for members who may not write."""
    if not visit.may(Scope.WRITE):
        return []
    return visit.services.posting.queue_slots.free_until(visit.caller, until)[1]


def _golden(visit: Visit) -> Golden | None:
    if not visit.platforms:
        return None
    return visit.services.posting.golden_hours.with_hours(visit.caller, visit.platforms)


def _ribbon(visit: Visit, today: Day, golden: Golden) -> Ribbon:
    result, hours = golden
    told_in = ZoneInfo(result.timezone)
    best = [
        hour_in_zone(one.learned_best, told_in, visit.zone, visit.now) for one in hours.values()
    ]
    return ribbon(
        in_zone(result.activity, told_in, visit.zone, visit.now),
        best,
        today.entries,
        today.free,
        now=visit.now,
        zone=visit.zone,
    )


def _following(days: Sequence[Day], now: datetime) -> Entry | None:
    """Return the next scheduled entry."""
    coming = (entry for day in days for entry in day.entries if entry.at > now)
    return next((entry for entry in coming if entry.is_scheduled), None)


def _greeting(hour: int) -> str:
    if _MORNING <= hour < _NOON:
        return "Good morning"
    return "Good afternoon" if _NOON <= hour < _EVENING else "Good evening"


def _tiles(summary: Summary) -> list[Tile]:
    """Return yesterday's numbers beside those of a week before; none in two weeks without any."""
    days = [one.counts for one in summary.by_day.values()][:-1]
    if not any(one.views or one.engagement for one in days):
        return []
    series = [(name, [getattr(one, counted) for one in days]) for name, counted in _TILES]
    series.append(("New followers", [one.followers for one in days]))
    return [Tile.of(name, counts[-1], counts[-1 - _DAYS], counts) for name, counts in series]
