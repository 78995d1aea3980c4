"""Small videos and photos of every kind the service takes or refuses, made once per test run.

    sample = samples()["turned90.mp4"]     # .data and, if it is taken, .found: what it must be

Encoded for real (PyAV, Pillow), so that probing is tried on what encoders write; 3 s in all.
"""

import functools
import io
import struct
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import cast

import av
from PIL import Image

from chalicelib.domain.media.types import MediaType

WIDTH, HEIGHT = 320, 180


@dataclass(frozen=True, slots=True)
class Sample:
    """A file; `found` is (type, seconds, width, height), None when it is to be refused."""

    data: bytes = field(repr=False)
    found: tuple[MediaType, float | None, int, int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Clip:
    """How to encode a video; `flags` are the muxer's."""

    seconds: int = 4
    fps: int = 30
    size: tuple[int, int] = (WIDTH, HEIGHT)
    codec: str = "libx264"
    container: str = "mp4"
    flags: str = ""
    with_sound: bool = True
    sound_hz: int = 48_000


@functools.cache
def samples() -> Mapping[str, Sample]:
    """Return every sample by name."""
    return {**_videos(), **_photos(), **_refused()}


def encode(clip: Clip) -> bytes:
    """Return a grey video with a silent sound track."""
    with tempfile.NamedTemporaryFile() as out:
        _encode_to(out.name, clip)
        return Path(out.name).read_bytes()


def _encode_to(path: str, clip: Clip) -> None:
    options = {"movflags": clip.flags} if clip.flags else {}
    quick = {"preset": "ultrafast", "x265-params": "log-level=none"}
    with av.open(path, "w", format=clip.container, options=options) as container:
        stream = container.add_stream(clip.codec, rate=clip.fps, options=quick)
        picture = cast("av.VideoStream", stream)
        picture.width, picture.height, picture.pix_fmt = *clip.size, "yuv420p"
        sound = _sound_stream(container, clip.sound_hz) if clip.with_sound else None
        for number in range(clip.seconds * clip.fps):
            frame = _grey(clip.size)
            frame.pts, frame.time_base = number, Fraction(1, clip.fps)
            container.mux(picture.encode(frame))
        container.mux(picture.encode(None))
        if sound is not None:
            container.mux(sound.encode(_silence(clip.seconds, clip.sound_hz)))
            container.mux(sound.encode(None))


def box(kind: bytes, *parts: bytes) -> bytes:
    """Return one box of an MP4 file."""
    body = b"".join(parts)
    return struct.pack(">I", 8 + len(body)) + kind + body


def turned(video: bytes, degrees: int) -> bytes:
    """Return the video with a display matrix that turns its picture."""
    one = 0x10000
    matrix = {90: (0, one, -one, 0), 180: (-one, 0, 0, -one), 270: (0, -one, one, 0)}[degrees]
    a, b, c, d = matrix
    at = video.index(b"tkhd") + 4 + 40
    numbers = struct.pack(">9i", a, b, 0, c, d, 0, 0, 0, 0x40000000)
    return video[:at] + numbers + video[at + 36 :]


def _sound_stream(container: "av.container.OutputContainer", hz: int) -> "av.AudioStream":
    return container.add_stream("aac", rate=hz, layout="mono")


def _grey(size: tuple[int, int]) -> "av.VideoFrame":
    frame = av.VideoFrame(*size, "yuv420p")
    for plane in frame.planes:
        plane.update(bytes([128]) * plane.buffer_size)
    return frame


def _silence(seconds: int, hz: int) -> "av.AudioFrame":
    frame = av.AudioFrame("fltp", "mono", seconds * hz)
    frame.planes[0].update(bytes(frame.planes[0].buffer_size))
    frame.sample_rate, frame.pts = hz, 0
    return frame


def _videos() -> dict[str, Sample]:
    mp4, mov = MediaType.MP4, MediaType.MOV
    plain, quicktime = encode(Clip()), encode(Clip(container="mov"))
    in_fragments = "frag_keyframe+empty_moov+default_base_moof"
    fragmented = Clip(flags=in_fragments, with_sound=False)
    old_quicktime = quicktime.replace(quicktime[:20], box(b"wide", bytes(12)), 1)
    tall = (HEIGHT, WIDTH)
    # Encoding minutes of sound takes seconds, so the long ones have as little of it as AAC allows.
    three = encode(Clip(seconds=180, fps=2, sound_hz=8_000))
    eleven = encode(Clip(seconds=660, fps=1, sound_hz=8_000))
    return {
        "index_last.mp4": Sample(plain, (mp4, 4, WIDTH, HEIGHT)),
        "index_first.mp4": Sample(encode(Clip(flags="faststart")), (mp4, 4, WIDTH, HEIGHT)),
        "fragmented.mp4": Sample(encode(fragmented), (mp4, 4, WIDTH, HEIGHT)),
        "silent.mp4": Sample(encode(Clip(with_sound=False)), (mp4, 4, WIDTH, HEIGHT)),
        "portrait.mp4": Sample(encode(Clip(size=tall)), (mp4, 4, *tall)),
        "hevc.mp4": Sample(encode(Clip(codec="libx265")), (mp4, 4, WIDTH, HEIGHT)),
        "plain.mov": Sample(quicktime, (mov, 4, WIDTH, HEIGHT)),
        "no_ftyp.mov": Sample(old_quicktime, (mov, 4, WIDTH, HEIGHT)),
        "turned90.mp4": Sample(turned(plain, 90), (mp4, 4, *tall)),
        "turned180.mov": Sample(turned(quicktime, 180), (mov, 4, WIDTH, HEIGHT)),
        "turned270.mov": Sample(turned(quicktime, 270), (mov, 4, *tall)),
        "three_minutes.mp4": Sample(three, (mp4, 180, WIDTH, HEIGHT)),
        "eleven_minutes.mp4": Sample(eleven, (mp4, 660, WIDTH, HEIGHT)),
    }


def _photos() -> dict[str, Sample]:
    jpeg, png, webp = MediaType.JPEG, MediaType.PNG, MediaType.WEBP
    upright, lying = (40, 30), (30, 40)
    frames = [Image.new("RGB", upright, colour) for colour in ("red", "blue")]
    return {
        "plain.jpg": Sample(_photo("JPEG"), (jpeg, None, *upright)),
        "progressive.jpg": Sample(_photo("JPEG", progressive=True), (jpeg, None, *upright)),
        "cmyk.jpg": Sample(_photo("JPEG", mode="CMYK"), (jpeg, None, *upright)),
        "exif3.jpg": Sample(_photo("JPEG", exif=_exif(3)), (jpeg, None, *upright)),
        "exif6.jpg": Sample(_photo("JPEG", exif=_exif(6)), (jpeg, None, *lying)),
        "exif8.jpg": Sample(_photo("JPEG", exif=_exif(8)), (jpeg, None, *lying)),
        "motion_photo.jpg": Sample(_photo("JPEG") + bytes(200_000), (jpeg, None, *upright)),
        "plain.png": Sample(_photo("PNG"), (png, None, *upright)),
        "alpha.png": Sample(_photo("PNG", mode="RGBA"), (png, None, *upright)),
        "exif6.png": Sample(_photo("PNG", exif=_exif(6)), (png, None, *lying)),
        "plain.webp": Sample(_photo("WEBP"), (webp, None, *upright)),
        "lossless.webp": Sample(_photo("WEBP", lossless=True), (webp, None, *upright)),
        "exif6.webp": Sample(_photo("WEBP", exif=_exif(6)), (webp, None, *lying)),
        "animated.webp": Sample(
            _photo("WEBP", save_all=True, append_images=frames), (webp, None, *upright)
        ),
        "a_jpeg_named.mp4": Sample(_photo("JPEG"), (jpeg, None, *upright)),
    }


def _photo(file_format: str, *, mode: str = "RGB", **options: object) -> bytes:
    out = io.BytesIO()
    Image.linear_gradient("L").resize((40, 30)).convert(mode).save(out, file_format, **options)
    return out.getvalue()


def _exif(orientation: int) -> Image.Exif:
    exif = Image.Exif()
    exif[0x0112] = orientation
    return exif


def _refused() -> dict[str, Sample]:
    def of_brand(brand: bytes) -> bytes:
        ftyp = box(b"ftyp", brand, bytes(4), brand, b"isom")
        return ftyp + box(b"meta", bytes(64)) + box(b"mdat", bytes(256))

    video, jpeg, png = encode(Clip(seconds=1)), _photo("JPEG"), _photo("PNG")
    program = b"MZ\x90\0" + bytes(120) + b"PE\0\0" + bytes(512)
    sound = io.BytesIO()
    with av.open(sound, "w", format="mp4") as container:
        stream = _sound_stream(container, 48_000)
        container.mux(stream.encode(_silence(1, 48_000)))
        container.mux(stream.encode(None))
    files = {
        "empty.mp4": b"",
        "one_byte.jpg": b"\xff",
        "animated.gif": _photo("GIF"),
        "bitmap.bmp": _photo("BMP"),
        "print.tiff": _photo("TIFF"),
        "photo.heic": of_brand(b"heic"),
        "photo.avif": of_brand(b"avif"),
        "song.m4a": of_brand(b"M4A "),
        "sound_only.mp4": sound.getvalue(),
        "program.mp4": program,
        "program.jpg": program,
        "page.png": b"<!doctype html><script>alert(1)</script>",
        "drawing.svg": b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
        "paper.jpg": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n",
        "archive.mov": b"PK\x03\x04" + bytes(60),
        "webm.mp4": b"\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01" + bytes(200),
        "cut_no_index.mp4": video[: len(video) * 6 // 10],
        "cut_end.mp4": encode(Clip(seconds=1, flags="faststart"))[:-100],
        "cut_header.jpg": jpeg[: len(jpeg) // 8],
        "cut_picture.jpg": jpeg[:-2],
        "cut_picture.png": png[:-12],
        "cut_picture.webp": _photo("WEBP")[:-10],
    }
    return {name: Sample(data) for name, data in files.items()}
