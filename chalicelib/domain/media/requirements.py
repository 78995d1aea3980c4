"""What each platform requires of a file: which copy is sent to it.

`posts/sendable` says whether there is a file of a fitting kind. A video that is too long is not
refused here: it fails when it is due, unless `options.trim` says which part to keep. `recipe_for`
only decides, from facts about the file and the platforms' own rules; the publish worker's
`Preparation` makes the copy.
"""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from chalicelib.domain.media.media import Media
from chalicelib.domain.media.recipes import (
    CleanRecipe,
    Keep,
    PhotoRecipe,
    PosterRecipe,
    Recipe,
    VideoRecipe,
    has_aspect,
)
from chalicelib.domain.media.video_demands import (
    has_other_pictures,
    has_other_rate,
    is_too_small,
    wants_another_file,
)
from chalicelib.domain.platforms.crop_frame import CropFrame, crop_frame
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.files import Photos, Videos
from chalicelib.domain.platforms.option import COVER
from chalicelib.domain.platforms.platform import MediaKind, Platform
from chalicelib.kit.json_value import Json


def longest_video_s(platform: Platform, *, creator_s: int | None = None) -> float | None:
    """Return the most seconds of video that are sent, None for no limit.

    `creator_s` is what a TikTok creator's own settings allow (`max_video_seconds`), if known.
    """
    longest = FACTS[platform].limits.longest_video
    if longest is None:
        return None
    seconds = longest.total_seconds()
    return seconds if creator_s is None else min(seconds, creator_s)


COPIED_PICTURES = frozenset({"h264", "hevc", "mpeg4", "vp9", "av1"})
"""Codecs that are supported in MP4 everywhere; others are re-encoded in a copy."""


_NARROWER, _WIDER = Fraction(99, 100), Fraction(101, 100)
"""A picture is cut to whole pixels: an aspect ratio is met within a hundredth."""


class TooLongError(Exception):
    """The video is longer than the platform accepts, and no option says which part to keep."""


def recipe_for(
    media: Media,
    platform: Platform,
    options: Mapping[str, Json],
    *,
    creator_s: int | None = None,
    server: str | None = None,
) -> Recipe | None:
    """Return the recipe of a copy for this platform, None when the file is sent as it is.

    It is only if it fits and is proven clean: else a file that fits is cleaned before it is sent.
    `creator_s` is what a TikTok creator's own settings allow, `server` where the account is. Raises
    TooLongError.
    """
    if media.kind is MediaKind.IMAGE:
        recipe: Recipe | None = _photo_recipe(media, platform, options, server)
    else:
        recipe = _video_recipe(media, platform, options, creator_s)
    return recipe if recipe is not None or media.is_clean else CleanRecipe()


def poster_for(
    platform: Platform, kind: MediaKind, options: Mapping[str, Json]
) -> PosterRecipe | None:
    """Return the recipe of the still that is sent with a video, None if none is asked for."""
    if kind is not MediaKind.VIDEO or options.get(COVER):
        return None
    second, videos = options.get("cover_second"), _videos(platform)
    if videos.covers_by_file and isinstance(second, int):
        return PosterRecipe(second)
    return PosterRecipe() if videos.with_poster else None


def cover_for(platform: Platform, width: int, height: int) -> PhotoRecipe | None:
    """Return the recipe of a picture as this video's cover, None if covers are not accepted."""
    rules = _videos(platform).cover
    if rules is None:
        return None
    shape = Fraction(width, height) if rules.like_video else rules.aspect
    most_width, most_height = (width, height) if rules.like_video else rules.box
    return PhotoRecipe(
        most_bytes=rules.most_bytes,
        most_width=most_width,
        most_height=most_height,
        aspects=None if shape is None else (shape * _NARROWER, shape * _WIDER),
        crops=shape is not None,
    )


def longest_sent_s(
    platform: Platform, options: Mapping[str, Json], *, creator_s: int | None = None
) -> float | None:
    """Return the most seconds of video that are sent with these options, None for no limit."""
    longest = longest_video_s(platform, creator_s=creator_s)
    of_type = _videos(platform).longest_s.get(str(options.get("post_type")))
    known = [seconds for seconds in (longest, of_type) if seconds is not None]
    return min(known) if known else None


def _video_recipe(
    media: Media, platform: Platform, options: Mapping[str, Json], creator_s: int | None
) -> VideoRecipe | None:
    longest_s = longest_sent_s(platform, options, creator_s=creator_s)
    rules = _videos(platform)
    copy = _whole_copy(media, rules)
    if longest_s is not None and media.duration_s is not None and media.duration_s > longest_s:
        keep = options.get("trim")
        if keep not in set(Keep):
            raise TooLongError
        return replace(copy, keep=Keep(str(keep)), longest_ms=int(longest_s * 1000))
    return copy if copy.encode or wants_another_file(media, rules) else None


