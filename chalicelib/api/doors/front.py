"""The HTTP door of the service as an ASGI app: files are streamed, the rest goes to Chalice.

API Gateway passes 10 MB and Lambda 6 MB, so 1 GB needs this door, coming in (`uploads`) and going
out to platforms (`platform_files`). It is the server of `make run` and, deployed, a container
behind the same domain; on one machine it takes direct uploads, too, in the place of S3. Every other
path is read up to 1 MB and handed to `handle`, in threads; the checks and answers are `pipeline`'s.

At every door, before an upload's body and before a file is sent, a request without a recently used
key or session waits its turn (`crowd.py`) before anything is read for it.
"""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import Final, TypeVar

from chalicelib.api.doors.crowd import Crowd, Door, strangers
from chalicelib.api.doors.platform_files import Pulling, is_pull
from chalicelib.api.doors.small_bodies import SmallBodies, TooSlowError, refusal
from chalicelib.api.doors.uploads import Receiving, check_length
from chalicelib.api.http.endpoint import Endpoint
from chalicelib.api.http.parsing import IDEMPOTENCY_HEADER
from chalicelib.api.http.response_headers import compress
from chalicelib.domain.error_kinds import ServiceError
from chalicelib.http.errors import error_response, refuse
from chalicelib.http.pipeline import READINESS, Pipeline, Standing, Upload, Visit, tell_failure
from chalicelib.http.routing import Place
from chalicelib.http.upload_form import MarkedForm, UploadForm
from chalicelib.kit.asgi.exchange import AsgiApp, CutShortError, Exchange, Receive, Scope, Send
from chalicelib.kit.asgi.messages import Request, Response
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.limits.thread_pool import WaitingPool
from chalicelib.services.media.direct_uploads import DirectUploads
from chalicelib.services.media.library import MediaLibrary
from chalicelib.services.media.pulled_files import PulledFiles

REQUEST_THREADS = 32
STORING_THREADS = 8
_FILE_PLACE = Place[Endpoint](template="/v1/uploads/{media_id}/{token}", params={}, endpoints={})
_FILE_METHODS = ("PUT",)
MOST_HEAD_BYTES = 16 * 1024
"""The largest address with headers: no browser and no client sends more."""

_OK = 200
_MONITORS: Final = ("/v1/health", READINESS)

ResultT = TypeVar("ResultT")


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamedFiles:
    """What comes in and goes out as streams; `direct` are uploads whose addresses lead here."""

    library: MediaLibrary
    pulled: PulledFiles
    direct: DirectUploads | None = None


def create_front(
    pipeline: Pipeline,
    files: StreamedFiles,
    handle: Callable[[Request], Response],
    crowd: Crowd | None = None,
) -> AsgiApp:
    """Return the ASGI app; `handle` answers, in a thread, what is no stream."""
    front = _Front(pipeline, files, handle, crowd or strangers())

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            exchange = Exchange(scope, receive, send)
            try:
                await front.serve(exchange)
            finally:
                exchange.close()
        elif scope["type"] == "lifespan":
            await _live(receive, send)

    return app


