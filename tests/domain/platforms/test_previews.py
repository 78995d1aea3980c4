"""Previews: what each platform marks in a text, titles, places, frames and comments."""

import time

import pytest

from chalicelib.domain.platforms.crop_frame import CroppedView
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.layout import Frame
from chalicelib.domain.platforms.platform import MediaKind, Platform
from chalicelib.domain.platforms.previews import preview_of
from chalicelib.domain.platforms.texts.marks import Mark, mark_text
from chalicelib.kit.json_value import Json

TEXT = "Rye by @ada #bread $RYE at https://lumen.example/rye, r/bakers"


def marks(platform: Platform, text: str = TEXT) -> dict[str, Mark]:
    return {
        one.text: one.mark
        for one in mark_text(text, FACTS[platform].layout.marks)
        if one.mark is not Mark.PLAIN
    }


@pytest.mark.parametrize(
    ("platform", "expected"),
    [
        (Platform.X, {"@ada", "#bread", "$RYE", "https://lumen.example/rye"}),
        (Platform.INSTAGRAM, {"@ada", "#bread"}),
        (Platform.TIKTOK, {"@ada", "#bread"}),
        (Platform.LINKEDIN, {"#bread", "https://lumen.example/rye"}),
        (Platform.THREADS, {"@ada", "#bread", "https://lumen.example/rye"}),
        (Platform.BLUESKY, {"#bread", "$RYE", "https://lumen.example/rye"}),
        (Platform.REDDIT, {"https://lumen.example/rye", "r/bakers"}),
        (Platform.PINTEREST, {"#bread"}),
        (Platform.GOOGLE_BUSINESS_PROFILE, {"https://lumen.example/rye"}),
    ],
)
def test_a_platform_marks_what_it_makes_of_a_text(platform: Platform, expected: set[str]) -> None:
    assert expected == set(marks(platform))


@pytest.mark.parametrize("platform", Platform)
def test_nothing_of_a_text_is_lost(platform: Platform) -> None:
    text = f"{TEXT} 🥖 @bakery.test ##a #1 @@b é" * 3

    assert text == "".join(piece.text for piece in mark_text(text, FACTS[platform].layout.marks))


def test_bluesky_mentions_count_characters_not_bytes() -> None:
    assert {"@ada.bsky.social": Mark.MENTION} == marks(Platform.BLUESKY, "🥖é @ada.bsky.social")


def test_threads_has_one_topic_tag() -> None:
    assert {"#one": Mark.TAG} == marks(Platform.THREADS, "#one #two")


@pytest.mark.parametrize("platform", Platform)
@pytest.mark.parametrize(
    "text", ["#1" * 30_000, "@a." * 20_000, "https://a" * 7_000, "r/" * 30_000]
)
def test_no_text_keeps_a_page_busy(platform: Platform, text: str) -> None:
    began = time.process_time()

    mark_text(text, FACTS[platform].layout.marks)

    assert time.process_time() - began < 1


def test_reddits_title_is_the_first_line_and_leaves_the_body() -> None:
    look = preview_of(Platform.REDDIT, "u/ada", "Rye\nAs we bake it", {"subreddit": "bread"}, None)

    assert ("Rye", "r/bread") == (look.title, look.place)
    assert "As we bake it" == "".join(piece.text for piece in look.body)


@pytest.mark.parametrize(
    ("platform", "kind", "options", "aspect", "frame"),
    [
        (Platform.TIKTOK, MediaKind.VIDEO, {}, 1.0, Frame.UPRIGHT),
        (Platform.INSTAGRAM, MediaKind.IMAGE, {}, 0.5, Frame.PORTRAIT),
        (Platform.INSTAGRAM, MediaKind.IMAGE, {}, 3.0, Frame.LANDSCAPE),
        (Platform.INSTAGRAM, MediaKind.IMAGE, {}, 1.0, Frame.WHOLE),
        (Platform.INSTAGRAM, MediaKind.IMAGE, {"post_type": "story"}, 1.0, Frame.UPRIGHT),
        (Platform.YOUTUBE, MediaKind.VIDEO, {}, 0.6, Frame.UPRIGHT),
        (Platform.YOUTUBE, MediaKind.VIDEO, {}, 1.8, Frame.WIDE),
        (Platform.X, MediaKind.IMAGE, {}, 3.0, Frame.BROAD_CUT),
        (Platform.X, MediaKind.IMAGE, {}, 2.0, Frame.WHOLE),
        (Platform.X, MediaKind.IMAGE, {}, 0.75, Frame.WHOLE),
        (Platform.X, MediaKind.IMAGE, {}, 0.5, Frame.TALL_CUT),
        (Platform.X, MediaKind.VIDEO, {}, 0.5, Frame.WHOLE),
    ],
)
def test_a_file_stands_in_its_platforms_frame(
    platform: Platform, kind: MediaKind, options: dict[str, str], aspect: float, frame: Frame
) -> None:
    assert frame == preview_of(platform, "@ada", "Rye", options, kind, aspect=aspect).frame


def test_a_first_comment_and_a_link_card_are_shown() -> None:
    options = {"first_comment": "More: #rye", "link": "https://lumen.example"}

    look = preview_of(Platform.FACEBOOK, "Bakery", "Rye", options, None)

    assert "https://lumen.example" == look.link
    assert Mark.TAG in {piece.mark for piece in look.first_comment}


def test_a_preview_shows_the_part_of_a_photo_that_was_cropped_by_hand() -> None:
    crop: dict[str, Json] = {"crop": {"left": 25, "top": 10, "width": 50, "height": 80}}

    whole = preview_of(Platform.INSTAGRAM, "lumen", TEXT, {}, MediaKind.IMAGE, aspect=1.6)
    shown = preview_of(Platform.INSTAGRAM, "lumen", TEXT, crop, MediaKind.IMAGE, aspect=1.6)
    film = preview_of(Platform.INSTAGRAM, "lumen", TEXT, crop, MediaKind.VIDEO, aspect=1.6)

    assert CroppedView(left=40, top=10, width=80, height=80, whole=160) == shown.cropped
    assert (None, None) == (whole.cropped, film.cropped)
    assert Frame.WHOLE == shown.frame
