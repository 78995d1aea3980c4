"""Plans that broke a promise, made smaller: each breaks it again when what closed it is undone.

`make simulate` prints such a plan when it finds one. Next to each stands how its cure is taken
back, so that a plan that proves nothing any more is noticed too.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import pytest

from chalicelib.domain.engine import verdicts, wear
from chalicelib.domain.outcome import Sent
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.target import Target
from chalicelib.domain.workspace import plans
from chalicelib.domain.workspace.accounts import Account
from chalicelib.domain.workspace.plans import Use
from chalicelib.kit.dynamodb.transaction import Transaction
from chalicelib.kit.limits import bulkhead
from chalicelib.kit.limits.bulkhead import Taken
from chalicelib.storage.posts import allowances, changes
from chalicelib.storage.tables import Tables
from chalicelib.storage.workspace.token_store import SealedTokenStore
from chalicelib.workers.publishing import preflight
from chalicelib.workers.publishing.leases import ClaimedTarget
from chalicelib.workers.publishing.run import Run
from tests.simulation.clock_setting import MachineClock
from tests.simulation.cloud import Cloud
from tests.simulation.faults import Fault, Out, Plan, Strike
from tests.simulation.run import run


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A plan, the promise that it broke, and the world without what closed it."""

    name: str
    plan: Plan
    promise: str
    undone: Callable[[], AbstractContextManager[None]]


@contextmanager
def _edits_that_outdate_nothing() -> Iterator[None]:
    """Let an edit of the caption leave the version of the targets that it is sent with."""
    honest = changes._next_version

    def next_version(target: Target, before: Post, after: Post) -> Target:
        del after
        if before.target(target.id) == target:
            return target
        return replace(target, version=target.version + 1, post_version=before.version + 1)

    changes._next_version = next_version
    try:
        yield
    finally:
        changes._next_version = honest


@contextmanager
def _calls_without_a_fence() -> Iterator[None]:
    """Let a worker that stood still make its call all the same."""
    honest = Run._may_begin

    def may_begin(self: Run, claimed: ClaimedTarget, sent: Sent) -> bool:
        del self, claimed, sent
        return True

    Run._may_begin = may_begin  # type: ignore[method-assign]
    try:
        yield
    finally:
        Run._may_begin = honest  # type: ignore[method-assign]


_SET = Plan(
    seed=0,
    targets=40,
    workspaces=2,
    faults=frozenset(),
    on_one_machine=True,
    sets_clock=True,
)


@contextmanager
def _stamps_by_the_wall_clock() -> Iterator[None]:
    """Let every limit and lease go by the clock that is set."""
    honest = MachineClock.steady_of
    MachineClock.steady_of = MachineClock.wall_of  # type: ignore[method-assign]
    try:
        yield
    finally:
        MachineClock.steady_of = honest  # type: ignore[method-assign]


@contextmanager
def _steps_that_nobody_notices() -> Iterator[None]:
    """Let the next tick come at its minute, however the clock was set."""
    honest = Cloud._notice_step

    def notice_step(self: Cloud, after_s: float) -> None:
        del self, after_s

    Cloud._notice_step = notice_step  # type: ignore[method-assign]
    try:
        yield
    finally:
        Cloud._notice_step = honest  # type: ignore[method-assign]


@contextmanager
def _tries_for_a_minute() -> Iterator[None]:
    """Give a target up a minute after its second: in seed 121029119 it was later than an hour."""
    honest = verdicts.RETRIES_FOR
    verdicts.RETRIES_FOR = timedelta(minutes=1)
    try:
        yield
    finally:
        verdicts.RETRIES_FOR = honest


@contextmanager
def _months_of_utc() -> Iterator[None]:
    """Count posts on X by other months than the workspace's."""
    honest = plans.period_of

    def period_of(at: datetime, timezone: str) -> str:
        del timezone
        return honest(at, "UTC")

    plans.period_of = period_of
    try:
        yield
    finally:
        plans.period_of = honest


@contextmanager
def _limits_of_nothing() -> Iterator[None]:
    """Let a month have more posts on X than its plan."""
    honest = allowances.add_uses

    def add_uses(
        transaction: Transaction, tables: Tables, workspace_id: str, uses: Sequence[Use]
    ) -> None:
        honest(transaction, tables, workspace_id, [replace(use, limit=None) for use in uses])

    users = [module for module in sys.modules.values() if vars(module).get("add_uses") is honest]
    for module in users:
        vars(module).update(add_uses=add_uses)
    try:
        yield
    finally:
        for module in users:
            vars(module).update(add_uses=honest)


@contextmanager
def _places_for_whoever_comes() -> Iterator[None]:
    """Let calls to platforms that answer nothing have every place there is."""
    honest = bulkhead.may_begin

    def may_begin(taken: Taken, each: int | None = None) -> bool:
        del each
        return taken.free >= 1

    bulkhead.may_begin = may_begin
    try:
        yield
    finally:
        bulkhead.may_begin = honest


