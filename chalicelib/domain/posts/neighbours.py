"""What a post repeats or comes close to on the same account: warnings that stop nothing.

People who see one text twice within a day, or two posts within minutes, take it for a mistake.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import Final

from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.problems import Level, Problem
from chalicelib.domain.posts.target import Target, TargetStatus

REPEATED_TEXT: Final = "repeated_text"
CLOSE_TOGETHER: Final = "close_together"
REPEATED_WITHIN: Final = timedelta(hours=24)
_CLOSE: Final = timedelta(minutes=10)
_GOES_OUT: Final = frozenset(
    {TargetStatus.SCHEDULED, TargetStatus.PUBLISHING, TargetStatus.PUBLISHED}
)
_REPEATED: Final = (
    "The same text goes to this account at {0:%Y-%m-%d %H:%M} UTC as well."
    " Change it, or leave one out."
)
_CLOSE_BY: Final = (
    "Another post goes to this account at {0:%Y-%m-%d %H:%M} UTC, less than 10 minutes away."
    " Move one of them."
)


def neighbour_warnings(
    post: Post, targets: Iterable[Target], others: Iterable[Post], *, now: datetime
) -> Iterator[Problem]:
    """Yield for each target, at most once each, what it repeats and what it comes close to.

    `others` are posts with a time within a day of the targets'; one without a time goes out now.
    """
    neighbours = [
        (other, their, their.published_at or their.scheduled_at)
        for other in others
        if other.id != post.id
        for their in other.targets
        if their.status in _GOES_OUT
    ]
    for target in targets:
        at = max(target.scheduled_at or now, now)
        near = [
            (abs(their_time - at), their_time, _text(other, their))
            for other, their, their_time in neighbours
            if their_time is not None and their.account_id == target.account_id
        ]
        field = f"targets[{post.targets.index(target)}]"
        text = _text(post, target)
        repeated = min((one for one in near if text and one[2] == text), default=None)
        if repeated is not None and repeated[0] < REPEATED_WITHIN:
            yield _warning(target, REPEATED_TEXT, _REPEATED.format(repeated[1]), field)
        closest = min(near, default=None)
        if closest is not None and closest[0] < _CLOSE:
            yield _warning(target, CLOSE_TOGETHER, _CLOSE_BY.format(closest[1]), field)


def _text(post: Post, target: Target) -> str:
    """Return the words as a reader sees them: neither case nor spaces make another text."""
    return " ".join(target.caption(post.caption).casefold().split())


def _warning(target: Target, code: str, message: str, field: str) -> Problem:
    return Problem(
        target_id=target.id, level=Level.WARNING, code=code, message=message, field=field
    )
