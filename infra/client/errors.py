"""Writes the client's class of each code that a refusal can carry, and of each status.

By `make openapi`. A class's sentence is what the service says, its parent the client's class of the
status (`goldenhour/errors.py`).
"""

from collections.abc import Iterator, Mapping

from chalicelib.api.http.problems import DETAIL_STATUS
from chalicelib.domain import errors
from chalicelib.domain.error_kinds import ServiceError
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import Platform
from chalicelib.http.errors import INTERNAL_CODE, INTERNAL_STATUS, status_of

_BY_STATUS: Mapping[int, str] = {
    401: "KeyRefused",
    402: "PlanLimit",
    403: "KeyRefused",
    404: "NotFound",
    405: "NotFound",
    409: "Conflict",
    412: "Conflict",
    413: "TooLarge",
    415: "Invalid",
    408: "Invalid",
    421: "ServiceFailed",
    422: "Invalid",
    429: "ServiceFailed",
    500: "ServiceFailed",
    502: "PlatformFailed",
    503: "ServiceFailed",
}
"""The class of a status; 402 has the class of its only code, 429 is API Gateway's and has no code.
"""
_NAMES = {"detail": "WrongRequest", "not_found": "PathNotFound", "too_large": "BodyTooLarge"}
"""Codes whose own words would not tell enough as a class."""
_PLATFORMS = {str(platform): FACTS[platform].name for platform in Platform}
_HEAD = '''"""A class for each `code` of a refusal, with the service's own sentence.

Written by `make openapi` of the service from its declarations, not by hand.
"""

from collections.abc import Mapping

from goldenhour.errors import (
    ApiError,
    Conflict,
    Invalid,
    KeyRefused,
    NotFound,
    PlatformFailed,
    ServiceFailed,
    TooLarge,
)'''


def client_errors() -> str:
    """Return the module."""
    codes = dict(sorted(dict(_codes()).items()))
    lines = [_HEAD]
    for code, (status, sentence) in codes.items():
        of_status = _BY_STATUS[status]
        parent = "ApiError" if of_status == _name(code) else of_status
        lines += ["", "", f"class {_name(code)}({parent}):"]
        lines += [f'    """{sentence}"""', "", f'    code = "{code}"']
    lines += ["", "", "BY_CODE: Mapping[str, type[ApiError]] = {"]
    lines += [*(f'    "{code}": {_name(code)},' for code in codes), "}"]
    lines += ["", "BY_STATUS: Mapping[int, type[ApiError]] = {"]
    lines += [*(f"    {status}: {name}," for status, name in _BY_STATUS.items()), "}"]
    return "\n".join(lines) + "\n"


def _codes() -> Iterator[tuple[str, tuple[int, str]]]:
    """Yield each code with its status and its sentence.

    Where a code has two statuses (a post that is not there, and one that a body names), it is the
    smaller.
    """
    yield "detail", (DETAIL_STATUS, "The request has the wrong shape; `problems` says where.")
    yield INTERNAL_CODE, (INTERNAL_STATUS, "Something went wrong on the service's side. Try again.")
    kinds = [kind for kind in vars(errors).values() if _has_code(kind)]
    for kind in sorted(kinds, key=status_of, reverse=True):
        yield kind.code, (status_of(kind), (kind.__doc__ or "").strip())


def _has_code(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, ServiceError) and hasattr(kind, "code")


def _name(code: str) -> str:
    words = "".join(_PLATFORMS.get(word, word.capitalize()) for word in code.split("_"))
    return _NAMES.get(code, words)
