"""X's own conformance cases for lengths and links, and every emoji with and without its style.

The cases are twitter-text's (Apache-2.0, `twitter_text/`); what its library gives for emoji with
U+FE0F was read from version 3.1.0.
"""

import json
from pathlib import Path
from typing import Any

import pytest
import regex

from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.platforms.texts.captions import count
from chalicelib.domain.platforms.texts.x_links import find_links

_CASES = Path(__file__).parent / "twitter_text"
WEIGHTS = json.loads((_CASES / "weights.json").read_text(encoding="utf-8"))["cases"]
LINKS = json.loads((_CASES / "links.json").read_text(encoding="utf-8"))["cases"]


@pytest.mark.parametrize("case", WEIGHTS, ids=lambda case: case["description"])
def test_a_text_weighs_what_x_says(case: dict[str, Any]) -> None:
    assert case["weight"] == count(Platform.X, case["text"])


@pytest.mark.parametrize("case", LINKS, ids=lambda case: case["description"])
def test_links_are_where_x_finds_them(case: dict[str, Any]) -> None:
    text = case["text"]

    found = [text[link.start : link.end] for link in find_links(text) if link.is_listed]

    assert case["links"] == found


@pytest.mark.parametrize("picture", list("⚡⭐☕⚽❗⌚☔♓⚓⛄⛔⬛🀄🈚"))
def test_a_picture_with_its_style_counts_once(picture: str) -> None:
    assert count(Platform.X, f"{picture}\ufe0f") == count(Platform.X, picture) == 2


@pytest.mark.parametrize("picture", list("⏩✅✨🎉🆗"))
def test_a_style_that_x_does_not_know_counts_for_itself(picture: str) -> None:
    assert count(Platform.X, f"{picture}\ufe0f") == 4


def test_forty_two_pictures_take_a_style() -> None:
    signs = "".join(map(chr, (*range(0x2000, 0xD800), *range(0xE000, 0x1FB00))))
    shown = regex.findall(r"\p{Emoji_Presentation}", signs)

    styled = [sign for sign in shown if count(Platform.X, f"{sign}\ufe0f") == 2]

    assert len(styled) == 42


@pytest.mark.parametrize(
    ("text", "weight"),
    [
        pytest.param("https://bakery.newtld", 23, id="shorter than a short link"),
        pytest.param(f"https://bakery.newtld/{'x' * 40}", 62, id="longer than a short link"),
        pytest.param(f"https://bakery.com/{'x' * 40}", 23, id="listed"),
    ],
)
def test_a_link_that_x_may_not_know_weighs_the_more_of_both(text: str, weight: int) -> None:
    assert weight == count(Platform.X, text)
