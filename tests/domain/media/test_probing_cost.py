"""A file of 1 GB costs a handful of ranged reads, wherever its index lies."""

import struct
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from chalicelib.domain.media.media import Probed
from chalicelib.domain.media.probing import probe
from tests.support.sample_media import box, samples

SIZE = 1_000_000_000
TICKS = 15_360
MOST_READS = 5
MOST_BYTES = 3_000_000


@dataclass(slots=True)
class HugeFile:
    """A file of 1 GB of which only some pieces are not zero; it counts what is read."""

    pieces: dict[int, bytes]
    size: int = SIZE
    reads: list[int] = field(default_factory=list)

    def read(self, offset: int, length: int) -> bytes:
        length = min(length, self.size - offset)
        self.reads.append(length)
        found = bytearray(length)
        for start, data in self.pieces.items():
            first, last = max(start, offset), min(start + len(data), offset + length)
            if first < last:
                found[first - offset : last - offset] = data[first - start : last - start]
        return bytes(found)

    def probed(self) -> Probed:
        return probe(self.read, self.size)

    def is_cheap(self) -> bool:
        return len(self.reads) <= MOST_READS and sum(self.reads) <= MOST_BYTES


def parts_of(name: str) -> tuple[bytes, bytes]:
    """Return the beginning and the index of a sample video."""
    data = samples()[name].data
    index_at = data.index(b"moov") - 4
    index = data[index_at : index_at + int.from_bytes(data[index_at : index_at + 4])]
    return data[: int.from_bytes(data[:4])], index


def pictures(length: int) -> bytes:
    """Return the header of an `mdat` box."""
    return struct.pack(">I4sQ", 1, b"mdat", length)


def with_index_last(name: str) -> HugeFile:
    start, index = parts_of(name)
    at = SIZE - len(index)
    return HugeFile({0: start, len(start): pictures(at - len(start)), at: index})


def with_index_first(name: str) -> HugeFile:
    start, index = parts_of(name)
    at = len(start) + len(index)
    return HugeFile({0: start + index, at: pictures(SIZE - at)})


def in_fragments(count: int, *, with_random_access_index: bool) -> HugeFile:
    """Return a fragmented video of `count` seconds: fragments of a second, 30 frames each."""
    start, index = parts_of("fragmented.mp4")
    pieces = {0: start + index}
    each = (SIZE - 100_000) // count
    at = len(pieces[0])
    for number in range(count):
        moof_at = at
        moof = fragment(number)
        pieces[at] = moof + pictures(each - len(moof))
        at += each
    tail = random_access_index(moof_at, count - 1) if with_random_access_index else b""
    pieces[at] = tail
    return HugeFile(pieces, at + len(tail))


def fragment(number: int) -> bytes:
    tfhd = box(b"tfhd", struct.pack(">III", 0x8, 1, TICKS // 30))
    tfdt = box(b"tfdt", struct.pack(">IQ", 1 << 24, number * TICKS))
    trun = box(b"trun", struct.pack(">II", 0, 30))
    return box(b"moof", box(b"mfhd", bytes(8)), box(b"traf", tfhd, tfdt, trun))


def random_access_index(moof_at: int, second: int) -> bytes:
    entry = struct.pack(">QQBBB", second * TICKS, moof_at, 1, 1, 1)
    tfra = box(b"tfra", struct.pack(">IIII", 1 << 24, 1, 0, 1), entry)
    return box(b"mfra", tfra, box(b"mfro", struct.pack(">II", 0, 8 + len(tfra) + 16)))


LAYOUTS: dict[str, tuple[Callable[[], HugeFile], float]] = {
    "index last": (lambda: with_index_last("index_last.mp4"), 4),
    "index first": (lambda: with_index_first("index_first.mp4"), 4),
    "MOV": (lambda: with_index_last("plain.mov"), 4),
    "HEVC": (lambda: with_index_last("hevc.mp4"), 4),
    "turned": (lambda: with_index_first("turned90.mp4"), 4),
    "large fragments": (lambda: in_fragments(100, with_random_access_index=True), 100),
    "small fragments, indexed": (
        lambda: in_fragments(5_000, with_random_access_index=True),
        5_000,
    ),
    "small fragments": (lambda: in_fragments(5_000, with_random_access_index=False), 5_000),
}
"""How files are laid out, and their seconds; each is made by its own test."""


@pytest.mark.parametrize(("make", "seconds"), LAYOUTS.values(), ids=LAYOUTS)
def test_a_gigabyte_costs_at_most_five_reads_of_three_megabytes(
    make: Callable[[], HugeFile], seconds: float
) -> None:
    file = make()

    found = file.probed()

    assert seconds == found.duration_s
    assert file.is_cheap()


def test_large_fragments_without_any_index_are_visited_one_by_one() -> None:
    """Nothing else tells how long such a video is; 40 jumps are still bearable."""
    file = in_fragments(40, with_random_access_index=False)

    found = file.probed()

    assert found.duration_s == 40
    assert len(file.reads) <= 48
