"""Streams one file from a socket to S3: reads small pieces and stores fewer, larger ones.

`uploads` makes one for each file that it accepts. A slow client holds no thread; if S3 is slow, the
client is slowed down; and a client that sends almost nothing loses its place.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Executor
from typing import Generic, Protocol, TypeVar

from chalicelib.domain.errors import FileMissing, FileTooLarge, TooSlow
from chalicelib.domain.media.types import SNIFF_BYTES
from chalicelib.http.upload_form import LARGEST_BODY_BYTES
from chalicelib.kit.asgi.exchange import CutShortError, Exchange, SilentError
from chalicelib.kit.limits.pace import Pace
from chalicelib.storage.media.writer import Gathered

HANDED_OVER_BYTES = 1024 * 1024
"""Pieces are gathered up to this; a thread is asked for only when they fill a part."""

_LONGEST_PAUSE_S = 20.0
_TOO_SLOW = "The file came too slowly. Send it over a faster connection."

ResultT = TypeVar("ResultT")
StoreT = TypeVar("StoreT", bound="Store")

logger = logging.getLogger(__name__)


class Framing(Protocol):
    """What tells the file from the rest of a body."""

    def feed(self, data: bytes) -> Iterable[bytes]:
        """Return what of the next bytes belongs to the file. Raises FileMissing."""
        ...

    def close(self) -> None:
        """Take the end of the body. Raises FileMissing when no file was in it."""
        ...


class Store(Protocol):
    """What takes a file's bytes, in pieces."""

    def has_room(self, size_bytes: int) -> bool:
        """Tell whether so many bytes are only kept when written."""
        ...

    def write_all(self, pieces: Iterable[bytes | bytearray]) -> None:
        """Take more bytes, in order."""
        ...

    def abort(self) -> None:
        """Leave nothing behind."""
        ...


class Unframed:
    """The framing of a body that is the file."""

    def feed(self, data: bytes) -> Iterable[bytes]:
        """Return all of it."""
        return (data,)

    def close(self) -> None:
        """Nothing follows the file."""


class Unkept:
    """A store that keeps nothing, of a file that is here already."""

    def has_room(self, size_bytes: int) -> bool:
        """Take any number of bytes at once."""
        del size_bytes
        return True

    def write_all(self, pieces: Iterable[bytes | bytearray]) -> None:
        """Let more bytes go."""
        for _ in pieces:
            pass

    def abort(self) -> None:
        """Nothing is left behind."""


class StreamedUpload(Generic[StoreT]):
    """Gathers the file's pieces so that threads are used rarely."""

    def __init__(
        self, framing: Framing, open_upload: Callable[[], StoreT], storing: Executor
    ) -> None:
        self._framing = framing
        self._open = open_upload
        self._storing = storing
        self._upload: StoreT | None = None
        self._gathered = Gathered()
        # The first bytes go ahead alone: they show whether the rest is worth receiving.
        self._enough_bytes = SNIFF_BYTES

    async def take(
        self,
        exchange: Exchange,
        count: Callable[[int], object],
        *,
        longest_pause_s: float = _LONGEST_PAUSE_S,
    ) -> None:
        """Read the whole body, and count its bytes; FileMissing when it is not what it should be.

        Raises FileTooLarge, and TooSlow for a long silence.
        """
        received, speed = 0, Speed()
        try:
            async for body in exchange.pieces(longest_pause_s):
                received += len(body)
                speed.check(len(body))
                count(len(body))
                self._gather(body)
                if self._gathered.size_bytes >= self._enough_bytes:
                    await self._hand_over()
                if received > LARGEST_BODY_BYTES:
                    raise FileTooLarge
        except SilentError as error:
            raise TooSlow from error
        except CutShortError as error:
            raise FileMissing("The body ended before the file did. Send the file again.") from error
        self._framing.close()

    async def finish(self, finish: Callable[[StoreT], ResultT]) -> ResultT:
        """Return what has become of the file."""
        upload = self._open_upload()
        await self._hand_over()
        return await in_thread(self._storing, lambda: finish(upload))

    async def abort(self) -> None:
        """Leave nothing of the file behind."""
        upload = self._upload
        if upload is None:
            return
        try:
            await in_thread(self._storing, upload.abort)
        except Exception:  # the client is owed the first failure; retention cleans up later
            logger.exception("An upload was not cleaned up.", extra={"action": "media.abort"})

    def _gather(self, body: bytes) -> None:
        for piece in self._framing.feed(body):
            self._gathered.add(piece)

    async def _hand_over(self) -> None:
        upload, size_bytes = self._open_upload(), self._gathered.size_bytes
        pieces = self._gathered.take()
        self._enough_bytes = HANDED_OVER_BYTES
        if upload.has_room(size_bytes):
            upload.write_all(pieces)  # which only keeps them: no thread is worth that
        else:
            await in_thread(self._storing, lambda: upload.write_all(pieces))

    def _open_upload(self) -> StoreT:
        if self._upload is None:
            self._upload = self._open()
        return self._upload


async def receive_body(
    upload: StreamedUpload[StoreT],
    exchange: Exchange,
    count: Callable[[int], object],
    finish: Callable[[StoreT], ResultT],
) -> ResultT:
    """Store the body of a request and return the result; after a failure nothing is left."""
    try:
        await upload.take(exchange, count)
        return await upload.finish(finish)
    except BaseException:
        # Also when the server shuts down and cancels us: then the clean-up still runs.
        await asyncio.shield(upload.abort())
        raise


class Speed:
    """Tells a client that sends a byte now and then, to keep its place, from a slow connection."""

    def __init__(self, seconds: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._pace = Pace(seconds())

    def check(self, size: int) -> None:
        """Count what arrived. Raises FileMissing when it is too little for its time."""
        if self._pace.is_too_slow(size, self._seconds()):
            raise FileMissing(_TOO_SLOW)


async def in_thread(pool: Executor, work: Callable[[], ResultT]) -> ResultT:
    """Do something in one of a pool's threads."""
    return await asyncio.get_running_loop().run_in_executor(pool, work)
