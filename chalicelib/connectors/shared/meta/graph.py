"""What Facebook, Instagram and Threads share: errors of Meta's Graph, and prolonging of tokens.

developers.facebook.com/docs/graph-api/guides/error-handling. An error is an object with a code and
often a subcode; some errors have a name of their own within the message. Each of the three
connectors sends its calls through a `Graph` of its own.

developers.facebook.com/docs/graph-api/overview/rate-limiting: X-App-Usage is the application's,
X-Business-Use-Case-Usage that of the accounts it names; both are in percent. Close to the end of
the quota metrics are no longer read, so that posts can still be published.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from chalicelib.connectors.connector import MediaFile, RemovalError
from chalicelib.connectors.shared.calls.failures import (
    RateLimitedError,
    RejectedError,
    TokenRejectedError,
)
from chalicelib.connectors.shared.calls.http import UPLOAD_DEADLINE, Call, Params, PlatformHttp
from chalicelib.connectors.shared.calls.waits import span
from chalicelib.connectors.shared.meta.common_errors import NO_APPLICATION, NO_ROLE, NOT_OPENED
from chalicelib.domain.clock import Clock, system_clock
from chalicelib.domain.outcome import FailureCode
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.bodies import FileBody
from chalicelib.kit.transport.failures import PlatformError, UnansweredError
from chalicelib.kit.transport.responses import PlatformResponse, count, find, read_json

_CROWDED_PERCENT = 90
_REST = timedelta(minutes=15)
"""How long to wait when the header names no time."""

_PERCENTS = ("call_count", "total_cputime", "total_time")
_APPLICATION = ""
Headers = Mapping[str, str]


class Usage:
    """The last usage by account; shared by threads, each of which sets only one key at a time."""

    def __init__(self) -> None:
        self._until: dict[str, datetime] = {}

    def note(self, headers: Headers, now: datetime) -> None:
        """Note the accounts that have used nearly all of their quota."""
        for whose, row in _rows(headers):
            if max(count(row, name) for name in _PERCENTS) > _CROWDED_PERCENT:
                self._until[whose] = now + (_time_until_access(row) or _REST)

    def rest(self, accounts: Collection[str], now: datetime) -> timedelta | None:
        """Return how long to call nothing for these accounts, None if calls are fine."""
        ends = [self._until[who] for who in (_APPLICATION, *accounts) if who in self._until]
        left = max(ends, default=now) - now
        return left if left > timedelta(0) else None


def access_wait(headers: Headers) -> timedelta | None:
    """Return after how long a refused account has access again: the longest time named."""
    return max(
        (named for _, row in _rows(headers) if (named := _time_until_access(row))), default=None
    )


def _rows(headers: Headers) -> Iterator[tuple[str, Json]]:
    yield _APPLICATION, _read(headers.get("X-App-Usage"))
    of_accounts = _read(headers.get("X-Business-Use-Case-Usage"))
    for whose, rows in of_accounts.items() if isinstance(of_accounts, dict) else ():
        for row in rows if isinstance(rows, list) else ():
            yield whose, row


def _read(header: str | None) -> Json:
    try:
        return read_json(header or "null")
    except ValueError:
        return None


def _time_until_access(row: Json) -> timedelta | None:
    return span(find(row, "estimated_time_to_regain_access"), timedelta(minutes=1)) or None


RENEW_AFTER = timedelta(days=30)
"""Tokens that live 60 days are renewed after half of that, even if nobody posts."""

GONE = frozenset({"100/33", "24/2207006", "24/4279009"})
"""Errors about a post or container that does not exist."""

NO_COMMENT = "The first comment may be missing: the platform did not confirm it."
"""The note on a live post of which a further step failed."""

UPLOAD_ANSWERS = frozenset({200, 400})
"""Statuses with which it reports an upload's state."""

