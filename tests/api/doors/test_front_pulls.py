"""Files as platforms fetch them, from a real server: exact answers, ranges, memory, bad clients."""

import random
import time
from collections.abc import Iterator

import pytest
import requests

from chalicelib.api.doors.platform_files import BODIES_OF_A_WORKSPACE
from chalicelib.domain.media.types import MediaType
from chalicelib.storage.media.stored_file import StoredFile
from tests.api.doors.forms import Line
from tests.api.doors.front_server import FrontProcess, start_front
from tests.api.doors.pull_room import PullRoom, a_pull_room, path_of
from tests.api.http.pipelines import KEY
from tests.support.emulator import EmulatorProcess

SMALL = random.Random(7).randbytes(5_000)
BLOCK = random.Random(8).randbytes(1_048_576)
LARGE_BYTES = 200 * len(BLOCK)
MOST_MEMORY_MB = 150
SECRET = "0123456789abcdef" * 2


@pytest.fixture(scope="module")
def room(emulator: EmulatorProcess) -> PullRoom:
    return a_pull_room(emulator)


@pytest.fixture(scope="module")
def front(room: PullRoom) -> Iterator[FrontProcess]:
    """Yield one front for all: what a client held is free again soon after it left."""
    started = start_front(room.rooms.settings)
    yield started
    started.stop()


@pytest.fixture(scope="module")
def small(room: PullRoom) -> StoredFile:
    return room.stored(SMALL, MediaType.JPEG, "Été.jpeg")


