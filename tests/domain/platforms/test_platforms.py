"""The limits table says what docs/api.md says."""

from datetime import timedelta

import pytest

from chalicelib.domain.platforms.platform import LIMITS, NAMES, MediaKind, Platform


def test_the_wire_values_are_specs_in_its_order() -> None:
    names = "instagram tiktok youtube linkedin x facebook threads pinterest bluesky reddit"

    assert [*names.split(), "google business profile"] == list(Platform)


def test_every_platform_has_limits_and_a_name() -> None:
    assert set(Platform) == set(LIMITS) == set(NAMES)


@pytest.mark.parametrize(
    ("platform", "caption", "longest"),
    [
        (Platform.INSTAGRAM, 2_200, "3:00"),
        (Platform.TIKTOK, 2_200, "3:00"),
        (Platform.YOUTUBE, 5_000, "3:00"),
        (Platform.LINKEDIN, 3_000, "10:00"),
        (Platform.X, 280, "2:20"),
        (Platform.FACEBOOK, 63_206, "4:00"),
        (Platform.THREADS, 500, "5:00"),
        (Platform.PINTEREST, 800, None),
        (Platform.BLUESKY, 300, None),
        (Platform.REDDIT, 40_000, None),
        (Platform.GOOGLE_BUSINESS_PROFILE, 1_500, None),
    ],
)
def test_lengths_are_those_of_the_contract(
    platform: Platform, caption: int, longest: str | None
) -> None:
    limits = LIMITS[platform]

    minutes, _, seconds = (longest or "").partition(":")
    longest_video = longest and timedelta(minutes=int(minutes), seconds=int(seconds))
    assert (caption, longest_video) == (limits.caption, limits.longest_video)


def test_only_instagram_and_tiktok_cannot_delete() -> None:
    kept_for_good = {platform for platform in Platform if not LIMITS[platform].can_delete}

    assert {Platform.INSTAGRAM, Platform.TIKTOK} == kept_for_good


@pytest.mark.parametrize(
    ("kind", "refused_by"),
    [(MediaKind.IMAGE, Platform.YOUTUBE), (MediaKind.VIDEO, Platform.GOOGLE_BUSINESS_PROFILE)],
)
def test_one_platform_refuses_each_kind_of_file(kind: MediaKind, refused_by: Platform) -> None:
    refusing = [platform for platform in Platform if not LIMITS[platform].takes(kind)]

    assert [refused_by] == refusing
