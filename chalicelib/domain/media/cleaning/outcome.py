"""The result of cleaning a photo."""

from dataclasses import field

from chalicelib.kit.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Credits:
    """The photographer's credits, each block in the form of its standard, or b""."""

    exif: bytes = b""
    xmp: bytes = b""
    iptc: bytes = b""


@dataclass(frozen=True, slots=True)
class CleanPhoto:
    """A photo without private metadata; `turn` is the orientation that its EXIF had.

    No tag has it any more: the sender must turn the pixels (1: they are upright).
    """

    data: bytes
    turn: int = 1
    credits: Credits = field(default_factory=Credits)


class UncleanableError(Exception):
    """The file's parts cannot be told apart: only re-encoding it is safe."""
