"""What the four clients have in common with boto3's: calls by keyword, events, pages, exceptions.

A call names its parameters; an unknown one is refused, so that nothing is silently ignored. Events
are botocore's own, and cost nothing until `meta` is used.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, wraps
from types import SimpleNamespace
from typing import Any, ClassVar

from botocore.exceptions import ClientError, ParamValidationError

from chalicelib.kit.aws_on_sqlite.engine import Engine
from chalicelib.kit.aws_on_sqlite.failures import ExceptionsByCode, exceptions
from chalicelib.kit.dataclass import dataclass

Call = Mapping[str, Any]
Answer = dict[str, Any]
_Method = Callable[[Any, Call], Answer]


@dataclass(frozen=True, slots=True)
class Pages:
    """How a call is paginated: the parameter to continue at, and the size of a page."""

    begin: str
    following: str
    size: str


class EmbeddedClient:
    """A client of one service over the engine of a folder."""

    service: ClassVar[str]
    pages: ClassVar[Mapping[str, Pages]] = {}
    exceptions: ClassVar[ExceptionsByCode] = exceptions

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    @cached_property
    def meta(self) -> SimpleNamespace:
        """Return the client's metadata, with `events` that handlers can be registered for."""
        from botocore.hooks import HierarchicalEmitter  # noqa: PLC0415 - it takes 15 MB

        return SimpleNamespace(events=HierarchicalEmitter(), endpoint_url=self._engine.address)

    def get_paginator(self, operation: str) -> "Paginator":
        """Return a paginator over a call's answers."""
        return Paginator(getattr(self, operation), self.pages[operation])

    def close(self) -> None:
        """Do nothing: other clients of the process use the engine, too."""


def operation(name: str, *known: str) -> Callable[[_Method], Callable[..., Answer]]:
    """Make a client's method from a function that takes the call's parameters."""
    allowed = frozenset(known)

    def decorate(method: _Method) -> Callable[..., Answer]:
        @wraps(method)
        def call(self: EmbeddedClient, **given: Any) -> Answer:  # noqa: ANN401 - the call's own
            if not allowed.issuperset(given):
                unknown = sorted(set(given) - allowed)
                raise ParamValidationError(report=f"{name} does not take {unknown} here.")
            try:
                if "meta" in self.__dict__:
                    return _call_observed(self, name, method, given)
                return method(self, given)
            except ClientError as error:
                if error.operation_name:
                    raise
                raise type(error)(error.response, name) from error.__cause__

        return call

    return decorate


def _call_observed(client: EmbeddedClient, name: str, method: _Method, given: Answer) -> Answer:
    """Make a call and emit botocore's events, in botocore's order."""
    events, said = client.meta.events, f"{client.service}.{name}"
    about: dict[str, Any] = {"model": SimpleNamespace(name=name), "context": {}}
    events.emit(f"provide-client-params.{said}", params=given, **about)
    events.emit(f"before-parameter-build.{said}", params=given, **about)
    events.emit(f"before-call.{said}", params=given, request_signer=None, **about)
    parsed = method(client, given)
    events.emit(f"after-call.{said}", http_response=None, parsed=parsed, **about)
    return parsed


class Paginator:
    """Goes through the pages of one call."""

    def __init__(self, call: Callable[..., Answer], pages: Pages) -> None:
        self._call = call
        self._pages = pages

    def paginate(self, **given: Any) -> Iterator[Answer]:  # noqa: ANN401 - the call's own
        """Yield answers until nothing is left, each as large as PaginationConfig says."""
        config = given.pop("PaginationConfig", {})
        if "PageSize" in config:
            given[self._pages.size] = config["PageSize"]
        while True:
            page = self._call(**given)
            yield page
            if not page.get(self._pages.following):
                return
            given[self._pages.begin] = page[self._pages.following]
