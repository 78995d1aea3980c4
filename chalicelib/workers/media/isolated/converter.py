"""Starts a child for one file, gives it the bytes it asks for, and ends it when it misbehaves.

`copy_making` calls `convert`. The child has neither keys nor files nor a network; what it sends is
bounded and checked here. A child that dies, stalls or talks nonsense says one thing about its file:
it cannot be converted.
"""

import logging
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from typing import Protocol

from chalicelib.domain.media.media import LARGEST_FILE_BYTES, Media
from chalicelib.domain.media.recipes import Recipe, VideoRecipe, recipe_words
from chalicelib.domain.media.types import MediaType
from chalicelib.storage.media.copy_files import CopyPlaces, CopyUnwritableError, PatchableObject
from chalicelib.workers.media.isolated.limits import bare_environment
from chalicelib.workers.media.isolated.wire import (
    GarbledError,
    Lengths,
    Message,
    Value,
    packed,
    unpacked,
)

_CHILD = (sys.executable, "-m", "chalicelib.workers.media.isolated.child")
_LONGEST_SILENCE_S = 90.0
"""Longer than a machine under load takes to start a child or decode a picture."""

_POLL_S = 1.0
_LAST_BREATH_S = 0.5
_PIPE_BYTES = 1_048_576
_MOST_READ = 8_388_608
_PHOTO_CPU_S, _VIDEO_CPU_S = 60, 3_600
_LOG = logging.getLogger(__name__)


class Ended(Enum):
    """How a conversion that wrote nothing ended."""

    SAME = "same"
    UNREADABLE = "unreadable"


class LibraryMissingError(Exception):
    """This deployment has not what converts files; the message names what does not load."""


class _AbandonedError(Exception):
    """The child gives up what it was writing, and goes on."""


class _BadChildError(Exception):
    """The child died, stalled or said what it must not."""


def convert(
    media: Media,
    recipe: Recipe,
    places: CopyPlaces,
    alive: Callable[[], None],
    *,
    start: "Start | None" = None,
) -> int | Ended:
    """Return the size of the copy that was written, or how it ended without one.

    `start` begins the child with its two ends of the pipes, unless it is the usual program.
    Raises MediaUnreadableError, CopyUnwritableError, LibraryMissingError, and what `alive` raises.
    """
    with _child(start or partial(start_program, _CHILD)) as pipes:
        pipes.say(Message(_job(media, recipe)))
        try:
            return _Conversation(pipes, places, alive).run()
        except (_BadChildError, GarbledError, OSError) as error:
            return _verdict(pipes, error)


def _verdict(pipes: "_Pipes", error: Exception) -> Ended:
    """Say what the end of a child means: the kernel's own kill may be a machine short of memory."""
    died_by = pipes.stop()
    facts = {"action": "media.convert", "status": died_by}
    _LOG.warning("A file could not be converted: %s.", type(error).__name__, extra=facts)
    if isinstance(error, _BadChildError) and died_by == -signal.SIGKILL and not pipes.killed:
        raise CopyUnwritableError from error
    return Ended.UNREADABLE


def _job(media: Media, recipe: Recipe) -> Mapping[str, Value]:
    return {
        **recipe_words(recipe),
        "cpu_s": _VIDEO_CPU_S if isinstance(recipe, VideoRecipe) else _PHOTO_CPU_S,
        "size": media.size_bytes,
        "mime": media.mime.value,
        "duration_s": media.duration_s,
        "video_codec": media.video_codec,
    }


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


def start_program(program: Sequence[str], answers: int, questions: int) -> Child:
    """Start a program that inherits nothing but the two pipes."""
    return subprocess.Popen(  # noqa: S603  # our own program
        program,
        stdin=answers,
        stdout=questions,
        stderr=subprocess.DEVNULL,
        env=bare_environment(),
        cwd="/",
        start_new_session=True,
    )


