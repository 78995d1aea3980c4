"""Captions are as long as their platform says, and what is too long is refused with a reason."""

import time
from contextlib import suppress

import pytest

from chalicelib.domain.errors import CaptionTooLong
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.platforms.texts.captions import check_caption, count, has_link
from tests.support.costs import readings_s

FAMILY = "\N{MAN}\u200d\N{WOMAN}\u200d\N{GIRL}\u200d\N{BOY}"
FLAG = "\U0001f1ec\U0001f1e7"
FACE = "\N{GRINNING FACE}"
BY_CODE_POINTS = (
    Platform.INSTAGRAM,
    Platform.YOUTUBE,
    Platform.LINKEDIN,
    Platform.FACEBOOK,
    Platform.PINTEREST,
    Platform.REDDIT,
    Platform.GOOGLE_BUSINESS_PROFILE,
)
LIMITS = {
    Platform.INSTAGRAM: 2_200,
    Platform.TIKTOK: 2_200,
    Platform.YOUTUBE: 5_000,
    Platform.LINKEDIN: 3_000,
    Platform.X: 280,
    Platform.FACEBOOK: 63_206,
    Platform.THREADS: 500,
    Platform.PINTEREST: 800,
    Platform.BLUESKY: 300,
    Platform.REDDIT: 40_000,
    Platform.GOOGLE_BUSINESS_PROFILE: 1_500,
}
"""As their pages of November 2026 say."""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("", 0, id="nothing"),
        pytest.param(f"Hello, world! {FACE}", 16, id="emoji"),
        pytest.param(FAMILY, 2, id="family"),
        pytest.param("\N{WAVING HAND SIGN}\N{EMOJI MODIFIER FITZPATRICK TYPE-4}", 2, id="skin"),
        pytest.param(FLAG, 2, id="flag"),
        pytest.param("1\ufe0f\u20e3", 2, id="keycap"),
        pytest.param("\N{HEAVY BLACK HEART}\ufe0f", 2, id="emoji-by-selector"),
        pytest.param("\N{COPYRIGHT SIGN}", 1, id="copyright-is-text"),
        pytest.param("\N{COPYRIGHT SIGN}\ufe0f", 2, id="copyright-as-emoji"),
        pytest.param("e\u0301", 1, id="composed-first"),
        pytest.param("\u65e5\u672c", 4, id="cjk"),
        pytest.param("\u0e01\u0436", 2, id="thai-and-cyrillic"),
        pytest.param("\u2192\u2026", 4, id="arrow-and-ellipsis"),
        pytest.param("\u201cyes\u201d", 5, id="curly-quotes"),
        pytest.param("one\r\ntwo", 7, id="line-break"),
        pytest.param("see example.com.", 28, id="bare-link"),
        pytest.param("https://example.com/any/length?at=all#" + "x" * 99, 23, id="long-link"),
        pytest.param("https://t.co/a https://t.co/b", 47, id="two-links"),
        pytest.param("http://localhost:8000", 21, id="no-link"),
    ],
)
def test_x_weighs_text_as_twitter_text_does(text: str, expected: int) -> None:
    assert expected == count(Platform.X, text)


@pytest.mark.parametrize(
    ("text", "graphemes"),
    [
        pytest.param("caf\u00e9", 4, id="letters"),
        pytest.param("e\u0301", 1, id="combining"),
        pytest.param(FAMILY, 1, id="family"),
        pytest.param(FLAG * 3, 3, id="flags"),
        pytest.param("\u0928\u0940", 1, id="devanagari"),
        pytest.param("\r\n", 1, id="line-break"),
        pytest.param("https://example.com/a", 21, id="links-in-full"),
    ],
)
def test_bluesky_counts_what_a_reader_sees(text: str, graphemes: int) -> None:
    assert graphemes == count(Platform.BLUESKY, text)


@pytest.mark.parametrize(
    ("text", "units"),
    [
        pytest.param("caf\u00e9 \u65e5\u672c", 7, id="letters"),
        pytest.param(FACE, 4, id="emoji"),
        pytest.param(FAMILY, 25, id="family"),
        pytest.param(FLAG, 8, id="flag"),
        pytest.param(f"{FLAG}{FLAG} {FACE}!", 22, id="mixed"),
        pytest.param("\N{HEAVY BLACK HEART}", 1, id="heart-as-text"),
        pytest.param("\N{HEAVY BLACK HEART}\ufe0f", 6, id="heart-as-emoji"),
    ],
)
def test_threads_counts_an_emojis_bytes(text: str, units: int) -> None:
    assert units == count(Platform.THREADS, text)


def test_tiktok_counts_utf_16_units() -> None:
    assert count(Platform.TIKTOK, f"a\u65e5{FACE}") == 4


