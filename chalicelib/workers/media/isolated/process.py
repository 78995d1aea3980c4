"""The child as a process, and the two pipes through which it asks and is answered."""

import os
import select
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import field
from typing import Protocol

from chalicelib.kit.dataclass import dataclass
from chalicelib.workers.media.isolated.limits import bare_environment
from chalicelib.workers.media.isolated.wire import Lengths, Message, pack, unpack

_LONGEST_SILENCE_S = 90.0
"""Longer than a machine under load takes to start a child or decode a picture."""

_POLL_S = 1.0
_LAST_BREATH_S = 0.5
_PIPE_BYTES = 1_048_576


class BadChildError(Exception):
    """The child died, stalled or sent something that is not allowed."""


class Child(Protocol):
    """A process that reads one file."""

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end; return how it ended. Raises subprocess.TimeoutExpired."""
        ...

    def kill(self) -> None:
        """End it, if it has not ended."""
        ...


Start = Callable[[int, int], Child]
"""Begins a child that reads answers from the first descriptor and writes to the second."""


class _Group(subprocess.Popen[bytes]):
    """A program in a session of its own, which ends with all that it may have started."""

    def kill(self) -> None:
        """End the whole group, if its first process is not known to have ended."""
        if self.returncode is None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)


def start_program(program: Sequence[str], answers: int, questions: int) -> Child:
    """Start a program that inherits nothing but the two pipes."""
    return _Group(
        program,
        stdin=answers,
        stdout=questions,
        stderr=subprocess.DEVNULL,
        env=bare_environment(),
        cwd="/",
        start_new_session=True,
    )


@dataclass(slots=True)
class Pipes:
    """What a running child asks, and the answers to it."""

    process: Child
    asks: int
    answers: int
    killed: bool = False
    _received: bytearray = field(default_factory=bytearray)

    def say(self, message: Message) -> None:
        """Answer the child. Raises BadChildError when it takes nothing, or has ended."""
        left = memoryview(pack(message))
        while left:
            if not _ready(self.answers, select.POLLOUT, _LONGEST_SILENCE_S):
                raise BadChildError
            try:
                left = left[os.write(self.answers, left[:_PIPE_BYTES]) :]
            except BrokenPipeError as error:
                raise BadChildError from error

    def hear(self, alive: Callable[[], None]) -> Message:
        """Wait for the child's next question. Raises BadChildError, and what `alive` raises."""
        lengths = Lengths(self._take(Lengths.SIZE, alive))
        words = self._take(lengths.words, alive)
        return unpack(words, self._take(lengths.data, alive))

    def _take(self, size: int, alive: Callable[[], None]) -> bytes:
        heard = time.monotonic()
        while len(self._received) < size:
            if _ready(self.asks, select.POLLIN, _POLL_S):
                self._received += self._some()
                heard = time.monotonic()
            elif time.monotonic() - heard > _LONGEST_SILENCE_S:
                raise BadChildError
            alive()
        taken = bytes(self._received[:size])
        del self._received[:size]
        return taken

    def _some(self) -> bytes:
        piece = os.read(self.asks, _PIPE_BYTES)
        if not piece:
            raise BadChildError
        return piece

    def stop(self) -> int:
        """End the child, if it has not ended; return how it did."""
        try:
            return self.process.wait(timeout=_LAST_BREATH_S)
        except subprocess.TimeoutExpired:
            self.killed = True
            self.process.kill()
            return self.process.wait()


def _ready(descriptor: int, event: int, seconds: float) -> bool:
    poll = select.poll()
    poll.register(descriptor, event)
    return bool(poll.poll(seconds * 1000))


@contextmanager
def running_child(start: Start) -> Iterator[Pipes]:
    """Start a child, and end it whatever happens."""
    with ExitStack() as stack:
        with ExitStack() as its:
            to_child, answers = os.pipe()
            its.callback(os.close, to_child)
            stack.callback(os.close, answers)
            asks, from_child = os.pipe()
            its.callback(os.close, from_child)
            stack.callback(os.close, asks)
            process = start(to_child, from_child)
        stack.callback(process.wait)
        stack.callback(process.kill)
        os.set_blocking(answers, False)
        yield Pipes(process, asks, answers)
