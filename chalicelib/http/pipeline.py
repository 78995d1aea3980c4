"""The request pipeline: one request in, one answer out, for the API and for the app.

Each of the two has a gatekeeper that knows who may come in: by a key (`api/http/key_gatekeeper`),
or by a session (`web/session_gatekeeper`). `api/doors` call the pipeline; it knows no server and
never raises.
"""

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import field
from enum import Enum
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, Protocol, TypeAlias, TypeVar

from chalicelib.domain.error_kinds import ServiceError
from chalicelib.domain.errors import BadApiKey
from chalicelib.domain.media.media import Media
from chalicelib.domain.repeating import Making
from chalicelib.domain.workspace.access import Caller
from chalicelib.http.errors import refusal_for
from chalicelib.http.messages import REQUEST_ID, request_id_of, trace_of
from chalicelib.http.routing import Place, Route, RouteT, is_page
from chalicelib.kit.asgi.messages import Request, Response
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.limits.lately import Lately

if TYPE_CHECKING:
    from chalicelib.services.media.upload import Upload as TakenUpload

log = logging.getLogger(__name__)

SERVER_ERROR: Final = 500
READINESS: Final = "/v1/ready"
"""Its 503 is what was asked, so no failure: whoever waits for a start asks until it is another."""
_MOST_LET_IN: Final = 10_000
_LATELY_S: Final = 600.0
NOBODY: Final = ""
"""Whose a request is that needs neither key nor session."""


class Standing(Enum):
    """Who may be asking: a caller's key or session let somebody in within ten minutes.

    What a stranger makes up, an ended key and the first request with a good one are unknown.
    """

    CALLER = "caller"
    UNKNOWN = "unknown"
    ANYBODY = "anybody"


@dataclass(slots=True, kw_only=True)
class Visit(Generic[RouteT]):
    """One request on its way through the pipeline; `known_caller` is who was let in.

    `begun_in` is the workspace, and as which member, of a session that the answer begins.
    """

    logged: ClassVar[Mapping[str, str]] = {"action": "request"}

    request: Request
    place: Place[RouteT] | None
    request_id: str = field(init=False)
    began: float = field(default_factory=time.perf_counter)
    known_caller: Caller | None = None
    begun_in: tuple[str | None, str | None] = (None, None)

    def __post_init__(self) -> None:
        self.request_id = request_id_of(self.request.headers)

    @property
    def caller(self) -> Caller:
        """Return who was let in. Raises BadApiKey where nobody was asked."""
        if self.known_caller is None:
            raise BadApiKey
        return self.known_caller

    def facts(self) -> dict[str, str | int | float | None]:
        """Return what the log may know of a request: never its body, its key or its query.

        Of its path only the template: some hold a secret.
        """
        caller = self.known_caller
        trace_id, traceparent = trace_of(self.request.headers)
        return {
            **self.logged,
            "method": self.request.method[:10],
            "route": "unknown" if self.place is None else self.place.template,
            "request_id": self.request_id,
            "trace_id": trace_id,
            "traceparent": traceparent,
            "client": self.request.client or None,
            "workspace_id": self.begun_in[0] if caller is None else caller.workspace_id,
            "member_id": self.begun_in[1] if caller is None else caller.member_id,
            "key_id": None if caller is None else caller.key_id,
        }


VisitT = TypeVar("VisitT", bound=Visit[Any])
Repeat: TypeAlias = Callable[[str], Response]
"""Answers an upload that was made earlier, by the mark of the form that came now."""

RouteT_contra = TypeVar("RouteT_contra", bound=Route, contravariant=True)
ResultT = TypeVar("ResultT")


class TurnedAway(Exception):
    """Whoever comes is not let in, but led elsewhere or told what the path takes."""

    def __init__(self, answer: Response) -> None:
        self.answer = answer
        super().__init__(f"answered {answer.status}")


