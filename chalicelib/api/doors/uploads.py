"""`POST /v1/media` as a stream: from the socket to S3 at constant memory, whatever the client does.

`front` calls it. Nothing of the body is read before the key and the announced length were checked
and a place is free. A slow client holds no thread; S3 that cannot keep up slows the client down.
"""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Executor
from contextlib import asynccontextmanager
from typing import TypeVar

from chalicelib.api.doors.asgi import CutShortError, Exchange
from chalicelib.api.http.messages import Response
from chalicelib.api.http.pipeline import Pipeline, Visit
from chalicelib.api.http.upload_form import LARGEST_BODY_BYTES, UploadForm
from chalicelib.domain.errors import Busy, FileMissing, FileTooLarge
from chalicelib.domain.media.media import Media
from chalicelib.domain.media.types import SNIFF_BYTES
from chalicelib.domain.workspace.access import Caller, Scope
from chalicelib.services.media.library import MediaLibrary
from chalicelib.services.media.upload import Upload
from chalicelib.storage.media.writer import Gathered

HANDED_OVER_BYTES = 1024 * 1024
"""Pieces are gathered up to this; a thread is asked for only when they fill a part."""

UPLOADS_AT_ONCE = 6
"""Each takes 17 MB at most, so that the process stays far below 200 MB."""

UPLOADS_OF_A_WORKSPACE = 3
_LONGEST_WAIT_S = 5.0
_LONGEST_PAUSE_S = 20.0
_MEASURED_EVERY_S = 30.0
_SLOWEST_BYTES_A_SECOND = 16_384
_TOO_SLOW = "The file came too slowly. Send it over a faster connection."

ResultT = TypeVar("ResultT")

logger = logging.getLogger(__name__)


class Receiving:
    """Takes uploads; key checks run in one pool of threads, storing in another."""

    def __init__(
        self, *, pipeline: Pipeline, library: MediaLibrary, checks: Executor, storing: Executor
    ) -> None:
        self._pipeline = pipeline
        self._library = library
        self._checks = checks
        self._storing = storing
        self._under_way: Counter[str] = Counter()
        self._freed = asyncio.Condition()

    async def admit(self, exchange: Exchange) -> Caller:
        """Return who uploads, if this may come in at all, by its headers alone."""
        authorization = exchange.headers.get("authorization")
        return await self.admit_by(
            exchange, lambda: self._pipeline.admit(authorization, Scope.WRITE)
        )

    async def admit_by(self, exchange: Exchange, check: Callable[[], Caller]) -> Caller:
        """Return who uploads by another check than a key's, such as a session's."""
        caller = await _in(self._checks, check)
        if (exchange.content_length or 0) > LARGEST_BODY_BYTES:
            raise FileTooLarge
        return caller

    def finish(self, visit: Visit, response: Response) -> Response:
        """Log the upload and return its answer as it goes out."""
        return self._pipeline.finish(visit, response)

    async def receive(self, exchange: Exchange, caller: Caller) -> Media:
        """Store the file of a form and return its record; whatever goes wrong leaves nothing.

        Raises Busy when no place becomes free within seconds.
        """
        form = UploadForm(exchange.headers.get("content-type"))
        async with self._place(caller.workspace_id):
            return await self._receive(form, exchange, caller)

    @asynccontextmanager
    async def _place(self, workspace_id: str) -> AsyncIterator[None]:
        """Take one of the places, of which one workspace gets a part only. Raises Busy.

        Who waits costs next to nothing: nothing of the body is read meanwhile.
        """
        try:
            async with asyncio.timeout(_LONGEST_WAIT_S), self._freed:
                await self._freed.wait_for(lambda: self._has_place(workspace_id))
                self._under_way[workspace_id] += 1
        except TimeoutError:
            raise Busy from None
        try:
            yield
        finally:
            self._under_way[workspace_id] -= 1
            self._under_way += Counter()  # which forgets workspaces that have none left
            async with self._freed:
                self._freed.notify_all()

    def _has_place(self, workspace_id: str) -> bool:
        is_full = self._under_way.total() >= UPLOADS_AT_ONCE
        return not is_full and self._under_way[workspace_id] < UPLOADS_OF_A_WORKSPACE

    async def _receive(self, form: UploadForm, exchange: Exchange, caller: Caller) -> Media:
        announced = exchange.content_length
        upload = _StreamedUpload(
            form,
            lambda: self._library.open_upload(caller, form.filename, announced),
            self._storing,
        )
        try:
            await upload.take(exchange)
            return await upload.finish()
        except BaseException:
            # Also when the server shuts down and cancels us: then the clean-up still runs.
            await asyncio.shield(upload.abort())
            raise


class _StreamedUpload:
    """Gathers the file's pieces so that threads are used rarely."""

    def __init__(
        self, form: UploadForm, open_upload: Callable[[], Upload], storing: Executor
    ) -> None:
        self._form = form
        self._open = open_upload
        self._storing = storing
        self._upload: Upload | None = None
        self._gathered = Gathered()
        # The first bytes go ahead alone: they show whether the rest is worth receiving.
        self._enough_bytes = SNIFF_BYTES

    async def take(self, exchange: Exchange) -> None:
        """Read the whole body. Raises FileMissing when it is no form, or ends early."""
        received, speed = 0, Speed()
        try:
            async for body in exchange.pieces(_LONGEST_PAUSE_S):
                received += len(body)
                speed.check(len(body))
                self._gather(body)
                if self._gathered.size_bytes >= self._enough_bytes:
                    await self._hand_over()
                if received > LARGEST_BODY_BYTES:
                    raise FileTooLarge
        except CutShortError as error:
            raise FileMissing("The body ended before the form did. Send the file again.") from error
        self._form.close()

    async def finish(self) -> Media:
        """Return the record of the file."""
        upload = self._opened()
        await self._hand_over()
        return await _in(self._storing, upload.finish)

    async def abort(self) -> None:
        """Leave nothing of the file behind."""
        upload = self._upload
        if upload is None:
            return
        try:
            await _in(self._storing, upload.abort)
        except Exception:  # the client is owed the first failure; retention cleans up later
            logger.exception("An upload was not cleaned up.", extra={"action": "media.abort"})

    def _gather(self, body: bytes) -> None:
        for piece in self._form.feed(body):
            self._gathered.add(piece)

    async def _hand_over(self) -> None:
        upload, size_bytes = self._opened(), self._gathered.size_bytes
        pieces = self._gathered.take()
        self._enough_bytes = HANDED_OVER_BYTES
        if upload.has_room(size_bytes):
            upload.write_all(pieces)  # which only keeps them: no thread is worth that
        else:
            await _in(self._storing, lambda: upload.write_all(pieces))

    def _opened(self) -> Upload:
        if self._upload is None:
            self._upload = self._open()
        return self._upload


class Speed:
    """Tells a client that keeps its place with a byte now and then from one on a slow line."""

    def __init__(self, seconds: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._since = seconds()
        self._bytes = 0

    def check(self, size: int) -> None:
        """Count what arrived. Raises FileMissing when it is too little for its time."""
        self._bytes += size
        seconds = self._seconds() - self._since
        if seconds < _MEASURED_EVERY_S:
            return
        if self._bytes < seconds * _SLOWEST_BYTES_A_SECOND:
            raise FileMissing(_TOO_SLOW)
        self._since, self._bytes = self._seconds(), 0


async def _in(pool: Executor, work: Callable[[], ResultT]) -> ResultT:
    return await asyncio.get_running_loop().run_in_executor(pool, work)
