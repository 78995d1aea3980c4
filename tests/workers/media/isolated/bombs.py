"""Files that cost far more than they weigh, and files whose bytes were changed at random."""

import io
import random
import struct
import zlib
from typing import cast

import av
from av.video.frame import VideoFrame
from av.video.stream import VideoStream
from PIL import Image

from tests.support.sample_media import samples

_PNG = b"\x89PNG\r\n\x1a\n"


def a_png(width: int, height: int, depth: int, kind: int) -> bytes:
    """Return a PNG of one colour: `kind` 3 has a palette, 2 is RGB, 0 grey, 6 with alpha."""
    channels = {0: 1, 2: 3, 3: 1, 6: 4}[kind]
    row = bytes(1 + width * channels * depth // 8)
    squeezer, packed = zlib.compressobj(9), bytearray()
    for _ in range(height):
        packed += squeezer.compress(row)
    packed += squeezer.flush()
    header = struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, 0)
    palette = _chunk(b"PLTE", bytes(range(256)) * 3) if kind == 3 else b""
    return (
        _PNG
        + _chunk(b"IHDR", header)
        + palette
        + _chunk(b"IDAT", bytes(packed))
        + _chunk(b"IEND", b"")
    )


def an_animated_png(frames: int) -> bytes:
    """Return a PNG with many pictures."""
    out, first = io.BytesIO(), Image.new("RGB", (64, 64))
    others = [Image.new("RGB", (64, 64), (place % 256, 0, 0)) for place in range(1, frames)]
    first.save(out, "PNG", save_all=True, append_images=others)
    return out.getvalue()


def a_jpeg(width: int, height: int, **how: object) -> bytes:
    """Return a black JPEG."""
    out = io.BytesIO()
    Image.new("RGB", (width, height)).save(out, "JPEG", **how)
    return out.getvalue()


def a_webp(width: int, height: int) -> bytes:
    """Return 38 bytes that announce a canvas."""
    size = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    body = b"WEBPVP8X" + struct.pack("<I", 10) + bytes([2, 0, 0, 0]) + size + b"VP8L" + bytes(4)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def a_video(width: int, height: int, codec: str = "libx264", kind: str = "mp4") -> bytes:
    """Return two pictures as a video."""
    out = io.BytesIO()
    with av.open(out, "w", format=kind) as container:
        track = cast("VideoStream", container.add_stream(codec, rate=1))
        track.width, track.height = width, height
        track.pix_fmt = "rgb24" if codec == "qtrle" else "yuv420p"
        for place in range(2):
            frame = VideoFrame(width, height, track.pix_fmt)
            frame.pts = place
            container.mux(track.encode(frame))
        container.mux(track.encode(None))
    return out.getvalue()


def a_video_that_lies(coded: int, declared: int) -> bytes:
    """Return a video whose file names a smaller picture than the pictures do."""
    data = a_video(coded, coded)
    entry = data.index(b"avc1", data.index(b"stsd"))
    named = struct.pack(">HH", declared, declared)
    data = data[: entry + 28] + named + data[entry + 32 :]
    track = data.index(b"tkhd") + 4 + 76
    return data[:track] + struct.pack(">II", declared << 16, declared << 16) + data[track + 8 :]


def a_video_with_edits(count: int) -> bytes:
    """Return a video whose edit list has so many entries."""
    data = a_video(64, 64)
    entries = struct.pack(">IIHH", 1, 0, 1, 0) * count
    listed = _box(b"edts", _box(b"elst", struct.pack(">II", 0, count) + entries))
    return _grown(data, listed)


def a_jpeg_with_segments(count: int) -> bytes:
    """Return a JPEG with so many EXIF segments of 64 KB each before its picture."""
    exif = b"Exif\0\0II*\0" + bytes(65_520)
    segment = b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif
    data = a_jpeg(2_000, 2_000)
    return data[:2] + segment * count + data[2:]


def a_video_with_fragments(count: int) -> bytes:
    """Return a fragmented video that goes on with so many fragments of nothing."""
    header = _box(b"tfhd", struct.pack(">II", 0, 1))
    return samples()["fragmented.mp4"].data + _box(b"moof", _box(b"traf", header)) * count


def _grown(data: bytes, more: bytes) -> bytes:
    """Put a box first into the first track of a file whose index stands last."""
    for name in (b"moov", b"trak"):
        at = data.index(name) - 4
        size = struct.unpack_from(">I", data, at)[0] + len(more)
        data = data[:at] + struct.pack(">I", size) + data[at + 4 :]
    inside = data.index(b"tkhd") - 4
    return data[:inside] + more + data[inside:]


def nested_boxes(depth: int) -> bytes:
    """Return boxes within boxes."""
    inside = b""
    for _ in range(depth):
        inside = _box(b"moov", inside)
    return _box(b"ftyp", b"isom\x00\x00\x00\x00isom") + inside


def mutated(data: bytes, seed: int) -> bytes:
    """Return a file with some bytes changed, some repeated and perhaps its end cut off.

    Half of the files have a single change, so that many pass the probe and are converted.
    """
    dice, changed = random.Random(seed), bytearray(data)
    for _ in range(dice.choice((1, dice.randint(1, 30)))):
        at = dice.randrange(len(changed))
        match dice.randrange(3):
            case 0:
                changed[at] = dice.randrange(256)
            case 1:
                changed[at : at + 4] = dice.choice((b"\xff" * 4, bytes(4), b"\x7f\xff\xff\xff"))
            case _:
                changed[at:at] = changed[at : at + dice.randint(1, 64)]
    if dice.random() < 0.1:
        del changed[dice.randrange(1, len(changed)) :]
    return bytes(changed)


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def _box(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data) + 8) + name + data
