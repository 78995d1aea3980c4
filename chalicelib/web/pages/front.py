"""The front page: what needs attention, then today and the days to come.

Failures stand here as long as somebody can act on them; posts of the next days are looked at by the
rules of a check, asking no platform. A new workspace sees its first steps instead.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from chalicelib.domain.posts.post import Approval, Post, PostStatus
from chalicelib.domain.posts.problems import Problem
from chalicelib.domain.posts.query import PostQuery
from chalicelib.domain.posts.target import TargetStatus
from chalicelib.domain.workspace.access import Scope
from chalicelib.domain.workspace.accounts import Health
from chalicelib.kit.asgi.messages import Response
from chalicelib.kit.dataclass import dataclass
from chalicelib.services.in_parallel import in_parallel
from chalicelib.web.forms.agenda import Day, days_of
from chalicelib.web.forms.times import days_from
from chalicelib.web.routing import Visit, page
from chalicelib.web.sentences import of_problem

_MOST = 5
_LOOKED_AT = 50
_AHEAD = timedelta(days=7)
_NEAR = timedelta(days=1)
_A_DAY = 8
_FAILED = frozenset({PostStatus.FAILED, PostStatus.PARTIAL})
_SCHEDULED = frozenset({PostStatus.SCHEDULED})
_DRAFT = frozenset({PostStatus.DRAFT})


@dataclass(frozen=True, slots=True)
class AtRisk:
    """A post that is scheduled, and what is known to speak against it."""

    post: Post
    said: Sequence[str]


@page("GET", "/app")
def front(visit: Visit) -> Response:
    """Show what needs attention, and what is coming."""
    today = visit.now.astimezone(visit.zone).date()
    dates = days_from(today, _AHEAD.days)
    (failed, at_risk), (days, (drafts, pending)) = in_parallel(
        lambda: in_parallel(lambda: _failed_posts(visit), lambda: _at_risk(visit)),
        lambda: in_parallel(
            lambda: days_of(visit, dates, most=_A_DAY, cut=visit.now),
            lambda: in_parallel(lambda: _forgotten_drafts(visit), lambda: _pending(visit)),
        ),
    )
    is_new = not any(day.entries for day in days)
    days[0], earlier = _from_now_if_full(days[0])
    return visit.show(
        "workspace/front.html",
        earlier=earlier,
        days=[day for day in days if day.entries or day.date == today],
        is_new=is_new,
        today=today,
        failed=failed,
        at_risk=at_risk,
        drafts=drafts,
        pending=pending,
        broken=[a for a in visit.who.accounts if a.health is not Health.OK],
    )


def _from_now_if_full(today: Day) -> tuple[Day, int]:
    """Return what the day shows: all, or only what is to come; and how many posts it leaves out."""
    before, to_come = today.stretches
    if not before.more and len(today.entries) <= _A_DAY:
        return today, 0
    return replace(today, stretches=[to_come]), len(before.entries) + before.more


def _failed_posts(visit: Visit) -> list[Post]:
    """Return the newest posts of which a target failed; a cancelled one is no failure."""
    query = PostQuery(statuses=_FAILED, limit=_LOOKED_AT)
    found = visit.services.post_lists.find(visit.caller.workspace_id, query)
    return [
        post
        for post in found.posts
        if any(target.status is TargetStatus.FAILED for target in post.targets)
    ][:_MOST]


def _at_risk(visit: Visit) -> list[AtRisk]:
    services, now = visit.services, visit.now
    query = PostQuery(statuses=_SCHEDULED, since=now, until=now + _AHEAD, limit=_LOOKED_AT)
    posts = services.post_lists.find(visit.caller.workspace_id, query).posts
    if not posts:
        return []
    known = services.checks.known_problems(visit.caller, posts)
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
    found = visit.services.post_lists.find(visit.caller.workspace_id, query)
    return [post for post in found.posts if post.approval is not Approval.PENDING]


def _pending(visit: Visit) -> int:
    """Return how many posts await somebody who may decide."""
    if not (visit.caller.approvals and visit.may(Scope.PUBLISH)):
        return 0
    return visit.services.reviews.count(visit.caller)
