"""What is told before a post goes out that goes out all the same."""

import pytest

from chalicelib.domain.platforms.choices import NOTHING
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.platforms.texts.caption_units import older_x_weight, x_weight
from chalicelib.domain.posts.forewarnings import Sending, forewarnings
from tests.support.builders import a_post, a_target

HEART_ON_FIRE = "\u2764\ufe0f\u200d\U0001f525"
FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f466"


def told(caption: str, platform: Platform = Platform.X) -> list[str]:
    target = a_target(platform=platform)
    post = a_post(caption=caption, targets=[target])
    sending = Sending(media=None, choices=NOTHING, is_audited=True)
    return [code for code, _, _ in forewarnings(post, target, sending)]


# Evidence C14: 140 of them are 280 by the newer count, and 700 by npm's twitter-text.
def test_newer_joined_pictures_are_counted_both_ways() -> None:
    text = HEART_ON_FIRE * 140

    assert (x_weight(text), older_x_weight(text)) == (280, 700)


@pytest.mark.parametrize(
    ("caption", "is_told"),
    [
        (HEART_ON_FIRE * 140, True),
        (HEART_ON_FIRE * 56, False),
        (HEART_ON_FIRE * 57, True),
        (FAMILY * 140, False),
        ("Rye", False),
    ],
    ids=["far over", "just fits", "just over", "older joined ones", "none"],
)
def test_a_text_that_one_counter_finds_too_long_is_told(*, caption: str, is_told: bool) -> None:
    assert ("perhaps_too_long" in told(caption)) is is_told


def test_other_platforms_have_one_counter() -> None:
    assert told(HEART_ON_FIRE * 140, Platform.BLUESKY) == []


@pytest.mark.parametrize(
    ("caption", "is_told"), [("Rye: https://example.com", True), ("Rye. Bread", False)]
)
def test_what_a_link_costs_is_told(*, caption: str, is_told: bool) -> None:
    assert ("link_price" in told(caption)) is is_told
    assert told(caption, Platform.LINKEDIN) == []
