"""One HTTP call to the API: key, JSON, errors as classes, repeats.

`resources` call it and nobody else. Redirects are never followed with the key, and the key is only
sent over https or on this machine.
"""

import ipaddress
import re
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar
from urllib.parse import parse_qsl, urlsplit

import requests

from goldenhour.errors import ApiError, NoAnswer, UnexpectedAnswer
from goldenhour.http.bearer import Bearer, hide_keys
from goldenhour.http.reading import read
from goldenhour.http.refusing import error_from
from goldenhour.http.remembering import Remembered
from goldenhour.http.retrying import (
    Retries,
    is_worth_repeating,
    pauses,
    retry_after_s,
    why_unsent,
)

T = TypeVar("T")
Query = Mapping[str, str | int | None]

VERSION = "0.2.0"
_PATH = re.compile(r"/v1(/[A-Za-z0-9][A-Za-z0-9._-]*)+")
_HEADER = re.compile(r"[!-~]+( +[!-~]+)*")
CONNECT_TIMEOUT_S = 10
READ_TIMEOUT_S = 120
"""The server may have to ask a platform, or to take in a gigabyte, before it answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call; `repeatable` if a repeat of it changes nothing."""

    method: str
    path: str
    query: Query = field(default_factory=dict)
    json: Mapping[str, object] | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    stream: Callable[[], tuple[object, str]] | None = None
    """Makes a body and its content type, anew for each attempt."""

    repeatable: bool = False
    leads_on: bool = False
    """Its answer is an address to read from."""

    def __post_init__(self) -> None:
        """Refuse what would lead elsewhere: an id is put into a path, a key into a header.

        Whoever passes ids on may not choose the call by them (`<id>/publish-now#`).
        """
        if not _PATH.fullmatch(self.path):
            raise ValueError(f"{self.path!r} is no path of the API: ids have letters and digits.")
        for name, value in self.headers.items():
            if not _HEADER.fullmatch(value):
                raise ValueError(f"{name} takes plain letters, digits and signs, not {value!r}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A success; `body` is None for 204."""

    status: int
    headers: Mapping[str, str]
    body: object
    next_query: Query | None
    """The query of the next page, if a Link header leads to one."""

    def read(self, kind: type[T]) -> T:
        """Return the body as a dataclass. Raises UnexpectedAnswer."""
        return read(kind, self.body)


def _nothing(request: requests.PreparedRequest) -> requests.PreparedRequest:
    return request


class Transport:
    """Makes calls to one service with one key."""

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        retries: Retries | None = None,
        sleep: Callable[[float], None] = time.sleep,
        insecure_http: bool = False,
    ) -> None:
        self.base_url = base_url.strip().rstrip("/").removesuffix("/v1")
        _require_safe(self.base_url, insecure_http=insecure_http)
        self.retries = retries or Retries()
        self.sleep = sleep
        self._session = requests.Session()
        self._session.headers["User-Agent"] = f"goldenhour-python/{VERSION}"
        self._session.auth = Bearer(api_key)
        self._remembered: Remembered[Answer] = Remembered()

    def close(self) -> None:
        """Close the connections."""
        self._session.close()

    def send(self, call: Call) -> Answer:
        """Return the answer. Raises an ApiError for a refusal, NoAnswer when there is none."""
        waits = pauses(self.retries.first_pause_s, self.retries.longest_pause_s)
        for remaining in range(self.retries.attempts - 1, -1, -1):
            is_repeat = remaining < self.retries.attempts - 1
            try:
                return self._send_once(call)
            except ApiError as refusal:
                if (
                    is_repeat
                    and call.method == "DELETE"
                    and refusal.status == requests.codes.not_found
                ):
                    return Answer(status=204, headers={}, body=None, next_query=None)
                pause = self._pause(refusal, call, next(waits))
                if pause is None or not remaining:
                    raise
            except NoAnswer as failure:
                pause = next(waits)
                if not remaining or (failure.maybe_done and not call.repeatable):
                    raise
            self.sleep(pause)
        raise AssertionError("an attempt answers or raises")

    def pages(self, call: Call) -> Iterator[Answer]:
        """Yield an answer and all that its Link headers lead to.

        Only the query of a link is taken, so the key never goes to another address.
        """
        while True:
            answer = self.send(call)
            yield answer
            if answer.next_query is None:
                return
            call = Call(
                method=call.method, path=call.path, query=answer.next_query, repeatable=True
            )

    def location(self, path: str) -> str:
        """Return the address that a redirect leads to."""
        answer = self.send(Call(method="GET", path=path, repeatable=True, leads_on=True))
        if address := answer.headers.get("Location"):
            return address
        raise UnexpectedAnswer(f"{self.base_url}{path} does not lead to a file.")

    def outside(self) -> requests.Session:
        """Return a session without the key, for addresses that are not the API's."""
        session = requests.Session()
        session.auth = _nothing
        return session

    def _pause(self, refusal: ApiError, call: Call, otherwise: float) -> float | None:
        if not is_worth_repeating(refusal, repeatable=call.repeatable):
            return None
        asked = refusal.retry_after_s
        if asked is None:
            return otherwise
        return asked if asked <= self.retries.longest_pause_s else None

    def _send_once(self, call: Call) -> Answer:
        body, kind = call.stream() if call.stream else (None, "")
        headers = {**call.headers, "Content-Type": kind} if kind else dict(call.headers)
        asked = (call.path, tuple(sorted(call.query.items()))) if call.method == "GET" else None
        known = None if asked is None else self._remembered.find(asked)
        if known is not None:
            headers["If-None-Match"] = known[0]
        try:
            response = self._session.request(
                call.method,
                self.base_url + call.path,
                params={name: value for name, value in call.query.items() if value is not None},
                json=call.json,
                data=body,  # type: ignore[arg-type]
                headers=headers,
                timeout=(CONNECT_TIMEOUT_S, READ_TIMEOUT_S),
                allow_redirects=False,
            )
        except requests.RequestException as failure:
            raise self._no_answer(failure) from failure
        if known is not None and response.status_code == requests.codes.not_modified:
            return known[1]
        answer = _answer(response)
        if answer.body is None and not (
            call.leads_on or answer.status == requests.codes.no_content
        ):
            raise self._not_ours(answer)
        if asked is not None:
            tag, size = response.headers.get("ETag"), len(response.content)
            self._remembered.keep(asked, tag, answer, size)
        return answer

    def _no_answer(self, failure: requests.RequestException) -> NoAnswer:
        address = hide_keys(self.base_url)
        if (why := why_unsent(failure)) is not None:
            return NoAnswer(why.format(address=address), maybe_done=False)
        return NoAnswer(
            f"The connection to {address} broke before it answered"
            f" ({type(failure).__name__})."
            " The request may have been carried out: check before you repeat it.",
            maybe_done=True,
        )

    def _not_ours(self, answer: Answer) -> UnexpectedAnswer:
        leads_to = answer.headers.get("Location", "").partition("?")[0]
        said = f"leads to {leads_to}" if leads_to else f"answered {answer.status} without JSON"
        return UnexpectedAnswer(
            f"What is at {hide_keys(self.base_url)} is not this API: it {said}. Check the address,"
            " and any proxy or sign-in page on the way."
        )


