"""Work by key: of each key one piece at a time, and nobody waits long for what is slow.

    turns = Turns(8, name="letters")
    begun = turns.begin({"ada": mail_to_ada, "grace": mail_to_grace})
    sent = ended_within(20, begun)

What is slow goes on in its thread: until it has ended, `begin` leaves its key out. So whoever keeps
something at the end of a piece of work keeps it however late.
"""

import threading
from collections.abc import Callable, Collection, Hashable, Mapping
from concurrent.futures import Future, wait
from functools import partial
from typing import TypeVar

from chalicelib.kit.limits.thread_pool import HelpedPool

_T = TypeVar("_T")


class Turns:
    """Safe to share between threads."""

    def __init__(self, most: int, name: str = "") -> None:
        self._pool = HelpedPool(most, name)
        self._guard = threading.Lock()
        self._busy: set[Hashable] = set()

    def begin(self, work: Mapping[Hashable, Callable[[], _T]]) -> list["Future[_T]"]:
        """Begin what has nothing under way."""
        return [self._begin(key, call) for key, call in work.items() if self._takes(key)]

    def _takes(self, key: Hashable) -> bool:
        with self._guard:
            is_free = key not in self._busy
            self._busy.add(key)
        return is_free

    def _begin(self, key: Hashable, call: Callable[[], _T]) -> "Future[_T]":
        begun = self._pool.submit(call)
        begun.add_done_callback(partial(self._end, key))
        return begun

    def _end(self, key: Hashable, _ended: "Future[_T]") -> None:
        with self._guard:
            self._busy.discard(key)


def ended_within(seconds: float, begun: Collection["Future[_T]"]) -> list[_T]:
    """Return what ended in time, and raise an error of it."""
    ended, _ = wait(begun, timeout=seconds)
    return [one.result() for one in begun if one in ended]
