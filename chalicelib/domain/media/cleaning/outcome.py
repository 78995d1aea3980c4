"""What cleaning a photo comes to."""

from dataclasses import field

from chalicelib.kit.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Credits:
    """What the photographer wrote on purpose, each block as its own standard has it, or b""."""

    exif: bytes = b""
    xmp: bytes = b""
    iptc: bytes = b""


@dataclass(frozen=True, slots=True)
class CleanPhoto:
    """A photo of which nothing leaves but what may; `turn` is what its EXIF asked viewers to do.

    No tag says so any more: whoever sends it turns the pixels (1: they are upright).
    """

    data: bytes
    turn: int = 1
    credits: Credits = field(default_factory=Credits)


class UncleanableError(Exception):
    """The file's parts cannot be told apart: only making it anew is safe."""
