"""The colours of usual screens (BT.709) out of those of HDR, as a table.

`colour_filters` puts it into FFmpeg's filters; for photos `icc_profiles` makes a profile of it. How
bright something comes out is Report ITU-R BT.2446-1, method C: what is lit as usual, up to the
white of paper (203 cd/m2, Report BT.2408), keeps its look, and only what shines is drawn together.
HLG and PQ are those of BT.2100, for a screen of 1000 cd/m2. Computed once a process: nothing of it
depends on a file.
"""

import math
import sys
from array import array
from collections.abc import Callable, Iterator
from functools import cache
from typing import Final

from chalicelib.kit.dataclass import dataclass

LEVEL: Final = 6
"""Of the table: 36 steps of each colour, as a picture of 216 x 216 (a "Hald CLUT")."""
SIDE: Final = LEVEL**3
STEPS: Final = LEVEL**2
_SHARES: Final = tuple(step / (STEPS - 1) for step in range(STEPS))
_FULL: Final = 65_535
_SCREEN: Final = 1_000.0
_SDR_WHITE: Final = 100.0
_GAMMA: Final = 2.4
"""Of BT.1886, by which usual screens show what is written."""

Triple = tuple[float, float, float]
_LUMA_2020: Final = (0.2627, 0.6780, 0.0593)
_TO_709: Final[dict[str, tuple[Triple, Triple, Triple]]] = {
    "bt2020": (
        (1.660491, -0.587641, -0.072850),
        (-0.124550, 1.132900, -0.008349),
        (-0.018151, -0.100579, 1.118730),
    ),
    "p3": (
        (1.224940, -0.224940, 0.0),
        (-0.042057, 1.042057, 0.0),
        (-0.019638, -0.078636, 1.098274),
    ),
    "bt709": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
}
"""Report BT.2407, section 2, and the same for the primaries of Display P3 (SMPTE EG 432-1)."""


@dataclass(frozen=True, slots=True)
class Source:
    """What numbers mean: `light` is hlg, pq or sdr, `primaries` bt2020, p3 or bt709."""

    light: str
    primaries: str


def hlg_light(signal: Triple) -> Triple:
    """Return cd/m2 of a picture in HLG on a screen of 1000 cd/m2: BT.2100 table 5."""
    red, green, blue = (_hlg_scene(value) for value in signal)
    seen: float = sum(
        share * value for share, value in zip(_LUMA_2020, (red, green, blue), strict=True)
    )
    gain = _SCREEN * max(seen, 1e-9) ** 0.2
    return red * gain, green * gain, blue * gain


def _hlg_scene(value: float) -> float:
    a, b, c = 0.17883277, 0.28466892, 0.55991073
    return value * value / 3 if value <= 0.5 else (math.exp((value - c) / a) + b) / 12  # noqa: PLR2004


def pq_light(signal: Triple) -> Triple:
    """Return cd/m2 of a picture in PQ: BT.2100 table 4."""
    red, green, blue = (_pq_channel(value) for value in signal)
    return red, green, blue


def _pq_channel(value: float) -> float:
    m1, m2, c1, c2, c3 = 1305 / 8192, 2523 / 32, 107 / 128, 2413 / 128, 2392 / 128
    root = value ** (1 / m2)
    low: float = max(root - c1, 0.0) / (c2 - c3 * root)
    return float(10_000 * low ** (1 / m1))


def map_brightness(luminance: float) -> float:
    """Return how bright something is shown, in cd/m2 of a usual screen: section 6.1.4."""
    k1, k2, k3, k4 = 0.83802, 15.09968, 0.74204, 78.99439
    knee = 58.5 / k1
    if luminance < knee:
        return k1 * luminance
    return k2 * math.log(luminance / knee - k3) + k4


def _usual(light: Triple, source: Source) -> Triple:
    """Return signals of BT.709 for light of an HDR screen."""
    seen = sum(share * value for share, value in zip(_LUMA_2020, light, strict=True))
    gain = map_brightness(seen) / seen / _SDR_WHITE if seen > 0 else 0.0
    red, green, blue = light
    return _signals_of((red * gain, green * gain, blue * gain), source)


def _signals_of(linear: Triple, source: Source) -> Triple:
    """Return signals of BT.709 for linear light, what is beyond them cut off."""
    red, green, blue = (
        min(1.0, max(0.0, sum(map(float.__mul__, row, linear)))) ** (1 / _GAMMA)
        for row in _TO_709[source.primaries]
    )
    return red, green, blue


def _plain(signal: Triple, source: Source) -> Triple:
    red, green, blue = signal
    return _signals_of((red**_GAMMA, green**_GAMMA, blue**_GAMMA), source)


def convert(signal: Triple, source: Source) -> Triple:
    """Return what a picture's numbers, from 0 to 1, become."""
    if source.light == "sdr":
        return _plain(signal, source)
    light: Callable[[Triple], Triple] = hlg_light if source.light == "hlg" else pq_light
    return _usual(light(signal), source)


@cache
def table(source: Source) -> bytes:
    """Return the table as a picture of 16-bit RGB, `SIDE` pixels wide and high."""
    numbers = array("H")
    for blue in _SHARES:
        for green in _SHARES:
            for red in _SHARES:
                found = convert((red, green, blue), source)
                numbers.extend(round(value * _FULL) for value in found)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()


def light_steps(source: Source) -> Iterator[Triple]:
    """Yield light of BT.709, from 0 to 1, for `STEPS` of each colour, blue first."""
    for red in _SHARES:
        for green in _SHARES:
            for blue in _SHARES:
                one, two, three = convert((red, green, blue), source)
                yield one**_GAMMA, two**_GAMMA, three**_GAMMA
