"""Photos: only the picture, its colours and its photographer's credits stay."""

from typing import Final

from chalicelib.domain.media.cleaning.jpegs import clean_jpeg
from chalicelib.domain.media.cleaning.outcome import CleanPhoto, UncleanableError
from chalicelib.domain.media.cleaning.pngs import clean_png
from chalicelib.domain.media.cleaning.webps import clean_webp
from chalicelib.domain.media.types import MediaType

MOST_BYTES: Final = 64 * 1024 * 1024
"""How much of a photo is read: more than any platform accepts, with room for a clip after it."""


def clean_photo(mime: MediaType, data: bytes) -> CleanPhoto:
    """Return the photo without private metadata. Raises UncleanableError."""
    match mime:
        case MediaType.JPEG:
            return clean_jpeg(data)
        case MediaType.PNG:
            return clean_png(data)
        case MediaType.WEBP:
            return clean_webp(data)
        case _:
            raise UncleanableError


def is_clean(mime: MediaType, data: bytes) -> bool:
    """Tell whether a photo may be sent as it is, upright and without private metadata."""
    try:
        cleaned = clean_photo(mime, data)
    except UncleanableError:
        return False
    return cleaned.turn == 1 and cleaned.data == data
