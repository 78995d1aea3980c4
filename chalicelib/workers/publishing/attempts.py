"""What the end of an attempt leaves behind: the target's outcome, history, allowance, a log line.

The publish worker decides how an attempt ended; this room keeps it, in one transaction, and says
how late it was.
"""

import itertools
import logging
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import TypeVar

from chalicelib.domain.clock import Clock
from chalicelib.domain.dataclass import dataclass
from chalicelib.domain.ids import new_id
from chalicelib.domain.outcome import Done, Json, PlatformAnswer
from chalicelib.domain.posts.history import SYSTEM, Action, Attempt, event
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.target import Target
from chalicelib.domain.workspace.plans import Use, give_back
from chalicelib.storage.dynamodb.failures import backoff_s
from chalicelib.storage.engine.claims import TargetRef
from chalicelib.storage.engine.outcomes import (
    AlreadyAdoptedError,
    Ending,
    EndingOn,
    OutcomeRepository,
    StorageUnavailableError,
)
from chalicelib.workers.publishing.error_mapping import facts_of
from chalicelib.workers.publishing.leases import ClaimedTarget

_PATIENCE = 8
"""An outcome waits longer than a claim: by some seconds, when the tables stay silent."""
_T = TypeVar("_T")
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Try:
    """How a try ended that did not make the target live, and when that was known.

    `answer` is what the platform said, if it refused.
    """

    code: str
    message: str
    at: datetime
    found: str | None = None
    answer: PlatformAnswer | None = None


@dataclass(frozen=True, slots=True)
class Attempts:
    """Keeps how attempts ended."""

    outcomes: OutcomeRepository
    clock: Clock
    wait: Callable[[float], None] = time.sleep

    def keep_published(
        self, claimed: ClaimedTarget, done: Done, *, at: datetime, found: str | None
    ) -> TargetRef | None:
        """Keep that the target is live; `found` tells that a look on the platform showed it.

        `at` is when the platform's answer came. An answer takes the post over from a target that a
        look gave it to, which is returned: it is in doubt again. Raises AlreadyAdoptedError.
        """
        target = claimed.target
        live = target.publish(done, now=at)
        attempt = self._attempt(live, at, ok=True, found=found)
        detail: dict[str, Json] = {
            "target_id": target.id,
            "platform": str(target.platform),
            "url": done.url,
            **({} if done.note is None else {"note": done.note}),
        }
        happened = event(Action.TARGET_PUBLISHED, SYSTEM, at, detail)
        doubted = None if found is None else target
        ending = Ending(
            target=live,
            attempt=attempt,
            events=(happened,),
            doubted=doubted,
            first_poll=done.first_poll,
        )
        twin = None
        try:
            self._keep(claimed, lambda _: ending)
        except AlreadyAdoptedError:
            if found is not None:
                raise
            twin = self._persistently(
                claimed,
                lambda: self.outcomes.take_over(
                    claimed.ref, claimed.token, ending, now=self.clock()
                ),
            )
        self._log("Published a target.", claimed, attempt)
        return twin

    def keep_failed(self, claimed: ClaimedTarget, end: Try) -> None:
        """Keep that the target failed for good, and give back what it had used."""
        ending = self._failure(claimed.target, end)
        self._keep(claimed, lambda _: ending)
        self._log("A target failed for good.", claimed, ending.attempt)

    def put_off(self, claimed: ClaimedTarget, waiting: Target, end: Try) -> bool:
        """Keep a try that came to nothing and the time of the next one, which `waiting` has.

        On a post that was deleted meanwhile there is none: the try under way was the last. Returns
        whether there is a next one.
        """

        def ending_on(post: Post) -> Ending:
            if post.deleted_at is not None:
                return self._failure(claimed.target, end)
            attempt = self._attempt(waiting, end.at, ok=False, found=end.found)
            attempt = replace(
                attempt, error_code=end.code, error_message=end.message, answer=end.answer
            )
            return Ending(target=waiting, attempt=attempt)

        kept = self._keep(claimed, ending_on)
        self._log("An attempt failed.", claimed, kept.attempt)
        return kept.target is waiting

    def _failure(self, target: Target, end: Try) -> Ending:
        failed, uses = target.fail(end.code, end.message), tuple[Use, ...]()
        if failed.charge is not None:
            uses = give_back(failed.charge)
            failed = replace(failed, charge=None)
        attempt = self._attempt(failed, end.at, ok=False, found=end.found)
        attempt = replace(attempt, answer=end.answer)
        detail = {"target_id": target.id, "platform": str(target.platform), "error_code": end.code}
        happened = event(Action.TARGET_FAILED, SYSTEM, end.at, detail)
        return Ending(target=failed, attempt=attempt, events=(happened,), uses=uses)

    def _keep(self, claimed: ClaimedTarget, ending_on: EndingOn) -> Ending:
        """Keep an ending for as long as the target is held: an answer in hand is not thrown away.

        Raises LeaseLostError and AlreadyAdoptedError.
        """
        return self._persistently(
            claimed,
            lambda: self.outcomes.finish(claimed.ref, claimed.token, ending_on, known=claimed.post),
        )

    def _persistently(self, claimed: ClaimedTarget, keep: Callable[[], _T]) -> _T:
        """Write for as long as the target is held."""
        for tried in itertools.count():
            try:
                return keep()
            except StorageUnavailableError:
                claimed.require()
                self.wait(_PATIENCE * backoff_s(tried))
        raise AssertionError("There is always another try.")

    def _attempt(self, target: Target, now: datetime, *, ok: bool, found: str | None) -> Attempt:
        late = None if target.due_at is None else (now - target.due_at).total_seconds()
        return Attempt(
            id=new_id(now),
            target_id=target.id,
            ok=ok,
            status=target.status,
            at=now,
            error_code=target.error_code,
            error_message=target.error_message,
            remote_id=target.remote_id,
            found=found,
            lateness_s=late,
        )

    def _log(self, sentence: str, claimed: ClaimedTarget, attempt: Attempt) -> None:
        facts = {
            "action": "attempt",
            "workspace_id": claimed.post.workspace_id,
            "post_id": claimed.post.id,
            "target_id": attempt.target_id,
            "ok": attempt.ok,
            "status": attempt.status,
            "error_code": attempt.error_code,
            "lateness_s": attempt.lateness_s,
            **({} if attempt.answer is None else facts_of(attempt.answer)),
        }
        _LOG.info(sentence, extra=facts)
