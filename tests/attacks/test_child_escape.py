"""What code could do inside the process that reads a file. Who: whoever finds a hole in FFmpeg.

The list of what was forbidden forgot much: signals to threads of other processes, limits of others,
a second process that outlived the conversion, shared memory that no limit counts.
"""

import json
import os
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from chalicelib.workers.media.isolated.converter import Ended, convert
from chalicelib.workers.media.isolated.limits import bare_environment
from chalicelib.workers.media.isolated.process import start_program
from tests.support.sample_media import samples
from tests.workers.media.isolated.memory_places import READS, MemoryPlaces, probed, recipes

_ATTEMPTS = """
import ctypes, json, mmap, os, resource, signal, socket, subprocess, sys, threading
import av, PIL.Image
from chalicelib.workers.media.isolated.limits import confine

victim = int(sys.argv[1])
libc = ctypes.CDLL(None, use_errno=True)
buffer = ctypes.create_string_buffer(4096)


def call(number, *arguments):
    if libc.syscall(ctypes.c_long(number), *map(ctypes.c_long, arguments)) < 0:
        raise OSError(ctypes.get_errno(), "refused")


def path(text):
    return ctypes.addressof(ctypes.create_string_buffer(text.encode()))


attempts = {
    "open": lambda: open("/etc/hostname"),
    "write": lambda: open("/tmp/hostile", "w"),
    "stat": lambda: os.stat("/etc/hostname"),
    "list": lambda: os.listdir("/tmp"),
    "socket": lambda: socket.socket(),
    "pair of sockets": lambda: socket.socketpair(),
    "program": lambda: subprocess.run(["true"]),
    "fork": lambda: os.fork(),
    "kill": lambda: os.kill(victim, 0),
    "kill a group": lambda: os.killpg(victim, 0),
    "tkill": lambda: call(200, victim, signal.SIGTERM),
    "tgkill": lambda: call(234, victim, victim, signal.SIGTERM),
    "queue a signal": lambda: call(129, victim, signal.SIGTERM, ctypes.addressof(buffer)),
    "limits of others": lambda: resource.prlimit(victim, resource.RLIMIT_CPU, (0, 0)),
    "priority of others": lambda: os.setpriority(os.PRIO_PROCESS, victim, 19),
    "processors of others": lambda: os.sched_setaffinity(victim, {0}),
    "memory of others": lambda: call(310, victim, 0, 0, 0, 0, 0),
    "ptrace": lambda: call(101, 16, victim, 0, 0),
    "descriptor of a process": lambda: call(434, victim, 0),
    "clone3 of a process": lambda: call(435, ctypes.addressof(buffer), 88),
    "clone of a process": lambda: call(56, signal.SIGCHLD, 0, 0, 0, 0),
    "outlive the parent": lambda: call(157, 1, 0, 0, 0, 0),
    "shared memory of System V": lambda: call(29, 0, 512_000_000, 0o1600),
    "shared memory": lambda: mmap.mmap(-1, 512_000_000),
    "file in memory": lambda: os.memfd_create("hostile"),
    "remove": lambda: os.unlink("/tmp/nothing-there"),
    "rename": lambda: os.rename("/tmp/nothing-there", "/tmp/nothing-here"),
    "folder": lambda: os.mkdir("/tmp/hostile"),
    "device": lambda: os.mknod("/tmp/hostile"),
    "link": lambda: os.symlink("/etc/hostname", "/tmp/hostile"),
    "rights": lambda: os.chmod("/tmp", 0o1777),
    "rights, newly": lambda: call(452, -100, path("/tmp"), 0o1777, 0),
    "owner": lambda: os.lchown("/tmp", -1, -1),
    "attribute": lambda: os.setxattr("/tmp", "user.hostile", b"1"),
    "times": lambda: os.utime("/tmp"),
    "owner of a pipe's signals": lambda: __import__("fcntl").fcntl(1, 8, victim),
    "terminal": lambda: call(16, 1, 0x5413, ctypes.addressof(buffer)),
    "keys": lambda: call(248, path("user"), path("a"), path("b"), 1, -3),
    "io_uring": lambda: call(425, 8, ctypes.addressof(buffer)),
    "bpf": lambda: call(321, 0, ctypes.addressof(buffer), 72),
    "page faults": lambda: call(323, 0),
    "namespace": lambda: call(272, 0x10000000),
    "events": lambda: call(298, ctypes.addressof(buffer), 0, -1, -1, 0),
    "watch": lambda: call(253),
    "timer": lambda: call(222, 1, 0, ctypes.addressof(buffer)),
    "memory beyond": lambda: bytearray(400_000_000),
}
filtered = confine(20)
done = {}
for name, attempt in attempts.items():
    try:
        attempt()
        done[name] = "carried out"
    except (OSError, MemoryError):
        done[name] = "refused"
ended = []
threads = [threading.Thread(target=ended.append, args=(1,)) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(json.dumps({"filtered": filtered, "threads": len(ended), "done": done}))
"""

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or os.uname().machine != "x86_64",
    reason="The numbers are those of Linux on x86_64.",
)


def test_nothing_is_left_to_code_that_gets_in() -> None:
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]) as victim:
        try:
            told = subprocess.run(
                [sys.executable, "-c", _ATTEMPTS, str(victim.pid)],
                capture_output=True,
                text=True,
                check=True,
                env=bare_environment(),
                timeout=60,
            )
            assert victim.poll() is None
        finally:
            victim.kill()

    found = json.loads(told.stdout)
    assert found["filtered"]
    assert [name for name, how in found["done"].items() if how != "refused"] == []
    assert found["threads"] == 4


def test_what_a_child_started_before_it_was_confined_ends_with_it(tmp_path: Path) -> None:
    """As far as it stays in the child's group: the last line behind the list of calls."""
    data = samples()["plain.jpg"].data
    note = tmp_path / "second"
    program = (
        "import os, sys, time\n"
        "if not os.fork():\n"
        f"    open({str(note)!r}, 'w').write(str(os.getpid())); time.sleep(60)\n"
        f"while not os.path.exists({str(note)!r}): time.sleep(0.01)\n"
        f"{READS}sys.stdout.buffer.write(b'\\xff' * 8); sys.stdout.flush(); time.sleep(60)"
    )
    start = partial(start_program, (sys.executable, "-c", program))
    media = probed(data)

    ended = convert(
        media, recipes(media)[0], MemoryPlaces(data).as_copy_places(), lambda: None, start=start
    )

    assert ended is Ended.UNREADABLE
    assert _is_gone(int(note.read_text()))


def _is_gone(pid: int) -> bool:
    for _ in range(100):
        try:
            if "State:\tZ" in Path(f"/proc/{pid}/status").read_text():
                return True
        except OSError:
            return True
        time.sleep(0.02)
    return False
