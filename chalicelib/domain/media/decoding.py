"""What the convert lane can decode, so that `check` can report other files in advance.

Few decoders are allowed there (ADR 0016): each reads what strangers wrote. A copy that only cuts
and remuxes a video decodes nothing, and needs none of them for its pictures.
"""

from typing import Final

from chalicelib.domain.media.coding import Light
from chalicelib.domain.media.media import Media
from chalicelib.domain.media.recipes import PhotoRecipe, Recipe, VideoRecipe
from chalicelib.domain.media.requirements import COPIED_PICTURES
from chalicelib.domain.media.types import MediaType
from chalicelib.domain.media.video_demands import DECODED_PICTURES, MOST_CODED_PIXELS

DECODED_SOUND: Final = frozenset({"aac", "mp3", "pcm"})
SURELY_UNPACKED_PIXELS: Final = 16_000_000
"""A PNG or WebP of more pixels may need more memory than a conversion has; a JPEG is shrunk."""

_PICTURES: Final = (
    "This video is encoded as {}, which cannot be converted, and the platform does not accept it "
    "as it is. Upload an MP4 with H.264 or HEVC."
)
_DOLBY: Final = (
    "This video is in Dolby Vision alone (profile 5), whose colours only Dolby's own decoders "
    "know. Export it as HDR (HLG) or SDR."
)
_SOUND: Final = (
    "The sound of this video is encoded as {}, which cannot be converted. Upload an MP4 "
    "with AAC sound."
)
_TOO_LARGE: Final = (
    "The video has {:,} x {:,} pixels; videos that have to be converted have at most 4096 x 2304. "
    "Upload a smaller one."
)
_DOUBTFUL: Final = (
    "The photo has {:,} x {:,} pixels and has to be converted: more than 16 million may need more "
    "memory than there is. Upload a JPEG or a smaller photo."
)


def unconvertible(media: Media, recipe: Recipe | None) -> str | None:
    """Return why no copy by the recipe can be made, None if one can or none is needed."""
    if not isinstance(recipe, VideoRecipe):
        return None
    if media.audio_codec is not None and media.audio_codec not in DECODED_SOUND:
        return _SOUND.format(media.audio_codec)
    if not recipe.encode and media.video_codec in COPIED_PICTURES:
        return None
    return _undecodable(media)


def _undecodable(media: Media) -> str | None:
    """Return why the pictures cannot be decoded."""
    if media.video_codec not in DECODED_PICTURES:
        return _PICTURES.format(media.video_codec or "something unknown")
    if media.coding.light is Light.DOLBY:
        return _DOLBY
    if media.width * media.height > MOST_CODED_PIXELS:
        return _TOO_LARGE.format(media.width, media.height)
    return None


def perhaps_unconvertible(media: Media, recipe: Recipe | None) -> str | None:
    """Return why a copy by the recipe may fail, None without a reason."""
    is_unpacked_whole = media.mime in {MediaType.PNG, MediaType.WEBP}
    is_large = media.width * media.height > SURELY_UNPACKED_PIXELS
    if isinstance(recipe, PhotoRecipe) and is_unpacked_whole and is_large:
        return _DOUBTFUL.format(media.width, media.height)
    return None