def _whole_copy(media: Media, rules: Videos) -> VideoRecipe:
    """Return the recipe that makes the whole video acceptable to the platform."""
    if not has_other_pictures(media, rules):
        return VideoRecipe()
    fewest, most = rules.rates if rules.rates and has_other_rate(media, rules) else (None, None)
    least = rules.least_side if is_too_small(media, rules) else None
    return VideoRecipe(encode=True, least_rate=fewest, most_rate=most, least_side=least)


def _videos(platform: Platform) -> Videos:
    return FACTS[platform].videos or Videos()


def _photo_recipe(
    media: Media, platform: Platform, options: Mapping[str, Json], server: str | None
) -> PhotoRecipe | None:
    rules = FACTS[platform].photos
    if rules is None:
        return None
    aspects, fit, frame = taken_aspects(platform, options), options.get("fit"), crop_frame(options)
    wide, high = _size_of_frame(media, frame)
    width, height = rules.box[::-1] if rules.box_turns and wide > high else rules.box
    other = rules.elsewhere
    cuts = fit == "crop" or _is_nearly_within(aspects, wide, high, frame)
    crops = cuts and not _is_within(aspects, wide, high)
    recipe = PhotoRecipe(
        most_bytes=other.most_bytes if other and other.has(server) else rules.most_bytes,
        most_width=width,
        most_height=height,
        aspects=None if fit == "keep" else aspects,
        crops=crops,
        frame=frame,
    )
    # Only the pixels tell whether a JPEG is sRGB and a single picture: the converter checks.
    must_look = rules.srgb or media.for_print or media.coding.light or frame is not None
    return recipe if must_look or not _fits(media, rules, recipe) else None


def reshaping(media: Media, platform: Platform, options: Mapping[str, Json]) -> str | None:
    """Say what becomes of a photo whose shape the platform says it does not take, None if it fits.

    `options.fit` decides: white bars by default.
    """
    aspects = taken_aspects(platform, options)
    if media.kind is not MediaKind.IMAGE or aspects is None:
        return None
    frame = crop_frame(options)
    width, height = _size_of_frame(media, frame)
    if _is_within(aspects, width, height) or _is_nearly_within(aspects, width, height, frame):
        return None
    shape, (narrowest, widest) = Fraction(width, height), aspects
    takes = f"{FACTS[platform].name} takes photos from {_shape(narrowest)} to {_shape(widest)}"
    too_tall = shape < narrowest
    lost = float(1 - (shape / narrowest if too_tall else widest / shape))
    match options.get("fit"):
        case "keep":
            return f"{takes}: this one goes out as it is and may be refused."
        case "crop":
            side = "height" if too_tall else "width"
            return f"{takes}: {lost:.0%} of the {side} of this one is cut away."
        case _:
            side = "width" if too_tall else "height"
            return (
                f"{takes}: white bars will fill {lost:.0%} of the {side}. "
                'Set options.fit to "crop" to cut the photo instead.'
            )


def taken_aspects(
    platform: Platform, options: Mapping[str, Json]
) -> tuple[Fraction, Fraction] | None:
    """Return the narrowest and the widest photo that a platform accepts, None if any is."""
    rules = FACTS[platform].photos
    return None if rules is None or options.get("post_type") == "story" else rules.aspects


def _size_of_frame(media: Media, frame: CropFrame | None) -> tuple[int, int]:
    """Return the size of the part of a photo that is used."""
    size = (media.width, media.height)
    return size if frame is None else frame.size(*size)


def _is_within(aspects: tuple[Fraction, Fraction] | None, width: int, height: int) -> bool:
    return aspects is None or aspects[0] <= Fraction(width, height) <= aspects[1]


def _is_nearly_within(
    aspects: tuple[Fraction, Fraction] | None, width: int, height: int, frame: CropFrame | None
) -> bool:
    """Tell whether only a frame's rounding misses an aspect ratio: that much is cut off."""
    if frame is None or aspects is None:
        return False
    return _is_within((aspects[0] * _NARROWER, aspects[1] * _WIDER), width, height)


def _shape(aspect: Fraction) -> str:
    is_plain = aspect.denominator <= 10  # noqa: PLR2004 - as people write 4:5, but 1.91:1
    return f"{aspect.numerator}:{aspect.denominator}" if is_plain else f"{float(aspect):g}:1"


def _fits(media: Media, rules: Photos, recipe: PhotoRecipe) -> bool:
    pixels = media.width * media.height
    return (
        media.mime in rules.formats
        and media.size_bytes <= recipe.most_bytes
        and (rules.most_pixels is None or pixels <= rules.most_pixels)
        and media.width <= recipe.most_width
        and media.height <= recipe.most_height
        and has_aspect(recipe, media.width, media.height)
    )