_ANY_ANSWER = frozenset(range(200, 500))
_NAMED = re.compile(r"\b[A-Z_]+_API__[A-Z_]+")
_PERMISSIONS = range(200, 300)
_UNAUTHORIZED = 401
_INVALID = 100
_NO_PERMISSION = 10
_BLOCKED = 368
_TOKEN = 190
_OF_TOKENS = {"impersonat": NO_ROLE, "validating application": NO_APPLICATION}
_UNREVIEWED = "reviewed and approved"
"""Of a Page whose person has no role any more Meta says, with 190 and no subcode, that "The user
must be an administrator, editor, or moderator of the page in order to impersonate it"."""


Wordings = Mapping[str, str]
"""Errors that differ in Graph by their wording alone: a part of it, our key (docs/adr/0008)."""


def error_codes(response: PlatformResponse, wordings: Wordings | None = None) -> Sequence[str]:
    """Read an error's keys, most specific first: its name, code/subcode, /subcode, code.

    Some errors come as "invalid" (100), as "no permission" (10) or without a code and differ in
    their wording only.
    """
    error = response.find("error")
    code, subcode = find(error, "code"), find(error, "error_subcode")
    keys = _codes_by_wording(error, wordings or {})
    said = str(find(error, "message")).lower()
    if code == _TOKEN:
        keys += [key for part, key in _OF_TOKENS.items() if part in said]
    if code == _NO_PERMISSION and _UNREVIEWED in said:
        keys.append(NOT_OPENED)
    if subcode is not None:
        keys += [f"{code}/{subcode}", f"/{subcode}"]
    keys += _general(code, is_transient=find(error, "is_transient") is True)
    if response.status == _UNAUTHORIZED:
        keys.append("HTTP 401")
    return keys


def _codes_by_wording(error: Json, wordings: Wordings) -> list[str]:
    message = find(error, "message")
    if not isinstance(message, str):
        return []
    says_least = find(error, "code") in (None, _NO_PERMISSION, _INVALID, _BLOCKED)
    said = message.lower()
    worded = [key for part, key in wordings.items() if says_least and part.lower() in said]
    return [*_NAMED.findall(message), *worded]


def _general(code: Json, *, is_transient: bool) -> list[str]:
    """Return the code's keys; "transient" precedes only the most general code."""
    if code is None:
        return ["transient"] if is_transient else []
    plain = "200" if isinstance(code, int) and code in _PERMISSIONS else str(code)
    keys = [plain, "transient"] if is_transient else [plain]
    return keys[::-1] if code == _INVALID else keys


class GraphRejectedError(RejectedError):
    """A refusal that the connector knows, with the keys under which it was looked up."""

    def __init__(self, error: RejectedError, error_codes: Sequence[str]) -> None:
        super().__init__(error.code, error.message, error.blame)
        self.answer, self.app_wide = error.answer, error.app_wide
        self.error_codes = frozenset(error_codes)

    @property
    def is_gone(self) -> bool:
        """Tell whether it says that the object does not exist."""
        return not GONE.isdisjoint(self.error_codes)


