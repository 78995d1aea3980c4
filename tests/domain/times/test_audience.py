"""Whom a workspace reaches, as its accounts say."""

from zoneinfo import ZoneInfo

import pytest

from chalicelib.domain.times.audience import (
    ZONES,
    Audience,
    Region,
    audience_of,
    audience_of_account,
)

FALLBACK = "Pacific/Auckland"


@pytest.mark.parametrize("region", Region)
def test_every_region_has_a_zone(region: Region) -> None:
    audience = audience_of({"bakery": (region,)}, FALLBACK)

    assert audience == Audience(timezone=ZONES[region], weights={region: 1})
    assert audience.zones == ((ZoneInfo(ZONES[region]), 1),)


@pytest.mark.parametrize(
    ("accounts", "regions", "timezone"),
    [
        pytest.param({}, [], FALLBACK, id="no-accounts"),
        pytest.param({"a": (), "b": ()}, [], FALLBACK, id="no-regions"),
        pytest.param({"a": ("UK",)}, ["UK"], "Europe/London", id="one"),
        pytest.param(
            {"a": ("UK", "India"), "b": ("India",)}, ["India", "UK"], "Asia/Kolkata", id="heaviest"
        ),
        pytest.param(
            {"a": ("UK", "India")}, ["UK", "India"], "Europe/London", id="tie-in-one-account"
        ),
        pytest.param(
            {"a": ("Africa",), "b": ("UK", "Africa"), "c": ("UK",)},
            ["Africa", "UK"],
            "Africa/Lagos",
            id="tie-between-accounts",
        ),
        pytest.param(
            {"a": ("UK", "UK"), "b": ("India",), "c": ("India",)},
            ["India", "UK"],
            "Asia/Kolkata",
            id="named-twice-by-one",
        ),
    ],
)
def test_the_heaviest_region_comes_first_and_gives_the_zone(
    accounts: dict[str, tuple[str, ...]], regions: list[str], timezone: str
) -> None:
    audience = audience_of(accounts, FALLBACK)

    assert list(audience.regions) == regions
    assert audience.timezone == timezone


def test_weights_are_how_many_accounts_name_a_region() -> None:
    audience = audience_of({"a": ("UK", "India"), "b": ("India",), "c": ()}, FALLBACK)

    assert audience.weights == {Region.INDIA: 2, Region.UK: 1}


def test_a_name_that_is_no_region_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="Atlantis"):
        audience_of({"a": ("Atlantis",)}, FALLBACK)


@pytest.mark.parametrize(
    ("accounts", "timezone"),
    [
        pytest.param({"a": ("UK",), "b": ("India",), "c": ("India",)}, "Europe/London", id="own"),
        pytest.param({"a": (), "b": ("India",)}, "Asia/Kolkata", id="workspace's"),
        pytest.param({"b": ("India",)}, "Asia/Kolkata", id="account-is-gone"),
        pytest.param({"a": (), "b": ()}, FALLBACK, id="key-owner's-zone"),
    ],
)
def test_an_account_reaches_its_own_regions_else_the_workspaces(
    accounts: dict[str, tuple[str, ...]], timezone: str
) -> None:
    audience = audience_of_account("a", accounts, FALLBACK)

    assert audience.timezone == timezone
