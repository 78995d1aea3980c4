"""What is stamped on one machine goes on by the right time while its wall clock is wrong."""

import random
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from chalicelib.kit.aws_on_sqlite.kept_stand import KeptStand, boot_id
from chalicelib.kit.aws_on_sqlite.steady_clock import PATIENCE_S, SteadyClock

_BEGIN_S = 1_796_000_000.0


@dataclass(slots=True)
class Machine:
    """Time that passes, and a wall clock that may be off."""

    passed_s: float = 5_000.0
    off_s: float = 0.0

    def wall(self) -> float:
        return _BEGIN_S + self.passed_s + self.off_s

    def passed(self) -> float:
        return self.passed_s

    @property
    def right(self) -> float:
        """The time by a clock that nobody sets."""
        return _BEGIN_S + self.passed_s

    def clock(self, folder: Path | None = None) -> SteadyClock:
        """Return a new process's; it knows of those before by what is kept in a folder."""
        clock = SteadyClock(self.wall, self.passed)
        if folder is not None:
            clock.keep(KeptStand(folder))
        return clock


@pytest.mark.parametrize("seed", range(40))
def test_a_clock_that_is_wrong_for_a_minute_is_not_followed(seed: int) -> None:
    chance, machine = random.Random(seed), Machine()
    clock = machine.clock()

    for _ in range(20):
        machine.passed_s += chance.uniform(0.1, 200)
        assert clock() == pytest.approx(machine.right, abs=0.01)
        machine.off_s = chance.choice((-1, 1)) * chance.uniform(1, 12 * 3_600)
        for _ in range(4):
            assert clock() == pytest.approx(machine.right, abs=0.01)
            machine.passed_s += chance.uniform(0.1, 15)
        machine.off_s = 0.0

    assert clock() == pytest.approx(machine.right, abs=0.01)


@pytest.mark.parametrize("step_s", [-43_200.0, -1.0, 1.0, 43_200.0])
def test_a_clock_that_is_set_for_good_is_followed_after_two_minutes(step_s: float) -> None:
    machine = Machine()
    clock = machine.clock()
    machine.off_s = step_s
    clock()
    machine.passed_s += PATIENCE_S - 1
    before = clock()
    machine.passed_s += 1

    after = clock()

    assert before == pytest.approx(machine.right - 1, abs=0.01)
    assert after == pytest.approx(machine.right + step_s, abs=0.01)


def test_a_clock_that_was_followed_wrongly_is_right_as_soon_as_the_wall_clock_is() -> None:
    machine = Machine()
    clock = machine.clock()
    machine.off_s = 3_600.0
    clock()
    machine.passed_s += 300
    clock()

    machine.off_s = 0.0

    assert clock() == pytest.approx(machine.right, abs=0.01)


def test_a_clock_that_is_corrected_little_by_little_is_followed_at_once() -> None:
    machine = Machine()
    clock = machine.clock()

    for _ in range(100):
        machine.passed_s += 10
        machine.off_s += 0.2
        assert clock() == pytest.approx(machine.wall(), abs=0.01)

    assert clock.count_steps() == 0


def test_steps_are_counted_both_ways_and_when_one_is_followed() -> None:
    machine, counts = Machine(), []
    clock = machine.clock()

    for off_s, passes_s in ((0.0, 5), (-900.0, 8), (0.0, 5), (60.0, 1), (60.0, PATIENCE_S)):
        machine.off_s = off_s
        counts.append(clock.count_steps())
        machine.passed_s += passes_s

    assert [*counts, clock.count_steps()] == [0, 1, 2, 3, 3, 4]


def test_a_thread_that_is_put_aside_between_two_readings_sees_no_step() -> None:
    machine = Machine()
    clock = machine.clock()
    aside = iter((0.0, 30.0))

    def passed_late() -> float:
        machine.passed_s += next(aside, 0.0)
        return machine.passed_s

    late = SteadyClock(machine.wall, passed_late)

    assert late() == pytest.approx(machine.right, abs=0.01)
    assert (clock.count_steps(), late.count_steps()) == (0, 0)


def test_it_tells_for_how_long_the_clock_was_left_alone() -> None:
    machine = Machine()
    clock = machine.clock()
    never = clock.undisturbed_s()
    machine.off_s = -5.0
    clock()
    machine.passed_s += 45

    assert (never, clock.undisturbed_s()) == (float("inf"), 45)


