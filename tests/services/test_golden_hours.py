"""Golden hours of a caller's workspace."""

from datetime import timedelta

from chalicelib.domain.platforms import Platform
from chalicelib.services.golden_hours import GoldenHours
from tests.callers import a_caller
from tests.frozen_clock import FrozenClock


def test_golden_hours_are_those_of_the_accounts_regions() -> None:
    caller = a_caller(accounts={"bakery": ("UK", "India"), "oven": ("India",), "shop": ()})

    result = GoldenHours(clock=FrozenClock()).get(caller, [Platform.LINKEDIN])

    assert result.timezone == "Asia/Kolkata"
    assert result.audience_regions == ("India", "UK")
    half_past_five = timedelta(hours=5, minutes=30)
    assert result.platforms[Platform.LINKEDIN].at.utcoffset() == half_past_five


def test_without_regions_they_are_those_of_the_key_owners_clock() -> None:
    caller = a_caller(timezone="Europe/Paris", accounts={"bakery": ()})

    result = GoldenHours(clock=FrozenClock()).get(caller, [Platform.LINKEDIN])

    assert result.timezone == "Asia/Tokyo"
    assert result.platforms[Platform.LINKEDIN].at.isoformat() == "2026-11-21T10:00:00+09:00"