class Graph:
    """Calls to Graph; an error with a success status is an error, too."""

    def __init__(
        self,
        http: PlatformHttp,
        waits: Mapping[str, timedelta] | None = None,
        *,
        clock: Clock = system_clock,
    ) -> None:
        """Take the HTTP client, and how long to wait after refusals that do not say."""
        self.http = http
        self._waits = waits or {}
        self._clock = clock
        self._usage = Usage()

    def get(self, url: str, token: str | None, params: Params = ()) -> PlatformResponse:
        """Read an object."""
        return self.send(Call(method="GET", url=url, token=token, params=params))

    def send(self, call: Call) -> PlatformResponse:
        """Make a call. Raises as PlatformHttp does, with the wait that usage headers name."""
        response = self.http.send(replace(call, takes=_ANY_ANSWER))
        self._usage.note(response.headers, self._clock())
        if response.status in call.takes and response.find("error") is None:
            return response
        raise self.read_error(response)

    def spare(self, *accounts: Json) -> None:
        """Raise RateLimitedError while one of these accounts has little quota left."""
        named = [str(account) for account in accounts if account is not None]
        rest = self._usage.rest(named, self._clock())
        if rest is not None:
            raise RateLimitedError(rest)

    def delete(self, url: str, token: str | None) -> None:
        """Delete an object; a deleted one is fine. Raises RemovalError."""
        try:
            response = self.send(Call(method="DELETE", url=url, token=token))
        except GraphRejectedError as error:
            if not error.is_gone:
                raise RemovalError(error.message) from error
            return
        if response.find("success") is False:
            raise RemovalError("The platform did not delete it.")

    def send_visible(self, call: Call) -> PlatformResponse:
        """Make a call that publishes a post: "try again later" does not prove that it did nothing.

        A refusal of every call of the application does.
        """
        try:
            return self.send(call)
        except RejectedError as error:
            if error.code is FailureCode.PLATFORM_UNAVAILABLE and not error.app_wide:
                raise UnansweredError("The Graph API asked to try again later.") from error
            raise

    def exchange(self, host: str, kind: str, tokens: Tokens, now: datetime) -> Tokens:
        """Trade a sign-in's token for one of 60 days; a platform's grants begin with its `kind`."""
        params = (
            ("grant_type", f"{kind}_exchange_token"),
            client_of(tokens)[1],
            ("access_token", tokens.access),
        )
        return self.renew(f"{host}/access_token", params, tokens, now)

    def prolong(self, host: str, kind: str, tokens: Tokens, now: datetime) -> Tokens:
        """Return a token with 60 more days; it must be a day old and still valid."""
        params = (("grant_type", f"{kind}_refresh_token"), ("access_token", tokens.access))
        kept = replace(tokens, refresh=tokens.access)
        return self.renew(f"{host}/refresh_access_token", params, kept, now)

    def send_file(
        self, url: str, token: str | None, media: MediaFile, offset: int = 0
    ) -> PlatformResponse:
        """Send a file from an offset on to the upload host; return its answer, refusals too."""
        headers = {
            "Authorization": f"OAuth {token}",
            "offset": str(offset),
            "file_size": str(media.size_bytes),
        }
        call = Call(
            method="POST",
            url=url,
            headers=headers,
            body=FileBody(file=media, mime="application/octet-stream", offset=offset),
            takes=UPLOAD_ANSWERS,
            deadline=UPLOAD_DEADLINE,
        )
        return self.http.send(call)

    def renew(self, url: str, params: Params, tokens: Tokens, now: datetime) -> Tokens:
        """Return the answer of a call that trades a token for a longer lived one.

        Raises TokenRejectedError only when the old token is dead.
        """
        try:
            response = self.get(url, None, params)
        except RejectedError as error:
            raise UnansweredError(f"The token was not renewed ({error.code}).") from error
        access = response.token("access_token")
        life = span(find(response.json(), "expires_in"))
        return replace(
            tokens,
            access=access,
            refresh=access,
            expires_at=now + life if life else None,
            renew_at=now + RENEW_AFTER,
        )

    def read_error(self, response: PlatformResponse) -> PlatformError:
        """Return the exception for an answer that is no success."""
        error = self.http.read_error(response)
        keys = tuple(self.http.error_codes(response))
        if isinstance(error, RateLimitedError) and error.retry_after is None:
            named = next((self._waits[key] for key in keys if key in self._waits), None)
            return error.waiting(named or access_wait(response.headers))
        if isinstance(error, RejectedError):
            return GraphRejectedError(error, keys)
        return error


def client_of(tokens: Tokens) -> tuple[tuple[str, str], ...]:
    """Return the application's credentials as parameters. Raises TokenRejectedError."""
    if "client_secret" not in tokens.extra:
        raise TokenRejectedError("The sign-in has no client secret. Connect with --client-secret.")
    secret = tokens.extra["client_secret"]
    return (("client_id", tokens.extra["client_id"]), ("client_secret", secret))
