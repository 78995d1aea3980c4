"""The process that reads one hostile file: it is told what to make, and asks for bytes to make it.

    python -m chalicelib.workers.media.isolated.child < questions' answers > questions

It imports all that it needs, gives up all other rights (`limits`), and only then reads the file.
`converter` is at the other end of the pipes.
"""

import importlib
import os
import pkgutil
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import BinaryIO

from chalicelib.domain.media.media import Media
from chalicelib.domain.media.recipes import CleanRecipe, PhotoRecipe, VideoRecipe, read_recipe
from chalicelib.domain.media.types import MediaType
from chalicelib.storage.media.seekable import SeekableObject
from chalicelib.workers.media.isolated.limits import confine
from chalicelib.workers.media.isolated.wire import GarbledError, Message, Value, receive, send

_ALIVE_EVERY_S = 0.25
_QUESTIONS, _MANY = 3, 1_024
_PROGRAMS = frozenset({"__main__", "datasets"})
_LATE_PLUGINS = ("MpoImagePlugin", "TiffImagePlugin", "WebPImagePlugin")


class Parent:
    """What the other end does when asked."""

    def __init__(self, answers: BinaryIO, questions: BinaryIO) -> None:
        self._answers = answers
        self._questions = questions
        self._said_alive = 0.0

    def ask(self, do: str, data: bytes = b"", **words: Value) -> Message:
        """Ask and wait."""
        send(self._questions, Message({"do": do, **words}, data))
        return receive(self._answers)

    def tell(self, outcome: str, **words: Value) -> None:
        """Say how it ended; nothing is answered."""
        send(self._questions, Message({"do": outcome, **words}))

    def alive(self) -> None:
        """Say now and then that work goes on."""
        now = time.monotonic()
        if now - self._said_alive >= _ALIVE_EVERY_S:
            self._said_alive = now
            self.ask("alive")


class _Sink:
    def __init__(self, parent: Parent) -> None:
        self._parent = parent

    def hold(self, head_bytes: int) -> None:
        self._parent.ask("hold", bytes=head_bytes)

    def write(self, data: bytes, /) -> int:
        self._parent.ask("write", bytes(data))
        return len(data)

    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        return self._parent.ask("seek", offset=offset, whence=whence).number("at")

    def tell(self) -> int:
        return self.seek(0, os.SEEK_CUR)


class _Pieces:
    def __init__(self, parent: Parent) -> None:
        self._parent = parent

    def count(self) -> int:
        return self._parent.ask("count").number("count")

    def keep(self, place: int, piece: bytes) -> None:
        self._parent.ask("keep", piece, place=place)

    def read(self, place: int) -> bytes:
        return self._parent.ask("piece", place=place).data

    def drop(self) -> None:
        self._parent.ask("drop")


class _Places:
    def __init__(self, parent: Parent, size: int) -> None:
        self._parent = parent
        self._size = size
        self.pieces = _Pieces(parent)

    def source(self) -> SeekableObject:
        def read(offset: int, length: int) -> bytes:
            return self._parent.ask("read", offset=offset, length=length).data

        return SeekableObject(read, self._size)

    def write_copy(self, write: Callable[[_Sink], None]) -> int:
        self._parent.ask("begin")
        try:
            write(_Sink(self._parent))
        except BaseException:
            self._parent.ask("abandon")
            raise
        return self._parent.ask("finish").number("size")


def _make_video(parent: Parent, job: Message) -> Callable[[], None]:
    from chalicelib.workers.media import video_copy  # noqa: PLC0415 - only what this job needs

    _load_ffmpeg()
    recipe = read_recipe(job.words)
    if not isinstance(recipe, VideoRecipe):
        raise GarbledError
    places = _Places(parent, job.number("size"))

    def make() -> None:
        try:
            video_copy.write_copy(_media(job), recipe, places, parent.alive)
        except video_copy.UnreadableVideoError:
            parent.tell("unreadable")
        else:
            parent.tell("done")

    return make


