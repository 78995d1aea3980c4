"""One declaration per endpoint: it drives routing, authentication, parsing, errors and OpenAPI.

A resource file writes `@endpoint(scope=Scope.READ, ...)` over a function that takes a `Call` and
returns what `returns.of` turns into JSON. Its method and path stand in `chalicelib/api/routes.py`;
`key_gatekeeper` runs it.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from typing import (
    TYPE_CHECKING,
    Generic,
    Never,
    Protocol,
    TypeAlias,
    TypedDict,
    TypeVar,
    Unpack,
    cast,
)
from urllib.parse import urlencode

import typing_extensions
from pydantic import BaseModel

from chalicelib.domain.cursors import Listed, cursor_at
from chalicelib.domain.error_kinds import ServiceError
from chalicelib.domain.errors import BadApiKey
from chalicelib.domain.repeating import Making
from chalicelib.domain.workspace.access import Caller, Scope
from chalicelib.http.messages import JsonObject
from chalicelib.http.routing import Method, Route, by_path
from chalicelib.kit.asgi.messages import Response
from chalicelib.kit.dataclass import dataclass

if TYPE_CHECKING:
    from chalicelib.bootstrap.deployment import Deployment

MAX_BODY_BYTES = 1_048_576
REPLAYED = "Idempotency-Replayed"
MISMATCH = "Idempotency-Mismatch"
_FOUND_AGAIN = 200

BodyT_co = typing_extensions.TypeVar("BodyT_co", covariant=True, default=None)
QueryT_co = typing_extensions.TypeVar("QueryT_co", covariant=True, default=None)
BodyT = TypeVar("BodyT")
QueryT = TypeVar("QueryT")
ResultT = TypeVar("ResultT")
ResultT_contra = TypeVar("ResultT_contra", contravariant=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Call(Generic[BodyT_co, QueryT_co]):
    """One call of an endpoint, checked and parsed: `Call[ScheduleIn]`, `Call[None, PostsQuery]`.

    `path` has the path's parameters by name, `headers` have lower-case names, `raw` is the body as
    it came, for endpoints that take something other than JSON, and `find_endpoints` returns all
    endpoints of this service. `base_url` is the address before the path, if it is known; `asked`
    is the path as it was requested.
    """

    services: "Deployment"
    request_id: str
    path: Mapping[str, str]
    body: BodyT_co
    query: QueryT_co
    headers: Mapping[str, str]
    find_endpoints: Callable[[], tuple["Endpoint", ...]] = field(repr=False)
    raw: bytes = field(default=b"", repr=False)
    idempotency_key: str | None = None
    known_caller: Caller | None = None
    base_url: str = ""
    asked: str = ""

    def absolute(self, address: str) -> str:
        """Return an address as this caller reaches it; one that begins with `/` is our own."""
        return f"{self.base_url.rstrip('/')}{address}" if address.startswith("/") else address

    @property
    def caller(self) -> Caller:
        """Return who calls. Raises BadApiKey on an endpoint that asks for no key."""
        if self.known_caller is None:
            raise BadApiKey
        return self.known_caller


AnyCall: TypeAlias = Call[object, object]


class Answer(Protocol[ResultT_contra]):
    """A model of `schemas` that knows how to write the domain's object as JSON."""

    @staticmethod
    def of(result: ResultT_contra, call: AnyCall) -> JsonObject:
        """Return the plain JSON of a result."""
        ...


class NoContent:
    """The answer of an endpoint that has nothing to say: 204."""

    @staticmethod
    def of(_result: None, _call: AnyCall) -> JsonObject:
        """Return nothing; no body is sent."""
        return {}


class Raw:
    """The answer of an endpoint that writes its own bytes, such as a page or a redirect."""

    @staticmethod
    def of(_result: Response, _call: AnyCall) -> JsonObject:
        """Return nothing; the response goes out as it is."""
        return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply(Generic[ResultT]):
    """A result with another status than the declared one, or with headers of its own."""

    result: ResultT
    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


def reply_once(outcome: tuple[ResultT, Making]) -> Reply[ResultT]:
    """Return the answer of a call that makes something, and whether an earlier one made it."""
    result, making = outcome
    if making is Making.NEW:
        return Reply(result=result)
    headers = {REPLAYED: "true"}
    if making is Making.ANOTHER_BODY:
        headers[MISMATCH] = "body"
    return Reply(result=result, status=_FOUND_AGAIN, headers=headers)


