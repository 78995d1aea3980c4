"""What a platform's documentation says about the files that it accepts, for its page of facts."""

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction
from typing import Final
from urllib.parse import urlsplit

from chalicelib.kit.dataclass import dataclass

JPEG: Final = "image/jpeg"
PNG: Final = "image/png"
WEBP: Final = "image/webp"


@dataclass(frozen=True, slots=True, kw_only=True)
class Photos:
    """What the documentation says about photos; None where it says nothing.

    `elsewhere` is what servers run by others accept. `box` is the largest width and height in
    pixels; `box_turns` tells that they may be exchanged for a wide photo. `aspects` are the
    smallest and largest width divided by height; `srgb` tells that colours must be sRGB.
    """

    formats: frozenset[str]
    most_bytes: int
    elsewhere: "Elsewhere | None" = None
    box: tuple[int, int] = (4096, 4096)
    box_turns: bool = False
    most_pixels: int | None = None
    aspects: tuple[Fraction, Fraction] | None = None
    srgb: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Elsewhere:
    """What servers run by others accept; hosts of the platform's own servers end in `own`."""

    own: tuple[str, ...]
    most_bytes: int

    def has(self, server: str | None) -> bool:
        """Tell whether a server is run by others; an unknown one counts as such."""
        host = urlsplit(server or "").hostname or ""
        return not any(host == name or host.endswith(f".{name}") for name in self.own)


PLAIN_CHROMA: Final = frozenset({"4:2:0"})
PLAIN_DEPTHS: Final[Mapping[str, int]] = {"h264": 8}


@dataclass(frozen=True, slots=True, kw_only=True)
class Videos:
    """What the documentation says about videos; None where it says nothing.

    `chroma` is the allowed chroma subsampling, `depths` the most bits per colour by codec: what a
    phone's decoder plays, unless the page says more. `shows_hdr` tells that the platform shows HLG
    and PQ correctly, where others show pale pictures; `square_pixels` that other pixels are made
    square; `progressive` that interlaced videos are not accepted. `rates` are the fewest and the
    most frames per second. `least_side`, `most_side` and `most_columns` (the width) limit the
    displayed size in pixels. `plain_sound` is AAC-LC with one or two channels and at most 48 kHz.

    `shortest_s` is the shortest duration in seconds, `longest_s` the longest for values of
    `post_type` whose limit is below `Limits.longest_video`. `with_poster` tells that a still must
    be sent too, `covers_by_file` that a cover can be a picture of its own: other platforms accept
    only a moment of the video.
    """

    mp4_only: bool = False
    index_first: bool = False
    pictures: frozenset[str] | None = None
    chroma: frozenset[str] | None = PLAIN_CHROMA
    depths: Mapping[str, int] = field(default_factory=lambda: PLAIN_DEPTHS)
    shows_hdr: bool = False
    square_pixels: bool = True
    progressive: bool = False
    rates: tuple[int, int] | None = None
    least_side: int = 0
    most_columns: int | None = None
    most_side: int | None = None
    aspects: tuple[Fraction, Fraction] | None = None
    most_bits_per_s: int | None = None
    sound: frozenset[str] | None = None
    plain_sound: bool = False
    shortest_s: float = 0.0
    longest_s: Mapping[str, int] = field(default_factory=dict)
    with_poster: bool = False
    covers_by_file: bool = False
    cover: "Cover | None" = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cover:
    """What a picture must be to become a video's cover; it is always converted to JPEG.

    It is cut to `aspect`, its width divided by its height, or with `like_video` to the video's.
    """

    most_bytes: int
    box: tuple[int, int] = (4096, 4096)
    aspect: Fraction | None = None
    like_video: bool = False
