"""The request pipeline: one request in, one answer out, checks in the order that docs/api.md gives.

401, 402 (plan), 403 session_required, scope_missing, forbidden, 413, 422 `detail`, and then the
endpoint, whose services raise the rest. `doors` call it; it knows no server
and never raises.
"""

import logging
import secrets
import time
from collections.abc import Callable, Iterable
from dataclasses import field, replace
from typing import TYPE_CHECKING, Final, NoReturn
from urllib.parse import unquote

from chalicelib.api.http.endpoint import Call, Endpoint, Reply
from chalicelib.api.http.errors import error_response, internal_error, method_not_allowed
from chalicelib.api.http.manners import ETAG, Manners, entity_tag, revisions_in
from chalicelib.api.http.messages import Request, Response, json_response
from chalicelib.api.http.parsing import parse
from chalicelib.api.http.problems import Malformed, detail_response, invalid_input
from chalicelib.api.http.routing import Endpoints, Place, RouteMap, listed
from chalicelib.domain.clock import Clock
from chalicelib.domain.dataclass import dataclass
from chalicelib.domain.error_kinds import InvalidInput, ServiceError
from chalicelib.domain.errors import (
    BodyTooLarge,
    PathNotFound,
    PlanLimit,
    RoleForbids,
    ScopeMissing,
    SessionRequired,
    Unwritable,
)
from chalicelib.domain.posts.post import Post
from chalicelib.domain.workspace.access import Caller, Plan, Scope, permissions
from chalicelib.domain.workspace.plans import NO_API, TRIAL_OVER
from chalicelib.storage.dynamodb.failures import STORE_SILENT

if TYPE_CHECKING:
    from chalicelib.bootstrap.deployment import Deployment

log = logging.getLogger(__name__)

NO_CONTENT = 204
SERVER_ERROR = 500
NOBODY: Final = ""
"""Whose a request is that needs neither key nor session."""

_GOES_ON = Response(status=100)
_ACCOUNT_LEVEL = ("auth", "keys", "team", "billing", "export", "account")


@dataclass(slots=True, kw_only=True)
class Visit:
    """One request on its way through the pipeline: what the log line and the answer's id need."""

    request: Request
    place: Place[Endpoint] | None
    request_id: str = field(default_factory=lambda: secrets.token_hex(16))
    began: float = field(default_factory=time.perf_counter)
    caller: Caller | None = None


class Pipeline:
    """Answers requests from a list of endpoints."""

    def __init__(
        self,
        services: "Deployment",
        endpoints: Endpoints | Iterable[Endpoint],
        *,
        clock: Clock,
        manners: Manners | None = None,
    ) -> None:
        self._services = services
        known = endpoints if isinstance(endpoints, Endpoints) else listed(endpoints)
        self._find_endpoints = known.find_all
        self._routes = RouteMap(known.by_path)
        self._clock = clock
        self._manners = manners or Manners()

    def answer(self, request: Request) -> Response:
        """Answer a request, whatever it is; an unexpected failure is 500 and logged."""
        visit = Visit(request=request, place=self._routes.find(request.path))
        return self.finish(visit, self._catch_errors(visit, self._pass))

    def _catch_errors(self, visit: Visit, work: Callable[[Visit], Response]) -> Response:
        try:
            return self._respond(visit, work)
        except STORE_SILENT as silent:
            log.warning("The store did not answer: %s", silent, extra=_facts(visit))
            return error_response(Unwritable())
        except Exception:
            log.exception("unexpected failure", extra=_facts(visit))
            return internal_error()

    def finish(self, visit: Visit, response: Response) -> Response:
        """Log the request and return the answer as it goes out."""
        return self._manners.dress(visit.request, finish(visit, response))

    def other_method(self, request: Request, methods: tuple[str, ...]) -> Response:
        """Answer a method that a path does not take: a browser that asks first, or a refusal."""
        return self._manners.preflight(request, methods) or method_not_allowed(methods)

    def admit(self, authorization: str | None, scope: Scope | None) -> Caller:
        """Return who calls, if the key may do this at all; the first four checks in order."""
        caller = self._identify(authorization)
        _check_scope(caller, scope)
        return caller

    def is_for_anybody(self, request: Request) -> bool:
        """Tell whether the answer needs no key; health does not, and must not wait for others."""
        place = self._routes.find(request.path)
        endpoint = None if place is None else place.endpoint(request.method)
        return endpoint is None or (endpoint.open_to_all and not endpoint.documented)

    def admit_unread(self, request: Request) -> str | Response:
        """Return whose request it is, or the refusal of one that needs no body to be refused."""
        visit = Visit(request=request, place=self._routes.find(request.path))
        response = self._catch_errors(visit, self._goes_on)
        if response is not _GOES_ON:
            return self.finish(visit, response)
        return NOBODY if visit.caller is None else visit.caller.workspace_id

    def _goes_on(self, visit: Visit) -> Response:
        found = self._endpoint(visit)
        return found if isinstance(found, Response) else _GOES_ON

    def _respond(self, visit: Visit, work: Callable[[Visit], Response]) -> Response:
        try:
            return work(visit)
        except InvalidInput as error:
            return detail_response(invalid_input(error).problems)
        except Malformed as malformed:
            return detail_response(malformed.problems)
        except ServiceError as error:
            return error_response(error)

    def _pass(self, visit: Visit) -> Response:
        endpoint = self._endpoint(visit)
        if isinstance(endpoint, Response):
            return endpoint
        if len(visit.request.body) > endpoint.max_body_bytes:
            raise BodyTooLarge
        return self._run(endpoint, visit)

    def _endpoint(self, visit: Visit) -> Endpoint | Response:
        """Return the endpoint that is called, if whoever calls may do so: needs no body."""
        request, place = visit.request, visit.place
        if place is None:
            self._refuse_unknown(visit)
        endpoint = place.endpoint(request.method)
        if endpoint is None:
            return self.other_method(request, place.allowed)
        if not endpoint.open_to_all:
            visit.caller = self._identify(request.headers.get("authorization"))
            _check_scope(visit.caller, endpoint.scope)
        return endpoint

    def _refuse_unknown(self, visit: Visit) -> NoReturn:
        if not is_account_level(visit.request.path):
            raise PathNotFound
        visit.caller = self._identify(visit.request.headers.get("authorization"))
        raise SessionRequired

    def _identify(self, authorization: str | None) -> Caller:
        caller = self._services.authentication.authenticate(authorization)
        if caller.plan is Plan.FREE:
            raise PlanLimit(NO_API)
        if caller.trial_is_over(self._clock()):
            raise PlanLimit(TRIAL_OVER)
        return caller

    def _run(self, endpoint: Endpoint, visit: Visit) -> Response:
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
            base_url=self._manners.reached_at(visit.request),
        )
        return _write_response(endpoint, endpoint.run(call), call)


