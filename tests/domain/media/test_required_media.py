"""What each platform must be sent besides words, and which video is too long for it."""

import pytest

from chalicelib.domain.media.requirements import longest_video_s
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import MediaKind, Platform
from chalicelib.domain.posts.sendable import unfit_media

NEEDS_A_FILE = {Platform.INSTAGRAM, Platform.TIKTOK, Platform.YOUTUBE, Platform.PINTEREST}
WORDS_ALONE_DO = sorted(set(Platform) - NEEDS_A_FILE)
TAKEN = [
    (platform, kind)
    for platform in Platform
    for kind in MediaKind
    if FACTS[platform].limits.takes(kind)
]


@pytest.mark.parametrize("platform", sorted(NEEDS_A_FILE))
def test_a_platform_that_lives_on_pictures_needs_a_file(platform: Platform) -> None:
    (refusal,) = unfit_media(platform, caption="Rye day", kind=None, field="targets[2]")

    assert ("media_required", "targets[2]") == (refusal.code, refusal.field)


@pytest.mark.parametrize("platform", WORDS_ALONE_DO)
def test_words_alone_do_on_the_other_platforms(platform: Platform) -> None:
    assert [] == list(unfit_media(platform, caption="Rye day", kind=None, field="targets[0]"))


@pytest.mark.parametrize("caption", ["", " \n\t", "\u3000"], ids=["none", "blank", "wide blank"])
@pytest.mark.parametrize("platform", list(Platform))
def test_nothing_at_all_is_refused_everywhere(platform: Platform, caption: str) -> None:
    (refusal,) = unfit_media(platform, caption=caption, kind=None, field="targets[0]")

    assert refusal.code == "media_required"


@pytest.mark.parametrize(("platform", "kind"), TAKEN)
def test_a_file_of_a_kind_that_the_platform_takes_needs_no_words(
    platform: Platform, kind: MediaKind
) -> None:
    assert [] == list(unfit_media(platform, caption="", kind=kind, field="targets[0]"))


@pytest.mark.parametrize(
    ("platform", "kind", "said"),
    [
        (Platform.YOUTUBE, MediaKind.IMAGE, "YouTube takes no photos, only a video."),
        (
            Platform.GOOGLE_BUSINESS_PROFILE,
            MediaKind.VIDEO,
            "Google Business Profile takes no videos, only a photo.",
        ),
    ],
)
def test_the_wrong_kind_of_file_is_refused(platform: Platform, kind: MediaKind, said: str) -> None:
    (refusal,) = unfit_media(platform, caption="Rye day", kind=kind, field="targets[0]")

    assert refusal.message == said


@pytest.mark.parametrize(
    ("platform", "longest_s"),
    [
        (Platform.INSTAGRAM, 180),
        (Platform.TIKTOK, 180),
        (Platform.YOUTUBE, 180),
        (Platform.LINKEDIN, 600),
        (Platform.X, 140),
        (Platform.FACEBOOK, 240),
        (Platform.THREADS, 300),
    ],
)
def test_a_video_is_sent_up_to_the_cap(platform: Platform, longest_s: int) -> None:
    assert longest_video_s(platform) == longest_s


@pytest.mark.parametrize("platform", [Platform.PINTEREST, Platform.BLUESKY, Platform.REDDIT])
def test_a_platform_without_a_cap_takes_any_length(platform: Platform) -> None:
    assert longest_video_s(platform) is None


def test_the_shorter_of_platform_and_creator_decides() -> None:
    assert longest_video_s(Platform.TIKTOK, creator_s=60) == 60
    assert longest_video_s(Platform.TIKTOK, creator_s=3_600) == 180
