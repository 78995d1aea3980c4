"""1 GB through the front: memory and CPU of the front, beside a bare socket that only reads.

The bare reader is the physical limit: it throws the bytes away. The front parses the form, signs
and sends the parts on to S3.
"""

import multiprocessing
import socket
import subprocess
import tempfile
import threading
import time
from multiprocessing.connection import Connection
from pathlib import Path

import psutil

from benchmarks.stack import Stack, running
from tests.support.sample_media import Clip, encode

SIZE_BYTES = 1_000_000_000
_PIECE = 1_048_576


def run() -> None:
    """Print seconds of CPU a gigabyte and peak memory, of the front and of a bare reader."""
    with tempfile.TemporaryDirectory(prefix="goldenhour-bench-") as folder:
        file = _big_video(Path(folder) / "big.mp4")
        bare = _bare_cpu_s(file)
        with running() as stack:
            took, used, peak = _upload(stack, file)
    print(f"1 GB in {took:.1f} s; the front: {used:.2f} CPU-seconds, {peak / 1e6:.0f} MB at most")
    print(f"a bare socket read: {bare:.2f} CPU-seconds, so the front takes {used / bare:.1f} x")


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


def _bare_cpu_s(file: Path) -> float:
    """Return the CPU seconds of a process that reads the file from a socket and drops it."""
    mine, its = multiprocessing.Pipe()
    reader = multiprocessing.Process(target=_read_all, args=(its,))
    reader.start()
    port = mine.recv()
    with socket.create_connection(("127.0.0.1", port)) as sender, file.open("rb") as source:
        sender.sendfile(source)
    used: float = mine.recv()
    reader.join()
    return used


def _read_all(answer: Connection) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        answer.send(listener.getsockname()[1])
        connection, _ = listener.accept()
        before = time.process_time()
        piece = bytearray(_PIECE)
        while connection.recv_into(piece):
            pass
        answer.send(time.process_time() - before)
