"""The only way to call a platform: returns its answer, or raises an exception of failures.py.

A connector makes one PlatformHttp with its ERRORS table and how to read the codes of an answer.
Every call has a total deadline; redirects are never followed; no exception, log line or `repr`
contains an address's query, a header or a body, because all three may contain tokens.
"""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from datetime import timedelta
from urllib.parse import quote, urlencode, urlsplit

import requests
from urllib3 import Timeout
from urllib3.exceptions import HTTPError

from chalicelib.connectors.shared.calls.exchanges import Exchange, observer
from chalicelib.connectors.shared.calls.failures import (
    PLAIN_NO,
    ErrorEntry,
    ErrorTable,
    RateLimitedError,
    RejectedError,
    TokenRejectedError,
    UnlistedError,
    complete_entry,
    find_key,
    is_plain_no,
)
from chalicelib.connectors.shared.calls.platform_words import (
    is_page,
    read_platform_answer,
    texts_of,
)
from chalicelib.connectors.shared.calls.stand_ins import stand_in
from chalicelib.connectors.shared.calls.waits import read_wait
from chalicelib.domain.clock import Clock, system_clock
from chalicelib.domain.outcome import CALL_DEADLINE, FailureCode, PlatformAnswer
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.version import USER_AGENT
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.transport.bodies import Body, encode_body
from chalicelib.kit.transport.deadline import (
    DeadlinePassed,
    WatchedCall,
    a_session,
    watch_deadline,
)
from chalicelib.kit.transport.failures import NotSentError, PlatformError, UnansweredError
from chalicelib.kit.transport.responses import PlatformResponse
from chalicelib.kit.waiting import have_waited

UPLOAD_DEADLINE = timedelta(minutes=10)
"""For calls that carry a whole file and make nothing visible."""

_BROKEN = range(500, 600)
_DONE = frozenset(range(200, 300))
_PAGES = _DONE | {400, 401, 403, 404, 407, 451}
"""Statuses of machines in the network: with these a page of HTML is not the platform's."""
_NUMBERS = (("code",), ("error",), ("error", "code"), ("serviceErrorCode",))
_LOG = logging.getLogger(__name__)
_CONNECT_S = 5.0
_LONGEST_ANSWER = 8_388_608
_PIECE = 65_536
Headers = Mapping[str, str]
Params = Mapping[str, str] | Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call. `token` goes into the Authorization header; `takes` are its success statuses."""

    method: str
    url: str = field(repr=False)
    token: str | None = field(default=None, repr=False)
    params: Params = field(default=(), repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    body: Body | None = field(default=None, repr=False)
    takes: frozenset[int] = frozenset(range(200, 300))
    deadline: timedelta = CALL_DEADLINE

    @property
    def place(self) -> str:
        """Name the call for a person without anything secret: an address's query may be."""
        try:
            parts = urlsplit(self.url)
        except ValueError:  # an address that an answer named
            return f"{self.method} no address"
        return f"{self.method} {parts.scheme}://{parts.netloc}{parts.path}"


