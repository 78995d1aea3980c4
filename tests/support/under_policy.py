"""The clients of a deployment that refuse to a function what its policy lacks, as IAM does.

    deployment.clients = ClientsUnderPolicy(settings)     # before anything else is asked of it
    with running("api_handler"):                          # `PipelineUnderPolicy` does so
        ...

What a test does by its own hands is an operator's, who may do everything. Emulators ask nobody for
rights, so that a page that needs a right which its function lacks works everywhere but on AWS.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import Any

from botocore.config import Config
from botocore.exceptions import ClientError

from chalicelib.bootstrap.clients import Clients
from chalicelib.http.pipeline import Pipeline
from chalicelib.kit.asgi.messages import Request, Response
from chalicelib.settings import Settings
from tests.deployment.policies.iam import Arns, Grant, grants, needs, policy_file

_FUNCTION: ContextVar[str | None] = ContextVar("function", default=None)
_KNOWN = frozenset({"dynamodb", "s3", "sqs", "sesv2", "kms"})
_NO_CALLS = frozenset({"generate_presigned_url", "generate_presigned_post", "get_waiter", "close"})


@contextmanager
def running(function: str | None) -> Iterator[None]:
    """Do what follows as one of the functions of `app.py`; as an operator if it is None."""
    before = _FUNCTION.set(function)
    try:
        yield
    finally:
        _FUNCTION.reset(before)


class PipelineUnderPolicy(Pipeline):
    """Answers requests as the function that answers them does, with its rights alone."""

    def answer(self, request: Request) -> Response:
        with running("api_handler"):
            return super().answer(request)


class ClientsUnderPolicy(Clients):
    """Clients whose calls are refused to a function that may not make them."""

    def __init__(self, settings: Settings) -> None:
        self._rights = Rights(settings)
        super().__init__(settings)

    def _client(self, service: str, url: str | None, config: Config | None) -> Any:  # noqa: ANN401 - as the real ones
        made = super()._client(service, url, config)
        return _Guarded(made, service, self._rights) if service in _KNOWN else made


class Rights:
    """What each function of a stage may do."""

    def __init__(self, settings: Settings) -> None:
        self._arns = Arns(settings)
        self._grants: dict[str, list[Grant]] = {}

    def require(self, service: str, operation: str, asked: Mapping[str, Any]) -> None:
        """Raise ClientError unless the function that runs, if one does, may make a call."""
        function = _FUNCTION.get()
        if function is None:
            return
        if function not in self._grants:
            self._grants[function] = grants(policy_file(function), self._arns)
        for need in needs(service, operation, asked, self._arns):
            if not any(grant.covers(need) for grant in self._grants[function]):
                message = f"{function} may not {need.action} on {need.resource}, {need.below}"
                raise ClientError(
                    {"Error": {"Code": "AccessDeniedException", "Message": message}}, operation
                )


class _Guarded:
    """A client that asks for the right to make a call first."""

    def __init__(self, client: Any, service: str, rights: Rights) -> None:  # noqa: ANN401 - whatever the service has
        self._client, self._service, self._rights = client, service, rights

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the client has
        found = getattr(self._client, name)
        if name == "get_paginator":
            return lambda listed: _Pages(found(listed), partial(self._require, listed))
        if name in _NO_CALLS or not callable(found):
            return found
        return partial(self._call, name, found)

    def _require(self, name: str, **asked: Any) -> None:  # noqa: ANN401 - whatever the call takes
        operation = "".join(map(str.title, name.split("_")))
        self._rights.require(self._service, operation, asked)

    def _call(self, name: str, found: Any, *args: Any, **asked: Any) -> Any:  # noqa: ANN401
        self._require(name, **asked)
        return found(*args, **asked)


class _Pages:
    """A paginator that asks for the right to list first."""

    def __init__(self, pages: Any, require: Any) -> None:  # noqa: ANN401 - whatever lists
        self._pages, self._require = pages, require

    def paginate(self, **asked: Any) -> Any:  # noqa: ANN401 - its pages
        self._require(**asked)
        return self._pages.paginate(**asked)
