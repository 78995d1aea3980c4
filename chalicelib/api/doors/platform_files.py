"""Files for platforms that fetch them: GET and HEAD `/v1/pulled/{token}/{name}`, without a key.

`front` calls it. It is no endpoint of the API: neither Chalice nor the OpenAPI document has it. A
body is sent in ranges of the object, the next one read once the client took the last; they are read
in this module's own thread pool, so that downloads hold no thread of other requests. The path is a
secret: log lines name its template.

Of the Range header (RFC 9110, 14) one range is understood; several, other units and what is no
range at all are ignored, as the RFC lets a server do, and then the whole file goes out.
"""

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Callable
from typing import TypeVar

from chalicelib.api.doors.crowd import Crowd, Door
from chalicelib.api.http.endpoint import Endpoint
from chalicelib.domain.error_kinds import ServiceError
from chalicelib.domain.errors import Busy
from chalicelib.http.errors import (
    error_response,
    internal_error,
    method_not_allowed,
    refusal_for,
    refuse,
)
from chalicelib.http.pipeline import Visit, finish
from chalicelib.http.routing import Place
from chalicelib.kit.asgi.exchange import Exchange
from chalicelib.kit.asgi.messages import Response
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.limits.loop_places import LoopPlaces
from chalicelib.kit.limits.pace import Pace
from chalicelib.kit.limits.thread_pool import WaitingPool
from chalicelib.services.media.pulled_files import PulledFile, PulledFiles
from chalicelib.storage.media.stored_file import MediaUnreadableError

_RANGE = re.compile(r"bytes=\s*(\d{0,18})-(\d{0,18})\s*", re.ASCII | re.IGNORECASE)


class UnsatisfiableError(Exception):
    """The file has no such bytes."""


@dataclass(frozen=True, slots=True)
class ByteRange:
    """The bytes from `first` to `last`, both included."""

    first: int
    last: int

    @property
    def length(self) -> int:
        """How many bytes these are."""
        return self.last - self.first + 1


def asked_range(header: str | None, size: int) -> ByteRange | None:
    """Return what part of `size` bytes is asked for, None for all. Raises UnsatisfiableError."""
    asked = _RANGE.fullmatch(header or "")
    if asked is None or asked[1] == asked[2] == "":
        return None
    if asked[1] == "":
        return _the_last(int(asked[2]), size)
    first = int(asked[1])
    last = int(asked[2]) if asked[2] else size - 1
    if asked[2] and last < first:
        return None
    if first >= size:
        raise UnsatisfiableError
    return ByteRange(first, min(last, size - 1))


def _the_last(count: int, size: int) -> ByteRange:
    if count == 0 or size == 0:
        raise UnsatisfiableError
    return ByteRange(max(0, size - count), size - 1)


PIECE_BYTES = 1_048_576
MOST_BODIES = 24
"""How many bodies are sent at once; the server holds up to seven pieces of each in memory."""
MOST_BODIES_FOR_PEOPLE = 16
BODIES_OF_A_WORKSPACE = 6
PATIENCE_S = 20.0
"""How long a further request waits; then the platform is asked to come again."""

_PLACE = Place[Endpoint](template="/v1/pulled/{token}/{name}", params={}, endpoints={})
_METHODS = ("GET", "HEAD")
_THREADS = 4
_LONGEST_CACHED_S = 3_600
_NOTHING_RUNS = "default-src 'none'; sandbox"
"""On one machine pages of the app have the same origin."""
_START = ("", "v1", "pulled")

ResultT = TypeVar("ResultT")

logger = logging.getLogger(__name__)


