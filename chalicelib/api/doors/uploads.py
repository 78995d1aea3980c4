"""Files as streams: from the socket to S3 at constant memory, whatever the client does.

`front` calls it, for forms (`POST /v1/media`) and for bare files (`PUT /v1/uploads/…`). Nothing of
the body is read before the key or the address and the announced length are checked, and a place is
free.
"""

from collections.abc import Callable
from concurrent.futures import Executor
from typing import TypeVar

from chalicelib.api.doors.file_stream import (
    StreamedUpload,
    Unframed,
    Unkept,
    in_thread,
    receive_body,
)
from chalicelib.domain.errors import Busy, FileMissing, FileTooLarge
from chalicelib.domain.media.media import UnfinishedUpload
from chalicelib.domain.workspace.access import Caller
from chalicelib.http.upload_form import LARGEST_BODY_BYTES, UploadForm
from chalicelib.kit.asgi.exchange import Exchange
from chalicelib.kit.limits.loop_places import LoopPlaces
from chalicelib.services.media.library import MediaLibrary
from chalicelib.services.media.upload import ArrivingFile, Upload, wrong_size

UPLOADS_AT_ONCE = 6
"""Each takes 17 MB at most, so that the process stays far below 200 MB."""

SMALL_AT_ONCE = 12
SMALL_BYTES = 4 * 1024 * 1024
"""The most memory for a small file; small files have other places than large ones."""

UPLOADS_OF_A_WORKSPACE = 3
_LONGEST_WAIT_S = 5.0

ResultT = TypeVar("ResultT")


def check_length(exchange: Exchange) -> None:
    """Check that a form may come in at all, by its headers alone. Raises FileTooLarge."""
    if (exchange.content_length or 0) > LARGEST_BODY_BYTES:
        raise FileTooLarge


class Receiving:
    """Takes uploads; key checks run in one pool of threads, storing in another."""

    def __init__(self, *, library: MediaLibrary, checks: Executor, storing: Executor) -> None:
        self._library = library
        self._checks = checks
        self._storing = storing
        self._large = LoopPlaces(
            in_all=UPLOADS_AT_ONCE, each=UPLOADS_OF_A_WORKSPACE, wait_s=_LONGEST_WAIT_S, full=Busy
        )
        self._small = LoopPlaces(
            in_all=SMALL_AT_ONCE, each=UPLOADS_OF_A_WORKSPACE, wait_s=_LONGEST_WAIT_S, full=Busy
        )

    async def check(self, check: Callable[[], ResultT]) -> ResultT:
        """Look something up, in the threads that key checks run in."""
        return await in_thread(self._checks, check)

    async def receive(
        self,
        exchange: Exchange,
        caller: Caller,
        form: UploadForm,
        finish: Callable[[Upload], ResultT],
    ) -> ResultT:
        """Store the file of a form and return what `finish` does; a failure leaves nothing.

        Raises Busy when no place becomes free within seconds.
        """
        announced = exchange.content_length
        upload = StreamedUpload(
            form,
            lambda: self._library.open_upload(caller, form.filename, announced),
            self._storing,
        )
        async with self._places(announced).place(caller.workspace_id) as stay:
            return await receive_body(upload, exchange, stay.count, finish)

    async def read_over(self, exchange: Exchange, caller: Caller, form: UploadForm) -> None:
        """Read a form whose file is here already, for its mark; keep nothing of it. Raises Busy."""
        unkept = StreamedUpload(form, Unkept, self._storing)
        async with self._places(exchange.content_length).place(caller.workspace_id) as stay:
            await unkept.take(exchange, stay.count)

    async def receive_alone(
        self, exchange: Exchange, upload: UnfinishedUpload, arriving: Callable[[], ArrivingFile]
    ) -> None:
        """Store a file that is a body by itself, for what finishes direct uploads.

        Raises FileMissing when it is not as large as announced, Busy.
        """
        announced = upload.size_bytes or 0
        if exchange.content_length not in {None, announced}:
            raise FileMissing(wrong_size(announced))
        taken = StreamedUpload(Unframed(), arriving, self._storing)
        async with self._places(announced).place(upload.workspace_id) as stay:
            await receive_body(taken, exchange, stay.count, ArrivingFile.finish)

    def _places(self, announced: int | None) -> LoopPlaces:
        """Return where a file waits: a photo does not wait for videos."""
        is_small = announced is not None and announced <= SMALL_BYTES
        return self._small if is_small else self._large
