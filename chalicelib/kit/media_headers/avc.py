"""The configuration of an H.264 decoder (`avcC`): chroma, bit depth, interlacing and colours.

ISO/IEC 14496-15 section 5.3.3; ITU-T H.264 section 7.3.2.1.1.
"""

from contextlib import suppress
from typing import Final

from chalicelib.kit.media_headers.bits import Bits, EndOfBitsError
from chalicelib.kit.media_headers.coding import CHROMA, Pictures, Usability, read_usability

_SETS_AT: Final = 6
_HIGH: Final = frozenset({44, 83, 86, 100, 110, 118, 122, 128, 134, 135, 138, 139, 244})
_BASELINE_CHROMA: Final = 1
_FULL_CHROMA: Final = 3
_ORDER_BY_CYCLE: Final = 1
_MOST_IN_CYCLE: Final = 255


def read_avc(configuration: bytes) -> Pictures:
    """Return what the first parameter set says; None for everything if it is broken."""
    length = int.from_bytes(configuration[_SETS_AT : _SETS_AT + 2])
    unit = configuration[_SETS_AT + 2 : _SETS_AT + 2 + length]
    try:
        return _read_set(Bits.of_unit(unit[1:]))
    except EndOfBitsError:
        return Pictures()


def _read_set(bits: Bits) -> Pictures:
    profile = bits.take(8)
    bits.skip(16)
    bits.number()
    chroma, depth = _BASELINE_CHROMA, 8
    if profile in _HIGH:
        chroma, depth = _read_high(bits)
    bits.number()
    _skip_order(bits)
    bits.number()
    bits.skip(1)
    bits.number()
    bits.number()
    whole_frames = bits.flag()
    if not whole_frames:
        bits.skip(1)
    bits.skip(1)
    if bits.flag():  # cropping
        for _ in range(4):
            bits.number()
    said = Usability()
    with suppress(EndOfBitsError):
        said = read_usability(bits) if bits.flag() else said
    return Pictures(
        chroma=CHROMA[chroma],
        bit_depth=depth,
        interlaced=not whole_frames,
        aspect=said.aspect,
        transfer=said.transfer,
    )


def _read_high(bits: Bits) -> tuple[int, int]:
    chroma = bits.number()
    if chroma > _FULL_CHROMA:
        raise EndOfBitsError
    if chroma == _FULL_CHROMA:
        bits.skip(1)
    depth = 8 + bits.number()
    bits.number()
    bits.skip(1)
    if bits.flag():
        for place in range(12 if chroma == _FULL_CHROMA else 8):
            if bits.flag():
                _skip_scaling(bits, 16 if place < 6 else 64)  # noqa: PLR2004 - six small ones
    return chroma, depth


def _skip_scaling(bits: Bits, size: int) -> None:
    last = following = 8
    for _ in range(size):
        if following:
            following = (last + bits.signed_number()) % 256
        last = following or last


def _skip_order(bits: Bits) -> None:
    kind = bits.number()
    if kind == 0:
        bits.number()
    elif kind == _ORDER_BY_CYCLE:
        bits.skip(1)
        bits.signed_number()
        bits.signed_number()
        count = bits.number()
        if count > _MOST_IN_CYCLE:
            raise EndOfBitsError
        for _ in range(count):
            bits.signed_number()
