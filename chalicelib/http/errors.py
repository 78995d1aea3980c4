"""Errors on the wire: the one place that knows which kind of refusal has which status.

`pipeline` asks for the answer to a ServiceError; `problems` shapes the other form, 422 `detail`.
`openapi` reads the same table.
"""

from collections.abc import Mapping
from types import MappingProxyType

from botocore.exceptions import ClientError

from chalicelib.domain import error_kinds
from chalicelib.domain.errors import Busy, MethodNotAllowed, TooSlow, Unwritable
from chalicelib.http.messages import json_response
from chalicelib.kit.asgi.messages import Response
from chalicelib.kit.dynamodb.failures import STORE_SILENT, AwsFailure, is_passing
from chalicelib.kit.dynamodb.table import ContentionError
from chalicelib.kit.dynamodb.transaction import StaleWriteError

STATUSES: Mapping[type[error_kinds.ServiceError], int] = MappingProxyType(
    {
        error_kinds.Unauthenticated: 401,
        error_kinds.PaymentRequired: 402,
        error_kinds.Forbidden: 403,
        error_kinds.NotFound: 404,
        MethodNotAllowed: 405,
        TooSlow: 408,
        error_kinds.Conflict: 409,
        error_kinds.PreconditionFailed: 412,
        error_kinds.TooLarge: 413,
        error_kinds.Unsupported: 415,
        error_kinds.Misdirected: 421,
        error_kinds.RuleViolation: 422,
        error_kinds.Limited: 429,
        error_kinds.PlatformFailure: 502,
        error_kinds.Overloaded: 503,
    }
)

_MORE_HEADERS: Mapping[int, Mapping[str, str]] = MappingProxyType(
    {
        STATUSES[error_kinds.Unauthenticated]: {"WWW-Authenticate": "Bearer"},
        STATUSES[error_kinds.Overloaded]: {"Retry-After": "5"},
    }
)
ERRORS_PAGE = "/v1/docs/errors"
"""Where each code has a section of its own."""
DETAIL_CODE = "detail"
INTERNAL_STATUS = 500
INTERNAL_CODE = "internal"
INTERNAL_MESSAGE = (
    "Something went wrong on our side. Try again; if this persists, report the X-Request-Id header."
)


def status_of(kind: type[error_kinds.ServiceError]) -> int:
    """Return the status a class of errors answers with."""
    return next(STATUSES[parent] for parent in kind.__mro__ if parent in STATUSES)


def error_response(error: error_kinds.ServiceError) -> Response:
    """Return the answer to a request that was refused on purpose."""
    body: dict[str, str] = {"code": error.code, "message": error.message}
    if error.field is not None:
        body["field"] = error.field
    status = status_of(type(error))
    headers = {**_MORE_HEADERS.get(status, {}), **help_with(error.code)}
    if isinstance(error, error_kinds.Limited):
        headers["Retry-After"] = str(error.retry_after_s)
    return json_response(status, {"error": body}, headers)


def help_with(code: str) -> Mapping[str, str]:
    """Return the header that leads to what a code means (RFC 8288)."""
    return {"Link": f'<{ERRORS_PAGE}#{code}>; rel="help"'}


def refusal_for(failure: Exception) -> Busy | Unwritable | None:
    """Return how to refuse a request whose store failed so; None for a failure of ours.

    DynamoDB refuses what comes faster than a table may take, and takes back a transaction that met
    another ("Error handling with DynamoDB", its developer guide): the same works in a moment.
    """
    if isinstance(failure, ContentionError | StaleWriteError):
        return Busy("Too many requests for the same are in progress. Try again in a few seconds.")
    cause = failure.__cause__  # of a file, say, that cannot be read
    why = cause if isinstance(cause, AwsFailure) else failure
    is_refused = isinstance(why, ClientError) and is_passing(why)
    return Unwritable() if is_refused or isinstance(why, STORE_SILENT) else None


def refuse(
    status: int, code: str, message: str, headers: Mapping[str, str] | None = None
) -> Response:
    """Return the answer to a request that is refused before any rule of the service is asked."""
    told = {**(headers or {}), **help_with(code)}
    return json_response(status, {"error": {"code": code, "message": message}}, told)


def method_not_allowed(allowed: tuple[str, ...]) -> Response:
    """Return the answer to a known path with a method it does not take."""
    error = MethodNotAllowed()
    headers = {"Allow": ", ".join(allowed)}
    return refuse(status_of(type(error)), error.code, error.message, headers)


def internal_error() -> Response:
    """Return the answer to an unexpected failure; nothing of the inside shows."""
    return refuse(INTERNAL_STATUS, INTERNAL_CODE, INTERNAL_MESSAGE)
