"""Every path of a target ends: all states that the engine can bring it to, times all answers.

A platform here answers whatever would hurt most. From each state reached, every sequence of
answers of one run is played; states are told apart by what decides the future (step, doubt, tries,
time since due). A path that would go on for ever would never leave the set, and fails the test.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import cast

import pytest

from chalicelib.connectors.connector import ConnectedAccount, Publication
from chalicelib.domain.outcome import (
    Absent,
    Checkpoint,
    Done,
    Failed,
    Outcome,
    Reconciliation,
    Sent,
    Unknown,
    Wait,
)
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.progress import LEASE, Lease
from chalicelib.domain.posts.target import Target, TargetStatus
from chalicelib.kit.transport.failures import NotSentError, UnansweredError
from chalicelib.storage.engine.claims import TargetRef
from chalicelib.storage.engine.targets import TargetRepository
from chalicelib.storage.engine.wake_queue import Lanes, PublishQueue
from chalicelib.workers.publishing.attempts import Attempts
from chalicelib.workers.publishing.leases import ClaimedTarget
from chalicelib.workers.publishing.run import Run
from chalicelib.workers.publishing.signed_connector import SignedConnector
from chalicelib.workers.publishing.verdict_keeper import VerdictKeeper
from tests.support.builders import a_post, a_target
from tests.support.frozen_clock import NOON, FrozenClock

LONGEST = timedelta(hours=30)
_STEPS = ("upload", "publish", "processing")
_SOON, _LATER = timedelta(seconds=30), timedelta(minutes=25)


class OutOfAnswersError(Exception):
    """The script has ended; the answers that could come next are the caller's to choose."""

    def __init__(self, number: int) -> None:
        self.number = number
        super().__init__(number)


@dataclass(slots=True)
class Script:
    """Which of the possible answers the platform gives, call by call."""

    choices: tuple[int, ...]
    _next: int = 0

    def choose(self, answers: list[object]) -> object:
        if self._next == len(self.choices):
            raise OutOfAnswersError(len(answers))
        chosen = answers[self.choices[self._next]]
        self._next += 1
        if isinstance(chosen, Exception):
            raise chosen
        return chosen


@dataclass(slots=True)
class HostilePlatform:
    """Answers as scripted, out of everything that it could answer."""

    script: Script
    platform: Platform = Platform.LINKEDIN
    irreversible: frozenset[str] = frozenset({"publish"})
    step_timeout: timedelta = timedelta(hours=1)

    def learn_from(self, outcome: Outcome) -> Outcome:
        return outcome

    def start(self, publication: Publication) -> Outcome:
        del publication
        return cast("Outcome", self.script.choose([Wait(Checkpoint("upload")), *_FAILURES]))

    def advance(self, publication: Publication, checkpoint: Checkpoint) -> Outcome:
        del publication
        after = _STEPS[min(_STEPS.index(checkpoint.step) + 1, 2)]
        answers: list[object] = [
            Wait(checkpoint, _SOON),
            Wait(checkpoint, _LATER),
            Wait(Checkpoint(after), _SOON),
            *_FAILURES,
        ]
        if checkpoint.step != "upload":
            answers += [Done(remote_id="1", url=None), UnansweredError()]
        if checkpoint.step == "processing":
            answers.append(Wait(Checkpoint("upload"), _SOON))
        return cast("Outcome", self.script.choose(answers))

    def reconcile(
        self, publication: Publication, checkpoint: Checkpoint, sent: Sent
    ) -> Reconciliation:
        del publication, sent
        answers: list[object] = [
            Done(remote_id="1", url=None),
            Absent(),
            Wait(checkpoint, _SOON),
            Wait(checkpoint, _LATER),
            Unknown(),
            NotSentError(),
            UnansweredError(),
        ]
        return cast("Reconciliation", self.script.choose(answers))


_FAILURES: list[object] = [
    Failed(code="caption_rejected", message="no"),
    Failed(code="platform_unavailable", message="later"),
    Failed(code="rate_limited", message="later", retry_after=timedelta(hours=7)),
    NotSentError(),
]


