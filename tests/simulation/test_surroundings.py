"""One machine goes on without room, threads or its index, and a stage after a service was out.

Beside each stands an engine, or a machine, without what helps there: the same runs find it out.
"""

import random
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from unittest.mock import patch

import pytest
from botocore.exceptions import EndpointConnectionError

from chalicelib.domain.posts.target import Target
from chalicelib.storage.engine.claims import TargetRef
from chalicelib.storage.engine.targets import TargetRepository
from chalicelib.workers.publishing.alarm import Alarm
from tests.simulation.faults import Out, Plan
from tests.simulation.run import run
from tests.simulation.surroundings import Surroundings

_QUIET = Plan(seed=0, targets=60, workspaces=2, faults=frozenset(), on_one_machine=True)
FULL = replace(_QUIET, fills_disk=True)
SHORT_OF_THREADS = replace(_QUIET, refuses_threads=True)
REBUILT = replace(_QUIET, rebuilds=True)
STAGE = replace(_QUIET, on_one_machine=False)
SEEDS = (1, 2, 3)
MISSED_WITHIN = range(1, 13)
"""In the run of one seed nobody may be under way, or wait, at the moment that counts."""


@pytest.mark.costly
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    "plan", [FULL, SHORT_OF_THREADS, REBUILT], ids=["disk", "threads", "index"]
)
def test_posts_go_out_whatever_the_machine_lacks_for_a_while(plan: Plan, seed: int) -> None:
    report = run(replace(plan, seed=seed))

    assert report.broken == ()


@pytest.mark.costly
@pytest.mark.parametrize("out", Out, ids=lambda out: out.name)
def test_posts_go_out_whatever_a_stage_is_without_for_a_while(out: Out) -> None:
    reports = [run(replace(STAGE, seed=seed, goes_without=(out,))) for seed in SEEDS]

    assert [report.broken for report in reports] == [()] * len(SEEDS)


def _calls_whose_doubt_is_not_kept() -> AbstractContextManager[object]:
    """Let a call go out though the write of its doubt was refused."""
    honest = TargetRepository.fire

    def fire(
        self: TargetRepository, ref: TargetRef, target: Target, is_fresh: Callable[[], bool]
    ) -> Target | None:
        try:
            return honest(self, ref, target, is_fresh)
        except EndpointConnectionError:
            return target

    return patch.object(TargetRepository, "fire", fire)


def _an_alarm_without_a_thread() -> AbstractContextManager[object]:
    """Let nobody do the work of an alarm that got no thread."""
    return patch.object(Alarm, "_stand_in", lambda _: None)


def _an_index_without_its_rows() -> AbstractContextManager[object]:
    """Let a rebuild that was cut off before its first row count as done, as one release did."""

    def begin_only(self: Surroundings, chance: random.Random, rebuild_s: float) -> None:
        del chance
        self.empty_index()
        self.cloud.world.scheduler.sleep(rebuild_s)

    return patch.object(Surroundings, "make_index_anew", begin_only)


@pytest.mark.costly
@pytest.mark.parametrize(
    ("plan", "without", "promise"),
    [
        (FULL, _calls_whose_doubt_is_not_kept, "never twice"),
        (SHORT_OF_THREADS, _an_alarm_without_a_thread, "on its second"),
        (REBUILT, _an_index_without_its_rows, "every state ends"),
    ],
    ids=["disk", "threads", "index"],
)
def test_what_helps_there_is_missed_by_the_same_runs(
    plan: Plan, without: Callable[[], AbstractContextManager[object]], promise: str
) -> None:
    with without():
        reports = (run(replace(plan, seed=seed)) for seed in MISSED_WITHIN)
        broken = (one.promise for report in reports for one in report.broken)

        assert promise in broken
