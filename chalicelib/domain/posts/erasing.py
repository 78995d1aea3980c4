"""What is left of a post for the books: ids, times, status and charges, and nobody's words.

Deleting a post calls it where nothing of it is under way; else the end of its last outcome does
(`services/posts/erasures.py`). What "never twice" needs stays: ids, remote ids, times, units.
"""

from dataclasses import replace
from typing import Final

from chalicelib.domain.posts.history import SYSTEM, Attempt, Event
from chalicelib.domain.posts.post import Post, Written
from chalicelib.domain.posts.target import Target, TargetStatus

SOMEBODY: Final = "a member"
"""Who did something to a post that was deleted since."""
_TOLD_STILL: Final = frozenset(
    {"at", "code", "error_code", "found", "platform", "post_id", "target_id", "targets"}
)
"""What stays of an event's details: ids, codes and numbers."""


def is_under_way(post: Post) -> bool:
    """Tell whether something of it is being sent, or in doubt and looked for."""
    return any(target.status is TargetStatus.PUBLISHING for target in post.targets)


def without_words(post: Post) -> Post:
    """Return a post of which nothing is in motion without what somebody wrote, or is called."""
    file = post.attachment
    return replace(
        post.with_words_of(Written()),
        created_by=_without_name(post.created_by),
        idempotency_key=None,
        attachment=None if file is None else replace(file, filename=""),
        targets=tuple(target_without_words(target) for target in post.targets),
    )


def target_without_words(target: Target) -> Target:
    """Return a target without words; its address on the platform names the account, so it goes."""
    sent = target.progress.sent
    return replace(
        target,
        handle="",
        caption_override=None,
        options={},
        url=None,
        error_message=None,
        progress=replace(
            target.progress,
            checkpoint=None,
            sent=None if sent is None else replace(sent, text=""),
        ),
    )


def event_without_names(event: Event) -> Event:
    """Return an event without who did it, by name, and without what was written with it."""
    detail = {name: told for name, told in event.detail.items() if name in _TOLD_STILL}
    return replace(event, by=_without_name(event.by), detail=detail)


def attempt_without_words(attempt: Attempt) -> Attempt:
    """Return an attempt without what its platform said in words."""
    return replace(attempt, error_message=None, answer=None)


def _without_name(name: str) -> str:
    return name if name in {SYSTEM, "operator", SOMEBODY} else SOMEBODY
