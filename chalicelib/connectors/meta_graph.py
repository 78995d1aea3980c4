"""What Facebook, Instagram and Threads share: how Meta's Graph says no, and how tokens last longer.

developers.facebook.com/docs/graph-api/guides/error-handling. An error is an object with a code and
often a subcode; some errors have a name of their own within the message. Each of the three
connectors sends its calls through a `Graph` of its own.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from chalicelib.connectors.http import Call, Params, PlatformHttp
from chalicelib.connectors.replies import (
    PlatformError,
    RateLimitedError,
    RejectedError,
    TokenRejectedError,
    UnansweredError,
)
from chalicelib.connectors.reply import Reply, count, find
from chalicelib.domain.outcome import FailureCode, Json
from chalicelib.domain.tokens import Tokens

VERSION = "v25.0"
RENEW_AFTER = timedelta(days=30)
"""Tokens that live 60 days are renewed at half of it, though nobody posts."""

GONE = frozenset({"100/33", "24/2207006", "24/4279009"})
"""What is answered about a post or container that is not there."""

_ANY_ANSWER = frozenset(range(200, 500))
_NAMED = re.compile(r"\b[A-Z]+_API__[A-Z_]+")
_PERMISSIONS = range(200, 300)
_UNAUTHORIZED = 401


def codes(reply: Reply) -> Sequence[str]:
    """Read an error's keys, most specific first: its name, code/subcode, /subcode, code.

    A container's own error stands beside its status.
    """
    error = reply.find("error")
    code, subcode = find(error, "code"), find(error, "error_subcode")
    keys = [*_names(reply, error)]
    if subcode is not None:
        keys += [f"{code}/{subcode}", f"/{subcode}"]
    if find(error, "is_transient") is True:
        keys.append("transient")
    if code is not None:
        keys.append("200" if isinstance(code, int) and code in _PERMISSIONS else str(code))
    if reply.status == _UNAUTHORIZED:
        keys.append("HTTP 401")
    return keys


def _names(reply: Reply, error: Json) -> list[str]:
    message, of_container = find(error, "message"), reply.find("error_message")
    named = _NAMED.findall(message) if isinstance(message, str) else []
    return [*named, of_container] if isinstance(of_container, str) else named


class GraphRejectedError(RejectedError):
    """A refusal that the connector knows, with the keys under which it was looked up."""

    def __init__(self, error: RejectedError, codes: Sequence[str]) -> None:
        super().__init__(error.code, error.message)
        self.codes = frozenset(codes)

    @property
    def is_gone(self) -> bool:
        """Tell whether it says that the thing asked for is not there."""
        return not GONE.isdisjoint(self.codes)


class Graph:
    """Calls to Graph; an error in a good status is an error too."""

    def __init__(self, http: PlatformHttp, waits: Mapping[str, timedelta] | None = None) -> None:
        """Take the way out, and how long to wait after refusals that do not say."""
        self.http = http
        self._waits = waits or {}

    def get(self, url: str, token: str | None, params: Params = ()) -> Reply:
        """Read something."""
        return self.send(Call(method="GET", url=url, token=token, params=params))

    def send(self, call: Call) -> Reply:
        """Make a call. Raises as PlatformHttp does, with the wait that usage headers name."""
        reply = self.http.send(replace(call, takes=_ANY_ANSWER))
        if reply.status in call.takes and reply.find("error") is None:
            return reply
        raise self.refusal(reply)

    def send_visible(self, call: Call) -> Reply:
        """Make a call that shows a post: "try again later" does not prove that it did nothing."""
        try:
            return self.send(call)
        except RejectedError as error:
            if error.code is FailureCode.PLATFORM_UNAVAILABLE:
                raise UnansweredError("Graph asked to try again later.") from error
            raise

    def renew(self, call: Call, tokens: Tokens, now: datetime) -> Tokens:
        """Return what a call that trades a token for a longer lived one brings.

        Raises TokenRejectedError only when the old token is dead.
        """
        try:
            reply = self.send(call)
        except RejectedError as error:
            raise UnansweredError(f"The token was not renewed ({error.code}).") from error
        access = reply.text("access_token")
        life_s = count(reply.json(), "expires_in")
        return replace(
            tokens,
            access=access,
            refresh=access,
            expires_at=now + timedelta(seconds=life_s) if life_s else None,
            renew_at=now + RENEW_AFTER,
        )

    def refusal(self, reply: Reply) -> PlatformError:
        """Return what an answer that is no success means."""
        error = self.http.refusal(reply)
        if isinstance(error, RateLimitedError) and error.retry_after is None:
            named = next((self._waits[key] for key in codes(reply) if key in self._waits), None)
            return RateLimitedError(named or _regained_after(reply))
        if isinstance(error, RejectedError):
            return GraphRejectedError(error, codes(reply))
        return error


def moment(text: Json) -> datetime | None:
    """Read a time as Graph writes it, 2026-11-20T20:01:00+0000."""
    try:
        read = datetime.fromisoformat(str(text))
    except ValueError:
        return None
    return read if read.tzinfo is not None else None


def insight(metric: Json) -> int | None:
    """Return the figure of one insight: a number, or the sum of an object of numbers."""
    value = find(metric, "values", 0, "value")
    if value is None:
        value = find(metric, "total_value", "value")
    if isinstance(value, dict):
        return sum(count(value, key) for key in value)
    return int(value) if isinstance(value, int | float) else None


def client_of(tokens: Tokens) -> tuple[tuple[str, str], ...]:
    """Return the application's credentials as parameters. Raises TokenRejectedError."""
    if "client_secret" not in tokens.extra:
        raise TokenRejectedError("The sign-in has no client secret. Connect with --client-secret.")
    secret = tokens.extra["client_secret"]
    return (("client_id", tokens.extra["client_id"]), ("client_secret", secret))


def _regained_after(reply: Reply) -> timedelta | None:
    """Read how many minutes access is gone, the longest of those that the usage header names."""
    try:
        usage: Json = json.loads(reply.headers.get("X-Business-Use-Case-Usage", ""))
    except ValueError:
        return None
    uses = usage.values() if isinstance(usage, dict) else []
    rows = [row for rows in uses if isinstance(rows, list) for row in rows]
    minutes = max((count(row, "estimated_time_to_regain_access") for row in rows), default=0)
    return timedelta(minutes=minutes) if minutes else None
