"""One run over one claimed target: step by step until it is live, has failed, or rests.

`domain/engine/verdicts.py` says which call comes next and what follows it; this makes the calls.
Whatever crashes in between is noticed by the end of the lease. An irreversible step is saved as in
doubt before it is made.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

from chalicelib.connectors.connector import Connector, Publication
from chalicelib.domain.engine.decision import Facts, Reconcile, Start, Step, VisibleStep
from chalicelib.domain.engine.verdicts import after, after_reconciliation, after_visible, next_move
from chalicelib.domain.outcome import (
    CALL_DEADLINE,
    CLOCK_SKEW,
    Absent,
    Checkpoint,
    Outcome,
    Sent,
)
from chalicelib.domain.posts.progress import Progress
from chalicelib.kit.transport.fence import fence_requests
from chalicelib.workers.publishing.error_mapping import answer_of
from chalicelib.workers.publishing.reconciling import reconcile
from chalicelib.workers.publishing.verdict_keeper import VerdictKeeper

MAY_BEGIN_WITHIN = timedelta(seconds=20)
LEASE_FOR_A_CALL = CALL_DEADLINE + CLOCK_SKEW


def doubt_at(now: datetime, publication: Publication) -> Sent:
    """Return what a visible call is about to carry, and until when it may begin."""
    media = publication.media
    return Sent(
        text=publication.text,
        media_ids=() if media is None else (media.id,),
        at=now,
        not_after=now + MAY_BEGIN_WITHIN,
    )


class Run:
    """Works on one claimed target."""

    def __init__(
        self, keeper: VerdictKeeper, connector: Connector, publication: Publication
    ) -> None:
        self._clock = keeper.tools.clock
        self._claimed = keeper.claimed
        self._connector = connector
        self._publication = publication
        self._keeper = keeper

    def go(self) -> None:
        """Make steps until the target rests."""
        while self._step():
            pass

    def _step(self) -> bool:
        """Make the one next step; return whether another follows at once."""
        self._claimed.require()
        move = next_move(self._claimed.target, self._facts())
        match move:
            case Start():
                return self._follow(answer_of(lambda: self._connector.start(self._now())))
            case Step(checkpoint):
                step = answer_of(lambda: self._connector.advance(self._now(), checkpoint))
                return self._follow(step)
            case VisibleStep(checkpoint):
                return self._make_visible(checkpoint)
            case Reconcile(checkpoint, sent):
                return self._reconcile(checkpoint, sent)
            case _:
                return self._keeper.keep(move)

    def _follow(self, outcome: Outcome) -> bool:
        return self._keeper.keep(after(self._claimed.target, outcome, self._facts()))

    def _make_visible(self, checkpoint: Checkpoint) -> bool:
        """Save what is about to be sent as in doubt, then make the irreversible call."""
        before, now = self._claimed.target.progress, self._clock()
        sent = doubt_at(now, self._publication)
        self._claimed.save(self._claimed.target.doubt(checkpoint, sent, now=now))
        return self.call(checkpoint, sent, before)()

    def call(self, checkpoint: Checkpoint, sent: Sent, before: Progress) -> Callable[[], bool]:
        """Make the visible call whose doubt is saved; return what keeps its outcome.

        `before` is how far the target was without it. What is returned tells whether another step
        follows at once.
        """
        with fence_requests(lambda: self._may_begin(sent)) as fence:
            outcome = answer_of(
                lambda: self._connector.advance(self._now(), checkpoint), doubt=checkpoint
            )
        if fence.has_stopped and not fence.has_sent:
            # Not a byte was written: the step is begun anew, under a new doubt.
            self._claimed.become(self._claimed.target.take_back_doubt(before))
            return lambda: True
        answered_at = self._clock()
        return lambda: self._keeper.keep(
            after_visible(
                self._claimed.target, outcome, replace(self._facts(), answered_at=answered_at)
            )
        )

    def _may_begin(self, sent: Sent) -> bool:
        """Tell whether the call would end while nobody else can have settled its doubt."""
        is_early_enough = sent.not_after is None or self._clock() <= sent.not_after
        return is_early_enough and self._claimed.lease_left >= LEASE_FOR_A_CALL

    def _reconcile(self, checkpoint: Checkpoint, sent: Sent) -> bool:
        """Ask the platform, read-only, what became of a call, and act on what it shows."""
        finding = answer_of(
            lambda: reconcile(self._connector, self._now(), checkpoint, sent, self._keeper.owners)
        )
        is_deleted = isinstance(finding, Absent) and self._keeper.is_deleted()
        facts = replace(self._facts(), is_deleted=is_deleted)
        return self._keeper.keep(after_reconciliation(self._claimed.target, finding, facts))

    def _now(self) -> Publication:
        return replace(self._publication, now=self._clock())

    def _facts(self) -> Facts:
        return replace(
            self._keeper.facts(),
            irreversible=self._connector.irreversible,
            step_timeout=self._connector.step_timeout,
        )
