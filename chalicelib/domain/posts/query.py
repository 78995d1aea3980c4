"""What a client asks of the list of posts, and the page it gets.

docs/api.md "Posts". A page's `cursor` is where the next one goes on; None is the only end.
"""

from dataclasses import dataclass
from datetime import datetime

from chalicelib.domain.posts.post import Post, PostStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class PostQuery:
    """Filters over a workspace's posts; `since` is included, `until` is not.

    `cursor` is the id of the last post already seen: only older ones follow.
    """

    statuses: frozenset[PostStatus] = frozenset()
    text: str = ""
    since: datetime | None = None
    until: datetime | None = None
    limit: int = 50
    cursor: str | None = None

    def fits(self, post: Post) -> bool:
        """Tell whether a post, as it is now, belongs in the answer."""
        return (
            (not self.statuses or post.status in self.statuses)
            and self.text.casefold() in post.caption.casefold()
            and self._has_time_inside(post)
        )

    @property
    def has_window(self) -> bool:
        """Tell whether a time window was asked for."""
        return self.since is not None or self.until is not None

    def _has_time_inside(self, post: Post) -> bool:
        if not self.has_window:
            return True
        return any(
            target.scheduled_at is not None
            and (self.since is None or self.since <= target.scheduled_at)
            and (self.until is None or target.scheduled_at < self.until)
            for target in post.targets
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Some posts, newest first, and the cursor of what follows."""

    posts: tuple[Post, ...]
    cursor: str | None
