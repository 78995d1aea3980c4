"""What is kept of a deleted post: ids, times, status and charges, and no words or names.

Deleting a post calls it if none of its targets is being sent; otherwise the last outcome does
(`services/posts/erasures.py`). What "never twice" needs stays: ids, remote ids, times, units.
"""

from dataclasses import replace
from typing import Final

from chalicelib.domain.posts.history import SYSTEM, Attempt, Event
from chalicelib.domain.posts.post import Post, Written
from chalicelib.domain.posts.target import Target, TargetStatus

SOMEBODY: Final = "a member"
"""Stands for whoever did something to a post that is deleted now."""
_TOLD_STILL: Final = frozenset(
    {"at", "code", "error_code", "found", "platform", "post_id", "target_id", "targets"}
)
"""What stays of an event's details: ids, codes and numbers."""


def is_under_way(post: Post) -> bool:
    """Tell whether a target of it is being sent, or in doubt."""
    return any(target.status is TargetStatus.PUBLISHING for target in post.targets)


def without_words(post: Post) -> Post:
    """Return a post, of which nothing is under way, without words and names."""
    file = post.attachment
    return replace(
        post.with_words_of(Written()),
        created_by=_without_name(post.created_by),
        idempotency_key=None,
        attachment=None if file is None else replace(file, filename=""),
        targets=tuple(target_without_words(target) for target in post.targets),
    )


def target_without_words(target: Target) -> Target:
    """Return a target without words, and without its address, which names the account."""
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
    """Return an event without the name of who did it, and without what was written with it."""
    detail = {name: told for name, told in event.detail.items() if name in _TOLD_STILL}
    return replace(event, by=_without_name(event.by), detail=detail)


def attempt_without_words(attempt: Attempt) -> Attempt:
    """Return an attempt without what its platform said in words."""
    return replace(attempt, error_message=None, answer=None)


def _without_name(name: str) -> str:
    return name if name in {SYSTEM, "operator", SOMEBODY} else SOMEBODY