class Gatekeeper(Protocol[VisitT, RouteT_contra]):
    """Who may come in, and how those are answered who may and who may not."""

    refusals: tuple[type[Exception], ...]

    def begin(self, request: Request) -> VisitT:
        """Begin a visit; who is asking is not known yet."""
        ...

    def credential(self, visit: VisitT) -> str | None:
        """Return the key or session that was sent, unchecked; None if none is needed."""
        ...

    def admit(self, visit: VisitT) -> object:
        """Let a visit in by all but its body, a form's token apart. Raises what refuses it."""
        ...

    def admit_unread(self, visit: VisitT) -> Response | None:
        """Let a visit in whose body was not read yet, or answer what needs none."""
        ...

    def check_head(self, visit: VisitT) -> "Repeat | None":
        """Look at what an admitted upload says before its body. Raises `refusals`.

        Returns what answers one that was made earlier, None for one that is to be made.
        """
        ...

    def handle(self, visit: VisitT) -> Response:
        """Admit a visit and answer it. Raises `refusals`, TurnedAway."""
        ...

    def finish_upload(self, visit: VisitT, taken: "TakenUpload", mark: str) -> tuple[Media, Making]:
        """Make a file of what was taken out of a form with this mark, unless it was made before."""
        ...

    def answer_stored(
        self, visit: VisitT, route: RouteT_contra, made: tuple[Media, Making]
    ) -> Response:
        """Answer that the file of an upload was taken, now or earlier."""
        ...

    def refuse(self, visit: VisitT, error: Exception) -> Response:
        """Answer why nothing was done: `error` is one of `refusals`."""
        ...

    def fail(self, visit: VisitT) -> Response:
        """Answer that something went wrong on our side, without details."""
        ...

    def other_method(self, visit: VisitT, methods: tuple[str, ...]) -> Response:
        """Answer a method that a path does not take; `methods` are those that it takes."""
        ...

    def add_headers(self, visit: VisitT, response: Response) -> Response:
        """Return an answer with the headers that all of this gatekeeper's answers carry."""
        ...


class Pipeline:
    """Answers requests: of the API, and of the app if there is one.

    `app` finds its gatekeeper when the first request for a page comes: most ask for none.
    """

    def __init__(
        self, api: Gatekeeper[Any, Any], app: Callable[[], Gatekeeper[Any, Any]] | None = None
    ) -> None:
        self._api = api
        self._app = app
        self._let_in = Lately(_MOST_LET_IN, _LATELY_S)

    def answer(self, request: Request) -> Response:
        """Answer a request, whatever it is; an unexpected failure is 500 and logged."""
        gatekeeper, visit = self._begin(request)
        return self.finish(visit, _caught(gatekeeper, visit, gatekeeper.handle))

    def standing(self, request: Request) -> Standing:
        """Tell who may be asking, before anything is looked up."""
        gatekeeper, visit = self._begin(request)
        shown = gatekeeper.credential(visit)
        if shown is None:
            return Standing.ANYBODY
        return Standing.CALLER if self._let_in.has(shown) else Standing.UNKNOWN

    def admit_unread(self, request: Request) -> str | Response:
        """Return whose request it is, or the refusal of one that needs no body to be refused."""
        gatekeeper, visit = self._begin(request)
        response = _caught(gatekeeper, visit, gatekeeper.admit_unread)
        if response is not None:
            return self.finish(visit, response)
        return NOBODY if visit.known_caller is None else visit.caller.workspace_id

    def upload(self, request: Request) -> "Upload | None":
        """Return the upload that a request begins, None for one that sends no form with a file."""
        gatekeeper, visit = self._begin(request)
        route = None if visit.place is None else visit.place.endpoint(request.method)
        if route is None or not route.takes_file:
            return None
        return Upload(self, gatekeeper, visit, route)

    def other_method(self, visit: Visit[Any], methods: tuple[str, ...]) -> Response:
        """Answer a method that a path does not take: a browser that asks first, or a refusal."""
        return self.finish(visit, self._gatekeeper(visit.request).other_method(visit, methods))

    def answer_refused(self, visit: Visit[Any], error: ServiceError | None) -> Response:
        """Answer why an upload was not taken; None stands for a failure of ours."""
        gatekeeper = self._gatekeeper(visit.request)
        answer = gatekeeper.fail(visit) if error is None else gatekeeper.refuse(visit, error)
        return self.finish(visit, answer)

    def finish(self, visit: Visit[Any], response: Response) -> Response:
        """Log the request and return the answer as it goes out; note what let somebody in."""
        gatekeeper = self._gatekeeper(visit.request)
        if visit.known_caller is not None:
            shown = gatekeeper.credential(visit)
            if shown is not None:
                self._let_in.note(shown)
        return gatekeeper.add_headers(visit, finish(visit, response))

    def _begin(self, request: Request) -> tuple[Gatekeeper[Any, Any], Visit[Any]]:
        gatekeeper = self._gatekeeper(request)
        return gatekeeper, gatekeeper.begin(request)

    def _gatekeeper(self, request: Request) -> Gatekeeper[Any, Any]:
        return self._api if self._app is None or not is_page(request.path) else self._app()


