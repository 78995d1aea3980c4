"""What a stored file is: type by its bytes, then size, length and codecs from its headers.

Called when an upload is complete, with a function that reads ranges of the stored file. It ends in
`Probed` or in UnsupportedMedia, in bounded time and memory, whatever the bytes are (ADR 0003).
"""

from chalicelib.domain.errors import UnsupportedMedia
from chalicelib.domain.media.media import Probed
from chalicelib.domain.media.types import SNIFF_BYTES, MediaType, refusal_sentence, sniff
from chalicelib.kit.media_headers.jpeg import read_jpeg
from chalicelib.kit.media_headers.mp4 import Video, read_video
from chalicelib.kit.media_headers.png import read_png
from chalicelib.kit.media_headers.ranged_file import RangedFile, Read, UnreadableError, damaged
from chalicelib.kit.media_headers.webp import read_webp

MOST_PIXELS = 110_000_000
"""Photos of today's 108-megapixel phones pass; a picture that unpacks to gigabytes does not."""


def probe(read: Read, size: int) -> Probed:
    """Return what the file of this size is; raise UnsupportedMedia when we cannot take it."""
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
            return _video(mime, read_video(file))
        case MediaType.JPEG:
            return _photo(mime, read_jpeg(file))
        case MediaType.PNG:
            return _photo(mime, read_png(file))
        case MediaType.WEBP:
            return _photo(mime, read_webp(file))


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
    )


def _photo(mime: MediaType, size: tuple[int, int]) -> Probed:
    width, height = size
    if not width * height:
        raise damaged("its picture has an impossible size")
    if width * height > MOST_PIXELS:
        message = (
            f"The photo has {width:,} x {height:,} pixels; at most {MOST_PIXELS // 1_000_000} "
            "million in all are taken. Make it smaller."
        )
        raise UnsupportedMedia(message)
    return Probed(mime=mime, width=width, height=height)
