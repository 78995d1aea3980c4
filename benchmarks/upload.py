"""1 GB through the front: memory and CPU of the front, beside bare sockets.

A bare reader throws the bytes away; a bare relay sends them on; one that also searches them for the
form's boundary does what no front can leave out. The front answers HTTP, parses the form, signs and
sends the parts on to S3. Each figure is of one process: neither the client's nor S3's time counts.
A client that uploads straight to S3 costs the front nothing.
"""

import multiprocessing
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path

import psutil

from benchmarks.figures import Beside, Figure
from benchmarks.stack import Stack, running
from tests.support.sample_media import Clip, encode

SIZE_BYTES = 1_000_000_000
_PIECE = 1_048_576
_BOUNDARY = b"\r\n--------------------------3d1f0c5a7e9b2468"
"""As long as curl's."""


def run() -> list[Figure]:
    """Print seconds of CPU a gigabyte and peak memory, of the front, a bare reader and a relay."""
    with tempfile.TemporaryDirectory(prefix="goldenhour-bench-") as folder:
        file = _big_video(Path(folder) / "big.mp4")
        bare, relay = _bare_cpu_s(file, _read_all), _bare_cpu_s(file, _relay_all)
        searched = _bare_cpu_s(file, _search_and_relay_all)
        with running() as stack:
            took, used, peak = _upload(stack, file)
    print(f"1 GB in {took:.1f} s; the front: {used:.2f} CPU-seconds, {peak / 1e6:.0f} MB at most")
    print(f"a bare socket read: {bare:.2f} CPU-seconds, so the front takes {used / bare:.1f} x")
    print(f"a bare relay: {relay:.2f} CPU-seconds, so the front takes {used / relay:.1f} x")
    print(f"a relay that searches for the boundary: {searched:.2f} CPU-seconds, or")
    print(f"{searched / bare:.1f} x a bare read, so the front takes {used / searched:.1f} x")
    return [
        Figure(
            "upload front, CPU-seconds a GB",
            used,
            floor=Beside("bare socket read", bare),
            peer=Beside("bare socket read and sent on", relay),
        )
    ]


def _big_video(path: Path) -> Path:
    """Write a video of 1 GB: a short one with a box of nothing before its index."""
    video = encode(Clip(seconds=1))
    index = video.rindex(b"moov") - 4
    gap = SIZE_BYTES - len(video)
    with path.open("wb") as file:
        file.write(video[:index])
        file.write(gap.to_bytes(4, "big") + b"free")
        file.truncate(index + gap)
        file.seek(index + gap)
        file.write(video[index:])
    return path


def _upload(stack: Stack, file: Path) -> tuple[float, float, int]:
    front = next(
        child
        for child in psutil.Process(stack.process.pid).children()
        if "chalicelib.local.front.program" in child.cmdline()
    )
    peak, over = [0], threading.Event()

    def watch() -> None:
        while not over.wait(0.05):
            peak[0] = max(peak[0], front.memory_info().rss)

    watching = threading.Thread(target=watch)
    watching.start()
    before, began = sum(front.cpu_times()[:2]), time.monotonic()
    subprocess.run(
        ["curl", "-sf", "-o", "/dev/null", "-H", f"Authorization: Bearer {stack.demo['api_key']}",
         "-F", f"file=@{file}", f"{stack.demo_url}/v1/media"],
        check=True,
    )  # fmt: skip
    took, used = time.monotonic() - began, sum(front.cpu_times()[:2]) - before
    over.set()
    watching.join()
    return took, used, peak[0]


def _bare_cpu_s(file: Path, take: Callable[[socket.socket], None]) -> float:
    """Return the CPU seconds of a process that takes the file from a socket."""
    mine, its = multiprocessing.Pipe()
    taker = multiprocessing.Process(target=_take_all, args=(its, take))
    taker.start()
    port = mine.recv()
    with socket.create_connection(("127.0.0.1", port)) as sender, file.open("rb") as source:
        sender.sendfile(source)
    used: float = mine.recv()
    taker.join()
    return used


def _take_all(answer: Connection, take: Callable[[socket.socket], None]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        answer.send(listener.getsockname()[1])
        connection, _ = listener.accept()
        before = time.process_time()
        take(connection)
        answer.send(time.process_time() - before)


def _read_all(connection: socket.socket) -> None:
    piece = bytearray(_PIECE)
    while connection.recv_into(piece):
        pass


def _relay_all(connection: socket.socket) -> None:
    _send_on(connection, lambda _buffer, _size: None)


def _search_and_relay_all(connection: socket.socket) -> None:
    _send_on(connection, lambda buffer, size: buffer.find(_BOUNDARY, 0, size))


def _send_on(connection: socket.socket, search: Callable[[bytearray, int], object]) -> None:
    """Send everything on to a process of its own, whose CPU time does not count."""
    mine, its = multiprocessing.Pipe()
    sink = multiprocessing.Process(target=_take_all, args=(its, _read_all))
    sink.start()
    buffer = bytearray(_PIECE)
    piece = memoryview(buffer)
    with socket.create_connection(("127.0.0.1", mine.recv())) as onward:
        while size := connection.recv_into(piece):
            search(buffer, size)
            onward.sendall(piece[:size])
    sink.join()
