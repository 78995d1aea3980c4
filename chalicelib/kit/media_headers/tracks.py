"""The tracks that a video's index (`moov`) lists: codec, size, rotation and length of each.

Only headers and the time table (`stts`) are read; the far larger sample tables are skipped.
Called by `mp4`. ISO/IEC 14496-12 sections 8.3 to 8.6; QuickTime File Format "Movie Atoms".
"""

import struct
import sys
from array import array
from collections.abc import Iterator, Sequence
from fractions import Fraction

from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.media_headers.boxes import Box, BoxReader
from chalicelib.kit.media_headers.coding import Pictures, Sound
from chalicelib.kit.media_headers.ranged_file import damage_error
from chalicelib.kit.media_headers.sample_entries import read_pictures, read_sound

PICTURE, SOUND = b"vide", b"soun"
MOST_TRACKS = 64
_MOST_EDITS = 10_000
_MOST_ODD_EDITS = 100
"""The most edits with a rate other than 1: FFmpeg reads the media once more for each."""

_AS_IT_IS = 1 << 16
_ENCRYPTED = frozenset({b"encv", b"enca", b"drmi", b"drms"})
_TRACK_IS_ENABLED = 1
_VISUAL_ENTRY_BYTES = 86
_ENTRY = 8
_COUNTED_AT = {b"stsz": 8, b"stz2": 8, b"stsc": 4, b"stco": 4, b"co64": 4}
_SAMPLE_TABLES = 3
"""Sizes, chunks and offsets: players find no sample without one of them (8.7)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Track:
    """One track; `media_s` is the duration of its listed samples, `shown_s` that of its edits.

    A track of pictures has no samples where a table that says where they are lists none.
    """

    track_id: int
    handler: bytes
    enabled: bool
    timescale: int
    samples: int
    media_s: Fraction
    shown_s: Fraction | None
    has_edits: bool
    codec: bytes
    width: int
    height: int
    turned: bool
    pictures: Pictures
    sound: Sound


def timescale_of(reader: BoxReader, header: Box) -> int:
    """Return the ticks per second that a `mvhd` or `mdhd` declares. Raises UnreadableError."""
    head = reader.payload(header, most=32)
    at = 20 if head[:1] == b"\1" else 12
    timescale = int.from_bytes(head[at : at + 4])
    if len(head) < at + 4 or timescale == 0:
        raise damage_error("its clock is missing")
    return timescale


def is_turned(matrix: bytes) -> bool:
    """Tell whether a display matrix rotates the picture by 90 or 270 degrees."""
    if len(matrix) < 20:  # noqa: PLR2004 - a, b, u, c, d of the nine numbers
        return False
    a, b, _, c, d = struct.unpack_from(">5i", matrix)
    return bool(a == 0 and d == 0 and b != 0 and c != 0)


def read_tracks(reader: BoxReader, moov: Box) -> Iterator[Track]:
    """Yield picture and sound tracks. Raises UnreadableError if one is broken or protected."""
    movie_timescale = timescale_of(reader, reader.require(moov, b"mvhd"))
    traks = [box for box in reader.inside(moov) if box.kind == b"trak"]
    if len(traks) > MOST_TRACKS:
        raise damage_error("it has too many tracks")
    for trak in traks:
        mdia = reader.require(trak, b"mdia")
        handler = reader.payload(reader.require(mdia, b"hdlr"), most=12)[8:12]
        if handler in {PICTURE, SOUND}:
            yield _read_track(reader, trak, mdia, handler, movie_timescale)


def main_track(tracks: Sequence[Track], handler: bytes) -> Track | None:
    """Return the first enabled track of a kind, else the first of that kind, else None."""
    fitting = [track for track in tracks if track.handler == handler]
    return next((track for track in fitting if track.enabled), fitting[0] if fitting else None)


def _read_track(
    reader: BoxReader, trak: Box, mdia: Box, handler: bytes, movie_timescale: int
) -> Track:
    table = reader.require(mdia, b"minf", b"stbl")
    timescale = timescale_of(reader, reader.require(mdia, b"mdhd"))
    are_placed = handler != PICTURE or _places_samples(reader, table)
    samples, ticks = _time_table(reader, table) if are_placed else (0, 0)
    edits = _edits(reader, trak)
    media_s = Fraction(ticks, timescale)
    shown_s = _played_seconds(edits, media_s, movie_timescale)
    header = _TrackHeader.of(reader.payload(reader.require(trak, b"tkhd"), most=96))
    entry = _sample_entry(reader, table, visual=handler == PICTURE)
    return Track(
        track_id=header.track_id,
        handler=handler,
        enabled=header.enabled,
        timescale=timescale,
        samples=samples,
        media_s=media_s,
        shown_s=shown_s,
        has_edits=shown_s is not None or _shifts(edits),
        codec=entry.codec,
        width=entry.width or header.width,
        height=entry.height or header.height,
        turned=header.turned,
        pictures=entry.pictures,
        sound=entry.sound,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _TrackHeader:
    track_id: int
    enabled: bool
    width: int
    height: int
    turned: bool

    @classmethod
    def of(cls, tkhd: bytes) -> "_TrackHeader":
        longer = 12 if tkhd[:1] == b"\1" else 0
        if len(tkhd) < 84 + longer:
            raise damage_error("a track of it has no header")
        id_at, matrix_at, size_at = (20 if longer else 12), 40 + longer, 76 + longer
        return cls(
            track_id=int.from_bytes(tkhd[id_at : id_at + 4]),
            enabled=bool(tkhd[3] & _TRACK_IS_ENABLED),
            width=int.from_bytes(tkhd[size_at : size_at + 2]),
            height=int.from_bytes(tkhd[size_at + 4 : size_at + 6]),
            turned=is_turned(tkhd[matrix_at : matrix_at + 36]),
        )


def _time_table(reader: BoxReader, table: Box) -> tuple[int, int]:
    """Return how many samples `stts` lists and how many ticks they take together."""
    stts = reader.payload(reader.require(table, b"stts"))
    entries = int.from_bytes(stts[4:8])
    if len(stts) < _ENTRY + entries * _ENTRY:
        raise damage_error("its time table is cut short")
    numbers = unsigned_numbers(stts[_ENTRY : _ENTRY + entries * _ENTRY])
    counts, deltas = numbers[0::2], numbers[1::2]
    return sum(counts), sum(map(int.__mul__, counts, deltas))


def _places_samples(reader: BoxReader, table: Box) -> bool:
    """Tell whether the tables of sizes, chunks and offsets all list something."""
    tables = [
        (box, _COUNTED_AT[box.kind]) for box in reader.inside(table) if box.kind in _COUNTED_AT
    ]
    counts = [reader.payload(box, most=at + 4)[at:] for box, at in tables]
    return sum(map(any, counts)) >= _SAMPLE_TABLES


def unsigned_numbers(data: bytes) -> "array[int]":
    """Return big-endian 32-bit numbers as an array."""
    numbers = array("I", data)
    if sys.byteorder == "little":
        numbers.byteswap()
    return numbers


def _edits(reader: BoxReader, trak: Box) -> list[tuple[int, int]]:
    """Return (length in movie ticks, media time) of each edit; media time -1 shows nothing."""
    edts = reader.child(trak, b"edts")
    elst = edts and reader.child(edts, b"elst")
    if not elst:
        return []
    head = reader.payload(elst, most=_ENTRY)
    entry = struct.Struct(">Qqi" if head[:1] == b"\1" else ">Iii")
    count = int.from_bytes(head[4:8])
    if count > _MOST_EDITS or elst.length < _ENTRY + count * entry.size:
        raise damage_error("its edit list is cut short")
    data = reader.payload(elst, most=_ENTRY + count * entry.size)[_ENTRY:]
    found = list(entry.iter_unpack(data))
    if sum(rate != _AS_IT_IS for *_, rate in found) > _MOST_ODD_EDITS:
        raise damage_error("it stands still, or runs backwards, again and again")
    return [(length, media_time) for length, media_time, _ in found]


def _played_seconds(
    edits: list[tuple[int, int]], media_s: Fraction, timescale: int
) -> Fraction | None:
    """Return the duration of the edits if it is less than the media's, else None.

    Phones trim videos with an edit list. A length of 0 means "the rest" (fragmented files), and a
    difference below one movie tick is rounding.
    """
    ticks = sum(length for length, media_time in edits if media_time >= 0)
    shown_s = Fraction(ticks, timescale)
    rounding = Fraction(1, timescale)
    return shown_s if ticks and shown_s + rounding <= media_s else None


def _shifts(edits: list[tuple[int, int]]) -> bool:
    """Tell whether edits do more than play the media from its start."""
    return len(edits) > 1 or any(media_time != 0 for _, media_time in edits)


@dataclass(frozen=True, slots=True, kw_only=True)
class _SampleEntry:
    """The codec's four letters, and for pictures the displayed size."""

    codec: bytes
    width: int = 0
    height: int = 0
    pictures: Pictures = Pictures()
    sound: Sound = Sound()


def _sample_entry(reader: BoxReader, table: Box, *, visual: bool) -> _SampleEntry:
    stsd = reader.require(table, b"stsd")
    if stsd.length < _ENTRY + _ENTRY:
        raise damage_error("a track of it names no codec")
    entry = reader.box_at(stsd.start + _ENTRY, stsd.end)
    if entry.kind in _ENCRYPTED:
        raise damage_error("it is protected against copying")
    if not visual:
        return _SampleEntry(codec=entry.kind, sound=read_sound(reader, entry))
    head = reader.payload(entry, most=_VISUAL_ENTRY_BYTES - _ENTRY)
    if len(head) < _VISUAL_ENTRY_BYTES - _ENTRY:
        raise damage_error("its picture track is incomplete")
    width, height = int.from_bytes(head[24:26]), int.from_bytes(head[26:28])
    boxes_at = entry.start + _VISUAL_ENTRY_BYTES - _ENTRY
    pictures, aspect = read_pictures(reader, boxes_at, entry.end)
    return _SampleEntry(
        codec=entry.kind, width=round(width * aspect), height=height, pictures=pictures
    )
