"""The front against hundreds of clients that begin an upload and stop: measured from outside."""

import select
import socket
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, suppress

import pytest

from chalicelib.api.doors.file_stream import Speed
from chalicelib.api.doors.uploads import UPLOADS_OF_A_WORKSPACE
from chalicelib.domain.errors import FileMissing
from tests.api.doors.forms import Line, form, part, upload_head
from tests.api.doors.front_server import FrontProcess, start_front
from tests.api.doors.test_front_connections import becomes
from tests.support.emulator import EmulatorProcess, make_resources
from tests.support.media_rooms import media_rooms
from tests.support.sample_media import samples

MOST_MB = 200
CLIENTS = 500
VIDEO = samples()["index_last.mp4"].data
LARGE = VIDEO + (60_000_008).to_bytes(4) + b"free" + bytes(60_000_000)


@pytest.fixture
def front(emulator: EmulatorProcess) -> Iterator[FrontProcess]:
    started = start_front(media_rooms(make_resources(emulator.endpoint)).settings)
    yield started
    started.stop()


def _connected(front: FrontProcess, stack: ExitStack) -> socket.socket:
    made = stack.enter_context(socket.create_connection(front.address))
    made.settimeout(3)
    return made


def _told(clients: list[socket.socket]) -> int:
    """Return how many have an answer to read."""
    poll = select.poll()
    for client in clients:
        poll.register(client, select.POLLIN)
    return len(poll.poll(0))


def _status(client: socket.socket) -> str:
    """Return the status that a client was told, nothing while it is to go on."""
    client.settimeout(0.2)
    try:
        return client.recv(12)[9:12].decode()
    except OSError:
        return "goes on"


def _pushes_and_stops(client: socket.socket, body: bytes) -> None:
    client.settimeout(3)
    with suppress(OSError):
        client.sendall(body[:20_000_000])


@pytest.mark.costly
def test_five_hundred_stalled_uploads_hold_little_memory(front: FrontProcess) -> None:
    """Those that get a place send two parts' worth, as fast as it is taken, and stop."""
    body = form(part(LARGE))
    with ExitStack() as stack:
        clients = [_connected(front, stack) for _ in range(CLIENTS)]
        for client in clients:
            client.sendall(upload_head(len(body)))
        refused = CLIENTS - UPLOADS_OF_A_WORKSPACE
        assert becomes(lambda: _told(clients) >= refused, within_s=60)  # each waits for a place

        told = [(_status(client), client) for client in clients]
        for status, client in told:
            if status == "goes on":
                _pushes_and_stops(client, body)

        counted = Counter(status for status, _ in told)
        assert set(counted) == {"503", "goes on"}
        assert counted["goes on"] == UPLOADS_OF_A_WORKSPACE
        peak = front.peak_mb()
        print(f"{CLIENTS} stalled uploads: {peak:.0f} MB at most")  # noqa: T201  # with -s
        assert peak < MOST_MB


def test_a_refused_client_is_told_when_to_come_again_and_then_gets_a_place(
    front: FrontProcess,
) -> None:
    body = form(part(VIDEO))
    with ExitStack() as stack:
        lines = [Line(front.address) for _ in range(UPLOADS_OF_A_WORKSPACE + 1)]
        for line in lines:
            stack.callback(line.close)
            line.send(upload_head(len(body)))
        # Which of them comes last is the server's affair.
        assert becomes(lambda: any(line.has_answer for line in lines), within_s=20)
        (answer,) = [line.answer() for line in lines if line.has_answer]

    assert (answer.status, answer.code) == (503, "busy")
    assert answer.headers["retry-after"] == "5"
    assert becomes(lambda: _uploads(front, body) == 201)


def _uploads(front: FrontProcess, body: bytes) -> int:
    line = Line(front.address)
    line.send(upload_head(len(body)), body)
    status = line.answer().status
    line.close()
    return status


@pytest.mark.parametrize(("a_second", "refused"), [(1, True), (16_000, True), (20_000, False)])
def test_a_client_that_keeps_its_place_with_a_byte_now_and_then_is_refused(
    a_second: int, *, refused: bool
) -> None:
    now = 0.0
    speed = Speed(lambda: now)

    def send_for_a_minute() -> None:
        nonlocal now
        for _ in range(60):
            now += 1
            speed.check(a_second)

    if refused:
        with pytest.raises(FileMissing):
            send_for_a_minute()
    else:
        send_for_a_minute()
