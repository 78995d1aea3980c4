"""Every promise holds in hours and days of virtual time in which everything goes wrong.

`make test` runs fifty hours, `make prove` a thousand days; `make simulate SEEDS=n` runs any number,
says what was struck and makes a failing seed smaller.
"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from chalicelib.connectors.connector import Publication
from chalicelib.connectors.sandbox.connector import SandboxConnector
from chalicelib.domain.outcome import Absent, Checkpoint, Reconciliation, Sent
from tests.simulation.__main__ import simulate, summary, told
from tests.simulation.faults import Fault, Plan, a_plan
from tests.simulation.run import run

SHORT_SEEDS = range(1, 51)
AT_ONCE = 5
"""So many in one test: processes of a run of the tests share the seeds out."""
LONG_SEEDS = int(os.environ.get("GOLDENHOUR_PROVE_SEEDS", "1000"))


@pytest.mark.parametrize("first", SHORT_SEEDS[::AT_ONCE])
def test_hours_in_which_everything_goes_wrong_keep_every_promise(first: int) -> None:
    reports = [run(a_plan(seed)) for seed in range(first, first + AT_ONCE)]

    assert [told(report) for report in reports if report.broken] == []


def test_every_kind_of_fault_strikes_in_these_hours() -> None:
    kinds = [a_plan(seed).faults for seed in SHORT_SEEDS]

    assert all(sum(fault in each for each in kinds) >= AT_ONCE for fault in Fault)


def test_a_plan_gives_the_same_run_each_time() -> None:
    plan = replace(
        a_plan(5),
        signed=True,
        twins=True,
        has_outage=True,
        restores=1,
        disconnects=True,
        is_revoked=True,
        on_lambda=True,
        approvals=True,
        on_trial=True,
        key_ends=True,
        is_fair=True,
    )

    first, second = run(plan), run(plan)

    assert first.struck
    assert first.trace == second.trace


def test_what_went_wrong_by_chance_can_be_planned() -> None:
    by_chance = run(a_plan(6))

    planned = run(replace(by_chance.plan, strikes=by_chance.struck))

    assert by_chance.trace == planned.trace


@pytest.mark.parametrize("seed", range(3, 9))
def test_without_faults_posts_go_out_on_their_second(seed: int) -> None:
    report = run(Plan(seed=seed, targets=40, workspaces=2, faults=frozenset()))

    assert report.broken == ()
    assert max(report.late_s, default=0.0) < 1.0


@pytest.mark.parametrize("seed", [3, 4, 6])
def test_neighbours_are_on_their_second_beside_two_platforms_that_hang(seed: int) -> None:
    """A hundred and twenty posts of one workspace hang, on a machine with sixteen places."""
    quiet = Plan(seed=seed, targets=40, workspaces=2, faults=frozenset())

    report = run(replace(quiet, hangs=True, on_one_machine=True))

    assert report.broken == ()


@pytest.mark.parametrize("seed", range(1, 9))
def test_posts_go_out_though_the_clock_of_the_machine_is_set_by_hours(seed: int) -> None:
    quiet = Plan(seed=seed, targets=40, workspaces=2, faults=frozenset())

    report = run(replace(quiet, on_one_machine=True, sets_clock=True))

    assert report.broken == ()


def test_an_engine_that_believes_in_absence_too_soon_is_found_out() -> None:
    lost = Plan(seed=1, faults=frozenset({Fault.LOST_ANSWER}))

    with _absent_at_once():
        reports = [run(replace(lost, seed=seed)) for seed in (1, 2, 3)]

    assert "never twice" in {one.promise for report in reports for one in report.broken}


@pytest.mark.prove
def test_a_thousand_days_keep_every_promise() -> None:
    began = time.monotonic()
    reports = simulate(range(1, LONG_SEEDS + 1), targets=200, hours=24.0, jobs=2)

    print(summary(reports, time.monotonic() - began))  # noqa: T201 - make prove
    assert [told(report) for report in reports if report.broken] == []


@contextmanager
def _absent_at_once() -> Iterator[None]:
    """Let the sandbox's connector say that a plain post is absent without looking."""
    honest = SandboxConnector.reconcile

    def reconcile(
        self: SandboxConnector, publication: Publication, checkpoint: Checkpoint, sent: Sent
    ) -> Reconciliation:
        is_plain = "sandbox:" not in sent.text
        return Absent() if is_plain else honest(self, publication, checkpoint, sent)

    SandboxConnector.reconcile = reconcile  # type: ignore[method-assign]
    try:
        yield
    finally:
        SandboxConnector.reconcile = honest  # type: ignore[method-assign]
