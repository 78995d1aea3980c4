"""How one resource is examined: a few calls that change nothing, each failure a finding.

The checks of tables, bucket, queues and key share it; `services/doctor.py` runs them all.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from botocore.exceptions import BotoCoreError, ClientError


class Verdict(StrEnum):
    """Whether something is as it should be; only WRONG makes `doctor` fail."""

    OK = "ok"
    WARNING = "warning"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that was looked at; `advice` says what to do unless all is well."""

    subject: str
    verdict: Verdict
    message: str
    advice: str | None = None


def fine(subject: str, message: str) -> Finding:
    """Return the finding that a thing is as it should be."""
    return Finding(subject=subject, verdict=Verdict.OK, message=message)


def warning(subject: str, message: str, advice: str) -> Finding:
    """Return the finding that a thing works, but not as one would want it."""
    return Finding(subject=subject, verdict=Verdict.WARNING, message=message, advice=advice)


def wrong(subject: str, message: str, advice: str) -> Finding:
    """Return the finding that a thing is missing, out of order or out of reach."""
    return Finding(subject=subject, verdict=Verdict.WRONG, message=message, advice=advice)


DEPLOY = "Deploy the stack again: `make deploy`, or locally `make run`."
_DENIED = frozenset({"AccessDenied", "AccessDeniedException", "403", "UnauthorizedOperation"})
_EXPIRED = frozenset(
    {"ExpiredToken", "ExpiredTokenException", "InvalidClientTokenId", "UnrecognizedClientException"}
)


class Flaw(Exception):
    """A resource is there, but not as it should be; the message says what is off."""


def examine(subject: str, look: Callable[[], str]) -> Finding:
    """Return what a look says; a refused call or a flaw becomes a finding with advice."""
    try:
        return fine(subject, look())
    except Flaw as flaw:
        return wrong(subject, str(flaw), DEPLOY)
    except ClientError as error:
        return _refused(subject, error)
    except BotoCoreError as error:
        name = type(error).__name__
        advice = "Check the network, the region and the credentials."
        return wrong(subject, f"AWS could not be asked ({name}).", advice)


def _refused(subject: str, error: ClientError) -> Finding:
    code = error.response["Error"]["Code"]
    action = error.operation_name
    if code in _DENIED:
        advice = f"Allow {action} on it to the credentials in use."
        return wrong(subject, f"{action} is not allowed.", advice)
    if code in _EXPIRED:
        advice = "Sign in to AWS again, or set other credentials."
        return wrong(subject, "The credentials are not valid any more.", advice)
    return wrong(subject, f"{action} answered {code}.", DEPLOY)
