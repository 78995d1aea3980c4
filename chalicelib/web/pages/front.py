"""The front page: the day as light, what goes out next, what waits, and the days around.

Failures stand here as long as somebody can act on them; posts of the next days are looked at by the
rules of a check, asking no platform. A new workspace sees its first steps, which tick themselves.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from chalicelib.domain.analytics.metrics import Summary
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.post import Approval, Post, PostStatus
from chalicelib.domain.posts.problems import Problem
from chalicelib.domain.posts.query import PostQuery
from chalicelib.domain.posts.target import TargetStatus
from chalicelib.domain.times.golden_hour import GoldenHourResult, Hours
from chalicelib.domain.workspace.access import Plan, Scope
from chalicelib.domain.workspace.accounts import Health
from chalicelib.kit.asgi.messages import Response
from chalicelib.kit.dataclass import dataclass
from chalicelib.services.in_parallel import in_parallel
from chalicelib.web.forms.agenda import Day, Entry, days_of
from chalicelib.web.forms.drawn import Tile
from chalicelib.web.forms.ribbon import Ribbon, hour_in_zone, in_zone, ribbon
from chalicelib.web.forms.times import days_from, start_of, typed_time
from chalicelib.web.routing import Visit, page
from chalicelib.web.sentences import of_problem

_MOST = 5
_LOOKED_AT = 50
_DAYS = 7
_AHEAD = timedelta(days=_DAYS)
_NEAR = timedelta(days=1)
_REMINDED = timedelta(days=14)
_A_DAY = 8
_LOOKED_BACK = 15
_NEWEST = 20
_MORNING, _NOON, _EVENING = 5, 12, 18
_FAILED = frozenset({PostStatus.FAILED, PostStatus.PARTIAL})
_SCHEDULED = frozenset({PostStatus.SCHEDULED})
_DRAFT = frozenset({PostStatus.DRAFT})
_TOLD: Final = (("Views", "views"), ("Likes", "likes"), ("Comments", "comments"))


@dataclass(frozen=True, slots=True)
class AtRisk:
    """A post that is scheduled, and what is known to speak against it."""

    post: Post
    said: Sequence[str]


Golden = tuple[GoldenHourResult, dict[Platform, Hours]]


@page("GET", "/app")
def front(visit: Visit) -> Response:
    """Show what is coming, what waits for somebody, and how yesterday was."""
    today = visit.now.astimezone(visit.zone).date()
    dates = days_from(today, _DAYS)
    services, caller = visit.services, visit.caller
    (failed, (at_risk, by_hand)), ((days, free), ((drafts, newest), measured)) = in_parallel(
        lambda: in_parallel(
            lambda: _failed_posts(visit),
            lambda: in_parallel(lambda: _at_risk(visit), lambda: _by_hand(visit)),
        ),
        lambda: in_parallel(
            lambda: in_parallel(
                lambda: days_of(visit, dates, most=_A_DAY, cut=visit.now),
                lambda: _free(visit, start_of(dates[-1] + timedelta(days=1), visit.zone)),
            ),
            lambda: in_parallel(
                lambda: in_parallel(lambda: _forgotten_drafts(visit), lambda: _newest(visit)),
                lambda: in_parallel(
                    lambda: _golden(visit),
                    lambda: services.people.analytics.summary_in(
                        caller, services.people.analytics.window(caller, days=_LOOKED_BACK)
                    ),
                ),
            ),
        ),
    )
    golden, summary = measured
    for day in days:
        day.stretches[0].free += [at for at in free if _day_of(at, visit.zone) == day.date]
    following = _following(days, visit.now)
    return visit.show(
        "workspace/front.html",
        days=days,
        ribbon=None if golden is None else _ribbon(visit, days[0], golden),
        greeting=_greeting(visit.now.astimezone(visit.zone).hour),
        following=following,
        typed=typed_time(following.at, visit.zone) if following else "",
        today=today,
        failed=failed,
        at_risk=at_risk,
        by_hand=by_hand,
        drafts=[post for post in drafts if post not in by_hand],
        pending=_pending(visit, newest),
        broken=[a for a in visit.who.accounts if a.health is not Health.OK],
        tiles=_tiles(summary),
        has_written=bool(newest),
        is_new=not visit.who.accounts or not (following or _was_timed(newest) or failed or by_hand),
    )


def _failed_posts(visit: Visit) -> list[Post]:
    """Return the newest posts of which a target failed; a cancelled one is no failure."""
    query = PostQuery(statuses=_FAILED, limit=_LOOKED_AT)
    found = visit.services.stores.post_lists.find(visit.caller.workspace_id, query)
    return [
        post
        for post in found.posts
        if any(target.status is TargetStatus.FAILED for target in post.targets)
    ][:_MOST]


def _by_hand(visit: Visit) -> list[Post]:
    """Return what members of a workspace on the Free plan were reminded of and have not posted."""
    if visit.caller.plan is not Plan.FREE:
        return []
    query = PostQuery(since=visit.now - _REMINDED, until=visit.now, limit=_LOOKED_AT)
    found = visit.services.stores.post_lists.find(visit.caller.workspace_id, query).posts
    waiting = [post for post in found if any(one.waits_to_be_posted for one in post.targets)]
    return waiting[:_MOST]


def _at_risk(visit: Visit) -> list[AtRisk]:
    services, now = visit.services, visit.now
    query = PostQuery(statuses=_SCHEDULED, since=now, until=now + _AHEAD, limit=_LOOKED_AT)
    posts = services.stores.post_lists.find(visit.caller.workspace_id, query).posts
    if not posts:
        return []
    known = services.checking.checks.known_problems(visit.caller, posts)
    return [AtRisk(post, _sentences(post, known[post.id])) for post in posts if known[post.id]][
        :_MOST
    ]


def _sentences(post: Post, problems: Sequence[Problem]) -> list[str]:
    said = []
    for problem in problems:
        target = post.target(problem.target_id)
        if target is not None:
            said.append(of_problem(target.platform, problem.code, problem.message, problem.field))
    return list(dict.fromkeys(said))


def _forgotten_drafts(visit: Visit) -> list[Post]:
    """Return drafts whose own time is near or has passed: nothing of them goes out by itself."""
    now = visit.now
    query = PostQuery(statuses=_DRAFT, since=now - _AHEAD, until=now + _NEAR, limit=_MOST)
    found = visit.services.stores.post_lists.find(visit.caller.workspace_id, query)
    return [post for post in found.posts if post.approval is not Approval.PENDING]


def _newest(visit: Visit) -> Sequence[Post]:
    """Return the newest posts, many of them for somebody who may decide what waits for review."""
    if visit.caller.approvals and visit.may(Scope.PUBLISH):
        return visit.services.people.reviews.newest(visit.caller)
    query = PostQuery(limit=_NEWEST)
    return visit.services.stores.post_lists.find(visit.caller.workspace_id, query).posts


def _pending(visit: Visit, newest: Sequence[Post]) -> list[Post]:
    """Return what awaits somebody who may decide."""
    if not (visit.caller.approvals and visit.may(Scope.PUBLISH)):
        return []
    return [post for post in newest if post.approval is Approval.PENDING]


def _was_timed(posts: Sequence[Post]) -> bool:
    return any(
        target.status not in {TargetStatus.DRAFT, TargetStatus.CANCELLED}
        for post in posts
        for target in post.targets
    )


def _free(visit: Visit, until: datetime) -> Sequence[datetime]:
    """Return the free queue times, for somebody who may write for them."""
    if not visit.may(Scope.WRITE):
        return []
    return visit.services.posting.queue_slots.free_until(visit.caller, until)[1]


def _golden(visit: Visit) -> Golden | None:
    platforms = list({account.platform: None for account in visit.who.accounts})
    if not platforms:
        return None
    return visit.services.posting.golden_hours.with_hours(visit.caller, platforms)


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


def _day_of(at: datetime, zone: ZoneInfo) -> object:
    return at.astimezone(zone).date()


def _following(days: Sequence[Day], now: datetime) -> Entry | None:
    """Return what goes out next."""
    coming = (entry for day in days for entry in day.entries if entry.at > now)
    return next((entry for entry in coming if entry.is_scheduled), None)


def _greeting(hour: int) -> str:
    if _MORNING <= hour < _NOON:
        return "Good morning"
    return "Good afternoon" if _NOON <= hour < _EVENING else "Good evening"


def _tiles(summary: Summary) -> list[Tile]:
    """Return yesterday's numbers beside those of a week before, with two weeks as a line.

    There are none where there is nothing in two weeks.
    """
    days = [one.counts for one in summary.by_day.values()][:-1]
    if not any(one.views or one.engagement for one in days):
        return []
    series = [(name, [getattr(one, counted) for one in days]) for name, counted in _TOLD]
    series.append(("New followers", [one.followers for one in days]))
    return [Tile.of(name, counts[-1], counts[-1 - _DAYS], counts) for name, counts in series]
