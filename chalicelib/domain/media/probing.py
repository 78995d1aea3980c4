"""What a stored file is: type by its bytes, then size, length and codecs from its headers.

Called when an upload is complete, with a function that reads ranges of the stored file. It returns
`Probed` or raises UnsupportedMedia, in bounded time and memory, whatever the bytes are (ADR 0003).
"""

from dataclasses import replace

from chalicelib.domain.errors import UnsupportedMedia
from chalicelib.domain.media.cleaning.movies import is_clean_movie
from chalicelib.domain.media.cleaning.photos import is_clean
from chalicelib.domain.media.coding import coding_of
from chalicelib.domain.media.media import Probed
from chalicelib.domain.media.types import SNIFF_BYTES, MediaType, refusal_sentence, sniff
from chalicelib.kit.media_headers.coding import Pictures
from chalicelib.kit.media_headers.jpeg import is_for_screens, read_jpeg
from chalicelib.kit.media_headers.mp4 import Video, read_video
from chalicelib.kit.media_headers.png import read_png
from chalicelib.kit.media_headers.ranged_file import RangedFile, Read, UnreadableError, damage_error
from chalicelib.kit.media_headers.webp import is_animated_webp, read_webp

MOST_PIXELS = 110_000_000
"""Photos of today's 108-megapixel phones pass; a picture that decodes to gigabytes does not."""
MOST_PROVEN_BYTES = 4 * 1024 * 1024
"""A larger photo is checked before it is sent: it is not read completely at its upload."""
_READS_WITH_A_PROOF = 5
"""A video that needs more is checked before it is sent."""
_SURELY_UNCLEAN = (b"Exif\0\0", b"http://ns.adobe.com/", b"Photoshop 3.0\0", b"MPF\0")


def probe(read: Read, size: int) -> Probed:
    """Return the file's properties; raise UnsupportedMedia when we cannot accept it."""
    try:
        return _probe(read, size)
    except UnreadableError as error:
        raise UnsupportedMedia(str(error)) from error


def _probe(read: Read, size: int) -> Probed:
    file = RangedFile(read, size)
    head = file.upto(0, SNIFF_BYTES)
    mime = sniff(head)
    match mime:
        case None:
            raise UnsupportedMedia(refusal_sentence(head))
        case MediaType.MP4 | MediaType.MOV:
            video = _video(mime, read_video(file))
            file.allow(_READS_WITH_A_PROOF)
            return replace(video, is_clean=is_clean_movie(file))
        case MediaType.JPEG:
            photo = _photo(file, mime, read_jpeg(file))
            return replace(photo, for_print=not is_for_screens(file))
        case MediaType.PNG:
            png = read_png(file)
            photo = _photo(file, mime, (png.width, png.height))
            coding = coding_of(Pictures(transfer=png.transfer), None)
            return replace(photo, coding=coding, is_animated=png.is_animated)
        case MediaType.WEBP:
            photo = _photo(file, mime, read_webp(file))
            return replace(photo, is_animated=is_animated_webp(file))


def _video(mime: MediaType, video: Video) -> Probed:
    return Probed(
        mime=mime,
        width=video.width,
        height=video.height,
        duration_s=video.duration_s,
        video_codec=video.video_codec,
        audio_codec=video.audio_codec,
        fps=video.fps,
        index_first=video.index_first,
        has_edits=video.has_edits,
        coding=coding_of(video.pictures, video.sound),
    )


def _photo(file: RangedFile, mime: MediaType, size: tuple[int, int]) -> Probed:
    width, height = size
    if not width * height:
        raise damage_error("its picture has an impossible size")
    if width * height > MOST_PIXELS:
        message = (
            f"The photo has {width:,} x {height:,} pixels; at most {MOST_PIXELS // 1_000_000} "
            "million in all are taken. Make it smaller."
        )
        raise UnsupportedMedia(message)
    return Probed(mime=mime, width=width, height=height, is_clean=_is_clean(file, mime))


def _is_clean(file: RangedFile, mime: MediaType) -> bool:
    """Tell whether a photo is proven to have no private metadata; False proves nothing."""
    head = file.upto(0, SNIFF_BYTES)
    if file.size > MOST_PROVEN_BYTES or any(word in head for word in _SURELY_UNCLEAN):
        return False
    return is_clean(mime, file.take(0, file.size))
