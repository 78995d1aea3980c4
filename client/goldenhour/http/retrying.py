"""When a call is made again, and after what pause.

A call that may have been carried out is only repeated when a repeat changes nothing: reads,
deletes, creating a post under its own Idempotency-Key. One that was certainly not carried out
(never connected, 429, `busy`, `workspace_moving`) is repeated whatever it is.
"""

import random
import ssl
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime

import requests

from goldenhour.errors import ApiError
from goldenhour.http.refusing import MAYBE_CARRIED_OUT

_NOT_CARRIED_OUT = frozenset({429})
_IN_A_MOMENT = frozenset({"busy", "workspace_moving"})
_NEVER_CONNECTED = frozenset({"NewConnectionError", "NameResolutionError", "ConnectTimeoutError"})
_NOBODY_THERE = "Nothing answers at {address}. Check the address and that the service is running."
_PROXY_FAILED = (
    "The proxy that leads to {address} does not answer, or refuses. Check HTTP_PROXY and"
    " HTTPS_PROXY, or name the service's host in NO_PROXY."
)
_NOT_TRUSTED = (
    "The certificate of {address} is not trusted. Check the address; for a certificate of your own,"
    " name its authority's file in REQUESTS_CA_BUNDLE."
)


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
    return repeatable and from_the_way and refusal.status in MAYBE_CARRIED_OUT


def why_unsent(failure: requests.RequestException) -> str | None:
    """Return why a failed call certainly never reached the service; None if it may have.

    The sentence has a place for `{address}`.
    """
    reason = getattr(failure.args[0], "reason", None) if failure.args else None
    if isinstance(failure, requests.exceptions.InvalidURL):
        return "{address}, or a proxy's address in HTTP_PROXY or HTTPS_PROXY, cannot be read."
    if isinstance(failure, requests.exceptions.ProxyError):
        cause = getattr(reason, "original_error", None)
        # http.client refuses a tunnel with a plain OSError; one that broke has a class of its own
        is_unsent = type(cause) is OSError or type(cause).__name__ in _NEVER_CONNECTED
        return _PROXY_FAILED if is_unsent else None
    if isinstance(failure, requests.exceptions.SSLError):
        cause = reason.args[0] if isinstance(reason, Exception) and reason.args else None
        return _NOT_TRUSTED if isinstance(cause, ssl.SSLCertVerificationError) else None
    is_unsent = (
        isinstance(failure, requests.ConnectTimeout) or type(reason).__name__ in _NEVER_CONNECTED
    )
    return _NOBODY_THERE if is_unsent else None


def retry_after_s(header: str | None) -> float | None:
    """Return the seconds of a Retry-After header, given in seconds or as a date."""
    if header is None:
        return None
    if header.strip().isdecimal():
        return float(header)
    try:
        at = parsedate_to_datetime(header)
    except ValueError:
        return None
    if at.tzinfo is None:
        at = at.replace(tzinfo=timezone.utc)
    return max(0.0, (at - datetime.now(timezone.utc)).total_seconds())
