"""Where previews fold a text, and what they say of it."""

import pytest

from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import MediaKind, Platform
from chalicelib.domain.platforms.previews import preview_of
from chalicelib.domain.platforms.texts.folds import Fold

LONG = "Thirty years ago today we lit the oven for the first time. " * 10


@pytest.mark.parametrize(
    ("fold", "text", "shown"),
    [
        (Fold(characters=10), "short", "short"),
        (Fold(characters=12), "twelve of these are shown", "twelve of"),
        (Fold(characters=4), "unbroken", "unbr"),
        (Fold(lines=2), "one\ntwo", "one\ntwo"),
        (Fold(lines=2), "one\ntwo\nthree", "one\ntwo"),
        (Fold(lines=2), "one\n\nthree", "one\n"),
        (Fold(lines=2, across=10), "a line of more than ten", "a line of more than"),
        (Fold(characters=3, lines=2), "one two three", "one"),
    ],
    ids=["whole", "at a word", "in a word", "two", "three", "empty", "wrapped", "first"],
)
def test_a_text_is_cut_where_characters_or_lines_end(fold: Fold, text: str, shown: str) -> None:
    end = fold.place(text)

    assert shown == text[:end]


@pytest.mark.parametrize("platform", Platform)
def test_a_folded_preview_is_the_beginning_of_what_it_hides(platform: Platform) -> None:
    look = preview_of(platform, "bakery", LONG, {}, MediaKind.IMAGE)

    whole = "".join(piece.text for piece in look.body)
    if look.folded is None:
        assert FACTS[platform].layout.fold is None
        return
    shown = "".join(piece.text for piece in look.folded)
    assert whole.startswith(shown)
    assert 0 < len(shown) < len(whole)
    assert any(fact.startswith("Folds after about") for fact in look.facts)


@pytest.mark.parametrize(
    ("platform", "fact"),
    [
        (Platform.X, "A link counts as 23 characters."),
        (Platform.INSTAGRAM, "The link stays plain text: nobody can click it."),
        (Platform.LINKEDIN, "The link is not shown as a card, because there is a file."),
    ],
    ids=str,
)
def test_what_becomes_of_a_link_is_said(platform: Platform, fact: str) -> None:
    text = "Read https://bread.example/rye"

    assert fact in preview_of(platform, "bakery", text, {}, MediaKind.IMAGE).facts
    assert fact not in preview_of(platform, "bakery", "Read this", {}, MediaKind.IMAGE).facts
