"""Comments of members on a post: events of its history, and never part of what goes out.

So they are exported, moved and erased as the history is. One stays open until a member resolves it.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Final

from chalicelib.domain.control_characters import control_character_problem
from chalicelib.domain.error_kinds import InvalidInput, NotFound
from chalicelib.domain.posts.history import Action, Event
from chalicelib.kit.dataclass import dataclass

LONGEST: Final = 2_000
MOST_COMMENTS: Final = 200
TEXT: Final = "comment"
RESOLVED: Final = "comment_id"


class CommentNotFound(NotFound):
    """This comment no longer exists, or somebody has resolved it."""

    code = "comment_not_found"


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """What a member said of a post; `resolved_by` is who settled it, None while it is open."""

    id: str
    by: str
    at: datetime
    text: str
    resolved_by: str | None = None


def comments_of(events: Iterable[Event]) -> list[Comment]:
    """Return the comments in a history, oldest first."""
    told = list(events)
    resolved = {
        str(one.detail.get(RESOLVED)): one.by for one in told if one.action is Action.RESOLVED
    }
    return [
        Comment(
            id=one.id,
            by=one.by,
            at=one.at,
            text=str(one.detail.get(TEXT, "")),
            resolved_by=resolved.get(one.id),
        )
        for one in told
        if one.action is Action.COMMENTED
    ]


def checked(text: str) -> str:
    """Return a comment's text as it is kept. Raises InvalidInput."""
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
    if len(list(comments)) >= MOST_COMMENTS:
        message = f"A post takes at most {MOST_COMMENTS} comments."
        raise InvalidInput(message, loc=("body", TEXT))
