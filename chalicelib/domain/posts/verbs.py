"""What each verb makes of a post: it sets targets in motion, or stops them, all or none.

What becomes of a target, by where it stands when the verb comes; `-` leaves it as it is, and a verb
that finds none of a post's targets to take is refused by its own error:

| a target is             | schedule, queue | publish_now | retry      | cancel    | dismiss   | unpublish |
|-------------------------|-----------------|-------------|------------|-----------|-----------|-----------|
| draft                   | scheduled       | scheduled   | -          | -         | -         | -         |
| scheduled               | -               | scheduled   | -          | cancelled | -         | -         |
| publishing              | -               | -           | -          | -         | -         | -         |
| publishing, would retry | -               | -           | -          | cancelled | -         | -         |
| published               | -               | -           | -          | -         | -         | removed   |
| failed                  | -               | scheduled   | scheduled  | -         | cancelled | -         |
| failed, in doubt        | -               | publishing  | publishing | -         | cancelled | -         |
| cancelled               | scheduled       | scheduled   | -          | -         | -         | -         |
| cancelled, in doubt     | publishing      | publishing  | -          | -         | -         | -         |
| removed                 | -               | -           | -          | -         | -         | -         |

So `/queue` schedules a cancelled target for the next queue time that is free. `publish_now` and
`retry` schedule for this moment. In doubt means that nobody knows whether it was posted: it counts
as being posted and is looked for first.
`delete` and `reject` stop what `cancel` does. A target whose account is gone is not set in motion,
a post that was rejected neither. `reviewing` has approve and reject, `editing` what a change makes
of a post; `services/posts/updates` carries decisions out.
"""  # noqa: E501 - a table's row is one line

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import field, replace
from datetime import datetime, timedelta
from enum import StrEnum

from chalicelib.domain.error_kinds import InvalidInput, ServiceError
from chalicelib.domain.errors import (
    AccountRemoved,
    NothingToCancel,
    NothingToPublish,
    NothingToRetry,
    NothingToSchedule,
    NotLive,
    QueueFull,
    TargetNotInPost,
)
from chalicelib.domain.platforms.choices import NOTHING, Choices
from chalicelib.domain.posts.erasing import is_under_way, without_words
from chalicelib.domain.posts.history import SYSTEM, Action, Event, event, event_by
from chalicelib.domain.posts.post import Approval, Post
from chalicelib.domain.posts.sendable import check_sendable, check_time
from chalicelib.domain.posts.target import Target, TargetStatus
from chalicelib.domain.workspace.access import Caller, Scope, require
from chalicelib.kit.dataclass import dataclass

_AT = ("body", "at")


class Verb(StrEnum):
    """What becomes of a post once it is saved: nothing, or one of five ways to set it in motion."""

    SAVE = "save"
    SCHEDULE = "schedule"
    QUEUE = "queue"
    BEST = "best"
    NOW = "now"
    RETRY = "retry"


@dataclass(frozen=True, slots=True, kw_only=True)
class Update:
    """What a decision made of a post, and what its history says about it."""

    after: Post
    events: Sequence[Event] = ()


Decide = Callable[[Post], Update]


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Who asks and when, and what is known of the accounts of a post's targets.

    `choices` is what an account is known to offer, by target, `golden` its next golden hour, by
    account; only those are there that the verb may need.
    """

    caller: Caller
    now: datetime
    choices: Mapping[str, Choices] = field(default_factory=dict)
    golden: Mapping[str, datetime] = field(default_factory=dict)

    def event(self, action: Action, **detail: str | int | None) -> Event:
        """Return what history says of what the caller does."""
        return event_by(self.caller, action, self.now, detail)


def in_turn(*decisions: Decide) -> Decide:
    """Return decisions as one, each about what those before lead to; of none the post stays."""

    def decide(post: Post) -> Update:
        update = Update(after=post)
        for each in decisions:
            later = each(update.after)
            update = Update(after=later.after, events=(*update.events, *later.events))
        return update

    return decide


def schedule(post: Post, facts: Facts, *, at: datetime | None = None) -> Update:
    """Schedule for `at`, or each for its own time to come or its next golden hour."""
    return _schedule(post, facts, lambda target: at or time_for(target, facts), at=at)


def schedule_as_written(post: Post, facts: Facts) -> Update:
    """Schedule each for the time it names; the edit before has moved what was scheduled."""
    if not any(target.is_unscheduled for target in post.targets):
        return Update(after=post)
    return _schedule(post, facts, lambda target: _own_time(target, facts.now))


def schedule_at_best(post: Post, facts: Facts) -> Update:
    """Schedule each for its next golden hour, whatever time it names."""
    return _schedule(post, facts, lambda target: facts.golden[target.account_id])


def time_for(target: Target, facts: Facts) -> datetime:
    """Return a target's own time if it is still to come, else its next golden hour."""
    own = target.scheduled_at
    return own if own is not None and own > facts.now else facts.golden[target.account_id]


def queue(post: Post, facts: Facts, *, at: datetime | None) -> Update:
    """Schedule for a queue time, which the post then holds; None: there is none."""
    chosen = _require_connected(facts, _require_unscheduled(post))
    if at is None:
        raise QueueFull
    _check(post, facts, chosen)
    moved = [one.schedule(at, now=facts.now, lead=post.lead(one)) for one in chosen]
    after = replace(post.with_targets(moved), queued_at=at)
    return Update(after=after, events=(facts.event(Action.QUEUED, at=at.isoformat()),))


def publish_now(post: Post, facts: Facts) -> Update:
    """Send what is neither live nor posting."""
    sendable = [target for target in post.targets if target.is_sendable]
    return _send(post, facts, sendable, Action.PUBLISH_REQUESTED, NothingToPublish)


