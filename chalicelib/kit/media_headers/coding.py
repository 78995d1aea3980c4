"""How a video's pictures and sound are coded, beyond the codec's name, as its headers say.

`avc` and `hevc` read a decoder's configuration, `sample_entries` the boxes beside it, which take
precedence, as in players. Colour numbers are those of ITU-T H.273.
"""

from fractions import Fraction
from typing import Final

from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.media_headers.bits import Bits

CHROMA: Final = ("4:0:0", "4:2:0", "4:2:2", "4:4:4")
PQ, HLG = 16, 18
_EXTENDED_ASPECT: Final = 255
_ASPECTS: Final = {
    1: Fraction(1),
    2: Fraction(12, 11),
    3: Fraction(10, 11),
    4: Fraction(16, 11),
    5: Fraction(40, 33),
    6: Fraction(24, 11),
    7: Fraction(20, 11),
    8: Fraction(32, 11),
    9: Fraction(80, 33),
    10: Fraction(18, 11),
    11: Fraction(15, 11),
    12: Fraction(64, 33),
    13: Fraction(160, 99),
    14: Fraction(4, 3),
    15: Fraction(3, 2),
    16: Fraction(2),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Pictures:
    """How pictures are coded; None where the file does not say.

    `aspect` is a pixel's width divided by its height, `dolby_profile` the profile of Dolby Vision.
    """

    chroma: str | None = None
    bit_depth: int | None = None
    interlaced: bool = False
    aspect: Fraction | None = None
    transfer: int | None = None
    dolby_profile: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sound:
    """How sound is coded: `rate` in Hz, MPEG-4 `object_type` (2 is AAC-LC), `codec` if not AAC."""

    channels: int | None = None
    rate: int | None = None
    object_type: int | None = None
    codec: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Usability:
    """The beginning of the video usability information (VUI), which H.264 and HEVC share."""

    aspect: Fraction | None = None
    transfer: int | None = None


def read_usability(bits: Bits) -> Usability:
    """Read the VUI up to the colours: H.264 annex E.1.1, H.265 annex E.2.1."""
    aspect = _read_aspect(bits) if bits.flag() else None
    if bits.flag():  # overscan
        bits.skip(1)
    transfer = None
    if bits.flag():  # video signal type
        bits.skip(4)
        if bits.flag():
            bits.skip(8)
            transfer = bits.take(8)
    return Usability(aspect=aspect, transfer=transfer)


def _read_aspect(bits: Bits) -> Fraction | None:
    kind = bits.take(8)
    if kind != _EXTENDED_ASPECT:
        return _ASPECTS.get(kind)
    across, down = bits.take(16), bits.take(16)
    return Fraction(across, down) if across and down else None
