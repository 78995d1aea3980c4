"""Photos: nothing leaves but the picture, its colours and what its photographer means to say."""

from typing import Final

from chalicelib.domain.media.cleaning.jpegs import clean_jpeg
from chalicelib.domain.media.cleaning.outcome import CleanPhoto, UncleanableError
from chalicelib.domain.media.cleaning.pngs import clean_png
from chalicelib.domain.media.cleaning.webps import clean_webp
from chalicelib.domain.media.types import MediaType

MOST_BYTES: Final = 64 * 1024 * 1024
"""What of a photo is read: more than any platform takes, with room for a clip behind it."""


def clean_photo(mime: MediaType, data: bytes) -> CleanPhoto:
    """Return the photo without what may not leave. Raises UncleanableError."""
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
    """Tell whether a photo may leave as it is, upright and with nothing to hide."""
    try:
        cleaned = clean_photo(mime, data)
    except UncleanableError:
        return False
    return cleaned.turn == 1 and cleaned.data == data
