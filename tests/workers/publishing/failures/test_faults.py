"""At every call the engine makes, something goes wrong; the target still ends in the truth.

Never two visible posts, never stuck, and `published` exactly when the platform has the post. The
points are enumerated by counting a run without faults; `make test` takes a seeded sample, `make
prove` all of them.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

import pytest

from chalicelib.connectors.sandbox.connector import SandboxConnector
from chalicelib.connectors.shared.registry import Connectors
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.target import TargetStatus
from chalicelib.kit.dynamodb.items import plain
from chalicelib.storage.engine.claims import TargetRef
from chalicelib.storage.tables import list_status, post_key
from tests.support.emulator import EmulatorProcess
from tests.support.engine_room import EngineRoom, an_engine_room
from tests.support.frozen_clock import FrozenClock
from tests.workers.publishing.failures.faults import FaultPlan, FaultySandbox, KilledError, Strike

SEED = 20261120
BEHAVIOURS_SAMPLED, SAMPLE = 6, 8
MOST_RUNS = 400
BEHAVIOURS = (
    "plain",
    "sandbox:fail:caption_rejected",
    "sandbox:flaky:2",
    "sandbox:slow:60",
    "sandbox:ambiguous",
    "sandbox:taken_5xx",
    "sandbox:lost",
    "sandbox:hidden:60",
    "sandbox:untellable",
    "sandbox:hang:3",
    "sandbox:hang:45",
    "sandbox:limit:120",
    "sandbox:slow_upload:30",
    "sandbox:expired",
)
STANDSTILL, LOOK = timedelta(seconds=200), timedelta(seconds=20)
SKEWS = (timedelta(seconds=-5), timedelta(0), timedelta(seconds=5))


@dataclass(slots=True)
class Stage:
    """An engine room with a fault plan around everything it touches."""

    room: EngineRoom
    plan: FaultPlan

    def run_to_rest(self, post: Post, *, for_: timedelta = timedelta(hours=8)) -> None:
        """Run one post's target each time it wakes, until it rests or the time is over."""
        end = self.room.clock() + for_
        for _ in range(MOST_RUNS):
            ref = self.wake_message(post)
            if ref is None or ref.wake_at > end:
                return
            self.room.clock.now = max(self.room.clock(), ref.wake_at)
            self.room.fire_worker.run(ref)
        pytest.fail("The target never came to rest.")

    def wake_message(self, post: Post) -> TargetRef | None:
        """Return the wake message for a post's target as the wake index would give it."""
        target = self.room.target(post)
        if target.progress.wake_at is None:
            return None
        return TargetRef(post.id, target.id, post.workspace_id, target.progress.wake_at)

    def rival_run(self, post: Post, skew: timedelta) -> None:
        """Run the same wake message in another worker whose clock is off."""
        ref = self.wake_message(post)
        if ref is None:
            return
        worker = self.room.fire_worker_with(FrozenClock(self.room.clock() + skew))
        worker.run(TargetRef(ref.post_id, ref.target_id, ref.workspace_id, self.room.clock()))

    def stand_still(self, post: Post) -> None:
        """Let minutes pass for this worker while another process does whatever is due."""
        for _ in range(STANDSTILL // LOOK):
            self.room.clock.pass_time(LOOK)
            self.rival_run(post, timedelta(0))

    def strike(self, behaviour: str, strike: Strike | None, at: int, skew: timedelta) -> Post:
        """Publish a post with one fault on its way, then let everything recover."""
        post = self.room.scheduled(f"Bread {behaviour}", in_=timedelta(minutes=1))
        self.plan.rival = lambda: self.rival_run(post, skew)
        self.plan.stall = lambda: self.stand_still(post)
        self.plan.arm(strike, at)
        try:
            self.run_to_rest(post)
        except (KilledError, Exception):  # noqa: BLE001, S110 - the worker of this wake message is gone
            pass
        finally:
            self.plan.disarm()
        self.run_to_rest(post)
        self.plan.double()
        return post


@pytest.fixture(scope="module")
def stage(emulator: EmulatorProcess, tmp_path_factory: pytest.TempPathFactory) -> Stage:
    room = an_engine_room(emulator, tmp_path_factory.mktemp("sandbox"))
    plan = FaultPlan()
    plan.watch(room.deployment.clients.dynamodb, "dynamodb")
    plan.watch(room.deployment.clients.sqs, "sqs")
    store = FaultySandbox(room.sandbox, plan)
    connector = SandboxConnector(Platform.LINKEDIN, store, "http://127.0.0.1", wait=room.sleep)
    room.deployment.connectors = Connectors(sandbox={Platform.LINKEDIN: connector}, real={})
    return Stage(room, plan)


def _check(stage: Stage, post: Post, expected: tuple[str, str | None], story: str) -> None:
    room = stage.room
    target, taken = room.target(post), room.taken(post)
    ended = (str(target.status), target.error_code)
    assert len(taken) <= 1, f"{story}: {len(taken)} posts went out"
    assert ended == expected, f"{story}: ended as {ended}, not {expected}"
    assert target.progress.wake_at is None, f"{story}: still wakes"
    if target.status is TargetStatus.PUBLISHED:
        assert [entry.remote_id for entry in taken] == [target.remote_id], story
    elif target.error_code != "outcome_unknown":
        assert taken == [], f"{story}: says failed, yet the post is out"
    attempts = room.deployment.stores.posts.history(post.id).attempts
    assert str(attempts[-1].status) == ended[0], f"{story}: history ends with {attempts[-1]}"
    assert sum(attempt.ok for attempt in attempts) == (ended[0] == "published"), story
    listed = list_status(post.workspace_id, room.post(post).status, post.id)
    assert _listed_as(stage, post) == listed, story


def _listed_as(stage: Stage, post: Post) -> str:
    key = {name: {"S": value} for name, value in post_key(post.id).items()}
    table = stage.room.deployment.tables.posts
    found = stage.room.deployment.clients.dynamodb.get_item(TableName=table, Key=key)
    return str(plain(found["Item"])["list_status"])


def _points(stage: Stage, behaviour: str) -> tuple[tuple[str, str | None], int]:
    """Return how a run without faults ends, and how many calls it makes."""
    post = stage.room.scheduled(f"Bread {behaviour}", in_=timedelta(minutes=1))
    stage.plan.arm()
    stage.run_to_rest(post)
    calls = len(stage.plan.calls)
    stage.plan.disarm()
    target = stage.room.target(post)
    return (str(target.status), target.error_code), calls


def _all_faults(
    stage: Stage, behaviours: Sequence[str] = BEHAVIOURS
) -> list[tuple[str, Strike, int, timedelta, tuple[str, str | None]]]:
    faults = []
    for behaviour in behaviours:
        expected, calls = _points(stage, behaviour)
        for at in range(calls):
            for strike in Strike:
                skews = SKEWS if strike is Strike.RIVAL else (timedelta(0),)
                faults += [(behaviour, strike, at, skew, expected) for skew in skews]
    return faults


def _strike_all(
    stage: Stage, faults: list[tuple[str, Strike, int, timedelta, tuple[str, str | None]]]
) -> None:
    for behaviour, strike, at, skew, expected in faults:
        post = stage.strike(behaviour, strike, at, skew)
        story = f"{behaviour}, {strike} at call {at}, rival's clock off by {skew}"
        _check(stage, post, expected, story)


def test_a_fault_anywhere_leaves_one_post_and_the_truth(stage: Stage) -> None:
    chance = random.Random(SEED)
    behaviours = chance.sample(BEHAVIOURS, BEHAVIOURS_SAMPLED)
    faults = chance.sample(_all_faults(stage, behaviours), SAMPLE)

    _strike_all(stage, faults)


@pytest.mark.prove
def test_every_fault_everywhere_leaves_one_post_and_the_truth(stage: Stage) -> None:
    faults = _all_faults(stage)

    _strike_all(stage, faults)

    print(f"{len(faults)} faults: no double, no loss, none stuck")  # noqa: T201 - make prove
