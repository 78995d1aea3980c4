"""Calls that are due at one second share a reading, which began after each of them asked."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from chalicelib.storage.engine.switch import LastLook, SwitchState


def test_each_look_reads_anew() -> None:
    states = iter([SwitchState(), SwitchState(closed=frozenset({"bakery"}))])
    look = LastLook(lambda: next(states))

    assert [look.is_closed("bakery"), look.is_closed("bakery")] == [False, True]


def test_a_reading_that_began_before_tells_nobody() -> None:
    """Whoever asks while one goes on waits for the next, with the others who wait."""
    closed: frozenset[str] = frozenset()
    readings, goes_on, may_end = [], threading.Event(), threading.Event()
    asked = threading.Semaphore(0)

    def read() -> SwitchState:
        state = SwitchState(closed=closed)
        readings.append(state)
        goes_on.set()
        if len(readings) == 1:
            assert may_end.wait(240)
        return state

    class Asking(LastLook):
        """Tells that somebody has asked, and waits."""

        def is_closed(self, workspace_id: str) -> bool:
            asked.release()
            return super().is_closed(workspace_id)

    look = Asking(read)
    with ThreadPoolExecutor(9) as pool:
        first = pool.submit(look.is_closed, "bakery")
        assert goes_on.wait(240)
        closed = frozenset({"bakery"})
        others = [pool.submit(look.is_closed, "bakery") for _ in range(8)]
        for _ in range(9):
            assert asked.acquire(timeout=240)
        may_end.set()

        assert [one.result(240) for one in others] == [True] * 8
    assert not first.result()
    assert 2 <= len(readings) <= 9


class Overtaken:
    """A lock before whose first owner another one comes, and goes."""

    def __init__(self, other: Callable[[], object]) -> None:
        self.other: Callable[[], object] | None = other

    def __enter__(self) -> None:
        other, self.other = self.other, None
        if other is not None:
            with suppress(ConnectionError):
                other()

    def __exit__(self, *_: object) -> None:
        return None


def test_who_asked_beside_a_reading_that_failed_reads_again() -> None:
    readings: list[str] = []

    def read() -> SwitchState:
        readings.append("fails" if not readings else "closed")
        if readings == ["fails"]:
            raise ConnectionError
        return SwitchState(closed=frozenset({"bakery"}))

    look = LastLook(read)
    look._guard = Overtaken(lambda: look.is_closed("bakery"))  # type: ignore[assignment]

    assert look.is_closed("bakery")
    assert readings == ["fails", "closed"]


def test_a_reading_that_failed_leaves_no_older_one_to_go_by() -> None:
    answers = iter([SwitchState(), None, SwitchState(closed=frozenset({"bakery"}))])

    def read() -> SwitchState:
        state = next(answers)
        if state is None:
            raise ConnectionError
        return state

    look = LastLook(read)
    assert not look.is_closed("bakery")
    look._guard = Overtaken(lambda: look.is_closed("bakery"))  # type: ignore[assignment]

    assert look.is_closed("bakery")