def _make_photo(parent: Parent, job: Message) -> Callable[[], None]:
    from chalicelib.workers.media import photo_fitting  # noqa: PLC0415 - only what this job needs

    _load_pillow()
    recipe = read_recipe(job.words)
    if not isinstance(recipe, PhotoRecipe | CleanRecipe):
        raise GarbledError
    size = job.number("size")
    source = _Places(parent, size).source()

    def make() -> None:
        try:
            fitted = (
                photo_fitting.turn_photo(source, size)
                if isinstance(recipe, CleanRecipe)
                else photo_fitting.fit_photo(source, size, recipe)
            )
        except photo_fitting.UnreadablePhotoError:
            parent.tell("unreadable")
        else:
            _put_picture(parent, fitted)

    return make


def _make_poster(parent: Parent, job: Message) -> Callable[[], None]:
    from chalicelib.workers.media import pictures, video_file  # noqa: PLC0415

    _load_ffmpeg()
    _load_pillow()
    source = _Places(parent, job.number("size")).source()
    second = None if job.words.get("second") is None else job.number("second")

    def make() -> None:
        try:
            still = pictures.cut_poster(source, parent.alive, second)
        except video_file.UnreadableVideoError:
            parent.tell("unreadable")
        else:
            _put_picture(parent, still)

    return make


def load_all() -> None:
    """Load every library, in a process that is forked for each child."""
    _load_ffmpeg()
    _load_pillow()


def _load_ffmpeg() -> None:
    """Load what PyAV would only look for at a stream that needs it: later nothing can be opened."""
    import av  # noqa: PLC0415

    for found in pkgutil.walk_packages(av.__path__, "av."):
        if found.name.rpartition(".")[2] not in _PROGRAMS:
            importlib.import_module(found.name)


def _load_pillow() -> None:
    """Load what Pillow would only look for at a photo that needs it."""
    from PIL import Image  # noqa: PLC0415

    Image.preinit()
    for name in _LATE_PLUGINS:
        importlib.import_module(f"PIL.{name}")


def _put_picture(parent: Parent, picture: bytes | None) -> None:
    if picture is None:
        parent.tell("same")
        return
    parent.ask("put", picture)
    parent.tell("done")


def _media(job: Message) -> Media:
    """Return the file as far as making a copy asks for it."""
    duration, codec = job.words.get("duration_s"), job.words.get("video_codec")
    return Media(
        id="",
        workspace_id="",
        mime=MediaType(job.text("mime")),
        filename="",
        size_bytes=job.number("size"),
        width=0,
        height=0,
        created_at=datetime.fromtimestamp(0, UTC),
        duration_s=float(duration) if isinstance(duration, int | float) else None,
        video_codec=codec if isinstance(codec, str) else None,
    )


_JOBS = {"video": _make_video, "photo": _make_photo, "clean": _make_photo, "poster": _make_poster}


def main() -> None:
    """Do the one job that comes first over the pipe."""
    # A library may have a file open by now: libffi 3.8 keeps its own. No number is surely free.
    parent = Parent(os.fdopen(0, "rb"), os.fdopen(os.dup2(1, _QUESTIONS), "wb"))
    os.dup2(2, 1)  # what a library prints must not get among the messages
    os.closerange(_QUESTIONS + 1, _MANY)
    job = receive(parent._answers)  # noqa: SLF001  # the first answer, to no question
    try:
        _do(parent, job)
    except MemoryError:
        parent.tell("short")


def _do(parent: Parent, job: Message) -> None:
    try:
        make = _JOBS[job.text("job")](parent, job)
    except ImportError as error:
        parent.tell("missing", what=str(error)[:200])
        return
    confine(job.number("cpu_s"))
    make()


if __name__ == "__main__":
    try:
        main()
    except (EOFError, BrokenPipeError):
        sys.exit(1)
    # Libraries' last words could only wait for threads that a hostile file left behind.
    os._exit(0)
