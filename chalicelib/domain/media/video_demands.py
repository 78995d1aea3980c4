"""Whether a video meets a platform's documented requirements, and what a copy can mend.

`requirements` chooses recipes by it; `check` and the connectors report what no copy mends. A file
that an earlier version probed has no coding, and passes.
"""

from fractions import Fraction
from typing import Final

from chalicelib.domain.media.media import Media
from chalicelib.domain.media.types import MediaType
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.files import Videos
from chalicelib.domain.platforms.platform import Platform

DECODED_PICTURES: Final = frozenset({"h264", "hevc"})
"""Pictures that the convert lane can decode (ADR 0016)."""
MOST_CODED_PIXELS: Final = 4096 * 2304
"""4K of cameras and of cinema, as the pictures themselves say and not the file around them."""
_CLOCKS_DIFFER: Final = Fraction(1, 100)
"""A camera's 60 pictures a second are 59.94, or 60.03 by its own clock."""
_MOST_CHANNELS: Final = 2
_HIGHEST_HZ: Final = 48_000

_TOO_SHORT: Final = (
    "{0} takes videos of at least {1:g} seconds and this one has {2:g}. Choose a longer one."
)
_SHAPE: Final = (
    "{0} takes videos no taller than {1} and no wider than {2}. Cut the video, or give it borders."
)


def has_other_pictures(media: Media, rules: Videos) -> bool:
    """Tell whether pictures must be re-encoded before the platform accepts, or shows, them."""
    codec, coding = media.video_codec, media.coding
    return (
        (rules.pictures is not None and codec not in rules.pictures)
        or (None not in {rules.chroma, coding.chroma} and coding.chroma not in (rules.chroma or ()))
        or (coding.bit_depth or 0) > rules.depths.get(codec or "", 99)
        or (rules.square_pixels and coding.oblong_pixels)
        or (rules.progressive and coding.interlaced)
        or has_other_rate(media, rules)
        or is_too_small(media, rules)
        or _is_too_large(media, rules)
        or _is_pale_there(media, rules)
    )


def has_other_rate(media: Media, rules: Videos) -> bool:
    """Tell whether it has fewer or more pictures a second than the platform accepts."""
    if rules.rates is None or not media.fps:
        return False
    fewest, most = rules.rates
    return not fewest * (1 - _CLOCKS_DIFFER) <= media.fps <= most * (1 + _CLOCKS_DIFFER)


def is_too_small(media: Media, rules: Videos) -> bool:
    """Tell whether a side has too few pixels."""
    return min(media.width, media.height) < rules.least_side


def has_other_sound(media: Media, rules: Videos) -> bool:
    """Tell whether sound must be re-encoded; silence is accepted everywhere."""
    if rules.sound is None or media.audio_codec is None:
        return False
    coding = media.coding
    is_plain = (
        (coding.channels or 0) <= _MOST_CHANNELS
        and (coding.sound_hz or 0) <= _HIGHEST_HZ
        and not coding.other_aac
    )
    return media.audio_codec not in rules.sound or (rules.plain_sound and not is_plain)


def wants_another_file(media: Media, rules: Videos) -> bool:
    """Tell whether the same pictures must be remuxed."""
    not_mp4 = rules.mp4_only and media.mime is not MediaType.MP4
    index_late = rules.index_first and (not media.index_first or media.has_edits)
    return not_mp4 or index_late or has_other_sound(media, rules)


def why_no_copy(
    platform: Platform, *, duration_s: float | None, width: int, height: int
) -> str | None:
    """Return why the platform accepts no copy of such a video either, None if it does."""
    rules = FACTS[platform].videos or Videos()
    name = FACTS[platform].name
    if duration_s is not None and duration_s < rules.shortest_s:
        return _TOO_SHORT.format(name, rules.shortest_s, duration_s)
    if rules.aspects is not None:
        tallest, widest = rules.aspects
        # A pixel more or less is the same aspect ratio: sides are whole, and even.
        if not tallest * (height - 1) <= width <= widest * height + 1:
            return _SHAPE.format(name, _ratio(tallest), _ratio(widest))
    return None


def _ratio(aspect: Fraction) -> str:
    return f"{aspect.numerator}:{aspect.denominator}"


def _is_too_large(media: Media, rules: Videos) -> bool:
    """Tell whether it has too many pixels or too many bits a second."""
    too_wide = rules.most_columns is not None and media.width > rules.most_columns
    too_long = rules.most_side is not None and max(media.width, media.height) > rules.most_side
    if rules.most_bits_per_s is None or not media.duration_s:
        return too_wide or too_long
    return too_wide or too_long or media.size_bytes * 8 / media.duration_s > rules.most_bits_per_s


def _is_pale_there(media: Media, rules: Videos) -> bool:
    """Tell whether a copy in the colours of usual screens can be made, and is shown better.

    A video that we cannot decode is not refused for that: the platform may be able to.
    """
    can_be_made = media.video_codec in DECODED_PICTURES
    is_small_enough = media.width * media.height <= MOST_CODED_PIXELS
    is_other = media.coding.light is not None and not rules.shows_hdr
    return is_other and can_be_made and is_small_enough
