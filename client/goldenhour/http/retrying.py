"""When a call is made again, and after what pause.

A call that may have been carried out is only repeated when a repeat changes nothing: reads,
deletes, creating a post under its own Idempotency-Key. One that was certainly not carried out
(never connected, 429, `busy`, `workspace_moving`) is repeated whatever it is.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime

import requests

from goldenhour.errors import ApiError

_NOT_CARRIED_OUT = frozenset({429})
_IN_A_MOMENT = frozenset({"busy", "workspace_moving"})
_MAYBE_CARRIED_OUT = frozenset({502, 503, 504})


@dataclass(frozen=True, slots=True, kw_only=True)
class Retries:
    """How often and how patiently calls are repeated; `attempts=1` never repeats one."""

    attempts: int = 4
    first_pause_s: float = 0.5
    longest_pause_s: float = 30


def pauses(first_s: float, longest_s: float, *, growth: float = 2) -> Iterator[float]:
    """Yield growing pauses without end, each up to a fifth longer so that clients spread out."""
    pause = first_s
    while True:
        yield min(longest_s, pause) * random.uniform(1, 1.2)  # noqa: S311 - no secret
        pause = min(longest_s, pause * growth)


def is_worth_repeating(refusal: ApiError, *, repeatable: bool) -> bool:
    """Return whether the same call may succeed in a moment and can do no harm."""
    if refusal.status in _NOT_CARRIED_OUT or refusal.received_code in _IN_A_MOMENT:
        return True
    from_the_way = refusal.received_code == f"http_{refusal.status}"
    return repeatable and from_the_way and refusal.status in _MAYBE_CARRIED_OUT


def never_connected(failure: requests.RequestException) -> bool:
    """Return whether a failed call certainly never reached the service."""
    if isinstance(failure, requests.ConnectTimeout):
        return True
    cause = failure.args[0] if failure.args else None
    reason = getattr(cause, "reason", None)
    return type(reason).__name__ in {"NewConnectionError", "NameResolutionError"}


def retry_after_s(header: str | None) -> float | None:
    """Return the seconds of a Retry-After header, given in seconds or as a date."""
    if header is None:
        return None
    if header.strip().isdigit():
        return float(header)
    try:
        at = parsedate_to_datetime(header)
    except ValueError:
        return None
    if at.tzinfo is None:
        at = at.replace(tzinfo=timezone.utc)
    return max(0.0, (at - datetime.now(timezone.utc)).total_seconds())
