"""What plans allow and what an X post costs."""

from datetime import datetime, timedelta

import pytest

from chalicelib.domain.workspace.access import Plan
from chalicelib.domain.workspace.plans import (
    TRIAL_LENGTH,
    Charge,
    Unit,
    Use,
    accounts_limit,
    give_back,
    period_of,
    storage_limit,
    storage_message,
    take,
    trial_post,
    x_allowance,
    x_charge,
)

GB = 1_073_741_824
NEW_YEAR = datetime.fromisoformat("2026-12-31T23:30:00+00:00")


@pytest.mark.parametrize(
    ("plan", "x_posts", "accounts"),
    [
        (Plan.FREE, 0, 3),
        (Plan.TRIAL, 10, 8),
        (Plan.STARTER, 30, 3),
        (Plan.CREATOR, 150, 8),
        (Plan.STUDIO, 500, 25),
    ],
)
def test_each_plan_has_its_allowance(plan: Plan, x_posts: int, accounts: int) -> None:
    assert (x_posts, accounts) == (x_allowance(plan), accounts_limit(plan))


def test_a_trial_lasts_fourteen_days() -> None:
    assert timedelta(days=14) == TRIAL_LENGTH


@pytest.mark.parametrize(
    ("timezone", "expected"),
    [
        pytest.param("UTC", "2026-12", id="utc"),
        pytest.param("Europe/Paris", "2027-01", id="east"),
        pytest.param("America/New_York", "2026-12", id="west"),
        pytest.param("Pacific/Kiritimati", "2027-01", id="farthest"),
    ],
)
def test_a_month_is_the_workspaces_own(timezone: str, expected: str) -> None:
    assert expected == period_of(NEW_YEAR, timezone)


@pytest.mark.parametrize(
    ("plan", "with_link", "expected"),
    [
        (Plan.STARTER, False, Charge(counter="2026-12", x_units=1)),
        (Plan.STARTER, True, Charge(counter="2026-12", x_units=10)),
        (Plan.TRIAL, False, Charge(counter="trial", x_units=1)),
        (Plan.TRIAL, True, Charge(counter="trial", x_units=10)),
    ],
)
def test_a_link_weighs_ten_in_the_month_or_the_trial(
    plan: Plan, expected: Charge, *, with_link: bool
) -> None:
    assert expected == x_charge(plan, at=NEW_YEAR, timezone="UTC", with_links=[with_link])


def test_what_is_taken_keeps_to_the_plan_and_is_given_back_without_a_limit() -> None:
    charge = Charge(counter="2026-12", x_units=10)

    taken, returned = take(charge, Plan.STARTER), give_back(charge)

    assert (Use(counter="2026-12", unit=Unit.X, units=10, limit=30),) == taken
    assert (Use(counter="2026-12", unit=Unit.X, units=-10),) == returned


def test_a_trial_has_thirty_posts() -> None:
    assert Use(counter="trial", unit=Unit.POSTS, units=1, limit=30) == trial_post(1)
    assert Use(counter="trial", unit=Unit.POSTS, units=-1) == trial_post(-1)


@pytest.mark.parametrize(
    ("plan", "gigabytes"),
    [(Plan.TRIAL, 5), (Plan.STARTER, 20), (Plan.CREATOR, 100), (Plan.STUDIO, 500)],
)
def test_each_plan_covers_its_gigabytes(plan: Plan, gigabytes: int) -> None:
    assert storage_limit(plan) == gigabytes * GB
    assert storage_limit(plan, raised=600 * GB) == 600 * GB
    assert storage_limit(plan, raised=1) == gigabytes * GB


def test_the_refusal_names_the_numbers_and_the_plan_with_more() -> None:
    assert storage_message(20 * GB, 20 * GB - 1, 1) == (
        "The plan covers 20 GB of files; 20 GB are used or reserved by uploads, and this file "
        "needs 0.01 GB. Creator covers 100 GB. Remove files or change the plan."
    )
    assert "covers 500 GB of files" in storage_message(500 * GB, 0, 1)
    assert "Studio" not in storage_message(500 * GB, 0, 1)
