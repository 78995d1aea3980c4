"""Copies that platforms get, looked at by decoding them, and the files they are made from.

    seen = look_at(copy)                  # frame numbers, times, beeps: what a person would notice
    video = numbered_video(seconds=12)    # every frame carries its number

Numbered videos are made like the sample media that the service is judged with: the frame's number
in blocks at the top, a flash and a beep at the beginning of every second.
"""

import functools
import io
import math
import random
import tempfile
from array import array
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import cast

import av
from PIL import Image

from chalicelib.storage.media.seekable import SeekableObject

RATE = 48_000
BITS = 16
_BEEP = [int(12_000 * math.sin(2 * math.pi * 1000 * i / RATE)) for i in range(RATE // 10)]
_SECOND = array("h", _BEEP + [0] * (RATE - len(_BEEP))).tobytes()


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbered:
    """How a numbered video is encoded; `noise` is the share of its pictures that is noise."""

    seconds: int = 12
    fps: int = 30
    size: tuple[int, int] = (160, 96)
    gop: int = 60
    codec: str = "libx264"
    container: str = "mp4"
    flags: str = ""
    sound: str | None = "aac"
    open_gop: bool = False
    noise: float = 0.0


@functools.cache
def numbered_video(how: Numbered = Numbered()) -> bytes:
    """Return a video whose frames say which they are."""
    with tempfile.NamedTemporaryFile() as out:
        _encode_to(out.name, how)
        return Path(out.name).read_bytes()


def _encode_to(path: str, how: Numbered) -> None:
    options = {"movflags": how.flags} if how.flags else {}
    with av.open(path, "w", format=how.container, options=options) as file:
        picture = cast(
            "av.VideoStream", file.add_stream(how.codec, rate=how.fps, options=_encoder(how))
        )
        picture.width, picture.height, picture.pix_fmt = *how.size, "yuv420p"
        if how.codec == "libx265":
            picture.codec_context.codec_tag = "hvc1"
        sound = None
        if how.sound is not None:
            sound = cast("av.AudioStream", file.add_stream(how.sound, rate=RATE, layout="mono"))
        for number in range(how.seconds * how.fps):
            file.mux(picture.encode(_frame(number, how)))
            if sound is not None and number % how.fps == 0:
                file.mux(sound.encode(_beep(number // how.fps)))
        file.mux(picture.encode(None))
        if sound is not None:
            file.mux(sound.encode(None))


def _encoder(how: Numbered) -> dict[str, str]:
    keys = f"keyint={how.gop}:min-keyint={how.gop}:scenecut=0:open-gop={int(how.open_gop)}"
    if how.codec == "libx264":
        return {"preset": "ultrafast", "bf": "2", "x264-params": keys}
    if how.codec == "libx265":
        return {"preset": "ultrafast", "x265-params": f"{keys}:log-level=none:pools=none"}
    return {}


def _frame(number: int, how: Numbered) -> av.VideoFrame:
    width, height = how.size
    frame = av.VideoFrame(width, height, "yuv420p")
    stride, block = frame.planes[0].line_size, width // BITS
    line = bytearray(stride)
    for bit in range(BITS):
        on = number >> (BITS - 1 - bit) & 1
        line[bit * block : (bit + 1) * block] = bytes([235 if on else 16]) * block
    rows = height // 4
    below = bytes([200 if number % how.fps == 0 else 60]) * stride * (height - rows)
    noisy = int(len(below) * how.noise)
    below = below[: len(below) - noisy] + _noise(number, noisy)
    frame.planes[0].update(bytes(line) * rows + below)
    for plane in frame.planes[1:]:
        plane.update(bytes([128]) * plane.buffer_size)
    frame.pts, frame.time_base = number, Fraction(1, how.fps)
    return frame


def _noise(number: int, size: int) -> bytes:
    """Return bytes that no encoder can make small, the same in every run."""
    return random.Random(number).randbytes(size)


def _beep(second: int) -> av.AudioFrame:
    frame = av.AudioFrame("s16", "mono", RATE)
    frame.planes[0].update(_SECOND)
    frame.sample_rate, frame.pts, frame.time_base = RATE, second * RATE, Fraction(1, RATE)
    return frame


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What decoding a video shows. Times are in seconds from its beginning."""

    numbers: list[int]
    begins: float
    ends: float
    sound_ends: float
    flashes: list[float]
    beeps: list[float]
    size: tuple[int, int]

    @property
    def is_contiguous(self) -> bool:
        """Tell whether no frame is missing, doubled or out of order."""
        first = self.numbers[0]
        return self.numbers == list(range(first, first + len(self.numbers)))

    @property
    def skew(self) -> float:
        """Return how far beeps and flashes lie apart at most, in seconds.

        A beep in the first half second may lack its attack, so it is left out.
        """
        later = [flash for flash in self.flashes if flash > 0.5]
        return max(min(abs(flash - beep) for beep in self.beeps) for flash in later)


def look_at(video: bytes, *, fps: int = 30, turns: int = 0) -> Seen:
    """Decode a video; `turns` quarter turns clockwise make its pictures readable again."""
    numbers, times, ends, size = [], [], 0.0, (0, 0)
    with av.open(io.BytesIO(video), "r", format="mov") as file:
        for frame in file.decode(file.streams.video[0]):
            numbers.append(_number(frame, turns))
            times.append(frame.time or 0.0)
            ends = times[-1] + float((frame.duration or 0) * (frame.time_base or 0))
            size = (frame.width, frame.height)
    beeps, sound_ends = _beeps(video)
    return Seen(
        numbers=numbers,
        begins=times[0],
        ends=ends,
        sound_ends=sound_ends,
        flashes=[at for at, number in zip(times, numbers, strict=True) if number % fps == 0],
        beeps=beeps,
        size=size,
    )


def number_of(picture: Image.Image) -> int:
    """Return which frame of a numbered video an upright still shows."""
    block, row = picture.width / BITS, picture.height // 8
    grey = picture.convert("L")
    lit = [cast("int", grey.getpixel((int(block * (bit + 0.5)), row))) > 125 for bit in range(BITS)]
    return int("".join(str(int(on)) for on in lit), 2)


def _number(frame: av.VideoFrame, turns: int) -> int:
    lightness = frame.planes[0]  # as of every picture in YUV
    plane, stride = bytes(lightness), lightness.line_size
    width, height = (frame.width, frame.height) if turns % 2 == 0 else (frame.height, frame.width)
    block, row, number = width // BITS, height // 8, 0
    for bit in range(BITS):
        x, y = bit * block + block // 2, row
        x, y = _turned(x, y, frame.width, frame.height, turns)
        number = number << 1 | (plane[y * stride + x] > 125)
    return number


def _turned(x: int, y: int, width: int, height: int, turns: int) -> tuple[int, int]:
    """Return where a pixel went when the picture was turned clockwise."""
    match turns % 4:
        case 1:
            return width - 1 - y, x
        case 2:
            return width - 1 - x, height - 1 - y
        case 3:
            return y, height - 1 - x
        case _:
            return x, y


def _beeps(video: bytes) -> tuple[list[float], float]:
    """Return when beeps begin, and when the sound ends."""
    beeps: list[float] = []
    ends = 0.0
    with av.open(io.BytesIO(video), "r", format="mov") as file:
        if not file.streams.audio:
            return beeps, ends
        alike = av.AudioResampler(format="flt", layout="mono")
        for heard in file.decode(file.streams.audio[0]):
            (frame,) = alike.resample(heard)
            samples = array("f", bytes(frame.planes[0])[: frame.samples * 4])
            for place in range(0, frame.samples, 32) if _is_loud(samples) else ():
                at = (frame.time or 0.0) + place / frame.sample_rate
                loud = _is_loud(samples[place : place + 32])
                if loud and (not beeps or at - beeps[-1] > 0.5):
                    beeps.append(at)
            ends = (frame.time or 0.0) + frame.samples / frame.sample_rate
    return beeps, ends


def _is_loud(samples: "array[float]") -> bool:
    return max(samples) > 0.1 or min(samples) < -0.1


def seekable(data: bytes) -> SeekableObject:
    """Return bytes as the child reads a stored file."""
    return SeekableObject(lambda offset, length: data[offset : offset + length], len(data))