class Pulling:
    """Serves a file to everybody who has an address of it."""

    def __init__(self, files: PulledFiles, crowd: Crowd, *, patience_s: float = PATIENCE_S) -> None:
        self._files = files
        self._crowd = crowd
        self._threads = WaitingPool(_THREADS, name="pulling")
        self._for_platforms = LoopPlaces(
            in_all=MOST_BODIES, each=BODIES_OF_A_WORKSPACE, wait_s=patience_s, full=Busy
        )
        self._for_people = LoopPlaces(
            in_all=MOST_BODIES_FOR_PEOPLE, each=BODIES_OF_A_WORKSPACE, wait_s=patience_s, full=Busy
        )

    async def serve(self, exchange: Exchange) -> None:
        """Answer one request whose path `is_pull`."""
        visit = Visit(request=exchange.request(), place=_PLACE)
        if exchange.method not in _METHODS:
            await exchange.answer(finish(visit, method_not_allowed(_METHODS)))
            return
        opened = await self._open_file(exchange.path, visit)
        if isinstance(opened, Response):
            await exchange.answer(finish(visit, opened))
        elif exchange.method == "HEAD":
            await exchange.answer(finish(visit, _head(opened, None)))
        else:
            await self._send(exchange, visit, opened)

    async def _open_file(self, path: str, visit: Visit[Endpoint]) -> PulledFile | Response:
        """Return the file of an address, or why there is none."""
        *_, token, name = path.split("/")
        try:
            return await self._crowd.answer(lambda: self._files.open(token, name), Door.FILES)
        except ServiceError as error:
            return error_response(error)
        except MediaUnreadableError as failure:
            said = "A file that a platform came for is unreadable: %s."
            logger.warning(said, failure, extra=_facts(visit))
            refusal = refusal_for(failure)
        except Exception as failure:
            refusal = refusal_for(failure)
            if refusal is None:
                logger.exception("unexpected failure", extra=_facts(visit))
        return internal_error() if refusal is None else error_response(refusal)

    async def _send(self, exchange: Exchange, visit: Visit[Endpoint], pulled: PulledFile) -> None:
        """Send a file, or a part of it, when it is its turn."""
        try:
            part = asked_range(_range_header(exchange), pulled.size_bytes)
        except UnsatisfiableError:
            await exchange.answer(finish(visit, _unsatisfiable(pulled)))
            return
        has_begun = False
        try:
            async with self._places(pulled).place(pulled.owner) as stay:
                has_begun = True
                pieces = self._pieces(
                    pulled, part or ByteRange(0, pulled.size_bytes - 1), stay.count
                )
                if not await exchange.stream(finish(visit, _head(pulled, part)), pieces):
                    logger.info(
                        "A client disconnected before it had the whole file.", extra=_facts(visit)
                    )
        except MediaUnreadableError as error:
            # The answer stays short of its Content-Length: its reader sees that and comes again.
            said = "A file was unreadable before its end: %s."
            logger.warning(said, error, extra=_facts(visit))
        except Busy:
            if not has_begun:
                await exchange.answer(finish(visit, _busy()))

    def _places(self, pulled: PulledFile) -> LoopPlaces:
        return self._for_people if pulled.is_for_people else self._for_platforms

    async def _pieces(
        self, pulled: PulledFile, part: ByteRange, count: Callable[[int], object]
    ) -> AsyncIterator[bytes]:
        """Yield a file's bytes, unless the client is slower than a slow connection."""
        loop = asyncio.get_running_loop()
        offset, pace = part.first, Pace(loop.time())
        while offset <= part.last:
            piece = await self._in_thread(_reading(pulled, offset, part.last + 1 - offset))
            if not piece:
                raise MediaUnreadableError("it is shorter than it was")
            yield piece
            count(len(piece))
            if pace.is_too_slow(len(piece), loop.time()):
                raise Busy
            offset += len(piece)

    async def _in_thread(self, work: Callable[[], ResultT]) -> ResultT:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)


def is_pull(path: str) -> bool:
    """Tell whether a path is an address of a file."""
    *start, _, name = path.split("/")
    return tuple(start) == _START and name != ""


def _reading(pulled: PulledFile, offset: int, left: int) -> Callable[[], bytes]:
    return lambda: pulled.stored.read(offset, min(PIECE_BYTES, left))


def _range_header(exchange: Exchange) -> str | None:
    """Return the Range asked for. No validator is ever given out, so `If-Range` never matches."""
    return None if "if-range" in exchange.headers else exchange.headers.get("range")


def _head(pulled: PulledFile, part: ByteRange | None) -> Response:
    """Return the answer without its body; `finish` adds `nosniff` and the request's id."""
    size = pulled.size_bytes
    headers = {
        "Content-Type": pulled.mime,
        "Content-Length": str(size if part is None else part.length),
        "Content-Disposition": "inline",
        "Content-Security-Policy": _NOTHING_RUNS,
        "Accept-Ranges": "bytes",
        "Cache-Control": f"private, max-age={min(pulled.seconds_left, _LONGEST_CACHED_S)}",
    }
    if part is None:
        return Response(status=200, headers=headers)
    return Response(
        status=206,
        headers={**headers, "Content-Range": f"bytes {part.first}-{part.last}/{size}"},
    )


def _unsatisfiable(pulled: PulledFile) -> Response:
    headers = {"Content-Range": f"bytes */{pulled.size_bytes}", "Accept-Ranges": "bytes"}
    return refuse(416, "range_not_satisfiable", "The file has no such bytes.", headers)


def _busy() -> Response:
    message = "Too many files are being fetched. Try again soon."
    return refuse(503, "busy", message, {"Retry-After": "10"})


def _facts(visit: Visit[Endpoint]) -> dict[str, str]:
    return {"action": "media.pull", "request_id": visit.request_id}
