"""What a platform's documentation says of the files that it takes: stated on its page of facts."""

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
    """What is said of photos; None where nothing is said.

    `elsewhere` is what servers of others take, `box` is the largest width and height, and
    `box_turns` tells that a wide photo may fill it lying down; `aspects` are the narrowest and the
    widest; `srgb` that colours must be so.
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
    """What servers take that are not the platform's own, whose hosts end in one of `own`."""

    own: tuple[str, ...]
    most_bytes: int

    def has(self, server: str | None) -> bool:
        """Tell whether a server is somebody else's, as one is that nobody named."""
        host = urlsplit(server or "").hostname or ""
        return not any(host == name or host.endswith(f".{name}") for name in self.own)


PLAIN_CHROMA: Final = frozenset({"4:2:0"})
PLAIN_DEPTHS: Final[Mapping[str, int]] = {"h264": 8}


@dataclass(frozen=True, slots=True, kw_only=True)
class Videos:
    """What is said of the insides of a video; None where nothing is said.

    `chroma` is how finely colours are kept, `depths` the most bits of a colour by codec: what a
    phone's own decoder plays, unless the page says more. `shows_hdr` tells that the platform says
    it shows HLG and PQ, where others make pale pictures of them; `square_pixels` that pixels of
    another shape are made square, `progressive` that nothing else is taken. `rates` are the fewest
    and the most pictures a second; `least_side`, `most_side` and `most_columns` (of a width) the
    size as displayed. `plain_sound` is AAC-LC of one or two channels and 48 kHz at most.

    `longest_s` is for values of `post_type` that take less than `Limits.longest_video`, and
    `shortest_s` the fewest seconds;
    `with_poster` tells that a still goes along, `covers_by_file` that a cover is a picture of its
    own: other platforms take the moment alone.
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
    """What a picture of one's own must be to become a video's cover; a JPEG always is.

    `aspect` is the shape that it is cut to; `like_video` cuts it to the video's own.
    """

    most_bytes: int
    box: tuple[int, int] = (4096, 4096)
    aspect: Fraction | None = None
    like_video: bool = False
