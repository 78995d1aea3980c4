"""Saves how an attempt ended: the target's outcome, history and allowance, and a log line.

`verdict_keeper` calls it; each end is one transaction, and the log says how late the target was.
"""

import logging
import time
from collections.abc import Callable
from dataclasses import field, replace
from datetime import datetime, timedelta
from typing import TypeVar

from chalicelib.domain.blame import blame_of
from chalicelib.domain.clock import Clock
from chalicelib.domain.ids import new_id
from chalicelib.domain.outcome import Done, Failed
from chalicelib.domain.posts.history import SYSTEM, Action, Attempt, event
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.target import Target
from chalicelib.domain.workspace.plans import Use, give_back
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.dynamodb.failures import backoff_s
from chalicelib.kit.json_value import Json
from chalicelib.services.posts.erasures import Erasures
from chalicelib.storage.engine.claims import TargetRef
from chalicelib.storage.engine.outcomes import (
    AlreadyAdoptedError,
    Ending,
    EndingOn,
    OutcomeRepository,
    StorageUnavailableError,
)
from chalicelib.storage.workspace.workspaces import WorkspaceRepository
from chalicelib.workers.publishing.error_mapping import facts_of
from chalicelib.workers.publishing.leases import ClaimedTarget

_PATIENCE = 8
"""An outcome waits longer than a claim: by some seconds, when the tables stay silent."""
_MARKED_AGAIN_AFTER, _MOST_MARKED = timedelta(seconds=2), 1_000
"""Much of a workspace may fail in one second, and its row of the table takes so many writes."""
_FAILED_FOR_GOOD = "A target failed for good."
_T = TypeVar("_T")
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Attempts:
    """Keeps how attempts ended."""

    outcomes: OutcomeRepository
    clock: Clock
    erasures: Erasures
    workspaces: WorkspaceRepository
    wait: Callable[[float], None] = time.sleep
    marked: dict[str, datetime] = field(default_factory=dict)

    def keep_published(
        self, claimed: ClaimedTarget, done: Done, *, at: datetime, found: str | None
    ) -> TargetRef | None:
        """Save that the target is live; `found` tells that a reconciliation found it.

        `at` is when the platform's answer came. An answer takes the post over from a target that
        had adopted it by reconciliation: that one is returned, and is in doubt again. Raises
        AlreadyAdoptedError.
        """
        target = claimed.target
        live = target.publish(done, now=at)
        attempt = _attempt(live, at, found)
        detail: dict[str, Json] = {
            "target_id": target.id,
            "platform": str(target.platform),
            "url": done.url,
            **({} if done.note is None else {"note": done.note}),
        }
        ending = Ending(
            target=live,
            attempt=attempt,
            events=(event(Action.TARGET_PUBLISHED, SYSTEM, at, detail),),
            doubted=None if found is None else target,
            first_poll=done.first_poll,
        )
        twin = None
        try:
            self._keep(claimed, lambda _: ending)
        except AlreadyAdoptedError:
            if found is not None:
                raise
            twin = self._take_over(claimed, ending)
        _log("Published a target.", claimed, attempt)
        return twin

    def _take_over(self, claimed: ClaimedTarget, ending: Ending) -> TargetRef:
        """Save it by the platform's answer, although another target had adopted the post."""
        twin = self._persistently(
            claimed,
            lambda: self.outcomes.take_over(claimed.ref, claimed.token, ending, now=self.clock()),
        )
        self.erasures.finish_if_possible(claimed.ref.post_id)
        return twin

    def keep_failed(
        self, claimed: ClaimedTarget, failed: Failed, *, found: str | None = None
    ) -> None:
        """Save that the target failed for good."""
        ending = _failure(claimed.target, failed, self.clock(), found)
        self._keep(claimed, lambda _: ending)
        self._tell_soon(claimed)
        _log(_FAILED_FOR_GOOD, claimed, ending.attempt)

    def keep_reminded(self, claimed: ClaimedTarget, target: Target) -> None:
        """Keep that a target's author is reminded of it; that is no attempt."""
        detail = {"target_id": target.id, "platform": str(target.platform)}
        happened = event(Action.TARGET_REMINDED, SYSTEM, self.clock(), detail)
        ending = Ending(target=target.remind(), attempt=None, events=(happened,))
        self._keep(claimed, lambda _: ending)
        self._tell_soon(claimed)
        post = claimed.post
        facts = {"action": "target.reminded", "workspace_id": post.workspace_id, "post_id": post.id}
        _LOG.info("An author was reminded.", extra={**facts, "target_id": target.id})

    def keep_waiting(
        self,
        claimed: ClaimedTarget,
        failed: Failed,
        waiting: Target,
        *,
        until: datetime,
        if_deleted: Failed,
    ) -> bool:
        """Save a failed try and the time of the next one, which `waiting` has.

        If the post was deleted meanwhile, this try was the last and `if_deleted` is saved, unless
        the target is in doubt. Returns whether there is a next try.
        """
        now = self.clock()

        def ending_on(post: Post) -> Ending:
            if post.deleted_at is not None and not waiting.progress.unanswered:
                return _failure(claimed.target, if_deleted, now, None)
            attempt = replace(
                _failed_attempt(waiting, now, None, failed),
                next_try_at=waiting.progress.wake_at,
                tries_until=until,
            )
            return Ending(target=waiting, attempt=attempt)

        kept = self._keep(claimed, ending_on)
        is_next = kept.target is waiting
        if not is_next:
            self._tell_soon(claimed)
        _log("An attempt failed." if is_next else _FAILED_FOR_GOOD, claimed, kept.attempt)
        return is_next

    def _tell_soon(self, claimed: ClaimedTarget) -> None:
        """Let the next round of notices tell the members."""
        workspace_id, now = claimed.post.workspace_id, self.clock()
        last = self.marked.get(workspace_id)
        if last is not None and abs(now - last) < _MARKED_AGAIN_AFTER:
            return
        if len(self.marked) >= _MOST_MARKED:
            self.marked.clear()
        self.marked[workspace_id] = now
        self.workspaces.mark(workspace_id, now)

    def _keep(self, claimed: ClaimedTarget, ending_on: EndingOn) -> Ending:
        """Save an end, and try that for as long as the lease lasts: no answer may get lost.

        The last end of a deleted post also erases its words. Raises LeaseLostError and
        AlreadyAdoptedError.
        """
        ending, post = self._persistently(
            claimed,
            lambda: self.outcomes.finish(claimed.ref, claimed.token, ending_on, known=claimed.post),
        )
        if post.deleted_at is not None:
            self.erasures.finish_if_possible(claimed.ref.post_id)
        return ending

    def _persistently(self, claimed: ClaimedTarget, keep: Callable[[], _T]) -> _T:
        """Try a write for as long as the target is held."""
        tried = 0
        while True:
            try:
                return keep()
            except StorageUnavailableError:
                claimed.require()
                self.wait(_PATIENCE * backoff_s(tried))
                tried += 1


