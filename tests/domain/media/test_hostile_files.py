"""Files made to hurt end as UnsupportedMedia, quickly and in little memory, never as a crash."""

import random
import struct
import time
import tracemalloc
import zlib
from collections.abc import Callable, Mapping
from typing import Final

import pytest

from chalicelib.domain.errors import UnsupportedMedia
from chalicelib.domain.media.media import Probed
from chalicelib.domain.media.probing import probe
from tests.support.sample_media import box, samples

SLOWEST_S = 2  # of CPU time: others may use the machine too
MOST_MEMORY = 40_000_000
FTYP = box(b"ftyp", b"isom", bytes(4), b"isomavc1")
MOVIE_HEADER = box(b"mvhd", bytes(12), struct.pack(">I", 1000), bytes(90))
PNG = b"\x89PNG\r\n\x1a\n"
INTERESTING = (0, 1, 2, 7, 8, 0x7FFF_FFFF, 0xFFFF_FFFF)
LANDMARKS = (
    *(b"moov", b"mvhd", b"tkhd", b"mdhd", b"stsd", b"stts", b"elst", b"trun", b"tfhd", b"mfra"),
    *(b"IHDR", b"Exif", b"VP8X", b"EXIF", b"eXIf", b"\xff\xc0", b"\xff\xda"),
)


def probed(data: bytes) -> Probed:
    view = memoryview(data)
    return probe(lambda offset, length: bytes(view[offset : offset + length]), len(data))


def nested(depth: int, kind: bytes = b"moov") -> bytes:
    starts = [struct.pack(">I4s", 8 * (depth - level), kind) for level in range(depth)]
    return b"".join(starts)


def sound_of_boxes(boxes: bytes) -> bytes:
    """Return a movie whose sound track describes its coding by these boxes."""
    entry = box(b"stsd", struct.pack(">II", 0, 1), box(b"mp4a", bytes(28), boxes))
    table = box(b"minf", box(b"stbl", box(b"stts", bytes(8)), entry))
    clock = box(b"mdhd", bytes(12), struct.pack(">I", 1000), bytes(8))
    media = box(b"mdia", clock, box(b"hdlr", bytes(8), b"soun"), table)
    return FTYP + box(b"moov", MOVIE_HEADER, box(b"trak", box(b"tkhd", bytes(84)), media))


def chunk(kind: bytes, data: bytes) -> bytes:
    checksum = zlib.crc32(kind + data)
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", checksum)


def png(width: int, height: int, *others: bytes) -> bytes:
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0))
    return PNG + header + b"".join(others) + chunk(b"IDAT", b"x") + chunk(b"IEND", b"")


def jpeg(width: int, height: int) -> bytes:
    frame = struct.pack(">BHHB", 8, height, width, 3) + bytes(9)
    scan = b"\xff\xda\x00\x02" + bytes(16) + b"\xff\xd9"
    return b"\xff\xd8\xff\xc0" + struct.pack(">H", 2 + len(frame)) + frame + scan


HOSTILE: Final[Mapping[str, Callable[[], bytes]]] = {
    "20,000 nested boxes": lambda: FTYP + nested(20_000),
    "3,000 nested descriptions of sound": lambda: sound_of_boxes(nested(3_000, b"wave")),
    "3 million boxes": lambda: FTYP + box(b"free") * 3_000_000,
    "3 million boxes in the index": lambda: (
        FTYP + box(b"moov", MOVIE_HEADER, box(b"free") * 3_000_000)
    ),
    "300,000 tracks": lambda: FTYP + box(b"moov", MOVIE_HEADER, box(b"trak") * 300_000),
    "an endless box": lambda: FTYP + struct.pack(">I4sQ", 1, b"mdat", 2**64 - 1) + bytes(100),
    "a box smaller than its header": lambda: FTYP + struct.pack(">I4s", 4, b"moov"),
    "false fragments": lambda: (
        samples()["fragmented.mp4"].data + (box(b"moof", b"mfhd" * 2)) * 60_000
    ),
    "20 MB of FF": lambda: b"\xff\xd8" + b"\xff" * 20_000_000,
    "3 million JPEG segments": lambda: b"\xff\xd8" + b"\xff\xe1\x00\x02" * 3_000_000,
    "20 MB of JPEG segments": lambda: b"\xff\xd8" + (b"\xff\xe1\xff\xff" + bytes(65_533)) * 300,
    "a JPEG without an end": lambda: jpeg(40, 30)[:-2] + bytes(20_000_000),
    "20 MB of zeros": lambda: bytes(20_000_000),
    "a million PNG chunks": lambda: png(40, 30, chunk(b"tEXt", b"") * 1_000_000),
    "a PNG of 10,000 megapixels": lambda: png(100_000, 100_000),
    "a PNG without width": lambda: png(0, 30),
    "a JPEG of 4,295 megapixels": lambda: jpeg(65_535, 65_535),
    "a JPEG without height": lambda: jpeg(40, 0),
    "a million WebP chunks": lambda: (
        b"RIFF\xff\xff\0\0WEBPVP8X\x0a\0\0\0\x08" + bytes(9) + b"JUNK\0\0\0\0" * 10**6
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_refused_within_two_seconds(name: str) -> None:
    data = HOSTILE[name]()
    began = time.process_time()

    with pytest.raises(UnsupportedMedia):
        probed(data)

    assert time.process_time() - began < SLOWEST_S


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("300,000 tracks", marks=pytest.mark.prove),  # a second while memory is traced
        *("false fragments", "20 MB of JPEG segments", "20 MB of FF"),
    ],
)
def test_a_hostile_file_takes_little_memory(name: str) -> None:
    data = HOSTILE[name]()
    tracemalloc.start()
    try:
        with pytest.raises(UnsupportedMedia):
            probed(data)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert most < MOST_MEMORY


