"""What changes of a post cost: exactly what was charged comes back, and the new time is charged."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.charging import Payer, charge, counters_for, draft_uses
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.target import Target, TargetStatus
from chalicelib.domain.workspace.access import Plan
from chalicelib.domain.workspace.plans import TRIAL_COUNTER, Charge, Unit, Use
from tests.support.builders import a_post, a_target
from tests.support.callers import a_caller
from tests.support.frozen_clock import NOON

STARTER = Payer(plan=Plan.STARTER, timezone="Europe/Paris")
TRIAL = Payer(plan=Plan.TRIAL, timezone="Europe/Paris")
MONTH_END_IN_PARIS = datetime(2026, 11, 30, 23, 30, tzinfo=UTC)
LINK = "Fresh bread: example.com"


def on_x(status: TargetStatus = TargetStatus.DRAFT, at: datetime | None = None) -> Target:
    return a_target(platform=Platform.X, status=status, scheduled_at=at)


def scheduled(post: Post, at: datetime = NOON) -> Post:
    return post.with_targets(
        replace(target, status=TargetStatus.SCHEDULED, scheduled_at=at) for target in post.targets
    )


def charged(post: Post, payer: Payer = STARTER) -> Post:
    after, _ = charge(a_post(targets=[on_x()]), post, payer)
    return after


@pytest.mark.parametrize(
    ("plan", "expected"),
    [(Plan.TRIAL, (TRIAL_COUNTER,)), (Plan.STARTER, ("2026-11", "2026-12"))],
)
def test_a_trial_has_one_counter_and_other_plans_one_for_each_month(
    plan: Plan, expected: tuple[str, ...]
) -> None:
    times = (NOON, MONTH_END_IN_PARIS, NOON)

    assert expected == counters_for(replace(a_caller(), plan=plan), times)


def test_a_scheduled_x_post_is_charged_to_the_month_of_its_time() -> None:
    draft = a_post(targets=[on_x()])

    after, uses = charge(draft, scheduled(draft, MONTH_END_IN_PARIS), STARTER)

    assert Charge(counter="2026-12", x_units=1) == after.targets[0].charge
    assert (Use(counter="2026-12", unit=Unit.X, units=1, limit=30),) == uses


def test_a_post_with_a_link_weighs_ten() -> None:
    draft = a_post(targets=[on_x()], caption=LINK)

    _, uses = charge(draft, scheduled(draft), STARTER)

    assert [10] == [use.units for use in uses]


def test_an_override_without_the_link_weighs_one() -> None:
    draft = a_post(targets=[replace(on_x(), caption_override="Fresh bread")], caption=LINK)

    _, uses = charge(draft, scheduled(draft), STARTER)

    assert [1] == [use.units for use in uses]


def test_other_platforms_use_nothing_up() -> None:
    draft = a_post(targets=[a_target(platform=Platform.THREADS)], caption=LINK)

    after, uses = charge(draft, scheduled(draft), STARTER)

    assert (None, ()) == (after.targets[0].charge, uses)


def test_a_change_that_costs_the_same_moves_nothing() -> None:
    before = charged(scheduled(a_post(targets=[on_x()])))

    after, uses = charge(before, replace(before, caption="Still warm"), STARTER)

    assert (before.targets[0].charge, ()) == (after.targets[0].charge, uses)


@pytest.mark.parametrize(
    ("caption", "at", "expected"),
    [
        pytest.param(LINK, NOON, [("2026-11", -1), ("2026-11", 10)], id="link-added"),
        pytest.param(
            "Fresh bread", MONTH_END_IN_PARIS, [("2026-11", -1), ("2026-12", 1)], id="month-moved"
        ),
    ],
)
def test_a_change_gives_back_what_was_charged_and_charges_anew(
    caption: str, at: datetime, expected: list[tuple[str, int]]
) -> None:
    before = charged(scheduled(a_post(targets=[on_x()])))

    _, uses = charge(before, scheduled(replace(before, caption=caption), at), STARTER)

    assert expected == [(use.counter, use.units) for use in uses]


@pytest.mark.parametrize(
    "status", [TargetStatus.CANCELLED, TargetStatus.FAILED, TargetStatus.DRAFT]
)
def test_what_will_not_go_out_is_given_back(status: TargetStatus) -> None:
    before = charged(scheduled(a_post(targets=[on_x()])))
    stopped = before.with_targets([replace(before.targets[0], status=status)])

    after, uses = charge(before, stopped, STARTER)

    assert after.targets[0].charge is None
    assert (Use(counter="2026-11", unit=Unit.X, units=-1),) == uses


def test_a_removed_target_gives_its_charge_back() -> None:
    before = charged(scheduled(a_post(targets=[on_x(), a_target()])))

    _, uses = charge(before, replace(before, targets=before.targets[1:]), STARTER)

    assert [-1] == [use.units for use in uses]


@pytest.mark.parametrize("status", [TargetStatus.PUBLISHING, TargetStatus.PUBLISHED])
def test_what_went_out_keeps_its_charge_whatever_is_edited(status: TargetStatus) -> None:
    before = charged(scheduled(a_post(targets=[on_x()])))
    out = before.with_targets([replace(before.targets[0], status=status)])

    after, uses = charge(before, replace(out, caption=LINK), STARTER)

    assert (before.targets[0].charge, ()) == (after.targets[0].charge, uses)


def test_a_retry_that_first_looks_for_what_may_be_out_is_charged_again() -> None:
    """A failure gave its charge back, and what is found is live."""
    draft = scheduled(a_post(targets=[on_x()]))
    failed = draft.with_targets([replace(draft.targets[0], status=TargetStatus.FAILED)])
    looks = draft.with_targets([replace(draft.targets[0], status=TargetStatus.PUBLISHING)])

    after, uses = charge(failed, looks, STARTER)

    assert after.targets[0].charge is not None
    assert [("2026-11", 1)] == [(use.counter, use.units) for use in uses]


def test_a_post_counts_once_in_the_trial_however_many_targets_it_has() -> None:
    draft = a_post(targets=[a_target(), a_target(), on_x()])

    after, uses = charge(draft, scheduled(draft), TRIAL)

    assert after.trial_counted
    assert [(Unit.X, 1, 10), (Unit.POSTS, 1, 30)] == [
        (use.unit, use.units, use.limit) for use in uses
    ]


def test_a_trial_post_that_is_called_off_counts_no_longer() -> None:
    draft = a_post(targets=[a_target()])
    before, _ = charge(draft, scheduled(draft), TRIAL)
    cancelled = before.with_targets([before.targets[0].cancel(now=NOON)])

    after, uses = charge(before, cancelled, TRIAL)

    assert not after.trial_counted
    assert (Use(counter="trial", unit=Unit.POSTS, units=-1),) == uses


def test_a_draft_looks_for_room_in_the_month_of_its_own_time() -> None:
    later = a_post(targets=[on_x(at=MONTH_END_IN_PARIS), on_x(), a_target()], caption=LINK)

    uses = draft_uses(later, STARTER, now=NOON)

    assert [("2026-12", 10), ("2026-11", 10)] == [(use.counter, use.units) for use in uses]


@pytest.mark.parametrize(
    ("comment", "units"), [("Recipe below", 2), ("Recipe: https://example.com", 11), ("", 1)]
)
def test_a_first_comment_on_x_counts_as_a_post_of_its_own(comment: str, units: int) -> None:
    target = replace(on_x(), options={"first_comment": comment})
    draft = a_post(targets=[target])

    after, _ = charge(draft, scheduled(draft), STARTER)

    assert after.targets[0].charge == Charge(counter="2026-11", x_units=units)


def test_a_comment_that_is_added_later_is_charged_then() -> None:
    before = charged(scheduled(a_post(targets=[on_x()])))
    target = replace(before.targets[0], options={"first_comment": "Recipe below"})

    after, uses = charge(before, before.with_targets([target]), STARTER)

    assert after.targets[0].charge == Charge(counter="2026-11", x_units=2)
    assert sum(use.units for use in uses) == 1