@dataclass(slots=True)
class Paper:
    """Stands for the table and attempts: writes down where a run left the target."""

    clock: FrozenClock
    left: Target | None = None

    def save(self, ref: TargetRef, target: Target, token: str) -> Target:
        del ref, token
        self.left = target
        return target

    @property
    def outcomes(self) -> "Paper":
        return self

    def is_deleted(self, ref: TargetRef) -> bool:
        del ref
        return False

    def keep_published(
        self, claimed: ClaimedTarget, done: Done, *, at: datetime, found: str | None
    ) -> TargetRef | None:
        del found
        self.left = claimed.target.publish(done, now=at)
        return None

    def keep_failed(
        self, claimed: ClaimedTarget, failed: Failed, *, found: str | None = None
    ) -> None:
        del found
        self.left = claimed.target.fail(failed.code, failed.message, now=NOON)

    def keep_waiting(
        self,
        claimed: ClaimedTarget,
        failed: Failed,
        waiting: Target,
        *,
        until: datetime,
        if_deleted: Failed,
    ) -> bool:
        del claimed, failed, until, if_deleted
        self.left = waiting
        return True

    def send_near(self, refs: object, *, now: object) -> int:
        del refs, now
        return 0


def _run(target: Target, clock: FrozenClock, script: Script) -> Target:
    """Play one run and return how it leaves the target."""
    paper = Paper(clock, left=target)
    silent = cast("PublishQueue", _Silent())
    keeper = VerdictKeeper(
        attempts=cast("Attempts", paper),
        lanes=Lanes(fire=silent, prepare=silent, retry=silent),
        clock=clock,
        spread=lambda: 1.0,
        wall=clock,
        is_closed=lambda _: False,
    )
    publication = Publication(
        target_id=target.id,
        account=ConnectedAccount(id="a", platform=Platform.LINKEDIN, handle="@l", test=True),
        text="Fresh bread",
        media=None,
        options={},
        due_at=target.due_at or NOON,
        now=clock(),
    )
    platform = cast("SignedConnector", HostilePlatform(script))
    claimed = ClaimedTarget(
        TargetRef("1" * 32, "2" * 32, "3" * 32, NOON),
        Lease(token="paper", until=clock() + LEASE),
        target,
        a_post(targets=[target]),
        cast("TargetRepository", paper),
        clock,
    )
    Run(keeper, platform, publication).go(claimed)
    assert paper.left is not None
    return paper.left


class _Silent:
    def send_near(self, refs: object, *, now: object) -> int:
        del refs, now
        return 0


def _all_runs(target: Target, clock: FrozenClock) -> Iterator[Target]:
    """Yield where every sequence of answers of one run leaves the target, crashes included."""
    open_scripts: list[tuple[int, ...]] = [()]
    while open_scripts:
        choices = open_scripts.pop()
        try:
            yield _run(target, clock, Script(choices))
        except OutOfAnswersError as more:
            open_scripts += [(*choices, n) for n in range(more.number)]


def _kind(target: Target, clock: FrozenClock, *, grain: timedelta) -> tuple[object, ...]:
    progress = target.progress
    step = None if progress.checkpoint is None else progress.checkpoint.step
    since = progress.checkpoint_since
    return (
        target.status,
        step,
        progress.unanswered,
        progress.sent is not None,
        min(progress.tries, 6),
        (clock() - NOON) // grain,
        None if since is None else (clock() - since) // grain,
        None if progress.sent is None else (clock() - progress.sent.at) // grain,
    )


def _explore(grain: timedelta) -> tuple[int, timedelta]:
    """Visit every kind of state; return how many there are and the longest time to an end."""
    start = replace(
        a_target(scheduled_at=NOON).schedule(NOON, now=NOON, lead=timedelta(0)),
        status=TargetStatus.PUBLISHING,
    )
    seen: set[tuple[object, ...]] = set()
    longest = timedelta(0)
    waiting = [start]
    while waiting:
        target = waiting.pop()
        assert target.progress.wake_at is not None
        clock = FrozenClock(max(NOON, target.progress.wake_at))
        for left in _all_runs(target, clock):
            if left.progress.wake_at is None:
                assert left.status in (TargetStatus.PUBLISHED, TargetStatus.FAILED)
                longest = max(longest, clock() - NOON)
                continue
            assert left.progress.wake_at > clock()
            assert left.progress.wake_at - NOON <= LONGEST, "a path that does not end"
            kind = _kind(left, FrozenClock(left.progress.wake_at), grain=grain)
            if kind not in seen:
                seen.add(kind)
                waiting.append(left)
    return len(seen), longest


def test_every_path_ends_within_the_ceilings() -> None:
    states, longest = _explore(timedelta(hours=1))

    assert states > 100
    assert longest <= LONGEST


@pytest.mark.prove
def test_every_path_ends_within_the_ceilings_told_apart_finely() -> None:
    states, longest = _explore(timedelta(minutes=10))

    print(f"{states} kinds of states, the longest path ends after {longest}")  # noqa: T201
    assert longest <= LONGEST
