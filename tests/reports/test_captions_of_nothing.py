"""A caption of signs that nobody sees passed as a caption, and the platform refused the post."""

import unicodedata

import pytest

from chalicelib.domain.posts.sendable import shows_nothing


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \t\n",
        "\u200b\u200b",
        "\u2060\ufeff\u00ad",
        "\u200e\u202a\u2066",
        "\u200b\n\u200b\n",  # mastodon/mastodon#2858
        "\u3164",
        "\u2800\u2800",
        "\u115f\u1160",
        "\ufe0f",
        "\U000e0041\U000e007f",
        "\U000e0100",
        "\u034f",
        "\u180e",
        "\u00a0\u3000",
    ],
)
def test_signs_without_width_are_no_caption(text: str) -> None:
    """Unicode's Default_Ignorable_Code_Point and White_Space, and Braille's empty cell."""
    assert shows_nothing(text)


@pytest.mark.parametrize(
    "text", ["a", "\u200ba", "👩\u200d🍳", "❤\ufe0f", "।", "\u0301e", "・", "🇦🇹"]
)
def test_anything_that_shows_is_a_caption(text: str) -> None:
    assert not shows_nothing(text)


def test_whatever_unicode_calls_a_format_or_a_space_shows_nothing() -> None:
    unseen = {"Cf", "Zs", "Zl", "Zp"}

    for code in range(0x110000):
        if unicodedata.category(chr(code)) in unseen:
            assert shows_nothing(chr(code))