def is_account_level(path: str) -> bool:
    """Tell whether a path belongs to what only a signed-in person may do (docs/api.md)."""
    start, _, under = unquote(path).partition("/v1/")
    is_listed = under.startswith(_ACCOUNT_LEVEL) and not under.startswith("accounts")
    return not start and is_listed


def finish(visit: Visit, response: Response) -> Response:
    """Write the request's one log line and return the answer with what every answer carries."""
    milliseconds = round((time.perf_counter() - visit.began) * 1000, 1)
    facts = {**_facts(visit), "status": response.status, "ms": milliseconds}
    level = logging.ERROR if response.status >= SERVER_ERROR else logging.INFO
    log.log(level, "%s %s %s", facts["method"], facts["route"], response.status, extra=facts)
    headers = {
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
        **response.headers,
        "X-Request-Id": visit.request_id,
    }
    body = b"" if visit.request.method == "HEAD" else response.body
    return Response(status=response.status, headers=headers, body=body)


def _facts(visit: Visit) -> dict[str, str | int | float | None]:
    """Return what the log may know of a request: never its body, its key or its query."""
    caller = visit.caller
    return {
        "action": "request",
        "method": visit.request.method[:10],
        "route": "unknown" if visit.place is None else visit.place.template,
        "request_id": visit.request_id,
        "workspace_id": None if caller is None else caller.workspace_id,
        "key_id": None if caller is None else caller.key_id,
    }


def _meaning(visit: Visit, endpoint: Endpoint) -> Caller | None:
    """Return the caller with the states of a post that the request is meant for."""
    sent = visit.request.headers.get("if-match")
    if visit.caller is None or sent is None or not endpoint.takes_if_match:
        return visit.caller
    return replace(visit.caller, revisions=revisions_in(sent))


def _check_scope(caller: Caller, scope: Scope | None) -> None:
    if scope is None:
        return
    if scope not in caller.scopes:
        raise ScopeMissing(f'The key lacks the scope "{scope}". Create a key that carries it.')
    if scope not in permissions(caller.role):
        raise RoleForbids


def _write_response(endpoint: Endpoint, result: object, call: Call[object, object]) -> Response:
    if isinstance(result, Response):
        return result
    reply: Reply[object] = result if isinstance(result, Reply) else Reply(result=result)
    status = reply.status or endpoint.status
    if status == NO_CONTENT:
        return Response(status=status, headers=reply.headers)
    headers = {**_tag(reply.result), **reply.headers}
    return json_response(status, endpoint.write(reply.result, call), headers)


def _tag(result: object) -> dict[str, str]:
    """Return the header that names the state of what is answered, if it has any."""
    return {ETAG: entity_tag(result.revision)} if isinstance(result, Post) else {}
