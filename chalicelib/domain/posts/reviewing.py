"""Approving and rejecting a post that waits: what either makes of it, as pure decisions.

The caller checks who may decide. An approved post's targets go out as scheduled, at once if their
time has passed; a rejected post gives its times and allowance back.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from chalicelib.domain.posts.history import SYSTEM, Action, event
from chalicelib.domain.posts.post import Approval, Post, PostStatus
from chalicelib.domain.posts.sendable import check_sendable, past_time
from chalicelib.domain.posts.target import Target
from chalicelib.domain.posts.verbs import Update, in_turn, stop
from chalicelib.domain.workspace.operator_errors import OperatorError
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import Json


class NoApprovalsError(OperatorError):
    """The workspace does not use approvals. `workspace update ID --approvals on` turns them on."""


class DecidedError(OperatorError):
    """This post waits for no review: somebody decided, or it was never submitted."""


class ChangedSinceError(OperatorError):
    """This post was changed after you opened it, so nothing was decided. This is how it is now."""


class AskedTimePassedError(OperatorError):
    """A time that was asked for has passed meanwhile, so nothing was decided."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """Who decided, with what note; `only_pending` refuses to overrule a decision.

    `seen` is the revision that was shown: another one decides nothing. `schedules` tells that an
    approval sets the targets in motion for the times that they ask for, as the button said.
    """

    by: str = SYSTEM
    note: str = ""
    only_pending: bool = False
    seen: str | None = None
    schedules: bool = False

    @property
    def detail(self) -> Mapping[str, Json]:
        """Return what history tells of it."""
        return {"note": self.note} if self.note else {}


BY_OPERATOR = Decision()


def ask(post: Post, by: str, *, now: datetime) -> Update:
    """Make a draft wait for a review, even if it could go out without. Raises DecidedError."""
    if post.approval is Approval.PENDING:
        return Update(after=post)
    if post.status is not PostStatus.DRAFT:
        raise DecidedError
    waiting = replace(post, approval=Approval.PENDING)
    return Update(after=waiting, events=(event(Action.EDITED, by, now),))


def asked_times(post: Post, *, now: datetime) -> list[Target]:
    """Return the targets of a post that ask for a time which is still to come."""
    return [
        target
        for target in _asking(post)
        if target.scheduled_at is not None and target.scheduled_at > now
    ]


def approve(post: Post, decision: Decision, *, now: datetime) -> Update:
    """Let a post go out; what is past its time goes at once.

    Raises NoApprovalsError, DecidedError, ChangedSinceError and, where it sets times,
    AskedTimePassedError and what `check_sendable` raises.
    """

    def let_go(before: Post) -> Update:
        approved = replace(before, approval=Approval.APPROVED)
        freed = [one.release(now=now, lead=approved.lead(one)) for one in approved.targets]
        happened = event(Action.APPROVED, decision.by, now, decision.detail)
        return Update(after=approved.with_targets(freed), events=(happened,))

    def schedule_asked(approved: Post) -> Update:
        return _schedule_asked(approved, decision.by, now)

    _require_waiting(post, decision)
    steps = (let_go, schedule_asked) if decision.schedules else (let_go,)
    return in_turn(*steps)(post)


def reject(post: Post, decision: Decision, *, now: datetime) -> Update:
    """Keep a post from going out and stop what `cancel` stops.

    Raises NoApprovalsError, DecidedError and ChangedSinceError.
    """
    _require_waiting(post, decision)
    rejected = replace(post, approval=Approval.REJECTED)
    happened = event(Action.REJECTED, decision.by, now, decision.detail)
    return Update(after=rejected.with_targets(stop(rejected.targets, now)), events=(happened,))


def _require_waiting(post: Post, decision: Decision) -> None:
    if post.approval is None:
        raise NoApprovalsError
    if decision.only_pending and post.approval is not Approval.PENDING:
        raise DecidedError
    if decision.seen not in (None, post.revision):
        raise ChangedSinceError


def _schedule_asked(post: Post, by: str, now: datetime) -> Update:
    """Schedule what asks for a time of its own."""
    asked = _asking(post)
    if any(True for target in asked for _ in past_time(target.scheduled_at, now=now, loc=())):
        raise AskedTimePassedError
    moved = []
    for target in asked:
        check_sendable(post, target)
        at = target.scheduled_at or now
        moved.append(target.schedule(at, now=now, lead=post.lead(target)))
    happened = event(Action.SCHEDULED, by, now, {"targets": len(moved), "at": None})
    return Update(after=post.with_targets(moved), events=(happened,))


def _asking(post: Post) -> list[Target]:
    return [one for one in post.targets if one.is_unscheduled and one.scheduled_at is not None]