def test_a_broken_turn_in_a_photo_is_ignored_as_viewers_do() -> None:
    photo = png(40, 30, chunk(b"eXIf", b"II*\0\xff\xff\xff\xff"))

    found = probed(photo)

    assert (found.width, found.height) == (40, 30)


def test_damaged_files_end_as_a_file_or_a_refusal() -> None:
    check_mutations(seed=1, count=100)


@pytest.mark.prove
@pytest.mark.parametrize("seed", range(20))
def test_thousands_of_damaged_files_end_as_a_file_or_a_refusal(seed: int) -> None:
    check_mutations(seed=seed, count=1_000)


def check_mutations(*, seed: int, count: int) -> None:
    """Damage sample files at random; whatever comes out must be sane, and soon."""
    chance = random.Random(seed)
    small = [s.data for s in samples().values() if s.found is not None and len(s.data) < 100_000]
    for _ in range(count):
        data = mutated(chance, chance.choice(small))
        began = time.process_time()
        try:
            found = probed(data)
        except UnsupportedMedia:
            continue
        finally:
            assert time.process_time() - began < SLOWEST_S
        assert found.width > 0
        assert found.height > 0
        assert found.duration_s is None or found.duration_s > 0


def mutated(chance: random.Random, data: bytes) -> bytes:
    damaged = bytearray(data)
    for _ in range(chance.choice([1, 1, 2, 5, 20])):
        at = a_place(chance, damaged)
        match chance.randrange(5):
            case 0:
                damaged[at : at + 1] = bytes([chance.randrange(256)])
            case 1:
                damaged[at : at + 4] = struct.pack(">I", chance.choice(INTERESTING))
            case 2:
                del damaged[max(at, len(damaged) // 2) :]
            case 3:
                damaged[at:at] = chance.randbytes(chance.randrange(1, 30))
            case _:
                del damaged[at : at + chance.randrange(1, 30)]
    return bytes(damaged)


def a_place(chance: random.Random, data: bytearray) -> int:
    """Return an offset, half of the time near something that a parser looks at."""
    landmarks = [at for mark in LANDMARKS if (at := data.find(mark)) >= 0]
    if landmarks and chance.random() < 0.5:
        return max(0, chance.choice(landmarks) + chance.randrange(-8, 40))
    return chance.randrange(max(1, len(data)))


def _with_edits(count: int, rate: int) -> bytes:
    """Return a video whose edits all show its first thirtieth of a second, at a rate."""
    video = samples()["index_first.mp4"].data
    at = video.index(b"trak") - 4
    entries = struct.pack(">IiHH", 30, 0, rate, 0) * count
    listed = box(b"edts", box(b"elst", struct.pack(">II", 0, count), entries))
    trak = int.from_bytes(video[at : at + 4])
    moov = video.index(b"moov") - 4
    size = int.from_bytes(video[moov : moov + 4]) + len(listed)
    whole = video[:at] + (trak + len(listed)).to_bytes(4) + b"trak" + listed + video[at + 8 :]
    return whole[:moov] + size.to_bytes(4) + whole[moov + 4 :]


def test_a_video_that_stands_still_a_thousand_times_is_refused() -> None:
    assert probed(_with_edits(1_000, 1)).duration_s is not None
    with pytest.raises(UnsupportedMedia, match="stands still"):
        probed(_with_edits(1_000, 0))
    with pytest.raises(UnsupportedMedia):
        probed(_with_edits(101, 0xFFFF))
    assert probed(_with_edits(3, 0)).duration_s is not None
