"""Groups of accounts: which can be kept, and which accounts a workspace chooses most."""

import pytest

from chalicelib.domain.error_kinds import InvalidInput
from chalicelib.domain.workspace.account_groups import (
    LONGEST_NAME,
    AccountGroup,
    checked_group,
    count_choices,
)

OTHERS = (
    AccountGroup(id="g1", name="Shops", account_ids=("x",)),
    AccountGroup(id="g3", name="Cafe\u0301s", account_ids=("x",)),
)
CONNECTED = ("x", "bluesky", "threads")


def a_group(name: str, *account_ids: str, group_id: str = "g2") -> AccountGroup:
    return AccountGroup(id=group_id, name=name, account_ids=account_ids)


@pytest.mark.parametrize(
    ("given", "name", "account_ids"),
    [
        (a_group("  Two   shops ", "x", "bluesky"), "Two shops", ("x", "bluesky")),
        (a_group("Twice", "x", "x", "threads"), "Twice", ("x", "threads")),
        (a_group("One gone", "gone", "threads"), "One gone", ("threads",)),
        (a_group("shops", "x", group_id="g1"), "shops", ("x",)),
        (a_group("a" * LONGEST_NAME, "x"), "a" * LONGEST_NAME, ("x",)),
        (a_group("Läden 🥐", "x"), "Läden 🥐", ("x",)),
    ],
    ids=["spaces", "an account twice", "an account gone", "its own name", "longest", "not ASCII"],
)
def test_a_group_is_kept_with_what_is_connected(
    given: AccountGroup, name: str, account_ids: tuple[str, ...]
) -> None:
    kept = checked_group(given, OTHERS, CONNECTED)

    assert kept == AccountGroup(id=given.id, name=name, account_ids=account_ids)


@pytest.mark.parametrize(
    ("given", "field", "words"),
    [
        (a_group("", "x"), "name", "at most 50"),
        (a_group("   ", "x"), "name", "at most 50"),
        (a_group("a" * (LONGEST_NAME + 1), "x"), "name", "at most 50"),
        (a_group("Bell\a", "x"), "name", "control"),
        (a_group("SHOPS", "x"), "name", "group has this name"),
        (a_group("shops ", "x"), "name", "group has this name"),
        (a_group("caf\u00e9s", "x"), "name", "group has this name"),
        (a_group("None"), "account", "at least one account"),
        (a_group("All gone", "gone"), "account", "at least one account"),
    ],
)
def test_what_cannot_be_a_group_is_told_at_its_field(
    given: AccountGroup, field: str, words: str
) -> None:
    with pytest.raises(InvalidInput, match=words) as refused:
        checked_group(given, OTHERS, CONNECTED)

    assert refused.value.loc == ("body", field)


@pytest.mark.parametrize(
    ("times", "chosen", "then"),
    [
        ({}, [], {}),
        ({}, ["x"], {"x": 1}),
        ({"x": 2, "threads": 1}, ["x"], {"x": 3, "threads": 1}),
        ({"x": 62, "threads": 1}, ["x"], {"x": 63, "threads": 1}),
        ({"x": 63, "threads": 5, "bluesky": 1}, ["x"], {"x": 32, "threads": 2}),
    ],
    ids=["nothing", "first", "once more", "just below", "halved"],
)
def test_what_is_chosen_lately_weighs_more(
    times: dict[str, int], chosen: list[str], then: dict[str, int]
) -> None:
    assert count_choices(times, chosen) == then
