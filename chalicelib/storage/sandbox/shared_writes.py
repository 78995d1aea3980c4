"""One write for what several threads want written at the same time.

A thread that comes alone writes at once and waits for nobody. While as many writes are under way
as there may be, those that come wait; the next write takes all of them.
"""

import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Generic, TypeVar

_T = TypeVar("_T")
_R = TypeVar("_R")


@dataclass(slots=True, eq=False)
class _Waiting(Generic[_T, _R]):
    """What one thread wants written."""

    one: _T
    may_write: "Future[bool]"
    """Done when its thread may begin a write, or need not: another has written for it."""
    end: "Future[_R]"


class SharedWrites(Generic[_T, _R]):
    """Gathers what threads want written while earlier writes are under way.

    `write` gets what is to be written together and returns what became of each, in that order; what
    it raises is raised to all whose write it was. It gets at most `most`, and `at_once` run.
    """

    def __init__(
        self, write: Callable[[Sequence[_T]], Sequence[_R]], *, most: int, at_once: int
    ) -> None:
        self._write = write
        self._most = most
        self._free = at_once
        self._guard = threading.Lock()
        self._line: deque[_Waiting[_T, _R]] = deque()

    def __call__(self, one: _T) -> _R:
        """Have one thing written; return what became of it."""
        mine: _Waiting[_T, _R] = _Waiting(one, Future(), Future())
        if self._begins(mine) or mine.may_write.result():
            try:
                self._write_with_others(mine)
            finally:
                self._pass_on()
        return mine.end.result()

    def _begins(self, mine: _Waiting[_T, _R]) -> bool:
        with self._guard:
            if self._free:
                self._free -= 1
                return True
            self._line.append(mine)
            return False

    def _write_with_others(self, mine: _Waiting[_T, _R]) -> None:
        with self._guard:
            others = [self._line.popleft() for _ in range(min(len(self._line), self._most - 1))]
        together = [mine, *others]
        try:
            ends = self._write([each.one for each in together])
        except BaseException as error:  # noqa: BLE001 - each thread raises it
            for each in together:
                each.end.set_exception(error)
        else:
            for each, end in zip(together, ends, strict=True):
                each.end.set_result(end)
        for each in others:
            each.may_write.set_result(False)

    def _pass_on(self) -> None:
        """Let the first in line write next, or leave a place free."""
        with self._guard:
            if not self._line:
                self._free += 1
                return
            following = self._line.popleft()
        following.may_write.set_result(True)