class PlatformHttp:
    """Calls to one platform; safe to share between threads."""

    def __init__(
        self,
        platform: Platform,
        errors: ErrorTable,
        error_codes: Callable[[PlatformResponse], Iterable[str]],
        *,
        reset_header: str | Callable[[Headers], str] | None = None,
        clock: Clock = system_clock,
        session: requests.Session | None = None,
    ) -> None:
        self.platform = platform
        self.errors = errors
        self.error_codes = error_codes
        self._reset_header = reset_header
        self._clock = clock
        self._session = session or a_session()

    def send(self, call: Call) -> PlatformResponse:
        """Make a call and return its answer, or raise the exception for a refusal or no answer."""
        response = self._exchange(call)
        have_waited()
        if response.status in call.takes and not (response.status in _DONE and is_page(response)):
            return response
        raise self.read_error(response)

    def read_error(self, response: PlatformResponse) -> PlatformError:
        """Return the exception for a refusal; connectors use it for a 200, too."""
        answer = read_platform_answer(response)
        error = self._error(response, answer)
        error.answer = answer
        return error

    def _error(self, response: PlatformResponse, answer: PlatformAnswer) -> PlatformError:
        key = find_key(self.errors, self.error_codes(response))
        is_bare = key in {None, str(response.status), f"HTTP {response.status}"}
        row = None if key is None else self.errors[key]
        if row is None and is_plain_no(response, answer):
            row = self.errors.get(PLAIN_NO)
        if is_bare and answer.is_page and response.status in _PAGES:
            name = FACTS[self.platform].name
            return UnansweredError(f"A page with {response.status} came in the place of {name}.")
        says_why = answer.sentence is not None
        entry = None if row is None else complete_entry(self.platform, row, says_why=says_why)
        if entry is not None and entry.ours:
            facts = {
                "action": "platform.setup",
                "platform": self.platform,
                "status": response.status,
            }
            _LOG.error("A platform refuses this deployment: %s", entry.sentence, extra=facts)
        if response.status == requests.codes.too_many_requests or (
            entry is not None and entry.code is FailureCode.RATE_LIMITED
        ):
            own = (
                row
                if isinstance(row, ErrorEntry) and row.code is FailureCode.RATE_LIMITED
                else None
            )
            limited = RateLimitedError(self._wait(response, own))
            limited.row = own
            return limited
        if response.status in _BROKEN or (response.status > _BROKEN[-1] and entry is None):
            return UnansweredError(f"{FACTS[self.platform].name} answered {response.status}.")
        if entry is None:
            return UnlistedError(
                f"{FACTS[self.platform].name} answered {response.status}, not listed."
            )
        if entry.code is FailureCode.AUTH_EXPIRED:
            rejected = TokenRejectedError(entry.sentence)
            rejected.row = row if isinstance(row, ErrorEntry) else None
            return rejected
        error = RejectedError(entry.code, entry.sentence, entry.blamed)
        error.app_wide = entry.app_wide
        error.is_bare = is_bare and not _has_number(response)
        return error

    def _exchange(self, call: Call) -> PlatformResponse:
        answers = stand_in()
        if answers is not None:
            answer = answers(_exchange_of(call, None))
            return replace(answer, sent=texts_of(call.token, call.params, call.body))
        try:
            response = self._answer(call)
        except PlatformError as error:
            _tell(call, None, str(error))
            raise
        _tell(call, response)
        return response

    def _answer(self, call: Call) -> PlatformResponse:
        seconds = call.deadline.total_seconds()
        with watch_deadline(seconds) as watch:
            try:
                response = self._exchange_watched(call, seconds)
                watch.require_time()
            except (requests.RequestException, HTTPError, OSError, DeadlinePassed) as error:
                raise self._error_without_answer(call, watch, error) from None
        return response

    def _exchange_watched(self, call: Call, seconds: float) -> PlatformResponse:
        content, mime = (None, None) if call.body is None else encode_body(call.body)
        headers = {"User-Agent": USER_AGENT, "Accept-Encoding": "identity"}
        if mime is not None:
            headers["Content-Type"] = mime
        if call.token is not None:
            headers["Authorization"] = f"Bearer {call.token}"
        connect_s = min(_CONNECT_S, seconds)
        with self._session.request(
            call.method,
            _address(call),
            headers={**headers, **call.headers},
            data=content,
            timeout=Timeout(connect=connect_s, read=seconds),  # type: ignore[arg-type]  # taken
            allow_redirects=False,
            stream=True,
        ) as answer:
            return PlatformResponse(
                status=answer.status_code,
                headers=answer.headers,
                body=_read(answer),
                sent=texts_of(call.token, call.params, call.body),
            )

    def _error_without_answer(
        self, call: Call, watch: WatchedCall, error: Exception
    ) -> PlatformError:
        """Return the exception for no answer; the error's text may have a whole address."""
        what = f"{call.place}: {type(error).__name__}"
        return UnansweredError(what) if watch.reached else NotSentError(what)

    def _wait(self, response: PlatformResponse, row: ErrorEntry | None) -> timedelta | None:
        """Return how long to wait: as the answer asks, else at least the row's time."""
        said = self._retry_after(response)
        if row is None or not row.wait or "Retry-After" in response.headers:
            return said
        return max(row.wait, said or row.wait)

    def _retry_after(self, response: PlatformResponse) -> timedelta | None:
        named = response.headers.get("Retry-After")
        if named is not None:
            return read_wait(named, self._clock())
        header = self._reset_header
        if header is None:
            return None
        name = header if isinstance(header, str) else header(response.headers)
        return read_wait(response.headers.get(name, ""), self._clock())


def _has_number(response: PlatformResponse) -> bool:
    """Tell whether an answer has a number as its error code, which may repeat the status."""
    return any(isinstance(response.find(*path), int) for path in _NUMBERS)


def _tell(call: Call, response: PlatformResponse | None, missing: str | None = None) -> None:
    """Report the call to this thread's observer: only `connector try` has one."""
    watching = observer()
    if watching is not None:
        watching(_exchange_of(call, response, missing))


def _exchange_of(
    call: Call, response: PlatformResponse | None, missing: str | None = None
) -> Exchange:
    return Exchange(
        method=call.method,
        url=call.url,
        params=_pairs(call.params),
        headers=call.headers,
        body=call.body,
        response=response,
        missing=missing,
    )


def _pairs(params: Params) -> tuple[tuple[str, str], ...]:
    return tuple(dict(params).items()) if isinstance(params, Mapping) else tuple(params)


def _address(call: Call) -> str:
    if not call.params:
        return call.url
    query = urlencode(
        _pairs(call.params),
        quote_via=quote,
        safe="",
    )
    return f"{call.url}{'&' if '?' in call.url else '?'}{query}"


def _read(answer: requests.Response) -> bytes:
    content = bytearray()
    for piece in answer.iter_content(_PIECE):
        content += piece
        if len(content) > _LONGEST_ANSWER:
            raise UnansweredError(f"The answer was longer than {_LONGEST_ANSWER} bytes.")
    return bytes(content)
