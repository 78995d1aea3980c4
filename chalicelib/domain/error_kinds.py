"""The kinds of what the service refuses on purpose: a kind decides the HTTP status.

Only `http/errors.py` knows which status belongs to which kind; `errors.py` has the codes.
"""

from collections.abc import Iterable, Sequence
from typing import ClassVar


class ServiceError(Exception):
    """The request could not be carried out."""

    code: ClassVar[str]

    def __init__(self, message: str | None = None, *, field: str | None = None) -> None:
        self.message = message or (type(self).__doc__ or "").strip()
        self.field = field
        super().__init__(self.message)


class Unauthenticated(ServiceError):
    """Kind: nobody we know."""


class PaymentRequired(ServiceError):
    """Kind: the plan does not cover it."""


class Forbidden(ServiceError):
    """Kind: known, but not allowed."""


class NotFound(ServiceError):
    """Kind: not in this workspace."""


class Conflict(ServiceError):
    """Kind: not in a state for this."""


class PreconditionFailed(ServiceError):
    """Kind: meant for another state of the thing."""


class TooLarge(ServiceError):
    """Kind: more bytes than we take."""


class Unsupported(ServiceError):
    """Kind: a file we cannot use."""


class RuleViolation(ServiceError):
    """Kind: the input breaks a rule."""


class PlatformFailure(ServiceError):
    """Kind: a platform did not answer or did not act."""


class Overloaded(ServiceError):
    """Kind: too much at once; the same request works in a moment."""


class Misdirected(ServiceError):
    """Kind: another server answers for it."""


class Limited(ServiceError):
    """Kind: more than a fair share; the same request works after `retry_after_s`."""

    def __init__(self, message: str | None = None, *, retry_after_s: int = 1) -> None:
        self.retry_after_s = retry_after_s
        super().__init__(message)


class InvalidInput(ServiceError):
    """The request's shape is wrong in a way that only shows beside what is stored.

    It answers 422 `detail` like any other wrong shape; `loc` begins with body, query or path and
    `kind` is one of pydantic's error types. `others` are what else is wrong with the request.
    """

    code = "invalid_input"

    def __init__(
        self,
        message: str,
        *,
        loc: tuple[str | int, ...],
        kind: str = "value_error",
        others: Sequence["InvalidInput"] = (),
    ) -> None:
        self.loc = loc
        self.kind = kind
        self.others = tuple(others)
        super().__init__(message)


def refuse(mistakes: Iterable[InvalidInput]) -> None:
    """Raise all mistakes as one InvalidInput, which answers 422 `detail`, if there are any."""
    found = list(mistakes)
    if found:
        first, *others = found
        raise InvalidInput(first.message, loc=first.loc, kind=first.kind, others=others)
