"""Calls that start at the same moment, each in a thread of its own."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

_Result = TypeVar("_Result")


def together(*calls: Callable[[], _Result]) -> Sequence[_Result]:
    """Start all calls at once and return what each returned; an error of one is raised."""
    start = threading.Barrier(len(calls))

    def run(call: Callable[[], _Result]) -> _Result:
        start.wait()
        return call()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))
