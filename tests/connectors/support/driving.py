"""Runs a connector as the publish worker does: one saved step after the other, with a frozen clock.

A crash can be put after any call: what the call returned is then lost, and somebody else goes on
from what was saved before it. Checkpoints go through JSON each time, as they do in the table.
"""

import json
from dataclasses import dataclass, field, replace
from datetime import timedelta

from chalicelib.connectors.connector import Connector, Publication
from chalicelib.domain.engine.verdicts import WAITS
from chalicelib.domain.outcome import (
    Absent,
    Checkpoint,
    Done,
    Failed,
    FailureCode,
    Outcome,
    Reconciliation,
    Sent,
    Unanswered,
    Unknown,
    Wait,
)
from chalicelib.workers.publishing.error_mapping import answer_of
from tests.support.frozen_clock import FrozenClock

TAKEOVER = timedelta(seconds=65)
MOST_STEPS = 3_000
LARGEST_CHECKPOINT = 65_536


@dataclass(slots=True)
class Drive:
    """One target on its way; `calls` counts what was asked of the connector."""

    connector: Connector
    publication: Publication
    clock: FrozenClock
    crash_after: int | None = None
    calls: int = 0
    checkpoint: Checkpoint | None = None
    sent: Sent | None = None
    unanswered: bool = False
    tries: int = 0
    refused: Failed | None = None
    seen: list[str] = field(default_factory=list)

    def run(self) -> Done | Failed:
        """Go on until the post is live or has failed for good."""
        began = self.clock()
        for _ in range(MOST_STEPS):
            end = self.step()
            if end is not None:
                return end
            longest = timedelta(hours=24 if self.refused is None else 48)
            if not self.unanswered and self.clock() - began > longest:
                break
        if self.refused is not None and any("Failed" in one for one in self.seen[-3:]):
            return self.refused
        raise AssertionError(f"It never ends: {self.seen[-10:]}")

    def step(self) -> Done | Failed | None:
        """Make one call, or one look where the last call's answer is missing."""
        return self._look() if self.unanswered else self._step()

    def _step(self) -> Done | Failed | None:
        checkpoint, irreversible = self.checkpoint, False
        if checkpoint is None:
            outcome = answer_of(lambda: self.connector.start(self._now()))
        else:
            irreversible = checkpoint.step in self.connector.irreversible
            if irreversible:
                media = self.publication.media
                ids = () if media is None else (media.id,)
                self.sent = Sent(text=self.publication.text, media_ids=ids, at=self.clock())
                self.unanswered = True
            doubt = checkpoint if irreversible else None
            outcome = answer_of(
                lambda: self.connector.advance(self._now(), checkpoint), doubt=doubt
            )
        if self._crashes(outcome):
            return None
        return self._after(outcome)

    def _after(self, outcome: Outcome) -> Done | Failed | None:
        match outcome:
            case Done():
                return outcome
            case Wait():
                self.unanswered = False
                self._save(outcome.checkpoint)
                self.clock.pass_time(outcome.delay)
            case Unanswered():
                self._save(outcome.checkpoint)
                self.clock.pass_time(timedelta(seconds=1))
            case Failed():
                self.unanswered, self.sent, self.refused = False, None, outcome
                if not outcome.is_transient or self.tries > len(WAITS):
                    return outcome
                self.clock.pass_time(max(WAITS[0], outcome.retry_after or timedelta(0)))
                self.tries += 1
        return None

    def _look(self) -> Done | Failed | None:
        checkpoint, sent = self.checkpoint, self.sent
        assert checkpoint is not None
        assert sent is not None
        finding = answer_of(lambda: self.connector.reconcile(self._now(), checkpoint, sent))
        if self._crashes(finding):
            return None
        match finding:
            case Done():
                return self._found(finding)
            case Absent():
                self.unanswered, self.sent = False, None
                if checkpoint.step not in self.connector.irreversible:
                    self.checkpoint = None
            case Wait():
                self._save(finding.checkpoint)
                self.clock.pass_time(max(finding.delay, timedelta(milliseconds=1)))
            case Unknown():
                return Failed(code=FailureCode.OUTCOME_UNKNOWN, message="cannot tell")
            case Failed():
                self.clock.pass_time(finding.retry_after or timedelta(seconds=30))
            case Unanswered():
                self.clock.pass_time(timedelta(seconds=10))
        if self.unanswered and self.clock() - sent.at > timedelta(hours=1):
            return Failed(code=FailureCode.OUTCOME_UNKNOWN, message="cannot tell")
        return None

    def _found(self, done: Done) -> Done | None:
        if done.then is None:
            return done
        self.unanswered = False
        self._save(done.then)
        return None

    def _crashes(self, outcome: Outcome | Reconciliation) -> bool:
        """Lose what was returned, once, if the crash was put here."""
        self.calls += 1
        step = "start" if self.checkpoint is None else self.checkpoint.step
        self.seen.append(f"{step}: {type(outcome).__name__}")
        if self.crash_after != self.calls:
            return False
        self.clock.pass_time(TAKEOVER)
        return True

    def _save(self, checkpoint: Checkpoint) -> None:
        kept = json.dumps({"step": checkpoint.step, "data": dict(checkpoint.data)})
        assert len(kept) < LARGEST_CHECKPOINT, "A checkpoint is small."
        read = json.loads(kept)
        self.checkpoint = Checkpoint(read["step"], read["data"])

    def _now(self) -> Publication:
        return replace(self.publication, now=self.clock(), tries=self.tries)