@pytest.fixture(scope="module")
def large(room: PullRoom) -> StoredFile:
    return room.stored(BLOCK for _ in range(LARGE_BYTES // len(BLOCK)))


def asked(front: FrontProcess, method: str, path: str, **headers: str) -> requests.Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return requests.request(
        method, front.url + path, headers=named, allow_redirects=False, timeout=240
    )


def asking(front: FrontProcess, stored: StoredFile) -> Line:
    """Return a connection that asked for a file."""
    line = Line(front.address)
    line.send(get_head(path_of(stored)))
    return line


def begun(front: FrontProcess, stored: StoredFile, count: int) -> list[Line]:
    """Return connections that were answered and read nothing of the file."""
    lines = [asking(front, stored) for _ in range(count)]
    assert [200] * count == [line.head()[0] for line in lines]
    return lines


def leave(lines: list[Line]) -> None:
    for line in lines:
        line.close()


def get_head(path: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: t\r\n\r\n".encode()


def test_a_platform_gets_the_file_without_a_key(front: FrontProcess, small: StoredFile) -> None:
    answer = asked(front, "GET", path_of(small))

    assert 200 == answer.status_code
    assert answer.content == SMALL
    assert {name: answer.headers[name] for name in ("Content-Type", "Content-Length")} == {
        "Content-Type": "image/jpeg",
        "Content-Length": "5000",
    }
    assert "inline" == answer.headers["Content-Disposition"]
    assert "bytes" == answer.headers["Accept-Ranges"]
    assert "private, max-age=3600" == answer.headers["Cache-Control"]
    assert "nosniff" == answer.headers["X-Content-Type-Options"]
    assert "sandbox" in answer.headers["Content-Security-Policy"]
    assert answer.headers["X-Request-Id"]


def test_head_says_the_same_without_the_file(front: FrontProcess, small: StoredFile) -> None:
    varying = {"x-request-id", "date"}
    got, head = (asked(front, method, path_of(small)) for method in ("GET", "HEAD"))

    assert (200, b"") == (head.status_code, head.content)
    assert {n.lower(): v for n, v in got.headers.items() if n.lower() not in varying} == {
        n.lower(): v for n, v in head.headers.items() if n.lower() not in varying
    }


@pytest.mark.parametrize(
    ("asked_for", "first", "end"),
    [
        ("bytes=0-0", 0, 1),
        ("bytes=10-19", 10, 20),
        ("bytes=4990-", 4990, 5000),
        ("bytes=-10", 4990, 5000),
        ("bytes=0-99999", 0, 5000),
    ],
)
def test_a_range_is_answered_exactly(
    front: FrontProcess, small: StoredFile, asked_for: str, first: int, end: int
) -> None:
    answer = asked(front, "GET", path_of(small), Range=asked_for)

    assert 206 == answer.status_code
    assert answer.content == SMALL[first:end]
    assert f"bytes {first}-{end - 1}/5000" == answer.headers["Content-Range"]
    assert str(end - first) == answer.headers["Content-Length"]


@pytest.mark.parametrize(
    "headers",
    [{"Range": "bytes=0-1,5-6"}, {"Range": "lines=1-2"}, {"Range": "bytes=0-1", "If_Range": '"x"'}],
    ids=["several ranges", "another unit", "a range of another version"],
)
def test_what_is_no_single_range_gets_the_whole_file(
    front: FrontProcess, small: StoredFile, headers: dict[str, str]
) -> None:
    answer = asked(front, "GET", path_of(small), **headers)

    assert (200, SMALL) == (answer.status_code, answer.content)


def test_a_range_beyond_the_end_is_416(front: FrontProcess, small: StoredFile) -> None:
    answer = asked(front, "GET", path_of(small), Range="bytes=5000-")

    assert 416 == answer.status_code
    assert "bytes */5000" == answer.headers["Content-Range"]
    assert "range_not_satisfiable" == answer.json()["error"]["code"]


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
def test_other_methods_are_not_allowed(front: FrontProcess, small: StoredFile, method: str) -> None:
    answer = asked(front, method, path_of(small))

    assert (405, "GET, HEAD") == (answer.status_code, answer.headers["Allow"])
    assert "method_not_allowed" == answer.json()["error"]["code"]


@pytest.mark.parametrize(
    "path",
    [
        f"/v1/pulled/{SECRET}/Ete.jpg",
        "/v1/pulled/x/Ete.jpg",
        f"/v1/pulled/{SECRET}/",
        f"/v1/pulled/{SECRET}",
        "/v1/pulled",
        f"/v1/pulled/{SECRET}/a/b",
    ],
)
def test_an_address_that_nobody_made_is_not_found(front: FrontProcess, path: str) -> None:
    answer = asked(front, "GET", path)

    assert (404, "not_found") == (answer.status_code, answer.json()["error"]["code"])
    assert answer.headers["X-Request-Id"]


def test_an_address_opens_nothing_under_another_name(
    front: FrontProcess, small: StoredFile
) -> None:
    path = path_of(small).replace("Ete.jpg", "page.html")

    assert 404 == asked(front, "GET", path).status_code


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_a_file_that_was_removed_is_not_found(
    front: FrontProcess, room: PullRoom, method: str
) -> None:
    stored = room.stored(SMALL)
    path = path_of(stored)
    room.rooms.store.delete(stored.key)

    assert 404 == asked(front, method, path).status_code


def test_an_object_of_another_size_is_not_the_file(front: FrontProcess, room: PullRoom) -> None:
    stored = room.stored(SMALL)
    path = path_of(stored)
    room.rooms.store.put(stored.key, SMALL[:-1], MediaType.MP4)

    assert 404 == asked(front, "GET", path).status_code


def test_a_connection_serves_one_file_after_another(front: FrontProcess, small: StoredFile) -> None:
    line = Line(front.address)

    for _ in range(3):
        line.send(get_head(path_of(small)))
        assert line.answer().body == SMALL
    line.close()


def test_two_hundred_megabytes_go_out_whole_at_constant_memory(
    front: FrontProcess, large: StoredFile
) -> None:
    answer = requests.get(front.url + path_of(large), stream=True, timeout=240)

    pieces = list(map(len, answer.iter_content(1_048_576)))

    print(f"200 MB to a platform: peak {front.peak_mb():.0f} MB")  # noqa: T201 - a figure
    assert LARGE_BYTES == sum(pieces)
    assert front.peak_mb() < MOST_MEMORY_MB


def test_a_client_that_stops_reading_stops_our_reading(
    front: FrontProcess, large: StoredFile, small: StoredFile
) -> None:
    stalled = begun(front, large, 3)

    for _ in range(50):
        asked(front, "GET", path_of(small))

    assert front.peak_mb() < MOST_MEMORY_MB
    leave(stalled)


def test_files_that_are_fetched_slowly_hold_up_no_request(
    front: FrontProcess, large: StoredFile, small: StoredFile
) -> None:
    """As many as may go out at once, all stalled; every one more waits in line."""
    slow = begun(front, large, BODIES_OF_A_WORKSPACE)
    waiting = [asking(front, small) for _ in range(10)]
    began = time.monotonic()

    listed = asked(front, "GET", "/v1/media", Authorization=f"Bearer {KEY}")
    looked = asked(front, "HEAD", path_of(small))

    assert (200, 200) == (listed.status_code, looked.status_code)
    assert time.monotonic() - began < 5
    leave(slow + waiting)


def test_the_next_in_line_goes_on_when_clients_leave(
    front: FrontProcess, large: StoredFile, small: StoredFile
) -> None:
    slow = begun(front, large, BODIES_OF_A_WORKSPACE)
    waiting = asking(front, small)

    leave(slow)

    assert waiting.answer().body == SMALL
    waiting.close()


def test_a_file_that_leaves_half_way_ends_short_of_its_length(
    front: FrontProcess, room: PullRoom
) -> None:
    """What looked whole and was not would be posted so."""
    stored = room.stored(BLOCK for _ in range(40))
    (line,) = begun(front, stored, 1)

    room.rooms.store.delete(stored.key)

    assert len(line.body(stored.size_bytes)) < stored.size_bytes
    line.close()