def reply_with_page(
    call: AnyCall,
    result: ResultT,
    filters: Mapping[str, str],
    listed: Listed,
    last_seen: str | None,
) -> Reply[ResultT]:
    """Return a page of a list, with the way to the next one if one follows (RFC 8288).

    `filters` are the parameters that asked for it, `last_seen` where the next page goes on.
    """
    if last_seen is None:
        return Reply(result=result)
    following = urlencode({**filters, "cursor": cursor_at(call.caller, last_seen, listed)})
    path = call.asked.removesuffix("/")
    return Reply(result=result, headers={"Link": f'<{path}?{following}>; rel="next"'})


Handler: TypeAlias = Callable[[Call[Never, Never]], object]
Writer: TypeAlias = Callable[[object, AnyCall], JsonObject]


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint(Route):
    """A declared endpoint.

    `shown_at` is where what it makes is read, with fields of its answer in braces.
    """

    name: str
    summary: str
    also_needs: str = ""
    returns: type
    write: Writer
    handler: Handler
    status: int = 200
    shown_at: str | None = None
    body: type[BaseModel] | None = None
    example: JsonObject | None = field(default=None, compare=False)
    body_optional: bool = False
    query: type[BaseModel] | None = None
    raises: tuple[type[ServiceError], ...] = ()
    takes_idempotency_key: bool = False
    takes_if_match: bool = False
    max_body_bytes: int = MAX_BODY_BYTES
    documented: bool = True

    @property
    def returns_revision(self) -> bool:
        """Tell whether an answer names the state of what it holds, as ETag."""
        return bool(getattr(self.returns, "IS_REVISED", False))

    @property
    def is_tagged(self) -> bool:
        """Tell whether readers may ask for the answer only if it has changed (If-None-Match)."""
        is_read = self.method == "GET" and self.returns is not Raw
        return is_read and self.documented and not self.open_to_all

    def run(self, call: AnyCall) -> object:
        """Call the handler with a call whose body and query fit the declaration."""
        return self.handler(cast("Call[Never, Never]", call))


FindEndpoints: TypeAlias = Callable[[], Iterable[Endpoint]]


@dataclass(frozen=True, slots=True)
class Endpoints:
    """The endpoints of a service, those of a path found when it is first asked for.

    `by_path` may find more than those of the path itself: a whole resource.
    """

    by_path: Mapping[str, FindEndpoints]
    find_all: Callable[[], tuple[Endpoint, ...]]


def list_endpoints(endpoints: Iterable[Endpoint]) -> Endpoints:
    """Return endpoints that are all there already."""
    there = tuple(endpoints)
    return Endpoints(by_path(there), lambda: there)


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """What a resource's file says of an endpoint: all but its method and path."""

    name: str
    at: Callable[[Method, str], Endpoint] = field(repr=False)


class Settings(TypedDict, total=False):
    """The optional settings of a declaration; `Endpoint` has their defaults."""

    also_needs: str
    status: int
    shown_at: str
    body: type[BaseModel]
    example: JsonObject
    body_optional: bool
    query: type[BaseModel]
    raises: tuple[type[ServiceError], ...]
    takes_idempotency_key: bool
    takes_if_match: bool
    takes_file: bool
    max_body_bytes: int
    open_to_all: bool
    documented: bool


def endpoint(
    *,
    summary: str,
    scope: Scope | None,
    returns: type[Answer[ResultT]],
    **settings: Unpack[Settings],
) -> Callable[[Callable[[Call[BodyT, QueryT]], ResultT | Reply[ResultT]]], Declared]:
    """Declare the function below as an endpoint."""
    if not hasattr(returns, "of"):
        raise TypeError(f"{returns.__name__} must derive from Of[what the endpoint returns].")

    def declare(
        handler: Callable[[Call[BodyT, QueryT]], ResultT | Reply[ResultT]],
    ) -> Declared:
        def at(method: Method, path: str) -> Endpoint:
            return Endpoint(
                name=handler.__name__,
                method=method,
                path=path,
                summary=summary,
                scope=scope,
                returns=returns,
                write=cast("Writer", returns.of),
                handler=handler,
                **settings,
            )

        return Declared(name=handler.__name__, at=at)

    return declare
