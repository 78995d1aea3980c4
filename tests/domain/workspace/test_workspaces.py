"""Names, time zones, trials and regions: what operators may type."""

from datetime import UTC, datetime

import pytest

from chalicelib.domain.workspace.access import Plan
from chalicelib.domain.workspace.accounts import first_regions
from chalicelib.domain.workspace.workspaces import Workspace, is_name, is_timezone


def _a_workspace(plan: Plan) -> Workspace:
    return Workspace(
        id="0" * 32,
        name="Lighthouse Bakery",
        plan=plan,
        timezone="UTC",
        approvals=False,
        created_at=datetime(2026, 11, 20, 12, 0, tzinfo=UTC),
    )


def test_a_trial_ends_14_days_after_the_workspace_was_made() -> None:
    workspace = _a_workspace(Plan.TRIAL)

    assert workspace.trial_ends_at == datetime(2026, 12, 4, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize("plan", sorted(set(Plan) - {Plan.TRIAL}))
def test_other_plans_do_not_end(plan: Plan) -> None:
    assert _a_workspace(plan).trial_ends_at is None


@pytest.mark.parametrize(
    ("text", "good"),
    [
        ("Ada", True),
        ("Bäckerei 光", True),
        ("x" * 100, True),
        ("x" * 101, False),
        ("", False),
        (" Ada", False),
        ("Ada\n", False),
        ("A\x00da", False),
    ],
)
def test_a_name_is_short_and_printable(text: str, good: bool) -> None:  # noqa: FBT001 (a column)
    assert is_name(text) is good


@pytest.mark.parametrize("text", ["UTC", "Europe/Paris", "America/Argentina/Ushuaia"])
def test_zones_of_the_database_are_time_zones(text: str) -> None:
    assert is_timezone(text)


@pytest.mark.parametrize(
    "text", ["", "Europe", "europe/paris", "../UTC", "/etc/passwd", "+02:00", "Mars/Olympus\x00"]
)
def test_anything_else_is_no_time_zone(text: str) -> None:
    assert not is_timezone(text)


def test_only_the_first_three_regions_count() -> None:
    regions = first_regions(("India", "UK", "India", "Africa", "Europe"))

    assert regions == ("India", "UK", "Africa")
