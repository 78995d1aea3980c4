"""Hostile files stay harmless: what they cost, how they end, and what their reader can reach."""

import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import pytest

from chalicelib.domain.media.recipes import Recipe
from chalicelib.workers.media.isolated.converter import (
    Ended,
    LibraryMissingError,
    MemoryShortError,
    convert,
)
from chalicelib.workers.media.isolated.limits import bare_environment
from chalicelib.workers.media.isolated.process import Child, start_program
from tests.support.sample_media import samples
from tests.workers.media.isolated import bombs
from tests.workers.media.isolated.memory_places import (
    READS,
    MemoryPlaces,
    ends,
    probed,
    recipes,
)
from tests.workers.media.isolated.mutations import PLAINLY

pytestmark = pytest.mark.costly

MOST_MEMORY = 400_000_000
_ROOT = Path(__file__).parents[4]
_MEASURE = """
import resource, sys
from tests.workers.media.isolated.memory_places import ends
print(*ends(open(sys.argv[1], "rb").read()))
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024)
"""

BOMBS = {
    "palette": lambda: bombs.a_png(10_488, 10_488, 8, 3),
    "16 bits": lambda: bombs.a_png(10_000, 10_000, 16, 2),
    "rgb": lambda: bombs.a_png(12_000, 9_000, 8, 2),
    "alpha": lambda: bombs.a_png(10_000, 10_000, 8, 6),
    "animated png": lambda: bombs.an_animated_png(300),
    "progressive jpeg": lambda: bombs.a_jpeg(12_000, 9_000, progressive=True),
    "jpeg": lambda: bombs.a_jpeg(12_000, 9_000),
    "colour profile": lambda: bombs.a_jpeg(2_000, 2_000, icc_profile=bytes(4_000_000)),
    "webp canvas": lambda: bombs.a_webp(16_384, 16_384),
    "small webp canvas": lambda: bombs.a_webp(10_000, 10_000),
    "declared smaller": lambda: bombs.a_video_that_lies(coded=4096, declared=64),
    "edits": lambda: bombs.a_video_with_edits(9_999),
    "boxes": lambda: bombs.nested_boxes(100_000 // 8),
    "another codec": lambda: bombs.a_video(64, 64, "qtrle", "mov"),
    "exif": lambda: bombs.a_jpeg_with_segments(2_000),
    "fragments": lambda: bombs.a_video_with_fragments(1_000_000),
    "largest video": lambda: bombs.a_video(4096, 2304),
}
CONVERTED = {
    "animated png": "done",
    "jpeg": "done",
    "colour profile": "done",
    "edits": "done done done",
    "largest video": "done done done",
}
"""Those that are large, but what they say they are: the child did read them."""
QUICK = ("webp canvas", "declared smaller", "edits", "another codec", "boxes")
"""The others are made, or run, for seconds: `make prove` takes them all."""


@pytest.mark.parametrize(
    "name",
    [name if name in QUICK else pytest.param(name, marks=pytest.mark.prove) for name in BOMBS],
)
def test_a_bomb_costs_less_memory_than_a_function_has_and_ends_plainly(
    name: str, tmp_path: Path
) -> None:
    file = tmp_path / "bomb"
    file.write_bytes(BOMBS[name]())
    began = time.monotonic()

    done = subprocess.run(
        [sys.executable, "-c", _MEASURE, str(file)],
        capture_output=True,
        text=True,
        check=True,
        cwd=_ROOT,
    )

    how, peak = done.stdout.splitlines()
    print(f"{name}: {how}, {int(peak) / 1e6:.0f} MB, {time.monotonic() - began:.1f} s")  # noqa: T201
    assert how == CONVERTED.get(name, how)
    assert set(how.split()) <= {"415", "unreadable", "same", "done", "short"}
    assert int(peak) < MOST_MEMORY
    assert time.monotonic() - began < 120


def test_pictures_larger_than_they_may_be_are_refused_by_what_they_say_themselves() -> None:
    lies = bombs.a_video_that_lies(coded=4096, declared=64)

    assert ends(lies)[1:] == ["unreadable", "unreadable"]


def test_a_codec_that_is_not_among_the_few_is_not_decoded() -> None:
    assert set(ends(bombs.a_video(64, 64, "qtrle", "mov"))) <= {"415", "unreadable"}


def test_good_files_are_converted() -> None:
    for name in ("index_last.mp4", "hevc.mp4", "plain.mov"):
        assert ends(samples()[name].data) == ["done", "done", "done"], name
    for name in ("plain.png", "plain.webp", "exif6.jpg"):
        assert ends(samples()[name].data) == ["done"], name


def _convert_changed(first: int, last: int, step: int) -> "subprocess.Popen[str]":
    program = (sys.executable, "-m", "tests.workers.media.isolated.mutations")
    return subprocess.Popen(
        [*program, str(first), str(last), str(step)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=_ROOT,
    )


def _outcome(running: "subprocess.Popen[str]") -> dict[str, Any]:
    told, _ = running.communicate()
    assert running.returncode == 0
    return dict(json.loads(told))


def test_changed_files_end_plainly() -> None:
    """A sample of every original's; `make prove` takes ten thousand."""
    found = _outcome(_convert_changed(0, 10_000, 577))

    assert set(found["ended"]) <= PLAINLY
    assert found["peak"] < MOST_MEMORY


@pytest.mark.prove
def test_ten_thousand_changed_files_all_end_plainly() -> None:
    """Two at once, as a worker makes copies; every child's memory is watched by its own limit."""
    began, counted = time.monotonic(), Counter[str]()

    halves = [_outcome(one) for one in [_convert_changed(half, 10_000, 2) for half in (0, 1)]]

    for half in halves:
        counted.update(half["ended"])
    peak, slowest = (max(half[name] for half in halves) for name in ("peak", "slowest_s"))
    seconds = time.monotonic() - began
    print(  # noqa: T201
        f"10,000 changed files in {seconds:.0f} s: {dict(counted)}, {peak / 1e6:.0f} MB at most, "
        f"the slowest {slowest:.1f} s"
    )
    assert set(counted) <= PLAINLY
    assert peak < MOST_MEMORY


_TRIES = """
import os, socket, subprocess, sys
import av, PIL.Image
from chalicelib.workers.media.isolated.limits import confine
was = sys.stdout
filtered = confine(5)
tries = {
    "open": lambda: open("/etc/hostname"),
    "environment of the parent": lambda: open(f"/proc/{os.getppid()}/environ", "rb"),
    "write": lambda: open("/tmp/hostile", "w"),
    "socket": lambda: socket.socket(),
    "program": lambda: subprocess.run(["true"]),
    "kill": lambda: os.kill(os.getppid(), 0),
    "remove": lambda: os.unlink("/tmp/nothing-there"),
    "memory": lambda: bytearray(400_000_000),
}
for name, attempt in tries.items():
    try:
        attempt()
        print(name, "allowed")
    except (PermissionError, MemoryError):
        pass
print("filtered" if filtered else "not filtered")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="Only Linux filters calls.")
def test_what_reads_a_file_can_open_nothing_reach_nobody_and_start_nothing() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _TRIES],
        capture_output=True,
        text=True,
        check=True,
        env=bare_environment(),
    )

    assert done.stdout.splitlines() == ["filtered"]


_OPENED = """
import os
for _ in range(3):
    os.open(os.__file__, os.O_RDONLY)
from chalicelib.workers.media.isolated.child import main
main()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="Only Linux tells what is open elsewhere.")
def test_a_child_has_its_pipes_and_nothing_else_whatever_libraries_have_opened() -> None:
    """Found on Debian sid: its libffi 3.8 opens itself with `ctypes`, and keeps that open."""
    data, seen = samples()["plain.png"].data, set[str]()
    start = partial(start_program, (sys.executable, "-c", _OPENED))

    class Watching(MemoryPlaces):
        def read(self, offset: int, length: int) -> bytes:
            ours = psutil.Process().children()  # another test may have left one of its own running
            (process,) = [child for child in ours if _OPENED in child.cmdline()]
            for each in Path(f"/proc/{process.pid}/fd").iterdir():
                seen.add(str(each.readlink()).partition(":")[0])
            return super().read(offset, length)

    ended = convert(
        probed(data), _recipes(data)[0], Watching(data).as_copy_places(), lambda: None, start=start
    )

    assert isinstance(ended, int)
    assert seen == {"pipe", os.devnull}


def test_a_child_inherits_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "lighthouse")
    monkeypatch.setenv("AWS_SESSION_TOKEN", "lighthouse")
    monkeypatch.setenv("GOLDENHOUR_STAGE", "prod")

    assert set(bare_environment()) <= {"PYTHONPATH", "LD_LIBRARY_PATH", "LANG"}


