"""One run over one claimed target: step by step until it is live, failed, or waits.

`domain/engine/verdicts.py` decides which call comes next and what follows it; this file makes the
calls. If the process dies, the end of the lease shows it. An irreversible step is saved as in doubt
before it is made.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

from chalicelib.connectors.connector import Publication
from chalicelib.domain.engine.admission import find_outage, suspect_late
from chalicelib.domain.engine.decision import Facts, Reconcile, Start, Step, VisibleStep
from chalicelib.domain.engine.verdicts import (
    after,
    after_reconciliation,
    after_visible,
    next_move,
    postpone,
    wait_for_look,
)
from chalicelib.domain.outcome import (
    CALL_DEADLINE,
    CLOCK_SKEW,
    Absent,
    Checkpoint,
    Done,
    Failed,
    Outcome,
    Sent,
    Unanswered,
)
from chalicelib.domain.posts.progress import Progress
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.dynamodb.failures import AwsFailure
from chalicelib.kit.transport.fence import fence_requests
from chalicelib.workers.publishing.error_mapping import answer_of
from chalicelib.workers.publishing.leases import ClaimedTarget
from chalicelib.workers.publishing.reconciling import look_once, reconcile
from chalicelib.workers.publishing.signed_connector import SignedConnector
from chalicelib.workers.publishing.verdict_keeper import VerdictKeeper

MAY_BEGIN_WITHIN = timedelta(seconds=20)
LEASE_FOR_A_CALL = CALL_DEADLINE + CLOCK_SKEW


def doubt_at(now: datetime, publication: Publication) -> Sent:
    """Return what a visible call will send, and until when it may begin."""
    media = publication.media
    return Sent(
        text=publication.text,
        media_ids=() if media is None else (media.id,),
        at=now,
        not_after=now + MAY_BEGIN_WITHIN,
    )


@dataclass(frozen=True, slots=True)
class Run:
    """Everything that the calls of one target need; only the holder of its lease makes them.

    `checkpoint` is that of its visible step, once it is armed.
    """

    keeper: VerdictKeeper
    connector: SignedConnector
    publication: Publication
    checkpoint: Checkpoint | None = None

    @property
    def visible_step(self) -> Checkpoint:
        """The checkpoint of the visible step that it is armed for."""
        if self.checkpoint is None:
            raise AssertionError("The run is not armed.")
        return self.checkpoint

    def go(self, claimed: ClaimedTarget) -> None:
        """Make steps until the target waits or ends."""
        while self._step(claimed):
            pass

    def _step(self, claimed: ClaimedTarget) -> bool:
        """Make the one next step; return whether another follows at once."""
        claimed.require()
        move = next_move(claimed.target, self._facts())
        match move:
            case Start():
                step = answer_of(lambda: self.connector.start(self._now()))
                return self._follow(claimed, step)
            case Step(checkpoint):
                step = answer_of(lambda: self.connector.advance(self._now(), checkpoint))
                return self._follow(claimed, step)
            case VisibleStep(checkpoint):
                return self._make_visible(claimed, checkpoint)
            case Reconcile(checkpoint, sent):
                return self._reconcile(claimed, checkpoint, sent)
            case _:
                return self.keeper.keep(claimed, move)

    def _follow(self, claimed: ClaimedTarget, answered: Outcome) -> bool:
        outcome = self.connector.learn_from(answered)
        return self.keeper.keep(claimed, after(claimed.target, outcome, self._facts()))

    def _make_visible(self, claimed: ClaimedTarget, checkpoint: Checkpoint) -> bool:
        """Save what is about to be sent as in doubt, then make the irreversible call."""
        before, now = claimed.target.progress, self.keeper.clock()
        sent = doubt_at(now, self.publication)
        claimed.save(claimed.target.doubt(checkpoint, sent, now=now))
        return self.call(claimed, checkpoint, sent, before)()

    def call(
        self, claimed: ClaimedTarget, checkpoint: Checkpoint, sent: Sent, before: Progress
    ) -> Callable[[], bool]:
        """Make the visible call whose doubt is saved; return a function that saves its outcome.

        `before` is the target without this call. The function returns whether another step follows
        at once.
        """
        with fence_requests(lambda: self._may_begin(claimed, sent)) as fence:
            outcome = answer_of(
                lambda: self.connector.advance(self._now(), checkpoint), doubt=checkpoint
            )
        if fence.has_stopped and not fence.has_sent:
            return self._unsent(claimed, before)
        answered_at = self.keeper.clock()
        return lambda: self._keep_visible(claimed, outcome, answered_at)

    def _unsent(self, claimed: ClaimedTarget, before: Progress) -> Callable[[], bool]:
        """Begin the step again, under a new doubt: not a byte of its call was sent.

        If the workspace is being deleted nothing begins: its rows go as they are.
        """
        claimed.become(claimed.target.take_back_doubt(before))
        return lambda: not self.keeper.is_closed(claimed.ref.workspace_id)

    def _keep_visible(
        self, claimed: ClaimedTarget, answered: Outcome, answered_at: datetime
    ) -> bool:
        outcome = self.connector.learn_from(answered)
        facts = replace(self._facts(), answered_at=answered_at)
        return self.keeper.keep(claimed, after_visible(claimed.target, outcome, facts))

    def _may_begin(self, claimed: ClaimedTarget, sent: Sent) -> bool:
        """Tell whether the call can end before another worker may take the target over.

        It is also false if the workspace is being deleted, or if that cannot be read.
        """
        try:
            is_closed = self.keeper.is_closed(claimed.ref.workspace_id)
        except AwsFailure:
            return False
        is_early_enough = sent.not_after is None or self.keeper.clock() <= sent.not_after
        return not is_closed and is_early_enough and claimed.lease_left >= LEASE_FOR_A_CALL

    def _reconcile(self, claimed: ClaimedTarget, checkpoint: Checkpoint, sent: Sent) -> bool:
        """Ask the platform, read-only, what became of a call, and act on the answer."""
        finding = answer_of(
            lambda: reconcile(self.connector, self._now(), checkpoint, sent, self.keeper.owners)
        )
        is_deleted = isinstance(finding, Absent) and self.keeper.is_deleted(claimed)
        facts = self._facts()
        outage = find_outage(claimed.target, claimed.ref.wake_at, facts.now)
        facts = replace(facts, is_deleted=is_deleted, outage=outage)
        return self.keeper.keep(claimed, after_reconciliation(claimed.target, finding, facts))

    def settle_late(self, claimed: ClaimedTarget) -> bool:
        """Look for a target that is late after an outage; tell whether that ends this run.

        Unless its post is there, it is sent; a platform that does not answer is asked a few times.
        Only a confirmed restore asks for more (`suspect` in `domain/engine/admission.py`).
        """
        target, now = claimed.target, self.keeper.clock()
        suspected = suspect_late(claimed.post, target, now)
        if suspected is target:
            return False
        move = next_move(suspected, self._facts())
        if not isinstance(move, Reconcile):
            return False
        found = answer_of(
            lambda: look_once(self.connector, self._now(), move.checkpoint, move.sent)
        )
        if isinstance(found, Done) and not self._is_of_another(claimed, found):
            claimed.become(suspected)
            self.keeper.keep(claimed, after_reconciliation(suspected, found, self._facts()))
            return True
        if isinstance(found, Failed | Unanswered):
            return self._look_again(claimed, found)
        claimed.become(target.miss(None))
        return False

    def _look_again(self, claimed: ClaimedTarget, untold: Failed | Unanswered) -> bool:
        """Postpone a target whose platform gave no answer; return False if it is to be sent.

        Then it is still looked for before any later try.
        """
        wait = wait_for_look(claimed.target, untold)
        if wait is None:
            return False
        wakes = claimed.target.progress.wakes
        self.keeper.keep(claimed, postpone(claimed.target, wait, self._facts(), wakes=wakes))
        return True

    def _is_of_another(self, claimed: ClaimedTarget, found: Done) -> bool:
        known = self.keeper.owners(self.publication.account.platform, [found.remote_id])
        return known.get(found.remote_id, claimed.target.id) != claimed.target.id

    def _now(self) -> Publication:
        return replace(self.publication, now=self.keeper.clock())

    def _facts(self) -> Facts:
        return replace(
            self.keeper.facts(),
            irreversible=self.connector.irreversible,
            step_timeout=self.connector.step_timeout,
        )
