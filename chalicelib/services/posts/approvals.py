"""Approving and rejecting posts: for the operator, in the app, and by review links.

Who may decide is the caller's to check. An approved post's targets go as scheduled, at once if
their time has passed; a rejected one gives its times and allowance back.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime

from chalicelib.domain.clock import Clock
from chalicelib.domain.error_kinds import ServiceError
from chalicelib.domain.posts.drafting import check_sendable, past_time
from chalicelib.domain.posts.history import SYSTEM, Action, event
from chalicelib.domain.posts.post import Approval, Post
from chalicelib.domain.posts.target import Target
from chalicelib.domain.workspace.operator_errors import OperatorError, UnknownWorkspaceError
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import Json
from chalicelib.services.posts.updates import Change, PostUpdates, Update
from chalicelib.storage.workspace.workspaces import WorkspaceRepository


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


def asked_times(post: Post, *, now: datetime) -> list[Target]:
    """Return the targets of a post that ask for a time which is still to come."""
    return [
        target
        for target in post.targets
        if target.is_unscheduled and target.scheduled_at is not None and target.scheduled_at > now
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Approvals:
    """Decisions over posts that wait."""

    workspaces: WorkspaceRepository
    updates: PostUpdates
    clock: Clock

    def approve(self, workspace_id: str, post_id: str, decision: Decision = BY_OPERATOR) -> Post:
        """Let a post go out; what is past its time goes at once. Raises OperatorError."""
        with _told_to_operators():
            change = self._change(workspace_id)
            while change.is_open:
                post, now = change.read(post_id), self.clock()
                approved = replace(_waiting(post, decision), approval=Approval.APPROVED)
                freed = [one.release(now=now, lead=approved.lead(one)) for one in approved.targets]
                happened = event(Action.APPROVED, decision.by, now, decision.detail)
                let_go = Update(after=approved.with_targets(freed), events=(happened,))
                update = _schedule_asked(let_go, decision.by, now) if decision.schedules else let_go
                change.save(post, update.after, *update.events)
        return change.saved

    def reject(self, workspace_id: str, post_id: str, decision: Decision = BY_OPERATOR) -> Post:
        """Keep a post from going out; its times and allowance are free again.

        Raises OperatorError.
        """
        with _told_to_operators():
            change = self._change(workspace_id)
            while change.is_open:
                post = change.read(post_id)
                rejected = replace(_waiting(post, decision), approval=Approval.REJECTED)
                stopped = [one.cancel() for one in rejected.targets if one.is_cancellable]
                happened = event(Action.REJECTED, decision.by, self.clock(), decision.detail)
                change.save(post, rejected.with_targets(stopped), happened)
        return change.saved

    def _change(self, workspace_id: str) -> Change:
        workspace = self.workspaces.get(workspace_id)
        if workspace is None:
            raise UnknownWorkspaceError
        return self.updates.change(workspace)


@contextmanager
def _told_to_operators() -> Iterator[None]:
    try:
        yield
    except ServiceError as error:
        raise OperatorError(error.message) from error


def _waiting(post: Post, decision: Decision) -> Post:
    if post.approval is None:
        raise NoApprovalsError
    if decision.only_pending and post.approval is not Approval.PENDING:
        raise DecidedError
    if decision.seen not in (None, post.revision):
        raise ChangedSinceError
    return post


def _schedule_asked(approved: Update, by: str, now: datetime) -> Update:
    """Return an approval with the times set that its targets ask for."""
    post = approved.after
    asked = [t for t in post.targets if t.is_unscheduled and t.scheduled_at is not None]
    if any(True for target in asked for _ in past_time(target.scheduled_at, now=now, loc=())):
        raise AskedTimePassedError
    moved = []
    for target in asked:
        check_sendable(post, target)
        at = target.scheduled_at or now
        moved.append(target.schedule(at, now=now, lead=post.lead(target)))
    happened = event(Action.SCHEDULED, by, now, {"targets": len(moved), "at": None})
    return Update(after=post.with_targets(moved), events=(*approved.events, happened))
