"""A caption written on Windows was told too long, although nobody saw a character too many."""

import pytest

from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.platforms.texts.captions import check_caption, count
from chalicelib.domain.text import all_with_line_feeds, with_line_feeds
from chalicelib.kit.json_value import Json
from tests.support.builders import a_target

WINDOWS = "Rye\r\nand salt\rtoday"
PLAIN = "Rye\nand salt\ntoday"


@pytest.mark.parametrize("platform", list(Platform))
def test_the_end_of_a_line_counts_once_whoever_wrote_it(platform: Platform) -> None:
    """X's twitter-text and @atproto's RichText count one; HTML and JSON know no other sign."""
    assert count(platform, WINDOWS) == count(platform, PLAIN)
    check_caption(platform, "a\r\n" * 125, field="caption")


def test_the_text_that_goes_out_has_line_feeds() -> None:
    target = a_target(caption_override=WINDOWS)

    assert PLAIN == target.caption("")
    assert PLAIN == a_target().caption(WINDOWS)


def test_what_stands_deep_in_options_has_them_too() -> None:
    options: Json = {"first_comment": WINDOWS, "alt": [WINDOWS, 1], "event": {"title": WINDOWS}}

    found = all_with_line_feeds(options)

    assert {"first_comment": PLAIN, "alt": [PLAIN, 1], "event": {"title": PLAIN}} == found


def test_a_text_without_any_is_the_very_same() -> None:
    text = "Rye\nand\tsalt"

    assert text is with_line_feeds(text)
