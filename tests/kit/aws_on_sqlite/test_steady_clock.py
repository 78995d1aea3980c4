"""What is stamped on one machine goes on by the right time while its wall clock is wrong."""

import random
from dataclasses import dataclass

import pytest

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

    def clock(self) -> SteadyClock:
        return SteadyClock(self.wall, self.passed)


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
