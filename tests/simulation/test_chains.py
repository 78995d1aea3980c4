"""Chains of functions that wake each other through queues, under Lambda's guard on them.

The template allows our chains (`RecursiveLoop`). These runs say how long they get, and what becomes
of posts if that were lost.
"""

import json
from dataclasses import replace
from itertools import chain

import pytest

from chalicelib.workers.chains import MOST_HOPS
from tests.simulation.faults import Plan
from tests.simulation.run import Report, run

QUIET = Plan(seed=1, targets=60, workspaces=2, on_lambda=True, faults=frozenset())
LONG_COPIES = replace(QUIET, copies_s=(700.0, 800.0), guards_chains=True)
FROM_TICK_TO_TICK_S = 65.0


@pytest.fixture(scope="module")
def day() -> Report:
    """Return a day in which the guard holds, and every function is the template's."""
    return run(replace(QUIET, targets=200, hours=24.0, guards_chains=True))


@pytest.mark.costly
def test_no_hop_is_lost_in_a_day_even_if_the_guard_held_for_our_chains(day: Report) -> None:
    assert day.stopped == ()
    assert day.longest_chain < MOST_HOPS
    assert day.broken == ()


@pytest.mark.parametrize(
    "seed", [1, *(pytest.param(seed, marks=pytest.mark.prove) for seed in (2, 3))]
)
def test_what_the_guard_stops_is_rescued_by_the_next_tick(seed: int) -> None:
    report = run(replace(LONG_COPIES, seed=seed))

    assert report.stopped, "copies of minutes make chains that are too long"
    assert report.broken == ()
    assert max(_without_a_hop_s(report), default=0.0) < FROM_TICK_TO_TICK_S


def _without_a_hop_s(report: Report) -> list[float]:
    """Return how long each target whose message was stopped waited for another."""
    named = [(at, json.loads(body).get("target_id")) for at, body in report.stopped]
    return list(
        chain.from_iterable(
            [
                min((at for at in report.woken.get(name, ()) if at > stopped), default=stopped)
                - stopped
            ]
            for stopped, name in named
            if name is not None
        )
    )
