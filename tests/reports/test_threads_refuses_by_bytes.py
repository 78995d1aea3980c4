"""Threads refused a text of 498 characters: its three curly quotes take 504 bytes.

gitroomhq/postiz-app#1946 (August 2026), against Meta's own page, by which only emoji count by bytes
(developers.facebook.com/docs/threads/posts): so it is a warning, and the post goes out.
"""

import pytest

from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.platforms.texts.captions import caption_doubt, check_caption


@pytest.mark.parametrize(
    ("text", "doubtful"),
    [
        ("a" * 495 + "\u2019" * 3, True),
        ("a" * 500, False),
        ("a" * 494 + "\u2019" * 2, False),
        ("パン" * 100, True),
        ("хлеб " * 60, True),
        ("a\r\n" * 240, False),
    ],
)
def test_a_text_above_500_bytes_is_warned_of(text: str, doubtful: bool) -> None:  # noqa: FBT001
    check_caption(Platform.THREADS, text, field="caption")

    told = caption_doubt(Platform.THREADS, text)

    assert doubtful == (told is not None and "may" not in told and "500 bytes" in told)


@pytest.mark.parametrize("platform", [p for p in Platform if p is not Platform.THREADS])
def test_no_other_platform_is_doubted(platform: Platform) -> None:
    assert caption_doubt(platform, "\u2019" * 400) is None
