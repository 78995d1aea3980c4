"""What stands on top of the calendar: posts that failed or will fail, each with what to do.

What will fail is found by the rules of `POST /v1/posts/{id}/check`, for what goes out in the next
days; no platform is asked while a page is made.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from chalicelib.domain.posts.post import Post, PostStatus
from chalicelib.domain.posts.problems import Problem
from chalicelib.domain.posts.query import PostQuery
from chalicelib.services.in_parallel import in_parallel
from chalicelib.web.visit import Visit

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
