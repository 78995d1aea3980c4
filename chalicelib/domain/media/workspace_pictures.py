"""A workspace's own picture, which strangers see in a review link: clean, upright and small.

It is embedded in the page that shows it, without an address of its own: nobody finds it without the
link.
"""

from typing import Final

from chalicelib.domain.error_kinds import InvalidInput
from chalicelib.domain.media.cleaning.outcome import UncleanableError
from chalicelib.domain.media.cleaning.photos import clean_photo
from chalicelib.domain.media.media import Probed
from chalicelib.domain.media.probing import probe
from chalicelib.domain.media.types import SNIFF_BYTES, MediaType, sniff
from chalicelib.domain.platforms.platform import MediaKind
from chalicelib.kit.media_headers.ranged_file import Read

LARGEST_BYTES: Final = 32_768
"""No larger picture, an account's neither, stands within a page."""
LONGEST_SIDE: Final = 512
"""A larger picture is made smaller."""
SMALL_SIDE: Final = 160
_CLEANED_BYTES: Final = 1_048_576
"""A small picture with more beside it than that is re-encoded: it is not read into memory whole."""
_UPRIGHT: Final = 1


def probe_photo(read: Read, size_bytes: int) -> Probed:
    """Return a photo's properties. Raises InvalidInput, UnsupportedMedia."""
    mime = sniff(read(0, SNIFF_BYTES))
    if mime is None or mime.kind is not MediaKind.IMAGE:
        raise InvalidInput("Choose a JPEG, PNG or WebP: a photo or a logo.", loc=("body", "file"))
    return probe(read, size_bytes)


def clean_if_small(read: Read, size_bytes: int, probed: Probed) -> bytes | None:
    """Return a small, upright photo cleaned; None if it must be re-encoded."""
    is_large = max(probed.width, probed.height) > LONGEST_SIDE or size_bytes > _CLEANED_BYTES
    if is_large or probed.is_animated or probed.for_print:
        return None
    return _clean(probed.mime, read(0, size_bytes))


def clean_smaller_copy(copy: bytes) -> bytes | None:
    """Return the cleaned small JPEG that was made from a photo."""
    return _clean(MediaType.JPEG, copy)


def _clean(mime: MediaType, data: bytes) -> bytes | None:
    try:
        cleaned = clean_photo(mime, data)
    except UncleanableError:
        return None
    is_kept = cleaned.turn == _UPRIGHT and len(cleaned.data) <= LARGEST_BYTES
    return cleaned.data if is_kept else None
