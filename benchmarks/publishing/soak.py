"""A soak in short form: what the publishing process keeps of posts that are out, counted.

Rounds of posts are made ready, fired in real threads at their second and forgotten, in one process
and without waiting for the time in between. The first rounds start the threads and fill what is
kept on purpose; after them nothing may grow. Python's objects are counted after a collection, and
before it those that only a collection frees; memory is what the process has of its own then.
"""

import ctypes
import gc
import os
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

from benchmarks.figures import Figure
from chalicelib.bootstrap.engine import CALLS_AT_START
from chalicelib.kit.limits.thread_places import Call, ThreadPlaces
from chalicelib.kit.limits.thread_pool import ThreadPool
from chalicelib.storage.engine.claims import MessageKind, TargetRef
from chalicelib.workers.publishing.alarm import Alarm
from chalicelib.workers.publishing.firing import FireWorker
from tests.api.http_house import a_house
from tests.api.http_room import Room
from tests.support.emulator import start_embedded

EACH, FIRST_ROUNDS, ROUNDS = 50, 6, 18
_PLATFORMS = ("linkedin", "facebook", "threads", "bluesky")
_THREADS = 16
_TOLD = 8
_AHEAD = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Kept:
    """What a process holds at one moment."""

    kinds: Counter[str]
    in_cycles: int
    resident_kb: int

    @property
    def objects(self) -> int:
        """Return how many objects there are that Python's collector knows."""
        return self.kinds.total()


def run() -> list[Figure]:
    """Print what grew over the later rounds, by kind, and how much of it per thousand posts."""
    emulator = start_embedded()
    try:
        with tempfile.TemporaryDirectory() as folder:
            room = a_house(emulator, Path(folder)).room()
            return _soak(room, _worker(room.house.deployment.engine.fire_worker))
    finally:
        emulator.stop()


def _soak(room: Room, worker: FireWorker) -> list[Figure]:
    for number in range(FIRST_ROUNDS):
        _round(room, worker, number)
    before = _kept()
    gc.disable()
    for number in range(ROUNDS):
        _round(room, worker, FIRST_ROUNDS + number)
    after = _kept()
    thousands = EACH * ROUNDS / 1_000
    objects = (after.objects - before.objects) / thousands
    megabytes = (after.resident_kb - before.resident_kb) / 1_024 / thousands
    grown = (after.kinds - before.kinds).most_common(_TOLD)
    print(f"after {EACH * ROUNDS} posts {after.objects - before.objects:+} objects: {grown}")
    print(f"{after.resident_kb / 1_024:.1f} MB, {megabytes:+.1f} per 1,000 posts")
    print(f"{after.in_cycles / EACH / ROUNDS:.1f} objects a post were freed by a collection only")
    return [
        Figure("objects kept per 1,000 posts that are out", objects),
        Figure("MB kept per 1,000 posts that are out", megabytes),
        Figure("objects of a post that only a collection frees", after.in_cycles / EACH / ROUNDS),
    ]


def _worker(deployed: FireWorker) -> FireWorker:
    """Return the deployed worker with places as one machine has them, but fewer."""

    def places(name: str, rests: ThreadPlaces | None = None) -> ThreadPlaces:
        return ThreadPlaces(ThreadPool(_THREADS, name), _THREADS, rests, at_start=CALLS_AT_START)

    calls = places("fire", places("outcome"))
    alarm = Alarm[Call](deployed.wall, calls.begin)
    return replace(deployed, places=calls, armers=places("arm"), alarm=alarm)


def _round(room: Room, worker: FireWorker, number: int) -> None:
    """Bring posts out that are due in one second, each fired at it."""
    clock, at = room.house.clock, room.in_(hours=1)
    for place in range(EACH):
        post = room.draft(_PLATFORMS[place % 4], caption=f"Bread {number} {place}")
        room.act(post, "schedule", {"at": at})
    clock.now += timedelta(minutes=51)
    room.run_due()
    refs = [replace(ref, kind=MessageKind.TICK) for ref in room.waking(clock() + _AHEAD)]
    if len(refs) != EACH:
        sys.exit(f"{len(refs)} of {EACH} targets wake")
    clock.now = refs[0].wake_at - timedelta(seconds=5)
    _fire(room, worker, refs)
    clock.now += timedelta(minutes=1)
    left = room.waking(clock() + _AHEAD)
    if left:
        sys.exit(f"{len(left)} targets are not out")


def _fire(room: Room, worker: FireWorker, refs: Sequence[TargetRef]) -> None:
    """Arm targets, let their second come, and wait until their outcomes are kept."""
    work = threading.Thread(target=worker.run_all, args=(refs,), daemon=True)
    work.start()
    room.house.clock.now = refs[0].wake_at
    work.join()


def _kept() -> Kept:
    in_cycles = gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
    kinds = Counter(type(one).__name__ for one in gc.get_objects())
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return Kept(kinds, in_cycles, pages * os.sysconf("SC_PAGE_SIZE") // 1_024)
