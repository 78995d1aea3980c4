"""Small videos and photos of every kind the service takes or refuses, made when first asked for.

    sample = samples()["turned90.mp4"]     # .data and, if it is taken, .found: what it must be

Encoded for real (PyAV, Pillow), so that probing is tried on what encoders write; 3 s in all.
"""

import functools
import io
import struct
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import cast

import av
from PIL import Image

from chalicelib.domain.media.types import MediaType

WIDTH, HEIGHT = 320, 180


class Sample:
    """A file; `found` is (type, seconds, width, height), None when it is to be refused."""

    def __init__(
        self,
        make: Callable[[], bytes],
        found: tuple[MediaType, float | None, int, int] | None = None,
    ) -> None:
        self.found = found
        self._make = make

    @functools.cached_property
    def data(self) -> bytes:
        """Make the file when it is first asked for: some take a second."""
        return self._make()


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


@functools.cache
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
    plain, quicktime = Clip(), Clip(container="mov")
    in_fragments = "frag_keyframe+empty_moov+default_base_moof"
    fragmented = Clip(flags=in_fragments, with_sound=False)
    tall = (HEIGHT, WIDTH)
    # Encoding minutes of sound takes seconds, so the long ones have as little of it as AAC allows.
    three = Clip(seconds=180, fps=2, sound_hz=8_000)
    eleven = Clip(seconds=660, fps=1, sound_hz=8_000)
    return {
        "index_last.mp4": Sample(lambda: encode(plain), (mp4, 4, WIDTH, HEIGHT)),
        "index_first.mp4": Sample(lambda: encode(Clip(flags="faststart")), (mp4, 4, WIDTH, HEIGHT)),
        "fragmented.mp4": Sample(lambda: encode(fragmented), (mp4, 4, WIDTH, HEIGHT)),
        "silent.mp4": Sample(lambda: encode(Clip(with_sound=False)), (mp4, 4, WIDTH, HEIGHT)),
        "portrait.mp4": Sample(lambda: encode(Clip(size=tall)), (mp4, 4, *tall)),
        "hevc.mp4": Sample(lambda: encode(Clip(codec="libx265")), (mp4, 4, WIDTH, HEIGHT)),
        "plain.mov": Sample(lambda: encode(quicktime), (mov, 4, WIDTH, HEIGHT)),
        "no_ftyp.mov": Sample(lambda: _without_type(encode(quicktime)), (mov, 4, WIDTH, HEIGHT)),
        "turned90.mp4": Sample(lambda: turned(encode(plain), 90), (mp4, 4, *tall)),
        "turned180.mov": Sample(lambda: turned(encode(quicktime), 180), (mov, 4, WIDTH, HEIGHT)),
        "turned270.mov": Sample(lambda: turned(encode(quicktime), 270), (mov, 4, *tall)),
        "three_minutes.mp4": Sample(lambda: encode(three), (mp4, 180, WIDTH, HEIGHT)),
        "eleven_minutes.mp4": Sample(lambda: encode(eleven), (mp4, 660, WIDTH, HEIGHT)),
    }


def _photos() -> dict[str, Sample]:
    jpeg, png, webp = MediaType.JPEG, MediaType.PNG, MediaType.WEBP
    upright, lying = (40, 30), (30, 40)
    frames = [Image.new("RGB", upright, colour) for colour in ("red", "blue")]
    return {
        "plain.jpg": Sample(lambda: _photo("JPEG"), (jpeg, None, *upright)),
        "progressive.jpg": Sample(lambda: _photo("JPEG", progressive=True), (jpeg, None, *upright)),
        "cmyk.jpg": Sample(lambda: _photo("JPEG", mode="CMYK"), (jpeg, None, *upright)),
        "exif3.jpg": Sample(lambda: _photo("JPEG", exif=_exif(3)), (jpeg, None, *upright)),
        "exif6.jpg": Sample(lambda: _photo("JPEG", exif=_exif(6)), (jpeg, None, *lying)),
        "exif8.jpg": Sample(lambda: _photo("JPEG", exif=_exif(8)), (jpeg, None, *lying)),
        "motion_photo.jpg": Sample(lambda: _photo("JPEG") + bytes(200_000), (jpeg, None, *upright)),
        "plain.png": Sample(lambda: _photo("PNG"), (png, None, *upright)),
        "alpha.png": Sample(lambda: _photo("PNG", mode="RGBA"), (png, None, *upright)),
        "exif6.png": Sample(lambda: _photo("PNG", exif=_exif(6)), (png, None, *lying)),
        "plain.webp": Sample(lambda: _photo("WEBP"), (webp, None, *upright)),
        "lossless.webp": Sample(lambda: _photo("WEBP", lossless=True), (webp, None, *upright)),
        "exif6.webp": Sample(lambda: _photo("WEBP", exif=_exif(6)), (webp, None, *lying)),
        "animated.webp": Sample(
            lambda: _photo("WEBP", save_all=True, append_images=frames), (webp, None, *upright)
        ),
        "a_jpeg_named.mp4": Sample(lambda: _photo("JPEG"), (jpeg, None, *upright)),
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

    video, jpeg, png = Clip(seconds=1), _photo("JPEG"), _photo("PNG")
    program = b"MZ\x90\0" + bytes(120) + b"PE\0\0" + bytes(512)
    files: dict[str, Callable[[], bytes]] = {
        "empty.mp4": lambda: b"",
        "one_byte.jpg": lambda: b"\xff",
        "animated.gif": lambda: _photo("GIF"),
        "bitmap.bmp": lambda: _photo("BMP"),
        "print.tiff": lambda: _photo("TIFF"),
        "photo.heic": lambda: of_brand(b"heic"),
        "photo.avif": lambda: of_brand(b"avif"),
        "song.m4a": lambda: of_brand(b"M4A "),
        "sound_only.mp4": _sound_alone,
        "program.mp4": lambda: program,
        "program.jpg": lambda: program,
        "page.png": lambda: b"<!doctype html><script>alert(1)</script>",
        "drawing.svg": lambda: b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
        "paper.jpg": lambda: b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n",
        "archive.mov": lambda: b"PK\x03\x04" + bytes(60),
        "webm.mp4": lambda: b"\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01" + bytes(200),
        "cut_no_index.mp4": lambda: encode(video)[: len(encode(video)) * 6 // 10],
        "cut_end.mp4": lambda: encode(Clip(seconds=1, flags="faststart"))[:-100],
        "cut_header.jpg": lambda: jpeg[: len(jpeg) // 8],
        "cut_picture.jpg": lambda: jpeg[:-2],
        "cut_picture.png": lambda: png[:-12],
        "cut_picture.webp": lambda: _photo("WEBP")[:-10],
    }
    return {name: Sample(make) for name, make in files.items()}


def _sound_alone() -> bytes:
    sound = io.BytesIO()
    with av.open(sound, "w", format="mp4") as container:
        stream = _sound_stream(container, 48_000)
        container.mux(stream.encode(_silence(1, 48_000)))
        container.mux(stream.encode(None))
    return sound.getvalue()


def _without_type(quicktime: bytes) -> bytes:
    """Return a QuickTime file as they were before files said their type."""
    return quicktime.replace(quicktime[:20], box(b"wide", bytes(12)), 1)