@contextmanager
def _places_that_stay_empty() -> Iterator[None]:
    """Let three quarters of the places stay empty, however many calls are due."""
    honest = bulkhead.may_begin

    def may_begin(taken: Taken, each: int | None = None) -> bool:
        return taken.free > 12 and honest(taken, each)

    bulkhead.may_begin = may_begin
    try:
        yield
    finally:
        bulkhead.may_begin = honest


@contextmanager
def _refreshes_by_whoever_comes() -> Iterator[None]:
    """Let everybody refresh a sign-in who finds it due, whoever is at it."""
    honest = SealedTokenStore.lock

    def lock(self: SealedTokenStore, account: Account, version: int, *, now: datetime) -> bool:
        honest(self, account, version, now=now)
        return True

    SealedTokenStore.lock = lock  # type: ignore[method-assign]
    try:
        yield
    finally:
        SealedTokenStore.lock = honest  # type: ignore[method-assign]


@contextmanager
def _steps_that_time_out_in_outages() -> Iterator[None]:
    """Let the time of an outage count towards a step's timeout."""
    checks = vars(preflight)
    honest = checks["excuse_step"]

    def excuse_step(target: Target, woken_for: datetime, now: datetime) -> Target:
        del woken_for, now
        return target

    checks["excuse_step"] = excuse_step
    try:
        yield
    finally:
        checks["excuse_step"] = honest


@contextmanager
def _claims_that_all_count() -> Iterator[None]:
    """Let each claim put a target off, however soon it ended."""
    honest = wear._count

    def count(claims: int, late: timedelta) -> int:
        del late
        return claims

    wear._count = count
    try:
        yield
    finally:
        wear._count = honest


_OUT = Plan(seed=0, targets=40, workspaces=2, faults=frozenset())
_ENDS_MONTH = Plan(seed=1, targets=40, faults=frozenset(), ends_month=True)


FOUND = (
    Found(
        name="a sign-in is refreshed by two at once",
        plan=Plan(seed=1, targets=40, faults=frozenset(), signed=True),
        promise="one refresh at a time",
        undone=_refreshes_by_whoever_comes,
    ),
    Found(
        name="platforms that are stuck hold up the others",
        plan=Plan(seed=22, targets=250, faults=frozenset(), stuck=4, on_one_machine=True),
        promise="on its second",
        undone=_places_for_whoever_comes,
    ),
    Found(
        name="seventy calls of one second wait for no other places than those that are taken",
        plan=Plan(seed=19, targets=500, faults=frozenset(), on_one_machine=True),
        promise="on its second",
        undone=_places_that_stay_empty,
    ),
    Found(
        name="what was prepared before an outage times out in it",
        plan=replace(_OUT, seed=731000008, goes_without=(Out.FUNCTIONS,)),
        promise="plain posts go out",
        undone=_steps_that_time_out_in_outages,
    ),
    Found(
        name="what could be claimed and not read for 43 minutes rests for a day",
        plan=replace(_OUT, seed=731000005, goes_without=(Out.UNREAD,)),
        promise="plain posts go out",
        undone=_claims_that_all_count,
    ),
    Found(
        name="a month is counted by another time zone than the workspace's",
        plan=_ENDS_MONTH,
        promise="the books balance",
        undone=_months_of_utc,
    ),
    Found(
        name="a month has more posts on X than its plan",
        plan=_ENDS_MONTH,
        promise="the books balance",
        undone=_limits_of_nothing,
    ),
    Found(
        name="a target is given up before its hour is over",
        plan=Plan(seed=6, faults=frozenset({Fault.REFUSED})),
        promise="plain posts go out",
        undone=_tries_for_a_minute,
    ),
    Found(
        name="a target is given up by a clock that ran ahead",
        plan=replace(_SET, seed=38),
        promise="plain posts go out",
        undone=_stamps_by_the_wall_clock,
    ),
    Found(
        name="what was timed by a wrong clock waits for the tick's minute",
        plan=replace(_SET, seed=1),
        promise="on its second",
        undone=_steps_that_nobody_notices,
    ),
    Found(
        name="an armed target goes out with words that were edited away",
        plan=Plan(seed=6, only=frozenset({4}), strikes=()),
        promise="an answer holds",
        undone=_edits_that_outdate_nothing,
    ),
    Found(
        name="a worker that stood still sends what another sent meanwhile",
        plan=Plan(
            seed=39,
            strikes=(Strike(Fault.STALLED, 481.29762143158587, "after UpdateItem"),),
            faults=frozenset({Fault.STALLED}),
        ),
        promise="never twice",
        undone=_calls_without_a_fence,
    ),
)


@pytest.mark.costly
@pytest.mark.parametrize("found", FOUND, ids=lambda found: found.name)
def test_what_was_found_does_not_happen_any_more(found: Found) -> None:
    assert run(found.plan).broken == ()


@pytest.mark.costly
@pytest.mark.parametrize("found", FOUND, ids=lambda found: found.name)
def test_it_happens_again_when_what_closed_it_is_undone(found: Found) -> None:
    with found.undone():
        report = run(found.plan)

    assert found.promise in {broken.promise for broken in report.broken}
