"""A still picture of a video, for platforms that take no video without one.

`copy_making` loads this room, and with it FFmpeg and Pillow, only when a poster has to be cut.
"""

import io
from collections.abc import Callable
from fractions import Fraction
from typing import cast

from av.video.frame import VideoFrame
from PIL import Image

from chalicelib.workers.media.pictures import frames, shown_at, upright
from chalicelib.workers.media.video_file import (
    SeekableSource,
    UnreadableVideoError,
    VideoFile,
    base_of,
    opened,
)

AT = Fraction(1)
"""Many videos begin with a black picture; after a second they show what they are about."""
_QUALITY = 85


def cut_poster(source: SeekableSource, alive: Callable[[], None]) -> bytes:
    """Return a JPEG of the picture at `AT`, or halfway through a shorter video.

    `alive` is called again and again; raises UnreadableVideoError.
    """
    with opened(source) as video:
        frame = _frame_at(video, min(AT, _duration(video) / 2), alive)
        graph = upright(video, frame)
        graph.push(frame)
        still = _image(cast("VideoFrame", graph.pull()))
    out = io.BytesIO()
    still.save(out, "JPEG", quality=_QUALITY, optimize=True)
    return out.getvalue()


def _frame_at(video: VideoFile, wanted: Fraction, alive: Callable[[], None]) -> VideoFrame:
    """Return the first picture that is shown from then on, else the last one before."""
    last: VideoFrame | None = None
    for frame in frames(video, Fraction(0), alive):
        if shown_at(video, frame) >= wanted:
            return frame
        last = frame
    if last is None:
        raise UnreadableVideoError
    return last


def _image(frame: VideoFrame) -> Image.Image:
    (pixels,) = frame.reformat(format="rgb24").planes
    size = (frame.width, frame.height)
    return Image.frombytes("RGB", size, bytes(pixels), "raw", "RGB", pixels.line_size)


def _duration(video: VideoFile) -> Fraction:
    return (video.picture.duration or 0) * base_of(video.picture)