class _Front:
    def __init__(
        self,
        pipeline: Pipeline,
        files: StreamedFiles,
        handle: Callable[[Request], Response],
        crowd: Crowd,
    ) -> None:
        requests = WaitingPool(REQUEST_THREADS, name="request")
        storing = WaitingPool(STORING_THREADS, name="storing")
        self._receiving = Receiving(library=files.library, checks=requests, storing=storing)
        self._pulling = Pulling(files.pulled, crowd)
        self._direct = files.direct
        self._pipeline = pipeline
        self._handle = handle
        self._crowd = crowd
        self._bodies = SmallBodies()

    async def serve(self, exchange: Exchange) -> None:
        misshapen = _misshapen(exchange)
        if misshapen is not None:
            await exchange.answer(misshapen)
        elif is_pull(exchange.path):
            await self._pulling.serve(exchange)
        else:
            await exchange.answer(await self._response(exchange))

    async def _response(self, exchange: Exchange) -> Response:
        is_form = exchange.method == "POST"
        upload = self._pipeline.upload(exchange.request()) if is_form else None
        if upload is not None:
            return await self._take(exchange, upload)
        if self._direct is not None and _is_file(exchange.path):
            return await self._file(self._direct, exchange)
        return await self._other(exchange)

    async def _take(self, exchange: Exchange, upload: Upload) -> Response:
        async def stored() -> Response:
            caller = await self._in_turn(exchange.request(), upload.admit)
            check_length(exchange)
            misread = await self._receiving.check(upload.misread)
            if misread is not None:
                return misread
            form = _form(exchange)
            if upload.is_made:
                await self._receiving.read_over(exchange, caller, form)
                return upload.answer_repeated(form.mark)
            made = await self._receiving.receive(
                exchange, caller, form, lambda taken: upload.finish(taken, form.mark)
            )
            return await self._receiving.check(lambda: upload.answer_stored(made))

        return await _await_answer(stored(), upload.answer_refused)

    async def _file(self, direct: DirectUploads, exchange: Exchange) -> Response:
        """Take a file at an address that `POST /v1/media/uploads` gave."""
        visit = Visit(request=exchange.request(), place=_FILE_PLACE)
        if exchange.method not in _FILE_METHODS:
            return self._pipeline.other_method(visit, _FILE_METHODS)
        *_, media_id, token = exchange.path.split("/")

        async def stored() -> Response:
            upload = await self._crowd.answer(
                lambda: direct.find_expected(media_id, token), Door.FILES
            )
            await self._receiving.receive_alone(
                exchange, upload, lambda: direct.open_arriving(upload)
            )
            empty = Response(status=_OK, headers={"Content-Length": "0"})
            return self._pipeline.finish(visit, empty)

        return await _await_answer(stored(), partial(self._pipeline.answer_refused, visit))

    async def _other(self, exchange: Exchange) -> Response:
        unread = exchange.request()

        async def admit() -> str | Response:
            return await self._in_turn(unread, lambda: self._pipeline.admit_unread(unread))

        try:
            body = await self._bodies.read(exchange, admit)
        except (CutShortError, TooSlowError) as error:
            return refusal(error)
        except ServiceError as error:
            return error_response(error)
        if isinstance(body, Response):
            return body
        request = replace(unread, body=body)
        return await self._in_turn(request, lambda: self._answer(request))

    async def _in_turn(self, request: Request, work: Callable[[], ResultT]) -> ResultT:
        """Run something for a request: for a known caller at once, for a stranger in turn."""
        standing = self._pipeline.standing(request)
        if standing is Standing.CALLER:
            with self._crowd.caller():
                return await self._receiving.check(work)
        return await self._crowd.answer(work, _door(request, standing))

    def _answer(self, request: Request) -> Response:
        return compress(request, self._handle(request))


async def _await_answer(
    storing: Awaitable[Response], refused: Callable[[ServiceError | None], Response]
) -> Response:
    """Wait for an upload's answer, or have it refused; for None where nobody knows why."""
    try:
        return await storing
    except ServiceError as error:
        return refused(error)
    except Exception as failure:  # noqa: BLE001 - told in the log
        return refused(tell_failure(failure, {"action": "media.upload"}))


def _form(exchange: Exchange) -> UploadForm:
    """Return what reads an upload's body; with a key, it is also told from another."""
    made_once = IDEMPOTENCY_HEADER.lower() in exchange.headers
    return (MarkedForm if made_once else UploadForm)(exchange.headers.get("content-type"))


def _door(request: Request, standing: Standing) -> Door:
    if request.path in _MONITORS:
        return Door.MONITORS
    return Door.UNKNOWN if standing is Standing.UNKNOWN else Door.PAGES


def _is_file(path: str) -> bool:
    """Tell whether a path is an address that takes a file."""
    *start, _, token = path.split("/")
    return start == ["", "v1", "uploads"] and token != ""


def _misshapen(exchange: Exchange) -> Response | None:
    """Refuse what no client sends, and what a proxy may understand differently than we do."""
    if exchange.head_bytes > MOST_HEAD_BYTES:
        message = "Send at most 16 KB of address and headers."
        return refuse(431, "headers_too_large", message)
    if exchange.is_ambiguous:
        return _bad_request("Send Content-Length or Transfer-Encoding, not both.")
    if not exchange.names_its_host:
        return _bad_request("Send one Host header, with the name and the port of this service.")
    if not exchange.path.startswith("/"):
        return _bad_request("Ask for a path of this service.")
    return None


def _bad_request(message: str) -> Response:
    return refuse(400, "bad_request", message)


async def _live(receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return
