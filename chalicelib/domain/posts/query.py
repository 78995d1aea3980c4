"""What a client asks of the list of posts, the page it gets, and the cursor to the next one.

docs/api.md "Posts". A page's `cursor` is where the next one goes on; None is the only end. Clients
get it with a digest, so that only its workspace can use it: that guards against mixed-up cursors,
not against attackers, since what a cursor leads to is the caller's own in any case.
"""

from datetime import datetime
from hashlib import sha256

from chalicelib.domain.error_kinds import InvalidInput
from chalicelib.domain.ids import is_id
from chalicelib.domain.posts.post import Post, PostStatus
from chalicelib.domain.workspace.access import Caller
from chalicelib.kit.dataclass import dataclass


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
            and self._has_text(post)
            and self._has_time_inside(post)
        )

    @property
    def has_window(self) -> bool:
        """Tell whether a time window was asked for."""
        return self.since is not None or self.until is not None

    def _has_text(self, post: Post) -> bool:
        """Tell whether the text stands in the caption, or in one that an account has instead."""
        captions = [post.caption, *(target.caption_override or "" for target in post.targets)]
        return any(self.text.casefold() in caption.casefold() for caption in captions)

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


_ID_LENGTH = 32
_DIGEST_LENGTH = 16


def cursor_at(caller: Caller, last_id: str) -> str:
    """Return the cursor of what follows the thing with this id."""
    return last_id + _digest(caller, last_id)


def last_id_of(caller: Caller, cursor: str) -> str:
    """Return the id in a cursor. Raises InvalidInput if it is not one of this workspace."""
    last_id = cursor[:_ID_LENGTH]
    if not is_id(last_id) or cursor != cursor_at(caller, last_id):
        raise InvalidInput(
            "The cursor is not one that a Link header of this list carried.",
            loc=("query", "cursor"),
        )
    return last_id


def _digest(caller: Caller, last_id: str) -> str:
    return sha256(f"{caller.workspace_id}/{last_id}".encode()).hexdigest()[:_DIGEST_LENGTH]
