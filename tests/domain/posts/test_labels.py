"""Labels: what one may be called, and that no two are of one kind."""

import unicodedata

import pytest

from chalicelib.domain.error_kinds import InvalidInput
from chalicelib.domain.errors import LabelExists, LabelNotFound
from chalicelib.domain.posts.label_names import trimmed_name
from chalicelib.domain.posts.labels import LONGEST_NAME, MOST_LABELS, Colour, Label, Labels

WIDE = "\uff26\uff55\uff4c\uff4c"  # "Full" in full-width letters
FAMILY = "👨‍👩‍👧‍👦"


def a_label(name: str, label_id: str = "l1") -> Label:
    return Label(id=label_id, name=name, colour=Colour.TEAL)


KEPT = Labels((a_label("Summer", "l1"), a_label("Straße", "l2"), a_label(WIDE, "l3")))


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("Summer", "Summer"),
        ("  Summer sale\t", "Summer sale"),
        ("x" * LONGEST_NAME, "x" * LONGEST_NAME),
        (FAMILY * LONGEST_NAME, FAMILY * LONGEST_NAME),
        (unicodedata.normalize("NFD", "é") * LONGEST_NAME, unicodedata.normalize("NFD", "é") * 50),
        ("夏のセール", "夏のセール"),
        ("خصم الصيف", "خصم الصيف"),
    ],
    ids=["plain", "spaces", "longest", "families", "two signs a letter", "Japanese", "Arabic"],
)
def test_a_name_has_one_to_fifty_characters_as_people_count(name: str, kept: str) -> None:
    assert trimmed_name(name) == kept


@pytest.mark.parametrize(
    "name",
    [
        "",
        " \t ",
        "x" * (LONGEST_NAME + 1),
        FAMILY * (LONGEST_NAME + 1),
        "two\nlines",
        "two\u2028lines",
    ],
    ids=["nothing", "spaces", "one too many", "one family too many", "two lines", "a separator"],
)
def test_what_is_no_name_is_told(name: str) -> None:
    with pytest.raises(InvalidInput, match="1 to 50 characters"):
        trimmed_name(name)


@pytest.mark.parametrize(
    "name",
    ["Summer", "SUMMER", "sUMMER", "strasse", "STRASSE", "STRAßE", "full", "FULL", WIDE.lower()],
)
def test_two_names_of_one_kind_are_not_kept(name: str) -> None:
    with pytest.raises(LabelExists):
        KEPT.with_new(a_label(name, "l9"))


@pytest.mark.parametrize("name", ["Summers", "Sümmer", "Strase", "Ful", "Winter"])
def test_another_name_is_kept_last(name: str) -> None:
    assert KEPT.with_new(a_label(name, "l9")).all == (*KEPT.all, a_label(name, "l9"))


def test_a_label_may_change_the_case_of_its_own_name_and_no_other() -> None:
    changed = KEPT.with_changed(a_label("SUMMER", "l1"))

    assert [one.name for one in changed.all] == ["SUMMER", "Straße", WIDE]
    with pytest.raises(LabelExists):
        KEPT.with_changed(a_label("summer", "l2"))


def test_there_are_a_hundred_at_most() -> None:
    full = Labels(tuple(a_label(f"n{number}", f"l{number}") for number in range(MOST_LABELS)))

    with pytest.raises(InvalidInput, match="at most 100"):
        full.with_new(a_label("one more", "l999"))
    assert len(full.without("l5").with_new(a_label("one more", "l999")).all) == MOST_LABELS


@pytest.mark.parametrize("label_id", ["", "L1", "l4"])
def test_what_is_not_there_is_not_found(label_id: str) -> None:
    for act in (KEPT.find, KEPT.without, lambda one: KEPT.with_changed(a_label("New", one))):
        with pytest.raises(LabelNotFound):
            act(label_id)
    assert KEPT.select([label_id, "l2"]) == (KEPT.all[1],)