@pytest.mark.parametrize(
    "program",
    [
        "pass",
        "import os; os.abort()",
        "import sys; sys.stdout.write('hello, this is no message at all')",
        "import sys; sys.stdout.buffer.write(b'\\xff' * 8)",
        "import sys; sys.stdout.buffer.write(b'\\0\\0\\0\\x02\\0\\0\\0\\0[]')",
        'import sys; sys.stdout.buffer.write(b\'\\0\\0\\0\\x0c\\0\\0\\0\\0{"do":"rob"}\')',
        'import sys; sys.stdout.buffer.write(b\'\\0\\0\\0\\x0d\\0\\0\\0\\0{"do":"done"}\')',
    ],
    ids=["ends", "aborts", "talks", "too long", "no object", "unknown", "nothing written"],
)
def test_a_child_that_is_not_itself_any_more_says_that_its_file_is_bad(program: str) -> None:
    data = samples()["plain.jpg"].data
    places, media = MemoryPlaces(data), probed(data)
    start = partial(start_program, (sys.executable, "-c", READS + program))
    (recipe,) = _recipes(data)

    ended = convert(media, recipe, places.as_copy_places(), lambda: None, start=start)

    assert (ended, places.copy) == (Ended.UNREADABLE, None)


@pytest.mark.parametrize(
    "program", ["pass", "import os; os.abort()", "import a_library_of_another_system"]
)
def test_a_child_that_read_nothing_of_its_file_says_nothing_of_it(program: str) -> None:
    """A system on which none runs refused every file, and told people that theirs was at fault."""
    data = samples()["plain.jpg"].data
    start = partial(start_program, (sys.executable, "-c", program))
    (recipe,) = _recipes(data)

    with pytest.raises(LibraryMissingError, match="ended before it read the file"):
        convert(
            probed(data), recipe, MemoryPlaces(data).as_copy_places(), lambda: None, start=start
        )


