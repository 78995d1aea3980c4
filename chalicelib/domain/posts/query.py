"""What a client asks of the list of posts, the page it gets, and the cursor to the next one.

docs/api.md "Posts". A page's `cursor` is where the next one goes on; None is the only end. Clients
get it with a digest, so that only its workspace can use it: that guards against mixed-up cursors,
not against attackers, since what a cursor leads to is the caller's own in any case.
"""

from datetime import datetime
from enum import StrEnum
from hashlib import sha256

from chalicelib.domain.error_kinds import InvalidInput
from chalicelib.domain.ids import is_id
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.post import Post, PostStatus
from chalicelib.domain.posts.target import Target
from chalicelib.domain.workspace.access import Caller
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
    """

    statuses: frozenset[PostStatus] = frozenset()
    platforms: frozenset[Platform] = frozenset()
    account_ids: frozenset[str] = frozenset()
    sort: Sort = Sort.CREATED
    text: str = ""
    since: datetime | None = None
    until: datetime | None = None
    limit: int = 50
    cursor: str | None = None

    def fits(self, post: Post) -> bool:
        """Tell whether a post, as it is now, belongs in the answer."""
        return (
            (not self.statuses or post.status in self.statuses)
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
        return any(self.text.casefold() in caption.casefold() for caption in captions)

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


_ID_LENGTH = 32
_DIGEST_LENGTH = 16


def cursor_at(caller: Caller, seen: str) -> str:
    """Return the cursor of what follows the thing that stands there: its id comes last."""
    return seen + _digest(caller, seen)


def last_id_of(caller: Caller, cursor: str) -> str:
    """Return the id in a cursor. Raises InvalidInput if it is not one of this workspace."""
    return seen_by(caller, cursor, Sort.CREATED)


def seen_by(caller: Caller, cursor: str, sort: Sort) -> str:
    """Return where a list in this order goes on.

    Raises InvalidInput if the cursor is not one of this workspace and of this order.
    """
    seen = cursor[:-_DIGEST_LENGTH]
    has_place = len(seen) > _ID_LENGTH
    is_one = is_id(seen[-_ID_LENGTH:]) and cursor == cursor_at(caller, seen)
    if not is_one or has_place is not (sort is Sort.SCHEDULED):
        raise InvalidInput(
            "The cursor is not one that a Link header of this list carried.",
            loc=("query", "cursor"),
        )
    return seen


def _digest(caller: Caller, seen: str) -> str:
    return sha256(f"{caller.workspace_id}/{seen}".encode()).hexdigest()[:_DIGEST_LENGTH]