@pytest.mark.parametrize("platform", BY_CODE_POINTS)
def test_the_others_count_code_points(platform: Platform) -> None:
    assert count(platform, f"e\u0301{FAMILY}") == 9


@pytest.mark.parametrize("platform", Platform)
def test_a_caption_as_long_as_the_limit_passes_and_one_more_does_not(platform: Platform) -> None:
    limit = FACTS[platform].limits.caption
    check_caption(platform, "a" * limit, field="targets[0].caption")

    with pytest.raises(CaptionTooLong) as refused:
        check_caption(platform, "a" * (limit + 1), field="targets[0].caption")

    assert refused.value.field == "targets[0].caption"
    assert f"{limit + 1:,}" in refused.value.message
    assert f"{limit:,}" in refused.value.message


@pytest.mark.parametrize(("platform", "limit"), LIMITS.items())
def test_the_limit_is_that_of_the_platforms_own_page(platform: Platform, limit: int) -> None:
    assert FACTS[platform].limits.caption == limit


@pytest.mark.parametrize(
    ("platform", "caption", "fits"),
    [
        (Platform.X, "パ" * 140, True),
        (Platform.X, "パ" * 141, False),
        (Platform.X, "https://example.com/" + "a" * 300 + " " + "b" * 256, True),
        (Platform.X, "https://example.com/" + "a" * 300 + " " + "b" * 257, False),
        (Platform.BLUESKY, FAMILY * 100, True),
        (Platform.TIKTOK, "🍞" * 1_100, True),
        (Platform.TIKTOK, "🍞" * 1_101, False),
        (Platform.LINKEDIN, "🍞" * 3_000, True),
        (Platform.LINKEDIN, "🍞" * 3_001, False),
    ],
    ids=[
        "x counts wide signs twice",
        "x counts wide signs twice, one more",
        "x counts a link as 23",
        "x counts a link as 23, one more",
        "bluesky counts what a reader sees",
        "tiktok counts UTF-16",
        "tiktok counts UTF-16, one more",
        "linkedin counts code points",
        "linkedin counts code points, one more",
    ],
)
def test_each_platform_counts_in_its_own_way(
    platform: Platform, caption: str, *, fits: bool
) -> None:
    if fits:
        check_caption(platform, caption, field="targets[0].caption")
        return

    with pytest.raises(CaptionTooLong):
        check_caption(platform, caption, field="targets[0].caption")


def test_bluesky_also_limits_bytes() -> None:
    check_caption(Platform.BLUESKY, FAMILY * 120, field="targets[0].caption")

    with pytest.raises(CaptionTooLong, match="3,025 bytes"):
        check_caption(Platform.BLUESKY, FAMILY * 121, field="targets[0].caption")


def test_twelve_long_links_fit_x() -> None:
    link = "https://example.com/" + "x" * 4_000

    check_caption(Platform.X, " ".join([link] * 11), field="targets[0].caption")


def test_half_a_character_is_counted_and_not_a_crash() -> None:
    counted = [count(platform, "\ud83d\ud83d") for platform in Platform]

    assert all(length >= 2 for length in counted)


def test_a_link_is_found_by_the_same_search_that_weighs_it() -> None:
    assert has_link(Platform.X, "fresh bread: example.com")
    assert not has_link(Platform.X, "fresh bread: 7.30")


HOSTILE = {
    "dots": "a.",
    "digits": "1.",
    "underscores": "a_b.com_",
    "links": "a.com ",
    "brackets": "http://a.com/((((",
    "flags": "\U0001f1ec",
    "half-families": "\N{WOMAN}\u200d",
    "marks": "\u0315\u0300",
    "marked-letters": "e" + "\u0315\u0300" * 120,
    "faces": FACE,
    "tags": "\N{WAVING BLACK FLAG}\U000e0067",
    "cjk": "\u65e5",
    "half-characters": "\ud800",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_no_caption_takes_long_to_judge(name: str) -> None:
    text = HOSTILE[name] * (25_000 // len(HOSTILE[name]))
    began = time.process_time()

    for platform in (Platform.X, Platform.BLUESKY, Platform.THREADS):
        with suppress(CaptionTooLong):
            check_caption(platform, text, field="targets[0].caption")
        has_link(Platform.X, text)

    assert time.process_time() - began < readings_s(64)  # a second of a quick machine


@pytest.mark.prove
@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("platform", Platform)
def test_no_megabyte_takes_long_to_judge(name: str, platform: Platform) -> None:
    text = HOSTILE[name] * (1_000_000 // len(HOSTILE[name]))
    began = time.process_time()

    with suppress(CaptionTooLong):
        check_caption(platform, text, field="targets[0].caption")

    assert time.process_time() - began < readings_s(256)  # four
