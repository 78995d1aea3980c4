"""Children that convert files, forked from one process that has loaded what all of them need.

    with ready_children():
        ...     # what this process converts meanwhile

Each is what the service starts and gives up the same rights, but for the tenth of a second of
processor in which the program loads its libraries. The rooms that are about the program start it.
"""

import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext

from chalicelib.workers.media.isolated import child, converter
from chalicelib.workers.media.isolated.process import Child

_FORKS: ForkServerContext = get_context("forkserver")
_FORKS.set_forkserver_preload([__name__, "tests.support.loaded_child"])
_MOST_DESCRIPTORS = 64


class _Ready:
    """A copy of the process that has loaded everything."""

    def __init__(self, answers: int, questions: int) -> None:
        with (
            Connection(os.dup(answers), writable=False) as reads,
            Connection(os.dup(questions), readable=False) as writes,
        ):
            self._process = _FORKS.Process(target=_take_over, args=(reads, writes))
            self._process.start()

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired("ready child", timeout or 0)
        return self._process.exitcode

    def kill(self) -> None:
        self._process.kill()


def _take_over(answers: Connection, questions: Connection) -> None:
    be_the_child(answers.fileno(), questions.fileno())


def be_the_child(answers: int, questions: int) -> None:
    """Do what the child's program does, with nothing open but the pipes, and end the process."""
    status = 1
    try:
        nothing = os.open(os.devnull, os.O_WRONLY)
        for place, descriptor in enumerate((answers, questions, nothing)):
            os.dup2(descriptor, place)
        os.closerange(3, _MOST_DESCRIPTORS)
        child.main()
        status = 0
    finally:
        os._exit(status)


def _start(program: Sequence[str], answers: int, questions: int) -> Child:
    del program
    return _Ready(answers, questions)


@contextmanager
def ready_children() -> Iterator[None]:
    """Have ready children convert what is converted in this process meanwhile."""
    names = vars(converter)
    honest = names["start_program"]
    names["start_program"] = _start
    try:
        yield
    finally:
        names["start_program"] = honest