def _failure(target: Target, failed: Failed, at: datetime, found: str | None) -> Ending:
    """Return the end of a target that failed for good: its allowance is given back."""
    ended, uses = target.fail(failed.code, failed.message, now=at), tuple[Use, ...]()
    if ended.charge is not None:
        uses = give_back(ended.charge)
        ended = replace(ended, charge=None)
    detail = {"target_id": target.id, "platform": str(target.platform), "error_code": failed.code}
    happened = event(Action.TARGET_FAILED, SYSTEM, at, detail)
    attempt = _failed_attempt(ended, at, found, failed)
    return Ending(target=ended, attempt=attempt, events=(happened,), uses=uses)


def _failed_attempt(target: Target, at: datetime, found: str | None, failed: Failed) -> Attempt:
    return replace(
        _attempt(target, at, found),
        ok=False,
        error_code=failed.code,
        error_message=failed.message,
        blame=blame_of(failed),
        answer=failed.answer,
    )


def _attempt(target: Target, at: datetime, found: str | None) -> Attempt:
    return Attempt(
        id=new_id(at),
        target_id=target.id,
        ok=True,
        status=target.status,
        at=at,
        remote_id=target.remote_id,
        found=found,
        lateness_s=None if target.due_at is None else (at - target.due_at).total_seconds(),
    )


def _log(sentence: str, claimed: ClaimedTarget, attempt: Attempt | None) -> None:
    if attempt is None:
        return
    facts = {
        "action": "attempt",
        "workspace_id": claimed.post.workspace_id,
        "post_id": claimed.post.id,
        "target_id": attempt.target_id,
        "ok": attempt.ok,
        "status": attempt.status,
        "error_code": attempt.error_code,
        "blame": attempt.blame,
        "lateness_s": attempt.lateness_s,
        **({} if attempt.answer is None else facts_of(attempt.answer)),
    }
    _LOG.info(sentence, extra=facts)
