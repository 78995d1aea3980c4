"""How a file's pictures and sound are coded, beyond the codec's name, if platforms check it.

`probing` reads it once; a file that an earlier version probed has no values.
"""

from enum import StrEnum
from typing import Final

from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.media_headers.coding import HLG, PQ, Pictures, Sound


class Light(StrEnum):
    """How bright colours are coded if a usual screen cannot show them as they are.

    `dolby` is Dolby Vision of profile 5: only decoders of Dolby's know its colours.
    """

    HLG = "hlg"
    PQ = "pq"
    DOLBY = "dolby"


_TRANSFERS: Final = {HLG: Light.HLG, PQ: Light.PQ}
_DOLBY_ALONE: Final = 5
_AAC_LC: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Coding:
    """Values from headers; None if they are missing."""

    chroma: str | None = None
    bit_depth: int | None = None
    light: Light | None = None
    interlaced: bool = False
    oblong_pixels: bool = False
    channels: int | None = None
    sound_hz: int | None = None
    other_aac: bool = False


NOTHING_SAID: Final = Coding()


def coding_of(pictures: Pictures, sound: Sound | None) -> Coding:
    """Return the headers' values, in our terms."""
    light = None if pictures.transfer is None else _TRANSFERS.get(pictures.transfer)
    heard = sound or Sound()
    return Coding(
        chroma=pictures.chroma,
        bit_depth=pictures.bit_depth,
        light=Light.DOLBY if pictures.dolby_profile == _DOLBY_ALONE else light,
        interlaced=pictures.interlaced,
        oblong_pixels=pictures.aspect not in {None, 1},
        channels=heard.channels,
        sound_hz=heard.rate,
        other_aac=heard.object_type not in {None, _AAC_LC},
    )
