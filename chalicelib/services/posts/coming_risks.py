"""What is scheduled for the next days and known to go wrong: at the bell, at home and in letters.

By the rules of a check, asking no platform.
"""

from collections.abc import Collection, Sequence
from datetime import timedelta
from typing import Final

from chalicelib.domain.clock import Clock
from chalicelib.domain.posts.post import Post, PostStatus
from chalicelib.domain.posts.problems import Problem
from chalicelib.domain.posts.query import PostQuery, Sort
from chalicelib.kit.dataclass import dataclass
from chalicelib.services.posts.checks import PostChecks
from chalicelib.storage.posts.lists import PostLists

_AHEAD: Final = timedelta(days=7)
_LOOKED_AT: Final = 50
_SCHEDULED: Final = frozenset({PostStatus.SCHEDULED})


@dataclass(frozen=True, slots=True, kw_only=True)
class ComingRisks:
    """Looks at the posts of a workspace that go out next."""

    lists: PostLists
    checks: PostChecks
    clock: Clock

    def find(
        self, workspace_id: str, connected: Collection[str]
    ) -> list[tuple[Post, Sequence[Problem]]]:
        """Return the posts of which something is known to go wrong, with what; earliest first."""
        now = self.clock()
        query = PostQuery(
            statuses=_SCHEDULED,
            since=now,
            until=now + _AHEAD,
            limit=_LOOKED_AT,
            sort=Sort.SCHEDULED,
        )
        posts = self.lists.find(workspace_id, query).posts
        if not posts:
            return []
        known = self.checks.known_problems(workspace_id, connected, posts)
        return [(post, known[post.id]) for post in posts if known[post.id]]