@pytest.mark.parametrize(
    "seed",
    [*range(10), *(pytest.param(seed, marks=pytest.mark.prove) for seed in range(10, 40))],
)
def test_processes_that_begin_and_end_while_the_clock_is_wrong_do_not_follow_it(
    seed: int, tmp_path: Path
) -> None:
    chance, machine = random.Random(seed), Machine()
    clocks = [machine.clock(tmp_path), machine.clock(tmp_path)]

    for _ in range(30):
        machine.passed_s += chance.uniform(0.1, 500)
        for _ in range(5):
            if chance.random() < 0.5:
                clocks[chance.randrange(2)] = machine.clock(tmp_path)
            assert chance.choice(clocks)() == pytest.approx(machine.right, abs=0.01)
            machine.off_s = chance.choice((-1, 0, 1)) * chance.uniform(1, 12 * 3_600)
            for clock in clocks:
                assert clock() == pytest.approx(machine.right, abs=0.01)
            machine.passed_s += chance.uniform(0.1, 20)
        machine.off_s = 0.0


def test_processes_that_begin_again_and_again_follow_a_clock_that_was_set_for_good(
    tmp_path: Path,
) -> None:
    """They wait from when the first of them noticed it."""
    machine = Machine()
    machine.clock(tmp_path)
    machine.off_s = 7_200.0

    for _ in range(4):
        before = machine.clock(tmp_path)()
        assert before == pytest.approx(machine.right, abs=0.01)
        machine.passed_s += PATIENCE_S / 4

    assert machine.clock(tmp_path)() == pytest.approx(machine.wall(), abs=0.01)


def test_a_process_that_looks_late_goes_where_the_others_are(tmp_path: Path) -> None:
    machine = Machine()
    often, seldom = machine.clock(tmp_path), machine.clock(tmp_path)
    machine.off_s = -3_600.0
    often()
    machine.passed_s += PATIENCE_S
    often()
    machine.passed_s += 1

    assert seldom() == pytest.approx(machine.wall(), abs=0.01)
    assert machine.clock(tmp_path)() == pytest.approx(machine.wall(), abs=0.01)


def test_a_process_that_notices_a_step_later_waits_from_when_it_was_noticed_first(
    tmp_path: Path,
) -> None:
    machine = Machine()
    soon, later = machine.clock(tmp_path), machine.clock(tmp_path)
    machine.off_s = -3_600.0
    soon()
    machine.passed_s += PATIENCE_S - 20
    later()
    machine.passed_s += 20

    assert later() == pytest.approx(machine.wall(), abs=0.01)


def test_a_process_goes_on_from_a_clock_that_was_corrected_little_by_little(tmp_path: Path) -> None:
    machine = Machine()
    clock = machine.clock(tmp_path)
    for _ in range(100):
        machine.passed_s += 10
        machine.off_s += 0.2
        clock()

    after = machine.clock(tmp_path)

    assert after() == pytest.approx(machine.wall(), abs=0.01)
    assert after.count_steps() == 0


@pytest.mark.parametrize(
    "kept",
    [
        *(b"", b"nonsense", b"[]", b"{}"),
        b'{"boot": "another", "believed_s": 1, "former_s": 1, "step": null}',
    ],
    ids=["empty", "nonsense", "a list", "an object", "of another start of the machine"],
)
def test_what_cannot_be_gone_on_from_is_passed_over(kept: bytes, tmp_path: Path) -> None:
    machine = Machine()
    (tmp_path / "clock").write_bytes(kept)

    assert machine.clock(tmp_path)() == pytest.approx(machine.right, abs=0.01)


def test_a_folder_that_cannot_be_written_stops_nothing(tmp_path: Path) -> None:
    machine = Machine()
    clock = machine.clock(tmp_path / "missing")
    machine.off_s = 3_600.0

    assert clock() == pytest.approx(machine.right, abs=0.01)


@pytest.mark.skipif(not boot_id(), reason="this system does not name its starts")
@pytest.mark.parametrize("off_s", [-7_200.0, 7_200.0])
def test_a_new_process_of_this_machine_does_not_follow_a_clock_that_is_hours_wrong(
    off_s: float, tmp_path: Path
) -> None:
    right = _in_a_process(tmp_path, 0.0)

    wrong = _in_a_process(tmp_path, off_s)

    assert right == pytest.approx(time.time(), abs=30)
    assert wrong == pytest.approx(time.time(), abs=30)
    assert [file.name for file in tmp_path.iterdir()] == ["clock"]
    assert (tmp_path / "clock").stat().st_mode & 0o777 == 0o600


_PROCESS = """
import sys, time
from pathlib import Path
from chalicelib.kit.aws_on_sqlite.kept_stand import KeptStand
from chalicelib.kit.aws_on_sqlite.steady_clock import SteadyClock
off_s = float(sys.argv[1])
clock = SteadyClock(lambda: time.time() + off_s)
clock.keep(KeptStand(Path(sys.argv[2])))
print(clock())
"""


def _in_a_process(folder: Path, off_s: float) -> float:
    """Return the steady time in a process of its own, by a wall clock that is off by so much."""
    command = [sys.executable, "-c", _PROCESS, str(off_s), str(folder)]
    return float(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
