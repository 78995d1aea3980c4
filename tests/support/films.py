"""Short videos coded as phones, cameras, screen recorders and editors code theirs.

    film(Film(codec="libx265", pix_fmt="yuv420p10le", colours=HLG, fps=25))

Encoded for real (PyAV). Each shows a moving edge on an even ground of `luma`, so that a decoded
copy tells how bright it came out and whether pictures are missing.
"""

import functools
import tempfile
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import cast

import av

from tests.support.sample_media import turned

Colours = tuple[int, int, int, int]
"""Primaries, transfer and matrix by the numbers of ITU-T H.273, and the range of FFmpeg."""
NONE: Colours = (2, 2, 2, 0)
BT709: Colours = (1, 1, 1, 1)
BT601: Colours = (6, 6, 6, 1)
FULL: Colours = (1, 1, 1, 2)
HLG: Colours = (9, 18, 9, 1)
PQ: Colours = (9, 16, 9, 1)
P3: Colours = (12, 1, 1, 1)
BT2020: Colours = (9, 14, 9, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Film:
    """How a video is coded; `uneven` are the ticks of 1/1000 s that pictures last, in turn."""

    codec: str = "libx264"
    pix_fmt: str = "yuv420p"
    size: tuple[int, int] = (640, 360)
    fps: float = 30
    seconds: float = 4
    luma: int = 190
    colours: Colours = BT709
    squeeze: Fraction | None = None
    options: tuple[tuple[str, str], ...] = ()
    sound: str | None = "aac"
    layout: str = "stereo"
    hz: int = 48_000
    container: str = "mp4"
    flags: str = "faststart"
    turned: int = 0
    uneven: tuple[int, ...] = ()
    tag: str | None = None


@functools.cache
def film(how: Film) -> bytes:
    """Return the video."""
    with tempfile.NamedTemporaryFile() as out:
        _encode_to(out.name, how)
        data = Path(out.name).read_bytes()
    return turned(data, how.turned) if how.turned else data


def _encode_to(path: str, how: Film) -> None:
    options = {"movflags": how.flags} if how.flags else {}
    with av.open(path, "w", format=how.container, options=options) as file:
        picture = _picture_track(file, how)
        sound = None
        if how.sound is not None:
            sound = cast("av.AudioStream", file.add_stream(how.sound, rate=how.hz))
            sound.layout = how.layout
            sound.codec_context.open()
        at, number = Fraction(0), 0
        while at < Fraction(how.seconds).limit_denominator(1000):
            file.mux(picture.encode(_frame(number, at, how)))
            lasts = how.uneven[number % len(how.uneven)] if how.uneven else None
            at += Fraction(lasts, 1000) if lasts else 1 / _rate(how)
            number += 1
        if sound is not None:
            _add_sound(file, sound, how)
        file.mux(picture.encode(None))
        if sound is not None:
            file.mux(sound.encode(None))


def _rate(how: Film) -> Fraction:
    return Fraction(how.fps).limit_denominator(1001)


def _picture_track(file: av.container.OutputContainer, how: Film) -> av.VideoStream:
    quick = {"preset": "ultrafast"} if how.codec in {"libx264", "libx265"} else {}
    said = dict(how.options)
    if how.codec == "libx265":
        said["x265-params"] = ":".join(filter(None, ("log-level=none", said.get("x265-params"))))
    stream = file.add_stream(how.codec, rate=_rate(how), options=quick | said)
    track = cast("av.VideoStream", stream)
    track.width, track.height = how.size
    track.pix_fmt = how.pix_fmt
    coded = track.codec_context
    coded.time_base = track.time_base = Fraction(1, 1000) if how.uneven else 1 / _rate(how)
    primaries, transfer, matrix, spread = how.colours
    coded.color_primaries, coded.color_trc, coded.colorspace = primaries, transfer, matrix
    coded.color_range = spread
    if how.squeeze is not None:
        coded.sample_aspect_ratio = how.squeeze
    if how.codec == "libx265":
        coded.codec_tag = how.tag or "hvc1"
    elif how.tag is not None:
        coded.codec_tag = how.tag
    return track


def _frame(number: int, at: Fraction, how: Film) -> av.VideoFrame:
    width, height = how.size
    plain = av.VideoFrame(width, height, "yuv444p")
    edge = number * 8 % width
    row = bytes([235]) * edge + bytes([how.luma]) * (width - edge)
    ground = bytes([how.luma]) * width
    luma, *chroma = plain.planes
    rows = height // 8
    above, below = (_padded(line, luma.line_size) for line in (row, ground))
    luma.update(above * rows + below * (height - rows))
    for plane in chroma:
        plane.update(bytes([128]) * plane.buffer_size)
    frame = plain.reformat(format=how.pix_fmt)
    base = Fraction(1, 1000) if how.uneven else 1 / _rate(how)
    frame.pts, frame.time_base = round(at / base), base
    return frame


def _padded(row: bytes, length: int) -> bytes:
    return row + bytes(length - len(row))


def _add_sound(file: av.container.OutputContainer, track: av.AudioStream, how: Film) -> None:
    resampler = av.AudioResampler(
        format=track.format, layout=track.layout, rate=how.hz, frame_size=track.frame_size or 1024
    )
    samples = round(how.seconds * how.hz)
    silence = av.AudioFrame("s16", how.layout, samples)
    for plane in silence.planes:
        plane.update(bytes(plane.buffer_size))
    silence.sample_rate, silence.pts, silence.time_base = how.hz, 0, Fraction(1, how.hz)
    for piece in (*resampler.resample(silence), *resampler.resample(None)):
        file.mux(track.encode(piece))