def test_a_child_that_ended_before_it_was_told_its_job_says_nothing_of_its_file() -> None:
    data = samples()["plain.jpg"].data
    (recipe,) = _recipes(data)

    def start(answers: int, questions: int) -> Child:
        child = start_program((sys.executable, "-c", "pass"), answers, questions)
        child.wait()
        return child

    with pytest.raises(LibraryMissingError):
        convert(
            probed(data), recipe, MemoryPlaces(data).as_copy_places(), lambda: None, start=start
        )


def test_a_child_that_the_kernel_ends_says_that_memory_is_short_and_nothing_of_its_file() -> None:
    """Linux ends what a cgroup's memory is too small for by SIGKILL (cgroup v2, `memory.max`)."""
    data = samples()["plain.jpg"].data
    program = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
    start = partial(start_program, (sys.executable, "-c", program))

    with pytest.raises(MemoryShortError):
        convert(
            probed(data),
            _recipes(data)[0],
            MemoryPlaces(data).as_copy_places(),
            lambda: None,
            start=start,
        )


_SCARCE = """
from chalicelib.workers.media.isolated import child, limits
limits.MOST_MEMORY = 64 * 1024 * 1024
child.main()
"""
_STARTED_WITH_NONE = """
from chalicelib.workers.media.isolated import child
def none_left(*_):
    raise MemoryError
child._JOBS = dict.fromkeys(child._JOBS, none_left)
child.main()
"""


@pytest.mark.parametrize(
    ("program", "make"),
    [
        (_SCARCE, lambda: bombs.a_png(6_000, 6_000, 8, 2)),
        (_SCARCE, lambda: bombs.a_video(1920, 1080)),
        (_STARTED_WITH_NONE, lambda: samples()["cmyk.jpg"].data),
    ],
    ids=["photo", "picture of a video", "libraries"],
)
def test_a_child_that_finds_no_memory_says_so_and_nothing_of_its_file(
    program: str, make: Callable[[], bytes]
) -> None:
    data = make()
    start = partial(start_program, (sys.executable, "-c", program))

    assert ends(data, start=start)[-1] == "short"
    assert ends(data)[-1] == "done"


class LostError(Exception):
    """The claim is somebody else's now."""


def test_a_maker_that_lost_its_claim_leaves_no_child_behind() -> None:
    data = samples()["index_first.mp4"].data

    def lost() -> None:
        raise LostError

    with pytest.raises(LostError):
        convert(probed(data), _recipes(data)[1], MemoryPlaces(data).as_copy_places(), lost)

    assert not [
        child for child in psutil.Process().children() if "isolated" in " ".join(child.cmdline())
    ]


def _recipes(data: bytes) -> tuple[Recipe, ...]:
    return recipes(probed(data))