def _answer(response: requests.Response) -> Answer:
    body = _body(response)
    if response.status_code >= requests.codes.bad_request:
        raise error_from(
            response.status_code,
            body,
            request_id=response.headers.get("X-Request-Id"),
            retry_after_s=retry_after_s(response.headers.get("Retry-After")),
        )
    link = response.links.get("next", {}).get("url")
    return Answer(
        status=response.status_code,
        headers=response.headers,
        body=body,
        next_query=dict(parse_qsl(urlsplit(link).query)) if link else None,
    )


def _body(response: requests.Response) -> object:
    is_json = response.headers.get("Content-Type", "").startswith("application/json")
    if is_json and response.content:
        try:
            return response.json()
        except requests.JSONDecodeError:
            return None
    return None


def _require_safe(base_url: str, *, insecure_http: bool) -> None:
    parts, shown = urlsplit(base_url), hide_keys(base_url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError(f"{shown!r} is not an address. Write it like https://posts.example.com")
    if parts.scheme == "http" and not insecure_http and not is_this_machine(parts.hostname):
        raise ValueError(
            f"{shown} would send the key unencrypted. Use https, or allow it: insecure_http=True in"
            " Python, --insecure-http before the command's name."
        )


def is_this_machine(host: str) -> bool:
    """Tell whether a host is the machine that asks."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
