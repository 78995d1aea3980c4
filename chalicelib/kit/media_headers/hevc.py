"""The configuration of an HEVC decoder (`hvcC`): chroma, bit depth, interlacing and colours.

Its head repeats what its parameter set says, and some phones leave that out: the set is believed.
ISO/IEC 14496-15 section 8.3.3; ITU-T H.265 section 7.3.2.2.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Final

from chalicelib.kit.media_headers.bits import Bits, EndOfBitsError
from chalicelib.kit.media_headers.coding import CHROMA, Pictures, Usability, read_usability

_HEAD: Final = 23
_FLAGS_AT, _CHROMA_AT, _DEPTH_AT = 6, 16, 17
_PROGRESSIVE, _INTERLACED = 0x80, 0x40
_SEQUENCE_SET: Final = 33
_MOST_SETS: Final = 64
_FULL_CHROMA: Final = 3
_MOST_LONG_TERM: Final = 32


def read_hevc(configuration: bytes) -> Pictures:
    """Return what the first parameter set says, or else the head; None for what is cut off."""
    if len(configuration) < _HEAD:
        return Pictures()
    flags = configuration[_FLAGS_AT]
    told = Pictures(
        chroma=CHROMA[configuration[_CHROMA_AT] & 3],
        bit_depth=8 + (configuration[_DEPTH_AT] & 7),
        interlaced=bool(flags & _INTERLACED) and not flags & _PROGRESSIVE,
    )
    with suppress(EndOfBitsError):
        unit = next((unit for kind, unit in _units(configuration) if kind == _SEQUENCE_SET), b"")
        return _read_set(Bits.of_unit(unit[2:]), told)
    return told


def _units(configuration: bytes) -> Iterator[tuple[int, bytes]]:
    at = _HEAD
    for _ in range(configuration[_HEAD - 1]):
        kind, count = configuration[at : at + 1], int.from_bytes(configuration[at + 1 : at + 3])
        if not kind:
            return
        at += 3
        for _ in range(min(count, _MOST_SETS)):
            length = int.from_bytes(configuration[at : at + 2])
            yield kind[0] & 0x3F, configuration[at + 2 : at + 2 + length]
            at += 2 + length


def _read_set(bits: Bits, told: Pictures) -> Pictures:
    bits.skip(4)
    layers = bits.take(3)
    bits.skip(1)
    _skip_profile(bits, layers)
    bits.number()
    chroma = bits.number()
    if chroma > _FULL_CHROMA:
        raise EndOfBitsError
    if chroma == _FULL_CHROMA:
        bits.skip(1)
    bits.number()
    bits.number()
    if bits.flag():  # window
        _skip_numbers(bits, 4)
    depth = 8 + bits.number()
    bits.number()
    order_bits = bits.number() + 4
    _skip_numbers(bits, 3 * (layers + 1 if bits.flag() else 1) + 6)
    if bits.flag() and bits.flag():
        _skip_scaling(bits)
    bits.skip(2)
    if bits.flag():  # samples as they are
        bits.skip(8)
        bits.number()
        bits.number()
        bits.skip(1)
    _skip_references(bits)
    if bits.flag():
        for _ in range(min(bits.number(), _MOST_LONG_TERM)):
            bits.skip(order_bits + 1)
    bits.skip(2)
    said = read_usability(bits) if bits.flag() else Usability()
    return replace(
        told,
        chroma=CHROMA[chroma],
        bit_depth=depth,
        aspect=said.aspect,
        transfer=said.transfer,
    )


def _skip_numbers(bits: Bits, count: int) -> None:
    for _ in range(count):
        bits.number()


def _skip_profile(bits: Bits, layers: int) -> None:
    bits.skip(96)
    told = [(bits.flag(), bits.flag()) for _ in range(layers)]
    if layers:
        bits.skip(2 * (8 - layers))
    for profile, level in told:
        bits.skip(88 * profile + 8 * level)


def _skip_scaling(bits: Bits) -> None:
    for size in range(4):
        for _ in range(0, 6, 3 if size == _FULL_CHROMA else 1):
            if not bits.flag():
                bits.number()
                continue
            if size > 1:
                bits.signed_number()
            for _ in range(min(64, 1 << (4 + (size << 1)))):
                bits.signed_number()


def _skip_references(bits: Bits) -> None:
    """Skip the reference picture sets, which may build on the one before: section 7.3.7."""
    count = bits.number()
    if count > _MOST_SETS:
        raise EndOfBitsError
    pictures = 0
    for place in range(count):
        if place and bits.flag():
            bits.skip(1)
            bits.number()
            used = 0
            for _ in range(pictures + 1):
                used += bits.flag() or bits.flag()
            pictures = used
            continue
        before, after = bits.number(), bits.number()
        if before + after > _MOST_SETS:
            raise EndOfBitsError
        for _ in range(before + after):
            bits.number()
            bits.skip(1)
        pictures = before + after
