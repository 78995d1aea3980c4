"""Which copy of a file each platform gets, as its fact sheet demands."""

from datetime import UTC, datetime

import pytest

from chalicelib.domain.media.media import Media
from chalicelib.domain.media.recipes import (
    CleanRecipe,
    Keep,
    PhotoRecipe,
    PosterRecipe,
    VideoRecipe,
    read_recipe,
    recipe_words,
)
from chalicelib.domain.media.requirements import (
    TooLongError,
    longest_sent_s,
    poster_for,
    recipe_for,
    reshaping,
)
from chalicelib.domain.media.types import MediaType
from chalicelib.domain.platforms.platform import MediaKind, Platform
from chalicelib.kit.json_value import Json

P = Platform


def a_video(duration_s: object = 60.0, **facts: object) -> Media:
    """Return a video as phones and editors make them, index first."""
    usual: dict[str, object] = {
        "mime": MediaType.MP4,
        "duration_s": duration_s,
        "width": 1080,
        "height": 1920,
        "video_codec": "h264",
        "audio_codec": "aac",
        "index_first": True,
    }
    return a_file(**{**usual, **facts})


def a_photo(**facts: object) -> Media:
    usual: dict[str, object] = {"mime": MediaType.PNG, "width": 1200, "height": 900}
    return a_file(**{**usual, **facts})


def a_file(**facts: object) -> Media:
    usual: dict[str, object] = {
        "id": "1" * 32,
        "workspace_id": "2" * 32,
        "filename": "oven",
        "size_bytes": 500_000,
        "created_at": datetime(2026, 1, 1, tzinfo=UTC),
        "is_clean": True,
    }
    return Media(**{**usual, **facts})  # type: ignore[arg-type]  # a builder of anything


@pytest.mark.parametrize(
    ("platform", "seconds"),
    [
        (P.INSTAGRAM, 180),
        (P.TIKTOK, 180),
        (P.YOUTUBE, 180),
        (P.LINKEDIN, 600),
        (P.X, 140),
        (P.FACEBOOK, 240),
        (P.THREADS, 300),
    ],
)
def test_a_long_video_is_cut_to_the_platforms_limit(platform: Platform, seconds: int) -> None:
    recipe = recipe_for(a_video(660), platform, {"trim": "end"})

    assert VideoRecipe(keep=Keep.END, longest_ms=seconds * 1000) == recipe


@pytest.mark.parametrize("platform", [P.PINTEREST, P.BLUESKY, P.REDDIT])
def test_a_platform_without_a_cap_never_trims(platform: Platform) -> None:
    assert recipe_for(a_video(660), platform, {"trim": "end"}) is None


def test_a_long_video_without_a_wish_is_too_long() -> None:
    with pytest.raises(TooLongError):
        recipe_for(a_video(180.001), P.INSTAGRAM, {})


def test_a_video_of_exactly_the_limit_is_not_cut() -> None:
    assert recipe_for(a_video(180.0), P.INSTAGRAM, {"trim": "start"}) is None


@pytest.mark.parametrize(("creator_s", "sent_s"), [(60, 60), (600, 180), (None, 180)])
def test_a_tiktok_creators_own_limit_counts_when_it_is_shorter(
    creator_s: int | None, sent_s: int
) -> None:
    assert sent_s == longest_sent_s(P.TIKTOK, {}, creator_s=creator_s)


@pytest.mark.parametrize(
    ("platform", "kind", "seconds"),
    [(P.INSTAGRAM, "story", 60), (P.FACEBOOK, "reel", 90), (P.FACEBOOK, "feed", 240)],
)
def test_stories_and_reels_are_shorter(platform: Platform, kind: str, seconds: int) -> None:
    assert seconds == longest_sent_s(platform, {"post_type": kind})


@pytest.mark.parametrize(
    ("platform", "facts", "recipe"),
    [
        (P.INSTAGRAM, {}, None),
        (P.INSTAGRAM, {"index_first": False}, VideoRecipe()),
        (P.THREADS, {"has_edits": True}, VideoRecipe()),
        (P.INSTAGRAM, {"audio_codec": "pcm"}, VideoRecipe()),
        (P.INSTAGRAM, {"audio_codec": None}, None),
        (P.LINKEDIN, {"mime": MediaType.MOV}, VideoRecipe()),
        (P.BLUESKY, {"mime": MediaType.MOV}, VideoRecipe()),
        (P.X, {"mime": MediaType.MOV}, None),
        (P.X, {"video_codec": "hevc"}, VideoRecipe(encode=True)),
        (P.INSTAGRAM, {"video_codec": "hevc"}, None),
        (P.YOUTUBE, {"video_codec": "prores", "index_first": False}, None),
        (P.REDDIT, {"mime": MediaType.MOV, "index_first": False}, None),
    ],
)
def test_a_short_video_is_packed_or_made_anew_only_where_it_must(
    platform: Platform, facts: dict[str, object], recipe: VideoRecipe | None
) -> None:
    assert recipe == recipe_for(a_video(**facts), platform, {})


