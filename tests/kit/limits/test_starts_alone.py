"""How many calls compute at once, by the rule alone: no threads, and a clock that is set."""

from chalicelib.kit.limits.bulkhead import SLOW_AFTER_S, Bulkhead, Running
from chalicelib.kit.limits.starts import Starts


class Room:
    """A rule for so many at once, and calls that begin under it."""

    def __init__(self, most: int | None = 2) -> None:
        self.now = 0.0
        self.starts = Starts(most, lambda: self.now)
        self._bounds = Bulkhead(1_000, lambda: self.now)

    def begin(self) -> Running:
        running = self._bounds.begin("owner", "server")
        self.starts.begin(running)
        return running


def test_so_many_compute_at_once_and_the_next_begins_as_one_moves_on() -> None:
    room = Room()
    first = room.begin()
    assert room.starts.may_begin()
    room.begin()
    assert not room.starts.may_begin()

    assert room.starts.move_on(first)
    assert room.starts.may_begin()


def test_a_call_moves_on_once() -> None:
    room = Room()
    first = room.begin()
    room.starts.move_on(first)
    room.begin()
    room.begin()

    assert not room.starts.move_on(first)
    assert not room.starts.may_begin()


def test_a_call_that_eight_have_overtaken_counts_no_more() -> None:
    room = Room()
    room.begin()
    for _ in range(7):
        room.starts.move_on(room.begin())
    room.begin()
    assert not room.starts.may_begin()

    eighth = Room()
    eighth.begin()
    for _ in range(8):
        eighth.starts.move_on(eighth.begin())
    eighth.begin()
    assert eighth.starts.may_begin()


def test_none_counts_once_nobody_has_moved_on_for_two_seconds() -> None:
    room = Room()
    room.begin()
    room.begin()
    room.now = SLOW_AFTER_S - 0.1
    assert not room.starts.may_begin()
    room.now = SLOW_AFTER_S
    assert room.starts.may_begin()


def test_the_two_seconds_begin_anew_with_whoever_moves_on_or_begins_alone() -> None:
    moved = Room()
    first = moved.begin()
    moved.begin()
    moved.now = 1.5
    moved.starts.move_on(first)
    moved.begin()
    moved.now = SLOW_AFTER_S + 1.0
    assert not moved.starts.may_begin()

    alone = Room(most=1)
    alone.now = 5.0
    alone.begin()
    alone.now = 5.0 + SLOW_AFTER_S - 0.1
    assert not alone.starts.may_begin()


def test_without_a_bound_all_begin_and_nothing_is_counted() -> None:
    room = Room(most=None)
    first = room.begin()

    assert all(room.starts.may_begin() for _ in range(100))
    assert not room.starts.move_on(first)
