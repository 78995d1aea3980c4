"""How a track is coded, from its sample entry: configurations, colours, pixel aspect ratio.

Called by `tracks`. ISO/IEC 14496-12 section 12; QuickTime File Format "Sample Descriptions"; Dolby
Vision Streams within the ISO Base Media File Format, section 3.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Final

from chalicelib.kit.media_headers.avc import read_avc
from chalicelib.kit.media_headers.bits import Bits, EndOfBitsError
from chalicelib.kit.media_headers.boxes import Box, BoxReader
from chalicelib.kit.media_headers.coding import Pictures, Sound
from chalicelib.kit.media_headers.hevc import read_hevc

_SANE_ASPECT: Final = (Fraction(1, 8), Fraction(8))
_LARGEST_CONFIGURATION: Final = 8_192
_CONFIGURATIONS: Final[Mapping[bytes, Callable[[bytes], Pictures]]] = {
    b"avcC": read_avc,
    b"hvcC": read_hevc,
}
_DOLBY: Final = frozenset({b"dvcC", b"dvvC", b"dvwC"})
_COLOURS: Final = frozenset({b"nclx", b"nclc"})
_FIELDS: Final = 2
_RATES: Final = (
    *(96_000, 88_200, 64_000, 48_000, 44_100, 32_000),
    *(24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350),
)
_CHANNELS: Final = {1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 7: 8, 11: 7, 12: 8, 14: 8}
_EXPLICIT_RATE, _LARGE_TYPE = 15, 31
_SOUND_ENTRY: Final = {0: 28, 1: 44, 2: 64}
_OTHER_CODECS: Final = {
    0x69: "mp3",
    0x6B: "mp3",
    0xA5: "ac3",
    0xA6: "eac3",
    0xA9: "dts",
    0xAD: "opus",
    0xDD: "vorbis",
}
"""Codecs other than AAC in an `mp4a` entry: mp4ra.org, "Object types"."""
_DESCRIPTOR, _DECODER, _SPECIFIC = 3, 4, 5


def read_pictures(reader: BoxReader, boxes_at: int, end: int) -> tuple[Pictures, Fraction]:
    """Return how pictures are coded, and a pixel's width divided by its height."""
    boxes = {box.kind: box for box in reader.walk(boxes_at, end)}
    shown = _pixel_aspect(reader, boxes[b"pasp"]) if b"pasp" in boxes else Fraction(1)
    found = Pictures()
    for kind in _CONFIGURATIONS.keys() & boxes:
        found = _CONFIGURATIONS[kind](reader.payload(boxes[kind], most=_LARGEST_CONFIGURATION))
    for kind in _DOLBY & boxes.keys():
        profile = int.from_bytes(reader.payload(boxes[kind], most=4)[2:4]) >> 9
        found = replace(found, dolby_profile=profile)
    if b"pasp" in boxes:
        found = replace(found, aspect=shown)
    if b"fiel" in boxes:
        fields = reader.payload(boxes[b"fiel"], most=1)
        found = replace(found, interlaced=fields == bytes([_FIELDS]))
    return _with_transfer(reader, boxes.get(b"colr"), found), shown


def _with_transfer(reader: BoxReader, box: Box | None, found: Pictures) -> Pictures:
    said = b"" if box is None else reader.payload(box, most=10)
    if said[:4] not in _COLOURS:
        return found
    return replace(found, transfer=int.from_bytes(said[6:8]))


def _pixel_aspect(reader: BoxReader, box: Box) -> Fraction:
    """Return the aspect ratio of a `pasp`; 1 if it is not between 1:8 and 8:1."""
    data = reader.payload(box, most=8)
    across, down = int.from_bytes(data[:4]), int.from_bytes(data[4:])
    if not across or not down or not _SANE_ASPECT[0] <= Fraction(across, down) <= _SANE_ASPECT[1]:
        return Fraction(1)
    return Fraction(across, down)


def read_sound(reader: BoxReader, entry: Box) -> Sound:
    """Return how sound is coded: by its own configuration, or else by the sample entry."""
    head = reader.payload(entry, most=64)
    version = int.from_bytes(head[8:10])
    if version == 2:  # noqa: PLR2004 - QuickTime's second version says it elsewhere
        return Sound(channels=int.from_bytes(head[40:44]) or None)
    told = Sound(
        channels=int.from_bytes(head[16:18]) or None, rate=int.from_bytes(head[24:26]) or None
    )
    start = entry.start + _SOUND_ENTRY.get(version, _SOUND_ENTRY[0])
    return _from_descriptor(reader, start, entry.end, told)


def _from_descriptor(
    reader: BoxReader, start: int, end: int, told: Sound, *, in_wave: bool = False
) -> Sound:
    for box in reader.walk(start, end):
        if box.kind == b"wave" and not in_wave:  # a hostile file nests thousands
            return _from_descriptor(reader, box.start, box.end, told, in_wave=True)
        if box.kind == b"esds":
            return _read_descriptor(reader.payload(box, most=512)[4:], told)
    return told


def _read_descriptor(data: bytes, told: Sound) -> Sound:
    """Read MPEG-4 descriptors down to the decoder's: ISO/IEC 14496-1 section 7.2.6."""
    at = 0
    while at + 2 <= len(data):
        tag = data[at]
        at, length = _length(data, at + 1)
        if tag == _DESCRIPTOR:
            at += 3
        elif tag == _DECODER:
            told = replace(told, codec=_OTHER_CODECS.get(data[at] if at < len(data) else 0))
            at += 13
        elif tag == _SPECIFIC:
            return _read_aac(data[at : at + length], told)
        else:
            at += length
    return told


def _length(data: bytes, at: int) -> tuple[int, int]:
    length = 0
    for byte in data[at : at + 4]:
        at += 1
        length = length << 7 | byte & 0x7F
        if not byte & 0x80:
            break
    return at, length


def _read_aac(configuration: bytes, told: Sound) -> Sound:
    """Read an AudioSpecificConfig: ISO/IEC 14496-3 section 1.6.2.1."""
    bits = Bits(configuration)
    try:
        kind = bits.take(5)
        kind = 32 + bits.take(6) if kind == _LARGE_TYPE else kind
        place = bits.take(4)
        rate = bits.take(24) if place == _EXPLICIT_RATE else dict(enumerate(_RATES)).get(place)
        channels = _CHANNELS.get(bits.take(4))
    except EndOfBitsError:
        return told
    return replace(
        told, channels=channels or told.channels, rate=rate or told.rate, object_type=kind
    )
