"""Uploads of a gigabyte: constant memory, and a limit that is exact to the byte."""

import os
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest

from chalicelib.domain.media.media import LARGEST_FILE_BYTES
from chalicelib.kit.aws_on_sqlite.address import address_of
from tests.api.doors.forms import BOUNDARY, Line, RawAnswer, chunk, upload_head
from tests.api.doors.front_server import FrontProcess, start_front
from tests.support.emulator import CREDENTIALS, EmulatorProcess, make_resources
from tests.support.sample_media import samples

MOST_MEMORY_MB = 150
BLOCK = bytes(1024 * 1024)
BEFORE = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"\r\n\r\n'.encode()
AFTER = f"\r\n--{BOUNDARY}--\r\n".encode()

pytestmark = pytest.mark.prove


@pytest.fixture
def emulator(tmp_path: Path) -> EmulatorProcess:
    """Return an engine on the disk: others' are in memory."""
    os.environ.update(CREDENTIALS)
    return EmulatorProcess(address_of(tmp_path / "engine", synced=False))


@pytest.fixture
def front(emulator: EmulatorProcess) -> Iterator[FrontProcess]:
    started = start_front(make_resources(emulator.endpoint))
    yield started
    started.stop()


def a_video(size: int) -> Iterator[bytes]:
    """Yield a video of this size: an index in front, then a long `mdat` of nothing."""
    data = samples()["index_last.mp4"].data
    start, at = data[: int.from_bytes(data[:4])], data.index(b"moov") - 4
    head = start + data[at : at + int.from_bytes(data[at : at + 4])]
    rest = size - len(head)
    yield head + struct.pack(">I4sQ", 1, b"mdat", rest)
    left = rest - 16
    while left:
        yield BLOCK[:left]
        left -= min(left, len(BLOCK))


def sent(front: FrontProcess, size: int, *, chunked: bool) -> RawAnswer:
    line = Line(front.address, patience_s=120)
    length = None if chunked else len(BEFORE) + size + len(AFTER)
    framed = chunk if chunked else bytes
    line.send(upload_head(length))
    try:
        for piece in (BEFORE, *a_video(size), AFTER):
            line.send(framed(piece))
        if chunked:
            line.send(b"0\r\n\r\n")
    except BrokenPipeError:
        pass  # refused while we were sending: the answer is there
    answer = line.answer()
    line.close()
    return answer


def test_a_file_of_exactly_a_gigabyte_is_taken_at_constant_memory(front: FrontProcess) -> None:
    answer = sent(front, LARGEST_FILE_BYTES, chunked=False)

    print(f"1 GiB through the front: peak {front.peak_mb():.0f} MB")  # noqa: T201 - a figure
    assert answer.status == 201
    assert front.peak_mb() < MOST_MEMORY_MB


@pytest.mark.parametrize("chunked", [True, False], ids=["chunked", "with a length"])
def test_a_byte_more_is_refused(front: FrontProcess, chunked: bool) -> None:  # noqa: FBT001
    answer = sent(front, LARGEST_FILE_BYTES + 1, chunked=chunked)

    assert (answer.status, answer.code) == (413, "file_too_large")
