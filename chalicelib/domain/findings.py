"""What an examination of a deployment finds: one line a thing, with what to do about it.

`storage` and `services/doctor.py` make findings, the command `doctor` prints them.
"""

from dataclasses import dataclass
from enum import StrEnum


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
