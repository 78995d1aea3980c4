"""The API's gatekeeper: whoever has a key, and what the key may do.

Its checks come in the order that docs/api.md gives: 401, 429, 402 (plan), 403 session_required,
scope_missing, forbidden, 413, 422 `detail`, and then the endpoint, whose services raise the rest.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NoReturn, cast
from urllib.parse import unquote

from chalicelib.api.http.answers import Out
from chalicelib.api.http.endpoint import (
    Call,
    Endpoint,
    Endpoints,
    Reply,
    list_endpoints,
    reply_once,
)
from chalicelib.api.http.parsing import IDEMPOTENCY_HEADER, check_head, parse
from chalicelib.api.http.problems import Malformed, detail_response, invalid_input
from chalicelib.api.http.response_headers import (
    ETAG,
    LOCATION,
    ResponseHeaders,
    entity_tag,
    revisions_in,
    without_what_is_known,
)
from chalicelib.domain.clock import Clock
from chalicelib.domain.error_kinds import InvalidInput, ServiceError
from chalicelib.domain.errors import (
    BadApiKey,
    BodyTooLarge,
    PathNotFound,
    PlanLimit,
    SessionRequired,
)
from chalicelib.domain.media.media import Media
from chalicelib.domain.posts.post import Post
from chalicelib.domain.repeating import Making
from chalicelib.domain.workspace.access import Caller, Plan, require
from chalicelib.domain.workspace.operator_errors import UnknownWorkspaceError
from chalicelib.domain.workspace.plans import NO_API, TRIAL_OVER
from chalicelib.http.errors import error_response, internal_error, method_not_allowed
from chalicelib.http.messages import JsonObject, json_response
from chalicelib.http.pipeline import Repeat, TurnedAway, Visit
from chalicelib.http.routing import RouteMap
from chalicelib.kit.asgi.messages import Request, Response
from chalicelib.services.repeats import Repeatable

if TYPE_CHECKING:
    from chalicelib.bootstrap.deployment import Deployment
    from chalicelib.services.media.upload import Upload
    from chalicelib.services.workspace.fair_shares import FairShares

CREATED: Final = 201
NO_CONTENT: Final = 204
_ACCOUNT_LEVEL = ("auth", "keys", "team", "billing", "export", "account")


class KeyGatekeeper:
    """Lets in by a key, and answers from a list of endpoints."""

    refusals: tuple[type[Exception], ...] = (ServiceError, Malformed, UnknownWorkspaceError)

    def __init__(
        self,
        services: "Deployment",
        endpoints: Endpoints | Iterable[Endpoint],
        *,
        clock: Clock,
        headers: ResponseHeaders | None = None,
        shares: "FairShares | None" = None,
    ) -> None:
        self._services = services
        known = endpoints if isinstance(endpoints, Endpoints) else list_endpoints(endpoints)
        self._find_endpoints = known.find_all
        self._routes = RouteMap(known.by_path)
        self._clock = clock
        self._headers = headers or ResponseHeaders()
        self._shares = shares

    def begin(self, request: Request) -> Visit[Endpoint]:
        """Begin a visit, of whomever."""
        return Visit(request=request, place=self._routes.find(request.path))

    def credential(self, visit: Visit[Endpoint]) -> str | None:
        """Return the key that is shown where one is needed, of whatever worth."""
        endpoint = None if visit.place is None else visit.place.endpoint(visit.request.method)
        needs_none = endpoint is None or endpoint.open_to_all
        return None if needs_none else visit.request.headers.get("authorization")

    def admit(self, visit: Visit[Endpoint]) -> Endpoint:
        """Return the endpoint that is called, if whoever calls may do so: needs no body."""
        place = visit.place
        if place is None:
            self._refuse_unknown(visit)
        endpoint = place.endpoint(visit.request.method)
        if endpoint is None:
            raise TurnedAway(self.other_method(visit, place.allowed))
        if not endpoint.open_to_all:
            visit.known_caller = self._identify(visit)
            if endpoint.scope is not None:
                require(visit.known_caller, endpoint.scope)
        return endpoint

    def admit_unread(self, visit: Visit[Endpoint]) -> None:
        """Let a visit in whose body was not read yet."""
        self.admit(visit)

    def check_head(self, visit: Visit[Endpoint]) -> Repeat | None:
        """Read the query and the header of an upload, as an endpoint declares them.

        Returns what answers a file that the same Idempotency-Key made earlier.
        """
        endpoint = None if visit.place is None else visit.place.endpoint(visit.request.method)
        if endpoint is None:
            return None
        check_head(endpoint, visit.request)
        earlier = self._services.workspace.repeats.earlier(visit.caller, self._upload(visit))
        if earlier is None:
            return None
        return lambda mark: _response_of_making(endpoint, earlier.compare(mark))

    def handle(self, visit: Visit[Endpoint]) -> Response:
        """Admit a visit, read what its endpoint declares and run it."""
        endpoint = self.admit(visit)
        if len(visit.request.body) > endpoint.max_body_bytes:
            raise BodyTooLarge
        return self._run(endpoint, visit)

    def finish_upload(
        self, visit: Visit[Endpoint], taken: "Upload", mark: str
    ) -> tuple[Media, Making]:
        """Make a file of what was taken, or return what an earlier upload with its key made."""
        upload = self._upload(visit, mark)
        made = self._services.workspace.repeats.once(visit.caller, upload, taken.finish)
        if made[1] is not Making.NEW:
            taken.abort()
        return made

    def answer_stored(
        self, visit: Visit[Endpoint], endpoint: Endpoint, made: tuple[Media, Making]
    ) -> Response:
        """Answer the record of an upload's file."""
        del visit
        return _response_of_making(endpoint, made)

    def _upload(self, visit: Visit[Endpoint], mark: str = "") -> Repeatable[Media]:
        key = visit.request.headers.get(IDEMPOTENCY_HEADER.lower()) or None
        return self._services.media.library.repeatable(visit.caller, key, mark)

    def refuse(self, visit: Visit[Endpoint], error: Exception) -> Response:
        """Answer why nothing was done."""
        del visit
        match error:
            case InvalidInput():
                return detail_response(invalid_input(error).problems)
            case Malformed():
                return detail_response(error.problems)
            case UnknownWorkspaceError():  # deleted, or moved away, since the key was read
                return error_response(BadApiKey())
            case _:
                return error_response(cast("ServiceError", error))

    def fail(self, visit: Visit[Endpoint]) -> Response:
        """Answer that something went wrong on our side."""
        del visit
        return internal_error()

    def other_method(self, visit: Visit[Endpoint], methods: tuple[str, ...]) -> Response:
        """Answer a method that a path does not take: a browser that asks first, or a refusal."""
        return self._headers.preflight(visit.request, methods) or method_not_allowed(methods)

    def add_headers(self, visit: Visit[Endpoint], response: Response) -> Response:
        """Return an answer as it goes out."""
        return self._headers.add_to(visit.request, response)

    def _refuse_unknown(self, visit: Visit[Endpoint]) -> NoReturn:
        if not is_account_level(visit.request.path):
            raise PathNotFound
        visit.known_caller = self._identify(visit)
        raise SessionRequired

    def _identify(self, visit: Visit[Endpoint]) -> Caller:
        authorization = visit.request.headers.get("authorization")
        caller = self._services.workspace.authentication.authenticate(
            authorization, visit.request.client
        )
        if self._shares is not None:
            self._shares.take(caller.workspace_id)
        if caller.plan is Plan.FREE:
            raise PlanLimit(NO_API)
        if caller.trial_is_over(self._clock()):
            raise PlanLimit(TRIAL_OVER)
        return caller

    def _run(self, endpoint: Endpoint, visit: Visit[Endpoint]) -> Response:
        parsed = parse(endpoint, visit.request)
        call = Call(
            services=self._services,
            request_id=visit.request_id,
            path=visit.place.params if visit.place else {},
            body=parsed.body,
            query=parsed.query,
            headers=visit.request.headers,
            find_endpoints=self._find_endpoints,
            raw=visit.request.body,
            idempotency_key=parsed.idempotency_key,
            known_caller=_meaning(visit, endpoint),
            base_url=self._headers.service_address(visit.request),
            asked=visit.request.path,
        )
        response = _write_response(endpoint, endpoint.run(call), call)
        return without_what_is_known(visit.request, response)