class Upload:
    """A file that comes in a form, by a key or by a page: `front` takes it as a stream."""

    def __init__(
        self,
        pipeline: Pipeline,
        gatekeeper: Gatekeeper[Any, Any],
        visit: Visit[Any],
        route: Route,
    ) -> None:
        self._pipeline = pipeline
        self._gatekeeper = gatekeeper
        self._visit = visit
        self._route = route
        self._repeat: Repeat | None = None

    def admit(self) -> Caller:
        """Return who sends it, by headers and address alone. Raises ServiceError."""
        self._gatekeeper.admit(self._visit)
        return self._visit.caller

    def misread(self) -> Response | None:
        """Return the refusal of what an admitted one says before its body, if it is refused."""
        answer = _caught(self._gatekeeper, self._visit, self._gatekeeper.check_head)
        if isinstance(answer, Response):
            return self._pipeline.finish(self._visit, answer)
        self._repeat = answer
        return None

    @property
    def is_made(self) -> bool:
        """Tell whether an earlier one made it: then its form is read and nothing is kept of it."""
        return self._repeat is not None

    def answer_repeated(self, mark: str) -> Response:
        """Answer what an earlier one made."""
        if self._repeat is None:
            raise LookupError("nothing was made earlier")
        return self._pipeline.finish(self._visit, self._repeat(mark))

    def finish(self, taken: "TakenUpload", mark: str) -> tuple[Media, Making]:
        """Make a file of what was taken, unless an earlier one made it. Raises ServiceError."""
        return self._gatekeeper.finish_upload(self._visit, taken, mark)

    def answer_stored(self, made: tuple[Media, Making]) -> Response:
        """Answer that it was taken."""
        answer = self._gatekeeper.answer_stored(self._visit, self._route, made)
        return self._pipeline.finish(self._visit, answer)

    def answer_refused(self, error: ServiceError | None) -> Response:
        """Answer that it was not; None stands for a failure of ours."""
        return self._pipeline.answer_refused(self._visit, error)


def _caught(
    gatekeeper: Gatekeeper[Any, Any], visit: Visit[Any], work: Callable[[Visit[Any]], ResultT]
) -> ResultT | Response:
    try:
        return work(visit)
    except TurnedAway as away:
        return away.answer
    except gatekeeper.refusals as error:
        return gatekeeper.refuse(visit, error)
    except Exception as failure:  # noqa: BLE001 - told in the log
        refusal = tell_failure(failure, visit.facts())
        return gatekeeper.fail(visit) if refusal is None else gatekeeper.refuse(visit, refusal)


def tell_failure(failure: Exception, facts: Mapping[str, object]) -> ServiceError | None:
    """Log what no rule of the service refused; return its refusal, None for a failure of ours."""
    refusal = refusal_for(failure)
    if refusal is None:
        log.error("unexpected failure", extra=facts, exc_info=failure)
    else:
        log.warning("The store refused: %r", failure, extra=facts)
    return refusal


def finish(visit: Visit[Any], response: Response) -> Response:
    """Write the request's one log line and return the answer with what every answer carries."""
    milliseconds = round((time.perf_counter() - visit.began) * 1000, 1)
    facts = {**visit.facts(), "status": response.status, "ms": milliseconds}
    failed = response.status >= SERVER_ERROR and facts["route"] != READINESS
    level = logging.ERROR if failed else logging.INFO
    log.log(level, "%s %s %s", facts["method"], facts["route"], response.status, extra=facts)
    headers = {
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
        **response.headers,
        REQUEST_ID: visit.request_id,
    }
    body = b"" if visit.request.method == "HEAD" else response.body
    return Response(status=response.status, headers=headers, body=body)
