"""What the end of an attempt leaves behind: the target's outcome, history, allowance, a log line.

The publish worker decides how an attempt ended; this room keeps it, in one transaction, and says
how late it was.
"""

import itertools
import logging
import random
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from chalicelib.domain.clock import Clock
from chalicelib.domain.dataclass import dataclass
from chalicelib.domain.ids import new_id
from chalicelib.domain.outcome import Done, Json
from chalicelib.domain.posts.history import SYSTEM, Action, Attempt, event
from chalicelib.domain.posts.target import Target
from chalicelib.domain.workspace.plans import Use, give_back
from chalicelib.storage.engine.claims import StorageUnavailableError
from chalicelib.storage.engine.outcomes import Ending, OutcomeRepository
from chalicelib.workers.publishing.leases import ClaimedTarget

_LONGEST_WAIT_S = 5.0
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Attempts:
    """Keeps how attempts ended."""

    outcomes: OutcomeRepository
    clock: Clock
    wait: Callable[[float], None] = time.sleep

    def published(self, claimed: ClaimedTarget, done: Done, *, found: str | None) -> None:
        """Keep that the target is live; `found` tells that a look on the platform showed it."""
        now, target = self.clock(), claimed.target
        live = target.publish(done, now=now)
        attempt = self._attempt(live, now, ok=True, found=found)
        detail: dict[str, Json] = {
            "target_id": target.id,
            "platform": str(target.platform),
            "url": done.url,
            **({} if done.note is None else {"note": done.note}),
        }
        happened = event(Action.TARGET_PUBLISHED, SYSTEM, now, detail)
        ending = Ending(target=live, attempt=attempt, events=(happened,))
        self._keep(claimed, ending)
        self._log("Published a target.", claimed, attempt)

    def failed(
        self, claimed: ClaimedTarget, code: str, message: str, *, found: str | None = None
    ) -> None:
        """Keep that the target failed for good, and give back what it had used."""
        now, target = self.clock(), claimed.target
        failed = target.fail(code, message)
        uses: tuple[Use, ...] = ()
        if failed.charge is not None:
            uses = give_back(failed.charge)
            failed = replace(failed, charge=None)
        attempt = self._attempt(failed, now, ok=False, found=found)
        detail = {"target_id": target.id, "platform": str(target.platform), "error_code": code}
        happened = event(Action.TARGET_FAILED, SYSTEM, now, detail)
        ending = Ending(target=failed, attempt=attempt, events=(happened,), uses=uses)
        self._keep(claimed, ending)
        self._log("A target failed for good.", claimed, attempt)

    def put_off(
        self,
        claimed: ClaimedTarget,
        target: Target,
        *,
        code: str | None,
        message: str,
        found: str | None = None,
    ) -> None:
        """Keep a try that came to nothing and the time of the next one, already on the target."""
        attempt = self._attempt(target, self.clock(), ok=False, found=found)
        attempt = replace(attempt, error_code=code, error_message=message)
        ending = Ending(target=target, attempt=attempt)
        self._keep(claimed, ending)
        self._log("A try failed and will be made again.", claimed, attempt)

    def _keep(self, claimed: ClaimedTarget, ending: Ending) -> None:
        """Keep an ending for as long as the target is held: an answer in hand is not thrown away.

        Raises LeaseLostError and AlreadyAdoptedError.
        """
        for tried in itertools.count():
            try:
                self.outcomes.finish(claimed.ref, claimed.token, ending, known=claimed.post)
            except StorageUnavailableError:
                claimed.require()
                self.wait(random.uniform(0.5, 1) * min(_LONGEST_WAIT_S, 0.1 * 2**tried))  # noqa: S311  # jitter
            else:
                return

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
        }
        _LOG.info(sentence, extra=facts)
