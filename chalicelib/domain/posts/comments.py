"""Comments on a post: events of its history, and never part of what goes out.

So they are exported, moved and erased with the history. A comment stays open with its replies until
a member resolves it. Members' comments are among themselves, or shared with whoever has a review
link; a reviewer's are always shared. Members named with `@`, the post's author and everybody in the
thread are notified.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from chalicelib.domain.error_kinds import InvalidInput, NotFound
from chalicelib.domain.posts.history import Action, Event
from chalicelib.domain.text import control_character_problem
from chalicelib.domain.workspace.workspaces import Member
from chalicelib.kit.dataclass import dataclass

LONGEST: Final = 2_000
MOST_COMMENTS: Final = 200
TEXT: Final = "comment"
RESOLVED: Final = "comment_id"
REPLY: Final = "reply_to"
SHARED: Final = "shared"
KEPT_UNREAD: Final = timedelta(days=90)


class CommentNotFound(NotFound):
    """This comment no longer exists, or somebody has resolved it."""

    code = "comment_not_found"


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """A comment on a post; `resolved_by` is who resolved it, None while it is open.

    `is_shared` tells that reviewers with a link see it and its replies.
    """

    id: str
    by: str
    at: datetime
    text: str
    resolved_by: str | None = None
    is_shared: bool = False
    replies: "tuple[Comment, ...]" = ()

    @property
    def thread(self) -> "Iterator[Comment]":
        """Yield it and its replies."""
        yield self
        yield from self.replies


@dataclass(frozen=True, slots=True, kw_only=True)
class UnreadComment:
    """A comment that a member was notified of and that is not resolved."""

    member_id: str
    comment_id: str
    post_id: str
    at: datetime


def comments_of(events: Iterable[Event]) -> list[Comment]:
    """Return the comments in a history with their replies, oldest first."""
    told = list(events)
    said = {one.id: one for one in told if one.action is Action.COMMENTED}
    resolved = {
        str(one.detail.get(RESOLVED)): one.by for one in told if one.action is Action.RESOLVED
    }
    replies: dict[str, list[Comment]] = {}
    first: list[Comment] = []
    for one in said.values():
        replied_to = str(one.detail.get(REPLY, ""))
        comment = Comment(
            id=one.id,
            by=one.by,
            at=one.at,
            text=str(one.detail.get(TEXT, "")),
            resolved_by=resolved.get(one.id),
            is_shared=bool(one.detail.get(SHARED)),
        )
        (replies.setdefault(replied_to, []) if replied_to in said else first).append(comment)
    return [replace(one, replies=tuple(replies.get(one.id, ()))) for one in first]


def shared_comments(comments: Iterable[Comment]) -> list[Comment]:
    """Return the open comments that reviewers see."""
    return [one for one in comments if one.is_shared and one.resolved_by is None]


def open_thread(comments: Iterable[Comment], comment_id: str) -> Comment:
    """Return an open comment. Raises CommentNotFound."""
    for one in comments:
        if one.id == comment_id and one.resolved_by is None:
            return one
    raise CommentNotFound


def mentioned_names(text: str, names: Iterable[str]) -> set[str]:
    """Return the names that a text mentions with `@`; of two that fit, the longer one."""
    left, found = text, set()
    for name in sorted(set(names), key=len, reverse=True):
        mention = re.compile(rf"(?<!\w)@{re.escape(name)}(?!\w)", re.IGNORECASE)
        if mention.search(left):
            found.add(name)
            left = mention.sub(" ", left)
    return found


def recipients(
    text: str, thread: Comment | None, *, author: str, by: str, members: Iterable[Member]
) -> list[str]:
    """Return the ids of the members to notify of a comment, without its author."""
    everybody = list(members)
    names = {author} | mentioned_names(text, [one.name for one in everybody])
    if thread is not None:
        names |= {one.by for one in thread.thread}
    return [one.id for one in everybody if one.name in names and one.name != by]


def checked_text(text: str) -> str:
    """Return a comment's text as it is stored. Raises InvalidInput."""
    trimmed = text.strip()
    if not 0 < len(trimmed) <= LONGEST:
        message = f"Type a comment of at most {LONGEST:,} characters; this has {len(trimmed):,}."
        raise InvalidInput(message, loc=("body", TEXT))
    problem = control_character_problem(trimmed)
    if problem is not None:
        raise InvalidInput(problem, loc=("body", TEXT))
    return trimmed


def require_room(comments: Iterable[Comment]) -> None:
    """Check that a post can take one more comment. Raises InvalidInput."""
    if sum(1 + len(one.replies) for one in comments) >= MOST_COMMENTS:
        message = f"A post takes at most {MOST_COMMENTS} comments."
        raise InvalidInput(message, loc=("body", TEXT))