@pytest.mark.parametrize(
    ("platform", "facts", "is_copied"),
    [
        (P.INSTAGRAM, {}, True),
        (P.INSTAGRAM, {"mime": MediaType.JPEG}, True),
        (P.TIKTOK, {}, True),
        (P.TIKTOK, {"mime": MediaType.WEBP}, False),
        (P.TIKTOK, {"mime": MediaType.JPEG, "width": 3000}, True),
        (P.LINKEDIN, {}, False),
        (P.LINKEDIN, {"mime": MediaType.WEBP}, True),
        (P.LINKEDIN, {"width": 6500, "height": 5700}, True),
        (P.X, {"mime": MediaType.WEBP}, False),
        (P.X, {"size_bytes": 5_000_001}, True),
        (P.FACEBOOK, {"mime": MediaType.WEBP}, True),
        (P.THREADS, {"mime": MediaType.WEBP}, True),
        (P.PINTEREST, {"mime": MediaType.WEBP}, True),
        (P.BLUESKY, {"size_bytes": 1_000_000}, True),
        (P.BLUESKY, {"mime": MediaType.WEBP, "width": 2000, "height": 2000}, False),
        (P.REDDIT, {"mime": MediaType.WEBP}, True),
        (P.GOOGLE_BUSINESS_PROFILE, {"size_bytes": 5_000_001}, True),
        (P.GOOGLE_BUSINESS_PROFILE, {}, False),
    ],
)
def test_a_photo_is_converted_where_the_platform_would_refuse_it(
    platform: Platform, facts: dict[str, object], *, is_copied: bool
) -> None:
    recipe = recipe_for(a_photo(**facts), platform, {})

    assert is_copied == isinstance(recipe, PhotoRecipe)


@pytest.mark.parametrize(
    ("server", "most"),
    [
        ("https://stropharia.us-west.host.bsky.network", 2_000_000),
        ("https://bsky.social", 2_000_000),
        ("https://pds.example", 976 * 1024),
        ("https://notbsky.social", 976 * 1024),
        ("bluesky", 976 * 1024),
        (None, 976 * 1024),
    ],
)
def test_a_photo_for_bluesky_is_as_large_as_its_server_takes(server: str | None, most: int) -> None:
    fits, larger = (a_photo(size_bytes=size) for size in (most, most + 1))

    recipe = recipe_for(larger, P.BLUESKY, {}, server=server)

    assert recipe_for(fits, P.BLUESKY, {}, server=server) is None
    assert isinstance(recipe, PhotoRecipe)
    assert most == recipe.most_bytes


def test_an_instagram_story_may_have_any_aspect() -> None:
    options: dict[str, Json] = {"post_type": "story"}

    feed = recipe_for(a_photo(), P.INSTAGRAM, {})
    story = recipe_for(a_photo(), P.INSTAGRAM, options)

    assert isinstance(feed, PhotoRecipe)
    assert isinstance(story, PhotoRecipe)
    assert (feed.aspects is None, story.aspects is None) == (False, True)


@pytest.mark.parametrize(
    ("size", "options", "said", "crops"),
    [
        ((3024, 4032), {}, "white bars will fill 6% of the width", False),
        ((1080, 1920), {"fit": "pad"}, "white bars will fill 30% of the width", False),
        ((1080, 1920), {"fit": "crop"}, "30% of the height of this one is cut away", True),
        ((4000, 1000), {}, "white bars will fill 52% of the height", False),
        ((4000, 1000), {"fit": "crop"}, "52% of the width of this one is cut away", True),
        ((1080, 1920), {"fit": "keep"}, "goes out as it is and may be refused", False),
        ((1080, 1350), {"fit": "crop"}, None, False),
        ((1080, 1920), {"fit": "crop", "post_type": "story"}, None, False),
    ],
)
def test_a_photo_of_a_refused_shape_goes_as_fit_says(
    size: tuple[int, int], options: dict[str, Json], said: str | None, *, crops: bool
) -> None:
    photo = a_photo(width=size[0], height=size[1])

    recipe, told = recipe_for(photo, P.INSTAGRAM, options), reshaping(photo, P.INSTAGRAM, options)

    assert isinstance(recipe, PhotoRecipe)
    assert recipe.crops is crops
    assert (recipe.aspects is None) == (
        options in ({"fit": "keep"}, {**options, "post_type": "story"})
    )
    assert (told or "").startswith("Instagram takes photos from 4:5 to 1.91:1" if said else "")
    assert (said or "") in (told or "")
    assert recipe == read_recipe(recipe_words(recipe))