def retry(post: Post, facts: Facts) -> Update:
    """Send again what failed."""
    return _send(post, facts, _failed_targets(post), Action.RETRIED, NothingToRetry)


def cancel(post: Post, facts: Facts, *, at: datetime | None = None) -> Update:
    """Stop what has not gone out yet: all of it, or what goes at one instant."""
    named = [target for target in post.targets if at is None or target.scheduled_at == at]
    stopped = stop(named, facts.now)
    if not stopped:
        raise NothingToCancel
    happened = facts.event(Action.CANCELLED, targets=len(stopped))
    return Update(after=post.with_targets(stopped), events=(happened,))


def dismiss(post: Post, facts: Facts) -> Update:
    """Take what failed for what a person stopped: history keeps that it failed."""
    failed = _failed_targets(post)
    if not failed:
        raise NothingToRetry
    happened = facts.event(Action.CANCELLED, targets=len(failed))
    return Update(
        after=post.with_targets(one.cancel(now=facts.now) for one in failed), events=(happened,)
    )


def delete(post: Post, facts: Facts) -> Update:
    """Take the post off the service and stop what has not gone out; its words go with it.

    While something is under way they stay until that ends. What is live stays where it is, and
    needs a right of its own: raises ScopeMissing, RoleForbids.
    """
    if any(target.status is TargetStatus.PUBLISHED for target in post.targets):
        require(facts.caller, Scope.DELETE_PUBLISHED, why="A live post is part of this.")
    stopped = replace(post.with_targets(stop(post.targets, facts.now)), deleted_at=facts.now)
    after = stopped if is_under_way(stopped) else without_words(stopped)
    return Update(after=after, events=(facts.event(Action.DELETED),))


def discard(post: Post, *, by: str, now: datetime) -> Update:
    """Take a post of which nothing is in motion off the service, words and all, as operators do."""
    after = replace(without_words(post), deleted_at=now)
    return Update(after=after, events=(event(Action.DELETED, by, now),))


def unpublish(post: Post, facts: Facts, target_id: str) -> Update:
    """Note that a live target was deleted on its platform. Raises TargetNotInPost, NotLive."""
    live = live_target(post, target_id)
    happened = facts.event(Action.TARGET_UNPUBLISHED, **_names_of(live))
    return Update(after=post.with_targets([live.remove()]), events=(happened,))


def note_gone(post: Post, target_ids: Collection[str], *, now: datetime) -> Update:
    """Note which of some targets are live no more: their platforms say so."""
    named = [target for target in post.targets if target.id in target_ids]
    gone = [target for target in named if target.status is TargetStatus.PUBLISHED]
    events = [
        event(Action.TARGET_UNPUBLISHED, SYSTEM, now, {**_names_of(one), "found": "gone"})
        for one in gone
    ]
    return Update(after=post.with_targets(one.remove() for one in gone), events=events)


def live_target(post: Post, target_id: str) -> Target:
    """Return a target that is live. Raises TargetNotInPost, NotLive."""
    target = post.target(target_id)
    if target is None:
        raise TargetNotInPost
    if target.status is not TargetStatus.PUBLISHED:
        raise NotLive
    return target


def stop(targets: Iterable[Target], now: datetime) -> list[Target]:
    """Return, stopped, those of some targets that can be stopped for certain."""
    return [target.cancel(now=now) for target in targets if target.is_cancellable]


def _schedule(
    post: Post, facts: Facts, time_of: Callable[[Target], datetime], *, at: datetime | None = None
) -> Update:
    chosen = _require_connected(facts, _require_unscheduled(post))
    _check(post, facts, chosen)
    moved = [one.schedule(time_of(one), now=facts.now, lead=post.lead(one)) for one in chosen]
    named = None if at is None else at.isoformat()
    happened = facts.event(Action.SCHEDULED, targets=len(moved), at=named)
    return Update(after=post.with_targets(moved), events=(happened,))


def _send(
    post: Post,
    facts: Facts,
    wanted: Sequence[Target],
    action: Action,
    nothing: type[ServiceError],
) -> Update:
    if not wanted or post.approval is Approval.REJECTED:
        raise nothing
    chosen = _require_connected(facts, wanted)
    _check(post, facts, chosen)
    lead = timedelta(0) if post.may_go_out else None
    moved = [target.send_now(now=facts.now, lead=lead) for target in chosen]
    happened = facts.event(action, targets=len(moved))
    return Update(after=post.with_targets(moved), events=(happened,))


def _require_unscheduled(post: Post) -> Sequence[Target]:
    chosen = [target for target in post.targets if target.is_unscheduled]
    if not chosen or post.approval is Approval.REJECTED:
        raise NothingToSchedule
    return chosen


def _failed_targets(post: Post) -> Sequence[Target]:
    return [target for target in post.targets if target.status is TargetStatus.FAILED]


def _require_connected(facts: Facts, targets: Sequence[Target]) -> Sequence[Target]:
    chosen = [target for target in targets if target.account_id in facts.caller.accounts]
    if not chosen:
        raise AccountRemoved
    return chosen


def _check(post: Post, facts: Facts, chosen: Sequence[Target]) -> None:
    for target in chosen:
        check_sendable(post, target, choices=facts.choices.get(target.id, NOTHING))


def _own_time(target: Target, now: datetime) -> datetime:
    at = target.scheduled_at
    if at is None:
        raise InvalidInput("Choose a date and time first.", loc=_AT)
    check_time(at, now=now, loc=_AT)
    return at


def _names_of(target: Target) -> dict[str, str]:
    return {"target_id": target.id, "platform": str(target.platform)}
