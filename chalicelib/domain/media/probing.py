"""What a stored file is: type by its bytes, then size, length and codecs from its headers.

Called when an upload is complete, with a function that reads ranges of the stored file. It ends in
`Probed` or in UnsupportedMedia, in bounded time and memory, whatever the bytes are (ADR 0003).
"""

from chalicelib.domain.errors import UnsupportedMedia
from chalicelib.domain.media.cleaning.photos import is_clean
from chalicelib.domain.media.formats.jpeg import read_jpeg
from chalicelib.domain.media.formats.mp4 import probe_video
from chalicelib.domain.media.formats.png import read_png
from chalicelib.domain.media.formats.ranged_file import RangedFile, Read, damaged
from chalicelib.domain.media.formats.webp import read_webp
from chalicelib.domain.media.media import Probed
from chalicelib.domain.media.types import SNIFF_BYTES, MediaType, refusal_sentence, sniff

MOST_PIXELS = 110_000_000
"""Photos of today's 108-megapixel phones pass; a picture that unpacks to gigabytes does not."""
MOST_PROVEN_BYTES = 4 * 1024 * 1024
"""A photo that is larger is looked at before it leaves: it is not read whole at its upload."""
_SURELY_UNCLEAN = (b"Exif\0\0", b"http://ns.adobe.com/", b"Photoshop 3.0\0", b"MPF\0")


def probe(read: Read, size: int) -> Probed:
    """Return what the file of this size is; raise UnsupportedMedia when we cannot take it."""
    file = RangedFile(read, size)
    head = file.upto(0, SNIFF_BYTES)
    mime = sniff(head)
    match mime:
        case None:
            raise UnsupportedMedia(refusal_sentence(head))
        case MediaType.MP4 | MediaType.MOV:
            return probe_video(file, mime)
        case MediaType.JPEG:
            return _photo(file, mime, read_jpeg(file))
        case MediaType.PNG:
            return _photo(file, mime, read_png(file))
        case MediaType.WEBP:
            return _photo(file, mime, read_webp(file))


def _photo(file: RangedFile, mime: MediaType, size: tuple[int, int]) -> Probed:
    width, height = size
    if not width * height:
        raise damaged("its picture has an impossible size")
    if width * height > MOST_PIXELS:
        message = (
            f"The photo has {width:,} x {height:,} pixels; at most {MOST_PIXELS // 1_000_000} "
            "million in all are taken. Make it smaller."
        )
        raise UnsupportedMedia(message)
    return Probed(mime=mime, width=width, height=height, is_clean=_is_clean(file, mime))


def _is_clean(file: RangedFile, mime: MediaType) -> bool:
    """Tell whether a photo is proven to hold nothing that must not leave; False is no proof."""
    head = file.upto(0, SNIFF_BYTES)
    if file.size > MOST_PROVEN_BYTES or any(word in head for word in _SURELY_UNCLEAN):
        return False
    return is_clean(mime, file.take(0, file.size))
