"""May a claimed target begin, must it wait, or must its post be looked for first? Pure.

`workers/publishing/preflight.py` asks.
"""

from dataclasses import replace
from datetime import datetime, timedelta

from chalicelib.domain.engine.decision import Facts, Over, Verdict
from chalicelib.domain.engine.failures import (
    DELETED,
    GONE,
    GONE_IN_DOUBT,
    LATE,
    NO_CONNECTOR,
    NOT_CONVERTED,
)
from chalicelib.domain.engine.verdicts import TOO_LATE, postpone
from chalicelib.domain.outcome import Failed, Sent
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.progress import CATCHING_UP
from chalicelib.domain.posts.target import Target

CONVERSION_TIMEOUT = timedelta(hours=1)
_NEAR, _UNHURRIED_WAIT = timedelta(seconds=15), timedelta(seconds=5)
"""A target due later than this looks for its copy less often: each look costs a claim."""
_LEAST_GAP = timedelta(minutes=2)
"""A restored target may have been sent at least this long before the engine was resumed."""


def find_refusal(
    target: Target, *, has_account: bool, is_served: bool, now: datetime
) -> Failed | None:
    """Return why a target cannot go out at all, or None.

    `has_account` tells that its account is connected, `is_served` that this deployment publishes
    to its platform. What is in doubt is never refused for being late: it may be live.
    """
    if not has_account:
        return GONE_IN_DOUBT if target.is_in_doubt else GONE
    if not is_served:
        return NO_CONNECTOR
    is_first = target.progress.tries == 0 and not target.is_in_doubt
    return LATE if is_first and now > (target.due_at or now) + TOO_LATE else None


def find_deletion(target: Target, post: Post) -> Failed | None:
    """Return the end of a target whose post was deleted before a new try of it, or None.

    A new try follows a refusal, or a worker that died. What is in doubt is looked for first.
    """
    is_new_try = target.progress.retries or target.progress.wakes > 1
    is_over = post.deleted_at is not None and is_new_try and not target.is_in_doubt
    return DELETED if is_over else None


def must_catch_up(target: Target, woken_for: datetime, now: datetime) -> bool:
    """Tell whether a target is so late, after an outage, that it must wait its account's turn."""
    has_place = target.progress.catching_up or target.is_in_doubt
    return not has_place and bool(find_outage(target, woken_for, now))


def find_outage(target: Target, woken_for: datetime, now: datetime) -> timedelta:
    """Return how long nobody worked on a target that was due; zero up to ten minutes."""
    missed = now - max(woken_for, target.due_at or now)
    return missed if missed > CATCHING_UP else timedelta(0)


def note_lateness(target: Target, woken_for: datetime, now: datetime) -> Target:
    """Return a target that is late after an outage with from when on its post may be out.

    A worker that died says why no more than the outage does. A target in doubt is looked for
    anyway.
    """
    due_at, progress = target.due_at, target.progress
    if due_at is None or target.is_in_doubt or progress.late_since is not None:
        return target
    since = due_at if progress.wakes > 1 else woken_for
    return target.miss(due_at) if find_outage(target, since, now) else target


def excuse_step(target: Target, woken_for: datetime, now: datetime) -> Target:
    """Return a target whose step has as much time left as it had when an outage began.

    Meanwhile nobody asked its platform, which may long have finished.
    """
    since, outage = target.progress.checkpoint_since, find_outage(target, woken_for, now)
    if since is None or not outage:
        return target
    ahead = max((target.due_at or now) - since, timedelta(0))
    return replace(target, progress=target.progress.pause(ahead + outage))


def suspect_late(post: Post, target: Target, now: datetime) -> Target:
    """Return a target that was found late as one to look for before it is sent.

    On a machine whose disk went back to a snapshot, what was sent since then looks like what an
    outage made late.
    """
    since, text = target.progress.late_since, target.caption(post.caption)
    if since is None or target.is_in_doubt:
        return target
    return target.suspect(Sent(text=text, media_ids=post.media_ids, at=since, not_after=now))


def is_near(target: Target, now: datetime) -> bool:
    """Tell whether a target's second is so near, or past, that it must not wait long."""
    return now > (target.due_at or now) - _NEAR


def without_copy(target: Target, since: datetime, wait: timedelta, facts: Facts) -> Verdict:
    """Return what follows while the convert lane makes the file: a wait of limited length.

    The file was requested at `since`, so a target that is late after an outage also has an hour.
    """
    if facts.now > max(since, target.due_at or since) + CONVERSION_TIMEOUT:
        return Over(target=target, failed=NOT_CONVERTED)
    least = timedelta(0) if is_near(target, facts.now) else _UNHURRIED_WAIT
    return postpone(target, max(wait, least), facts)


def suspect(post: Post, target: Target, since: datetime | None, until: datetime | None) -> Target:
    """Return a target of a restored backup as one to look for before it is sent.

    The backup was made at `since` (None: nothing was restored), the engine resumed at `until`.
    """
    return target if since is None else _suspect_target(post, target, since, until or since)


def _suspect_target(post: Post, target: Target, since: datetime, until: datetime) -> Target:
    """Return a restored target as one to look for, unless it is newer or was looked for already.

    What its row says does not matter: after the backup it may have been rescheduled or sent at
    once, and a doubt of the backup may have been settled, and the target edited and sent again.
    """
    own, looked_for = target.progress.sent, target.progress.looked_for
    is_newer = post.created_at > until or (own is not None and own.at > until)
    if is_newer or (looked_for is not None and looked_for >= until):
        return target
    text = target.caption(post.caption) if own is None else own.text
    media_ids = post.media_ids if own is None else own.media_ids
    at = min(since, until - _LEAST_GAP, until if own is None else own.at)
    return target.suspect(Sent(text=text, media_ids=media_ids, at=at, not_after=until))
