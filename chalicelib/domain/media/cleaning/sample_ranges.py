"""Where in a file its tracks' samples are: only these are pictures and sound.

ISO/IEC 14496-12 sections 8.7 and 8.8.
"""

import sys
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise

from chalicelib.domain.media.cleaning.outcome import UncleanableError
from chalicelib.kit.media_headers.boxes import Box, BoxReader
from chalicelib.kit.media_headers.tracks import unsigned_numbers

Range = tuple[int, int]
_BASE, _DESCRIPTION, _DURATION, _SIZE, _FROM_MOOF = 0x1, 0x2, 0x8, 0x10, 0x20000
_OFFSET, _FIRST_FLAGS, _SIZES = 0x1, 0x4, 0x200
_COLUMNS = (0x100, 0x200, 0x400, 0x800)


def chunk_offsets(reader: BoxReader, stbl: Box) -> "Sequence[int]":
    """Return where the chunks of a track begin."""
    short, wide = reader.child(stbl, b"stco"), reader.child(stbl, b"co64")
    if short is not None:
        return _numbers(reader.payload(short), 8)
    if wide is None:
        raise UncleanableError
    data = reader.payload(wide)
    count = int.from_bytes(data[4:8])
    if len(data) < 8 + 8 * count:
        raise UncleanableError
    offsets = array("Q", data[8 : 8 + 8 * count])
    if sys.byteorder == "little":
        offsets.byteswap()
    return offsets


def _numbers(data: bytes, at: int, columns: int = 1) -> "array[int]":
    """Return a table of 32-bit numbers, preceded by their count."""
    length = 4 * columns * int.from_bytes(data[at - 4 : at])
    if len(data) < at + length:
        raise UncleanableError
    return unsigned_numbers(data[at : at + length])


def chunk_ranges(
    reader: BoxReader, stbl: Box, offsets: Sequence[int], starts: Sequence[int] | None
) -> Iterator[Range]:
    """Yield the range of each chunk of a track.

    With `starts`, where all chunks of the file begin, one of samples that are all of one size ends
    where the next begins: what QuickTime calls the size of a sample of sound is none.
    """
    box = reader.child(stbl, b"stsz")
    if box is None:
        raise UncleanableError
    head = reader.payload(box, most=12)
    each, count = int.from_bytes(head[4:8]), int.from_bytes(head[8:12])
    if each and starts is not None:
        for at in offsets:
            place = bisect_right(starts, at)
            yield at, starts[place] if place < len(starts) else sys.maxsize
        return
    sums = None if each else list(accumulate(_numbers(reader.payload(box), 12), initial=0))
    sample = 0
    for chunk, samples in _samples_by_chunk(reader, stbl, len(offsets)):
        last = min(sample + samples, count)
        length = (last - sample) * each if sums is None else sums[last] - sums[sample]
        yield offsets[chunk], offsets[chunk] + length
        sample = last


def _samples_by_chunk(reader: BoxReader, stbl: Box, chunks: int) -> Iterator[tuple[int, int]]:
    runs = _numbers(reader.payload(reader.require(stbl, b"stsc")), 8, 3)
    firsts, samples = runs[0::3], runs[1::3]
    if any(b <= a for a, b in pairwise(firsts)) or (firsts and not firsts[0]):
        raise UncleanableError
    for number, first in enumerate(firsts):
        last = firsts[number + 1] - 1 if number + 1 < len(firsts) else chunks
        for chunk in range(first - 1, min(last, chunks)):
            yield chunk, samples[number]


def default_sizes(reader: BoxReader, trexes: Iterable[Box]) -> dict[int, int]:
    """Return the default size of a fragment's samples, by track."""
    heads = [reader.payload(box, most=24) for box in trexes]
    return {int.from_bytes(head[4:8]): int.from_bytes(head[16:20]) for head in heads}


class FragmentRanges:
    """The ranges of the samples of one `moof`."""

    def __init__(self, reader: BoxReader, moof: Box, defaults: dict[int, int]) -> None:
        self._reader = reader
        self._moof = moof
        self._defaults = defaults
        self._ended = moof.at

    def track_id(self, tfhd: Box) -> int:
        """Return which track a fragment continues."""
        return int.from_bytes(self._reader.payload(tfhd, most=8)[4:8])

    def of_track(self, tfhd: Box, truns: Iterable[Box]) -> Iterator[Range]:
        """Yield the ranges of a track's runs."""
        head = self._reader.payload(tfhd, most=40)
        flags, at = int.from_bytes(head[1:4]), 8
        base = self._moof.at if flags & _FROM_MOOF else self._ended
        if flags & _BASE:
            base, at = int.from_bytes(head[8:16]), 16
        each = self._defaults.get(int.from_bytes(head[4:8]), 0)
        at += 4 * bool(flags & _DESCRIPTION) + 4 * bool(flags & _DURATION)
        if flags & _SIZE:
            each = int.from_bytes(head[at : at + 4])
        place = base
        for trun in truns:
            place, length = self._run(self._reader.payload(trun), base, place, each)
            yield place, place + length
            place += length
        self._ended = place

    def _run(self, trun: bytes, base: int, place: int, each: int) -> tuple[int, int]:
        flags, samples, at = int.from_bytes(trun[1:4]), int.from_bytes(trun[4:8]), 8
        if flags & _OFFSET:
            place = base + int.from_bytes(trun[8:12], signed=True)
            at += 4
        at += 4 * bool(flags & _FIRST_FLAGS)
        if not flags & _SIZES:
            return place, samples * each
        columns = [column for column in _COLUMNS if flags & column]
        table = trun[at : at + samples * len(columns) * 4]
        if len(table) < samples * len(columns) * 4:
            raise UncleanableError
        return place, sum(unsigned_numbers(table)[columns.index(_SIZES) :: len(columns)])