@pytest.mark.parametrize(
    ("size", "crop", "said"),
    [
        ((1080, 1920), (0, 20, 100, 56.25), None),
        ((1080, 1920), (0, 0, 66.67, 46.87), None),
        ((1080, 1080), (0, 0, 50, 100), "white bars will fill 38% of the width"),
        ((4000, 1000), (0, 0, 100, 100), "white bars will fill 52% of the height"),
    ],
    ids=["square", "4:5 but for rounding", "too tall by the crop", "all of it"],
)
def test_a_photo_cropped_by_hand_has_the_shape_of_what_is_left(
    size: tuple[int, int], crop: tuple[float, float, float, float], said: str | None
) -> None:
    photo = a_photo(width=size[0], height=size[1])
    named = dict(zip(("left", "top", "width", "height"), crop, strict=True))
    options: dict[str, Json] = {"crop": {**named}}

    recipe, told = recipe_for(photo, P.INSTAGRAM, options), reshaping(photo, P.INSTAGRAM, options)

    assert isinstance(recipe, PhotoRecipe)
    assert recipe == read_recipe(recipe_words(recipe))
    assert (said or "") in (told or "")
    assert (said is None) == (told is None)


def test_a_photo_that_would_go_as_it_is_has_a_copy_once_it_is_cropped() -> None:
    photo = a_photo(mime=MediaType.JPEG)
    half: dict[str, Json] = {"crop": {"left": 0, "top": 0, "width": 50, "height": 100}}
    right: dict[str, Json] = {"crop": {"left": 50, "top": 0, "width": 50, "height": 100}}

    recipes = [recipe_for(photo, P.X, options) for options in (half, right)]

    assert recipe_for(photo, P.X, {}) is None
    assert 2 == len({recipe.name for recipe in recipes if isinstance(recipe, PhotoRecipe)})


def test_recipes_that_make_different_copies_have_different_names() -> None:
    made = {
        recipe_for(media, platform, options)
        for media in (a_video(660), a_video(660, video_codec="hevc"), a_photo(width=9000))
        for platform in Platform
        for options in (
            {"trim": "start"},
            {"trim": "end", "fit": "crop"},
            {"trim": "end"},
            {"trim": "end", "post_type": "story"},
        )
    } - {None}

    assert len(made) == len({recipe.name for recipe in made if recipe is not None})


def test_only_a_video_for_reddit_takes_a_poster_along() -> None:
    wanted = {(p, kind) for p in P for kind in MediaKind if poster_for(p, kind, {}) is not None}

    assert {(P.REDDIT, MediaKind.VIDEO)} == wanted
    assert PosterRecipe() == poster_for(P.REDDIT, MediaKind.VIDEO, {})


@pytest.mark.parametrize("platform", [P.YOUTUBE, P.FACEBOOK])
def test_a_cover_is_cut_where_a_platform_takes_a_picture(platform: P) -> None:
    options: dict[str, Json] = {"cover_second": 7}

    assert PosterRecipe(7) == poster_for(platform, MediaKind.VIDEO, options)
    assert poster_for(platform, MediaKind.IMAGE, options) is None
    assert poster_for(P.TIKTOK, MediaKind.VIDEO, options) is None
    assert "poster2-7s" == PosterRecipe(7).name
    assert PosterRecipe(7) == read_recipe(recipe_words(PosterRecipe(7)))
    assert PosterRecipe() == read_recipe({"job": "poster"})


@pytest.mark.parametrize(
    ("width", "height", "box"),
    [
        (3000, 2000, (1920, 1080)),
        (2000, 3000, (1080, 1920)),
        (1920, 1920, (1080, 1920)),
        (1920, 1080, None),
        (1080, 1920, None),
    ],
)
def test_a_photo_for_tiktok_fits_1080p_standing_or_lying(
    width: int, height: int, box: tuple[int, int] | None
) -> None:
    recipe = recipe_for(a_photo(mime=MediaType.JPEG, width=width, height=height), P.TIKTOK, {})

    made = (recipe.most_width, recipe.most_height) if isinstance(recipe, PhotoRecipe) else None
    assert made == box


@pytest.mark.parametrize("platform", [P.BLUESKY, P.X, P.FACEBOOK, P.LINKEDIN])
def test_a_photo_that_fits_is_cleaned_before_it_leaves_unless_it_is_proven_clean(
    platform: Platform,
) -> None:
    clean, unknown = (a_photo(mime=MediaType.JPEG, is_clean=known) for known in (True, False))

    assert recipe_for(clean, platform, {}) is None
    assert recipe_for(unknown, platform, {}) == CleanRecipe()
