"""What a client asks of the list of posts, and the page it gets.

docs/api.md "Posts". A page's `cursor` is where the next one goes on; None is the only end.
"""

from datetime import datetime
from enum import StrEnum

from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.post import Approval, Post, PostStatus
from chalicelib.domain.posts.target import Target
from chalicelib.domain.text import comparable_text
from chalicelib.kit.dataclass import dataclass


class Sort(StrEnum):
    """The order of a list: newest first, or by time, earliest first and those without one last."""

    CREATED = "created"
    SCHEDULED = "scheduled"


@dataclass(frozen=True, slots=True, kw_only=True)
class PostQuery:
    """Filters over a workspace's posts; `since` is included, `until` is not.

    A post fits that has a target on one of the platforms and of one of the accounts. `cursor` is
    where the last post already seen stands: its id, after its place if the list goes by time.
    A post does not know its labels: those with `label` are the list's to find. With `waits`, only
    those fit that wait for review; no label, window or other order goes with it.
    """

    statuses: frozenset[PostStatus] = frozenset()
    platforms: frozenset[Platform] = frozenset()
    account_ids: frozenset[str] = frozenset()
    sort: Sort = Sort.CREATED
    text: str = ""
    label: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    waits: bool = False
    limit: int = 50
    cursor: str | None = None

    def fits(self, post: Post) -> bool:
        """Tell whether a post, as it is now, belongs in the answer."""
        return (
            (not self.statuses or post.status in self.statuses)
            and (not self.waits or post.approval is Approval.PENDING)
            and self._has_text(post)
            and any(self._goes_there(target) for target in post.targets)
            and (not self.has_window or self.first_time(post) is not None)
        )

    def first_time(self, post: Post) -> datetime | None:
        """Return the earliest time of a post's targets inside the window, if there is one."""
        times = [target.scheduled_at for target in post.targets if target.scheduled_at is not None]
        return min(filter(self._is_inside, times), default=None)

    @property
    def has_window(self) -> bool:
        """Tell whether a time window was asked for."""
        return self.since is not None or self.until is not None

    def _has_text(self, post: Post) -> bool:
        """Tell whether the text stands in the caption, or in one that an account has instead."""
        captions = [post.caption, *(target.caption_override or "" for target in post.targets)]
        sought = comparable_text(self.text)
        return any(sought in comparable_text(caption) for caption in captions)

    def _goes_there(self, target: Target) -> bool:
        is_named = not self.account_ids or target.account_id in self.account_ids
        return is_named and (not self.platforms or target.platform in self.platforms)

    def _is_inside(self, time: datetime) -> bool:
        return (self.since is None or self.since <= time) and (
            self.until is None or time < self.until
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Some posts in the order that was asked for, and the cursor of what follows."""

    posts: tuple[Post, ...]
    cursor: str | None
