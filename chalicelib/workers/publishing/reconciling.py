"""What became of a visible call whose answer is missing: settled by looking, never by sending."""

from collections.abc import Callable
from datetime import timedelta
from typing import assert_never

from chalicelib.connectors.connector import CALL_DEADLINE, Connector, Publication
from chalicelib.domain.outcome import (
    Absent,
    Checkpoint,
    Done,
    Failed,
    FailureCode,
    Reconciliation,
    Sent,
    Unanswered,
    Unknown,
    Wait,
)
from chalicelib.storage.engine.outcomes import AlreadyAdoptedError
from chalicelib.workers.publishing.accounting import settled
from chalicelib.workers.publishing.endings import UNTOLD, Endings, Next
from chalicelib.workers.publishing.error_mapping import answer_of
from chalicelib.workers.publishing.retry import BUDGET

OTHERS_POST = timedelta(seconds=30)
_AFTER_FAILURE = timedelta(seconds=30)
_AFTER_SILENCE = timedelta(seconds=10)
UNACCOUNTED = (
    "The service was restored from a backup and cannot tell whether this post went out meanwhile."
    " Look there; if it is not there, duplicate the post and schedule the copy."
)
_NEVER_TOOK = "The platform did not take the post within the time for retries. Retry it later."


class Reconciler:
    """Settles the doubt of one claimed target."""

    def __init__(self, endings: Endings, connector: Connector) -> None:
        self._endings = endings
        self._claimed = endings.claimed
        self._connector = connector

    def settle(self, checkpoint: Checkpoint, publication: Callable[[], Publication]) -> Next:
        """Look on the platform and act on what is found."""
        sent = self._claimed.target.progress.sent
        if sent is None:
            raise AssertionError("A doubt without what was sent cannot be settled.")
        finding = answer_of(lambda: self._looked(publication(), checkpoint, sent))
        match finding:
            case Done():
                return self._adopt(finding, checkpoint)
            case Absent():
                return self._absent(checkpoint, sent)
            case Wait():
                return self._endings.look_later(finding.checkpoint, finding.delay)
            case Unknown():
                code = FailureCode.OUTCOME_UNKNOWN
                message = UNACCOUNTED if sent.is_suspicion else UNTOLD
                return self._endings.fail(code, message, found="cannot tell")
            case Failed():
                delay = finding.retry_after or _AFTER_FAILURE
                return self._endings.look_later(checkpoint, delay)
            case Unanswered():
                return self._endings.look_later(checkpoint, _AFTER_SILENCE)
            case _:
                assert_never(finding)

    def _looked(
        self, publication: Publication, checkpoint: Checkpoint, sent: Sent
    ) -> Reconciliation:
        """Look for what was sent; after a restore, see that the account's other posts are known."""
        finding = self._connector.reconcile(publication, checkpoint, sent)
        if not isinstance(finding, Absent) or finding.by_own_key or not sent.is_suspicion:
            return finding
        owners = self._endings.tools.attempts.outcomes.owners
        return settled(self._connector, publication, checkpoint, sent, owners)

    def _adopt(self, done: Done, checkpoint: Checkpoint) -> Next:
        """Take what was found as this target's post, unless it belongs to another."""
        try:
            return self._endings.live(done, found="published")
        except AlreadyAdoptedError:
            return self._endings.look_later(checkpoint, OTHERS_POST)

    def _absent(self, checkpoint: Checkpoint, sent: Sent) -> Next:
        """Believe that the post is not there only once its call must have ended."""
        too_soon = sent.begun_by + CALL_DEADLINE - self._endings.tools.clock()
        if too_soon > timedelta(0):
            return self._endings.look_later(checkpoint, too_soon)
        return self._step_again(checkpoint, sent)

    def _step_again(self, checkpoint: Checkpoint, sent: Sent) -> Next:
        """Go on after the platform provably had nothing: from the same step, or from the start."""
        refused = self._claimed.target.refused()
        self._claimed.become(refused)
        is_over = self._endings.tools.clock() > self._endings.due_at + BUDGET
        if is_over and not sent.is_suspicion:
            code = FailureCode.PLATFORM_UNAVAILABLE
            return self._endings.fail(code, _NEVER_TOOK, found="absent")
        same_step = checkpoint.step in self._connector.irreversible
        self._claimed.save(refused if same_step else refused.from_the_start())
        return Next.STEP
