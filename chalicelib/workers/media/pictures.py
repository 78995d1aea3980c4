"""A video's pictures as they are shown: decoded from a moment on, upright, in square pixels.

`encoding` makes new videos of them, `poster` a still. Rotated pictures become upright, large ones
are shrunk to 1920 pixels.
"""

import io
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import chain, pairwise
from typing import cast

import av
from av.filter import Graph
from av.video.frame import VideoFrame
from PIL import Image

from chalicelib.storage.media.seekable import SeekableObject
from chalicelib.workers.media.colour_filters import Colours
from chalicelib.workers.media.video_file import (
    UnreadableVideoError,
    VideoFile,
    base_of,
    open_video,
    require_decodable,
)

_USUAL_RATE = Fraction(30)
_LONGEST_SIDE = 1920
_TURNS = {90: (("transpose", "cclock"),), 270: (("transpose", "clock"),)}
_UPSIDE_DOWN = (("hflip", ""), ("vflip", ""))


def frames(video: VideoFile, start: Fraction, alive: Callable[[], None]) -> Iterator[VideoFrame]:
    """Yield the pictures that are shown from `start` on."""
    require_decodable(video.picture)
    video.picture.codec_context.thread_type = "AUTO"
    for packet in video.pictures_from(start):
        alive()
        yield from _wanted_frames(video, packet.decode(), start)
    yield from _wanted_frames(video, video.picture.codec_context.decode(None), start)


def _wanted_frames(
    video: VideoFile, decoded: Iterable[object], start: Fraction
) -> Iterator[VideoFrame]:
    for frame in decoded:
        if isinstance(frame, VideoFrame) and shown_at(video, frame) >= start:
            yield frame


def shown_at(video: VideoFile, frame: VideoFrame) -> Fraction:
    """Return when a picture is shown, from the video's beginning."""
    return (frame.pts or 0) * base_of(video.picture) - video.began


def lasts(video: VideoFile, frame: VideoFrame) -> Fraction:
    """Return how long a picture is shown; the usual time where the file does not say."""
    known = (frame.duration or 0) * base_of(video.picture)
    return known or 1 / rate_of(video)


def rate_of(video: VideoFile) -> Fraction:
    """Return how many pictures a second a video has, the usual number where nobody says."""
    return video.picture.average_rate or _USUAL_RATE


class Upright:
    """Turns, shrinks and unsqueezes pictures until they are as displayed, in BT.709."""

    def __init__(
        self, video: VideoFile, first: VideoFrame, *, least_side: int = 0, form: str = "yuv420p"
    ) -> None:
        turn = round(first.rotation) % 360
        steps = _UPSIDE_DOWN if turn == 180 else _TURNS.get(turn, ())  # noqa: PLR2004 - degrees
        width, height = _measures(video, first, least_side)
        if turn in _TURNS:
            width, height = height, width
        self._graph = graph = Graph()
        graph.threads = 1  # each would have pictures of its own
        colours = Colours(graph, first, form)
        nodes = [graph.add_buffer(template=video.picture)]
        if first.interlaced_frame:
            nodes.append(graph.add("bwdif", "send_frame:deint=interlaced"))
        nodes += [graph.add(name, how) if how else graph.add(name) for name, how in steps]
        nodes += colours.to((width, height))
        nodes += [graph.add("setsar", "1"), graph.add("buffersink")]
        for before, after in pairwise(nodes):
            before.link_to(after)
        graph.configure()
        colours.fill()
        self._first, self._last = nodes[0], nodes[-1]

    def take(self, frame: VideoFrame) -> Iterator[VideoFrame]:
        """Put one picture in and yield those that are ready: some wait for the next."""
        self._first.push(frame)
        yield from self._ready()

    def end(self) -> Iterator[VideoFrame]:
        """Yield what is left."""
        self._first.push(None)
        yield from self._ready()

    def _ready(self) -> Iterator[VideoFrame]:
        while True:
            try:
                yield cast("VideoFrame", self._last.pull())
            except (av.BlockingIOError, av.EOFError):
                return


def _measures(video: VideoFile, first: VideoFrame, least_side: int) -> tuple[int, int]:
    """Return width and height before the turn: square pixels, even, within the longest side."""
    squeeze = video.picture.sample_aspect_ratio or Fraction(1)
    width, height = first.width * squeeze, Fraction(first.height)
    scale = min(Fraction(1), _LONGEST_SIDE / max(width, height))
    scale = max(scale, least_side / min(width, height))
    return max(2, round(width * scale / 2) * 2), max(2, round(height * scale / 2) * 2)


AT = Fraction(1)
"""Many videos begin with a black picture; after a second they show what they are about."""
_QUALITY = 85


def cut_poster(
    source: SeekableObject, alive: Callable[[], None], second: int | None = None
) -> bytes:
    """Return a JPEG of the picture at a second, by default `AT` or halfway through a shorter video.

    `alive` is called again and again; raises UnreadableVideoError.
    """
    with open_video(source) as video:
        usual = min(AT, _duration(video) / 2)
        frame = _frame_at(video, usual if second is None else Fraction(second), alive)
        upright = Upright(video, frame, form="rgb24")
        shown = next(chain(upright.take(frame), upright.end()), None)
        if shown is None:
            raise UnreadableVideoError
        still = _image(shown)
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
    (pixels,) = frame.planes
    size = (frame.width, frame.height)
    return Image.frombytes("RGB", size, bytes(pixels), "raw", "RGB", pixels.line_size)


def _duration(video: VideoFile) -> Fraction:
    return (video.picture.duration or 0) * base_of(video.picture)