@dataclass
class _Pipes:
    process: Child
    asks: int
    answers: int
    killed: bool = False
    _received: bytearray = field(default_factory=bytearray)

    def say(self, message: Message) -> None:
        """Answer the child. Raises _BadChildError when it takes nothing."""
        left = memoryview(packed(message))
        while left:
            if not _ready(self.answers, select.POLLOUT, _LONGEST_SILENCE_S):
                raise _BadChildError
            left = left[os.write(self.answers, left[:_PIPE_BYTES]) :]

    def hear(self, alive: Callable[[], None]) -> Message:
        """Wait for the child's next question. Raises _BadChildError, and what `alive` raises."""
        lengths = Lengths(self._take(Lengths.SIZE, alive))
        words = self._take(lengths.words, alive)
        return unpacked(words, self._take(lengths.data, alive))

    def _take(self, size: int, alive: Callable[[], None]) -> bytes:
        heard = time.monotonic()
        while len(self._received) < size:
            if _ready(self.asks, select.POLLIN, _POLL_S):
                self._received += self._some()
                heard = time.monotonic()
            elif time.monotonic() - heard > _LONGEST_SILENCE_S:
                raise _BadChildError
            alive()
        taken = bytes(self._received[:size])
        del self._received[:size]
        return taken

    def _some(self) -> bytes:
        piece = os.read(self.asks, _PIPE_BYTES)
        if not piece:
            raise _BadChildError
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
def _child(start: Start) -> Iterator[_Pipes]:
    """Start a child, and end it whatever happens."""
    (to_child, answers), (asks, from_child) = os.pipe(), os.pipe()
    with ExitStack() as stack:
        stack.callback(os.close, answers)
        stack.callback(os.close, asks)
        try:
            process = start(to_child, from_child)
        finally:
            os.close(to_child)
            os.close(from_child)
        stack.callback(process.wait)
        stack.callback(process.kill)
        os.set_blocking(answers, False)
        yield _Pipes(process, asks, answers)


class _Conversation:
    """One job's questions and answers."""

    def __init__(self, pipes: _Pipes, places: CopyPlaces, alive: Callable[[], None]) -> None:
        self._pipes = pipes
        self._places = places
        self._alive = alive
        self._size: int | None = None

    def run(self) -> int | Ended:
        """Answer until the child says how it ended."""
        while True:
            message = self._pipes.hear(self._alive)
            match message.text("do"):
                case "done" if self._size is not None:
                    return self._size
                case "same":
                    return Ended.SAME
                case "unreadable":
                    return Ended.UNREADABLE
                case "missing":
                    raise LibraryMissingError(message.text("what"))
                case "begin":
                    self._write()
                case "put":
                    self._places.put(message.data, MediaType.JPEG)
                    self._size = len(message.data)
                    self._say()
                case _:
                    self._answer(message)

    def _write(self) -> None:
        self._say()
        try:
            self._size = self._places.written(self._fill)
        except _AbandonedError:
            self._say()
        else:
            self._say(size=self._size)

    def _fill(self, sink: PatchableObject) -> None:
        """Take what the child writes until it is done."""
        while True:
            message = self._pipes.hear(self._alive)
            match message.text("do"):
                case "finish":
                    return
                case "abandon":
                    raise _AbandonedError
                case "write":
                    self._take(sink, message.data)
                case "seek":
                    self._seek(sink, message)
                case "hold":
                    sink.hold(min(message.number("bytes"), LARGEST_FILE_BYTES // 8))
                    self._say()
                case _:
                    self._answer(message)

    def _take(self, sink: PatchableObject, data: bytes) -> None:
        if sink.tell() + len(data) > 2 * LARGEST_FILE_BYTES:
            raise _BadChildError
        try:
            sink.write(data)
        except ValueError as error:
            raise _BadChildError from error
        self._say()

    def _seek(self, sink: PatchableObject, message: Message) -> None:
        offset, whence = message.words.get("offset"), message.number("whence")
        if not isinstance(offset, int) or whence not in {0, 1, 2}:
            raise GarbledError
        if abs(offset) > 2 * LARGEST_FILE_BYTES:
            raise _BadChildError
        at = sink.seek(offset, whence)
        if at < 0:
            raise _BadChildError
        self._say(at=at)

    def _answer(self, message: Message) -> None:
        """Answer what may be asked at any time."""
        pieces = self._places.pieces
        match message.text("do"):
            case "alive":
                self._say()
            case "read":
                self._say(self._read(message))
            case "count":
                self._say(count=pieces.count())
            case "keep":
                pieces.keep(message.number("place"), message.data)
                self._say()
            case "piece":
                self._say(pieces.read(message.number("place")))
            case "drop":
                pieces.drop()
                self._say()
            case _:
                raise GarbledError

    def _read(self, message: Message) -> bytes:
        return self._places.read(
            message.number("offset"), min(message.number("length"), _MOST_READ)
        )

    def _say(self, data: bytes = b"", **words: Value) -> None:
        self._pipes.say(Message(words, data))
