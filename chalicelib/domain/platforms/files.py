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


@dataclass(frozen=True, slots=True, kw_only=True)
class Videos:
    """What is said of the insides of a video; None where nothing is said.

    `longest_s` is for values of `post_type` that take less than `Limits.longest_video`;
    `with_poster` tells that a still goes along, `covers_by_file` that a cover is a picture of its
    own: other platforms take the moment alone.
    """

    mp4_only: bool = False
    index_first: bool = False
    pictures: frozenset[str] | None = None
    sound: frozenset[str] | None = None
    longest_s: Mapping[str, int] = field(default_factory=dict)
    with_poster: bool = False
    covers_by_file: bool = False
