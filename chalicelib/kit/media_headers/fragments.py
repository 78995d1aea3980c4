"""Fragmented MP4: the duration of a video's `moof` boxes, without reading all of them.

A short file is read to its end. In a long one, the last fragments are found near the end, by the
random access index (`mfra`) or by the chain of boxes that ends with the file. ISO/IEC 14496-12 8.8.
"""

from collections.abc import Iterable, Iterator

from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.media_headers.boxes import Box, BoxReader
from chalicelib.kit.media_headers.ranged_file import UnreadableError, damage_error
from chalicelib.kit.media_headers.tracks import Track, unsigned_numbers

TAIL_BYTES = 1024 * 1024
READS_BEFORE_TAIL = 3
_MOST_CANDIDATES = 64
_MFRO_BYTES = 16

_BASE_OFFSET, _DESCRIPTION, _DEFAULT_DURATION = 0x1, 0x2, 0x8
_DATA_OFFSET, _FIRST_FLAGS, _DURATIONS = 0x1, 0x4, 0x100
_PER_SAMPLE = (0x100, 0x200, 0x400, 0x800)


@dataclass(frozen=True, slots=True)
class Fragment:
    """What one `moof` adds to the video track, in the track's ticks."""

    starts: int | None
    samples: int
    ticks: int

    @property
    def ends(self) -> int | None:
        """Return the decode time right after the fragment, None if its start is unknown."""
        return None if self.starts is None else self.starts + self.ticks


class Fragments:
    """Reads the fragments of one video track."""

    def __init__(self, reader: BoxReader, *, picture: Track, moov: Box) -> None:
        self._reader = reader
        self._track_id = picture.track_id
        self._default_duration = _declared_default(reader, moov, picture.track_id)

    def in_all(self, moofs: Iterable[Box]) -> list[Fragment]:
        """Return a Fragment for each run of the track inside these `moof` boxes."""
        return [
            part
            for moof in moofs
            for traf in self._reader.inside(moof)
            if traf.kind == b"traf"
            for part in self._in_traf(traf)
        ]

    def end_at_tail(self) -> int | None:
        """Return the decode time at which a long file ends; None if its end does not tell."""
        moof_at = self._indexed_moof()
        for start in [moof_at] if moof_at is not None else self._candidates():
            ends = [part.ends for part in self._from(start) if part.ends is not None]
            if ends:
                return max(ends)
        return None

    def _from(self, start: int) -> list[Fragment]:
        """Return the fragments from `start` to the file's end; none if boxes do not fill it."""
        try:
            boxes = list(self._reader.walk(start, self._reader.file.size))
        except UnreadableError:
            return []
        return self.in_all(box for box in boxes if box.kind == b"moof")

    def _indexed_moof(self) -> int | None:
        """Return where `mfra` says that the track's last fragment begins."""
        file = self._reader.file
        tail_at, tail = file.tail(TAIL_BYTES)
        size = int.from_bytes(tail[-4:])
        if tail[-_MFRO_BYTES + 4 : -_MFRO_BYTES + 8] != b"mfro" or not 0 < size <= len(tail):
            return None
        mfra = self._reader.box_at(tail_at + len(tail) - size, file.size)
        indexes = [box for box in self._reader.inside(mfra) if box.kind == b"tfra"]
        last = [_last_moof(self._reader.payload(box), self._track_id) for box in indexes]
        return next((at for at in last if at is not None), None)

    def _candidates(self) -> Iterator[int]:
        """Yield offsets near the file's end at which a `moof` box may begin, in order."""
        tail_at, tail = self._reader.file.tail(TAIL_BYTES)
        found = -1
        for _ in range(_MOST_CANDIDATES):
            found = tail.find(b"moof", found + 1)
            if found < 0:
                return
            if tail[found + 8 : found + 12] == b"mfhd":
                yield tail_at + found - 4

    def _in_traf(self, traf: Box) -> Iterator[Fragment]:
        reader = self._reader
        header = reader.payload(reader.require(traf, b"tfhd"), most=32)
        if int.from_bytes(header[4:8]) != self._track_id:
            return
        each = _default_of(header, otherwise=self._default_duration)
        clock = reader.child(traf, b"tfdt")
        at = None if clock is None else _decode_time(reader.payload(clock, most=12))
        for box in reader.inside(traf):
            if box.kind == b"trun":
                samples, ticks = _run(reader.payload(box), each)
                yield Fragment(at, samples, ticks)
                at = None if at is None else at + ticks


def _declared_default(reader: BoxReader, moov: Box, track_id: int) -> int:
    """Return the sample duration that `trex` sets for a track's fragments."""
    for box in reader.inside(reader.require(moov, b"mvex")):
        trex = reader.payload(box, most=16) if box.kind == b"trex" else b""
        if trex and int.from_bytes(trex[4:8]) == track_id:
            return int.from_bytes(trex[12:16])
    return 0


def _decode_time(tfdt: bytes) -> int:
    return int.from_bytes(tfdt[4:12] if tfdt[:1] == b"\1" else tfdt[4:8])


def _default_of(tfhd: bytes, *, otherwise: int) -> int:
    flags = int.from_bytes(tfhd[1:4])
    if not flags & _DEFAULT_DURATION:
        return otherwise
    at = 8 + 8 * bool(flags & _BASE_OFFSET) + 4 * bool(flags & _DESCRIPTION)
    return int.from_bytes(tfhd[at : at + 4])


def _run(trun: bytes, each: int) -> tuple[int, int]:
    """Return how many samples a `trun` lists and how many ticks they take."""
    flags, samples = int.from_bytes(trun[1:4]), int.from_bytes(trun[4:8])
    if not flags & _DURATIONS:
        return samples, samples * each
    at = 8 + 4 * bool(flags & _DATA_OFFSET) + 4 * bool(flags & _FIRST_FLAGS)
    columns = sum(bool(flags & column) for column in _PER_SAMPLE)
    if len(trun) < at + samples * columns * 4:
        raise damage_error("a fragment of it is cut short")
    return samples, sum(unsigned_numbers(trun[at : at + samples * columns * 4])[::columns])


def _last_moof(tfra: bytes, track_id: int) -> int | None:
    """Return the offset in the last entry of a track's `tfra`, whose fields vary in width."""
    if int.from_bytes(tfra[4:8]) != track_id:
        return None
    sizes = int.from_bytes(tfra[8:12])
    entries = int.from_bytes(tfra[12:16])
    wide = 8 if tfra[:1] == b"\1" else 4
    entry = 2 * wide + sum((sizes >> shift & 3) + 1 for shift in (0, 2, 4))
    at = 16 + (entries - 1) * entry
    if entries == 0 or len(tfra) < at + entry:
        return None
    return int.from_bytes(tfra[at + wide : at + 2 * wide])