def is_account_level(path: str) -> bool:
    """Tell whether a path belongs to what only a signed-in person may do (docs/api.md)."""
    start, _, under = unquote(path).partition("/v1/")
    is_listed = under.startswith(_ACCOUNT_LEVEL) and not under.startswith("accounts")
    return not start and is_listed


def _response_of_making(endpoint: Endpoint, outcome: tuple[Media, Making]) -> Response:
    reply = reply_once(outcome)
    model = cast("type[Out]", endpoint.returns)
    status, written = reply.status or endpoint.status, model.serialize(reply.result, None)
    headers = {**_place(endpoint, written), **reply.headers} if status == CREATED else reply.headers
    return json_response(status, written, headers)


def _meaning(visit: Visit[Endpoint], endpoint: Endpoint) -> Caller | None:
    """Return the caller with the states of a post that the request is meant for."""
    sent = visit.request.headers.get("if-match")
    if visit.known_caller is None or sent is None or not endpoint.takes_if_match:
        return visit.known_caller
    return replace(visit.known_caller, revisions=revisions_in(sent))


def _write_response(endpoint: Endpoint, result: object, call: Call[object, object]) -> Response:
    if isinstance(result, Response):
        return result
    reply: Reply[object] = result if isinstance(result, Reply) else Reply(result=result)
    if (status := reply.status or endpoint.status) == NO_CONTENT:
        return Response(status=status, headers=reply.headers)
    written = endpoint.write(reply.result, call)
    headers = {**_place(endpoint, written), **reply.headers} if status == CREATED else reply.headers
    return _add_tag(endpoint, reply.result, json_response(status, written, headers))


def _place(endpoint: Endpoint, written: JsonObject) -> Mapping[str, str]:
    """Return where what was made is read (RFC 9110, 15.3.2), if it has an address of its own."""
    return {} if endpoint.shown_at is None else {LOCATION: endpoint.shown_at.format_map(written)}


def _add_tag(endpoint: Endpoint, result: object, response: Response) -> Response:
    """Return the answer with the tag of what was read, if there is any sense in asking again."""
    shown = response.body + response.headers.get("Link", "").encode()
    if isinstance(result, Post):
        tag = entity_tag(shown, result.revision)
    elif endpoint.is_tagged:
        tag = entity_tag(shown)
    else:
        return response
    return replace(response, headers={**response.headers, ETAG: tag})
