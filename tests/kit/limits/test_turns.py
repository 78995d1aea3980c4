"""Work by key: what is slow keeps nobody, and of each key one piece runs at a time."""

import threading
import time

import pytest

from chalicelib.kit.limits.turns import Turns, ended_within


def test_what_is_slow_keeps_nobody_and_is_not_begun_twice() -> None:
    turns, over = Turns(2), threading.Event()

    def slow() -> str:
        over.wait(30)
        return "slow"

    begun = turns.begin({"slow": slow, "quick": lambda: "quick"})
    first = ended_within(0.2, begun)
    again = ended_within(5, turns.begin({"slow": slow, "quick": lambda: "quick"}))
    over.set()
    late = ended_within(5, begun)

    assert (first, again, late) == (["quick"], ["quick"], ["slow", "quick"])


def test_a_key_is_free_once_its_work_has_ended_or_failed() -> None:
    turns = Turns(1)

    def fail() -> None:
        raise KeyError

    with pytest.raises(KeyError):
        ended_within(5, turns.begin({"key": fail}))
    until = time.monotonic() + 5
    while not (begun := turns.begin({"key": lambda: "done"})) and time.monotonic() < until:
        time.sleep(0.01)

    assert ended_within(5, begun) == ["done"]
