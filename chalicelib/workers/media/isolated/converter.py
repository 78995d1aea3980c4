"""Starts a child for one file, gives it the bytes it asks for, and ends it when it misbehaves.

`converting` calls `convert`. The child has no keys, files or network; what it sends is limited and
checked here. If the child dies, stalls or sends nonsense, its file cannot be converted.
"""

import logging
import signal
import sys
from collections.abc import Callable, Mapping
from enum import Enum
from functools import partial

from chalicelib.domain.media.media import LARGEST_FILE_BYTES, Media
from chalicelib.domain.media.recipes import Recipe, VideoRecipe, recipe_words
from chalicelib.domain.media.types import MediaType
from chalicelib.storage.media.copy_files import CopyPlaces, PatchableObject
from chalicelib.workers.media.isolated.process import (
    BadChildError,
    Pipes,
    Start,
    running_child,
    start_program,
)
from chalicelib.workers.media.isolated.wire import (
    GarbledError,
    Message,
    Value,
)

_CHILD = (sys.executable, "-m", "chalicelib.workers.media.isolated.child")
_MOST_READ = 8_388_608
_READ_NOTHING = "the program that converts them ended before it read the file, with status {}"
_PHOTO_CPU_S = 10
_LONGEST_VIDEO_CPU_S, _VIDEO_CPU_S, _CPU_S_A_SECOND = 3_600, 180, 30
"""A video has three minutes of processor, half a minute for each second of it, an hour at most."""
_LOG = logging.getLogger(__name__)


class Ended(Enum):
    """How a conversion that wrote nothing ended."""

    SAME = "same"
    UNREADABLE = "unreadable"


class LibraryMissingError(Exception):
    """What converts files does not run in this deployment; the message says what is wrong."""


class MemoryShortError(Exception):
    """The child had no memory: it says so, or the kernel killed it."""


class _AbandonedError(Exception):
    """The child gives up what it was writing, and goes on."""


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
    Raises MediaUnreadableError, CopyUnwritableError, LibraryMissingError, MemoryShortError, and
    what `alive` raises.
    """
    with running_child(start or partial(start_program, _CHILD)) as pipes:
        conversation = _Conversation(pipes, places, alive)
        try:
            pipes.say(Message(_job(media, recipe)))
            return conversation.run()
        except (BadChildError, GarbledError, OSError) as error:
            return _verdict(pipes, error, has_read=conversation.has_read)


def _verdict(pipes: Pipes, error: Exception, *, has_read: bool) -> Ended:
    """Return what the end of a child means: the kernel may have killed it for lack of memory.

    One that read nothing of the file did not end by it.
    """
    died_by = pipes.stop()
    facts = {"action": "media.convert", "status": died_by}
    _LOG.warning("A file could not be converted: %s.", type(error).__name__, extra=facts)
    if isinstance(error, BadChildError) and died_by == -signal.SIGKILL and not pipes.killed:
        raise MemoryShortError from error
    if not has_read:
        raise LibraryMissingError(_READ_NOTHING.format(died_by)) from error
    return Ended.UNREADABLE


def _job(media: Media, recipe: Recipe) -> Mapping[str, Value]:
    return {
        **recipe_words(recipe),
        "cpu_s": _cpu_s(media) if isinstance(recipe, VideoRecipe) else _PHOTO_CPU_S,
        "size": media.size_bytes,
        "mime": media.mime.value,
        "duration_s": media.duration_s,
        "video_codec": media.video_codec,
    }


def _cpu_s(media: Media) -> int:
    """Return how much processor time a video may take; a short one with more is an attack."""
    if media.duration_s is None:
        return _LONGEST_VIDEO_CPU_S
    return min(_LONGEST_VIDEO_CPU_S, _VIDEO_CPU_S + int(media.duration_s * _CPU_S_A_SECOND))


class _Conversation:
    """One job's questions and answers."""

    def __init__(self, pipes: Pipes, places: CopyPlaces, alive: Callable[[], None]) -> None:
        self._pipes = pipes
        self._places = places
        self._alive = alive
        self._size: int | None = None
        self.has_read = False

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
                case "short":
                    raise MemoryShortError
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
            self._size = self._places.write_copy(self._fill)
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
            raise BadChildError
        try:
            sink.write(data)
        except ValueError as error:
            raise BadChildError from error
        self._say()

    def _seek(self, sink: PatchableObject, message: Message) -> None:
        offset, whence = message.words.get("offset"), message.number("whence")
        if not isinstance(offset, int) or whence not in {0, 1, 2}:
            raise GarbledError
        if abs(offset) > 2 * LARGEST_FILE_BYTES:
            raise BadChildError
        at = sink.seek(offset, whence)
        if at < 0:
            raise BadChildError
        self._say(at=at)

    def _answer(self, message: Message) -> None:
        """Answer what may be asked at any time."""
        pieces = self._places.pieces
        match message.text("do"):
            case "alive":
                self._say()
            case "read":
                self.has_read = True
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
