"""How Reddit's API is called: support.reddithelp.com/hc/articles/16160319875092.

Every call says who calls, or Reddit throttles it as one of the crowd; `raw_json` keeps `&` from
coming back as `&amp;`. Refusals come with status 200 as well, so each answer is looked into here.
"""

from collections.abc import Mapping
from dataclasses import field, replace
from datetime import timedelta
from math import isfinite

from chalicelib.connectors.connector import ConnectedAccount
from chalicelib.connectors.reddit.errors import pause_asked
from chalicelib.connectors.shared.calls.failures import RateLimitedError
from chalicelib.connectors.shared.calls.http import Call, PlatformHttp
from chalicelib.domain.version import VERSION
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.transport.bodies import FormBody
from chalicelib.kit.transport.failures import PlatformError, UnansweredError
from chalicelib.kit.transport.responses import PlatformResponse

_ANY_STATUS = frozenset(range(100, 600))
_GOOD, _REQUEST_TIMEOUT = 200, 408
_FEW_LEFT = 5
# 100 calls a minute, "averaged over a 10 minute window" (the same page).
_LONGEST_WINDOW_S = 600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RedditHosts:
    """Where Reddit answers, signs people in and shows posts.

    `reddit_uploads` is the domain below which Reddit may name a host for a file: its buckets.
    """

    reddit: str = "https://oauth.reddit.com"
    reddit_sign_in: str = "https://www.reddit.com"
    reddit_web: str = "https://www.reddit.com"
    reddit_uploads: str = "https://amazonaws.com"


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls: a token, and the name that each call must carry."""

    token: str | None = field(repr=False)
    agent: str


def agent(client_id: str, name: str | None) -> str:
    """Return `<platform>:<app id>:<version> (by /u/<name>)`, as Reddit's rules want it.

    The client id makes it this deployment's own; it is no secret, it stands in the address of
    every sign-in. The name is the account's, which nobody knows before the sign-in is through.
    """
    app = f"server:goldenhour.{client_id}:{VERSION}"
    return app if name is None else f"{app} (by /u/{name})"


def caller(account: ConnectedAccount) -> Caller:
    """Return an account as the one that calls."""
    return Caller(account.token, agent(account.extra.get("client_id", ""), account.handle))


class RedditApi:
    """Calls to the API; safe to share between threads."""

    def __init__(self, http: PlatformHttp, host: str) -> None:
        self._http = http
        self._host = host

    def get(
        self, who: Caller, path: str, params: Mapping[str, str] | None = None
    ) -> PlatformResponse:
        """Read something."""
        asked = {**(params or {}), "raw_json": "1"}
        return self._send(who, Call(method="GET", url=f"{self._host}{path}", params=asked))

    def listing(self, who: Caller, path: str, params: Mapping[str, str]) -> PlatformResponse:
        """Read a listing. Raises UnansweredError for what is none: that would look like an end."""
        response = self.get(who, path, params)
        if response.find("kind") != "Listing":
            raise response.unreadable("is no listing")
        response.require_list("data", "children")
        return response

    def post(self, who: Caller, path: str, form: Mapping[str, str]) -> PlatformResponse:
        """Send a form."""
        return self._send(
            who,
            Call(
                method="POST",
                url=f"{self._host}{path}",
                params={"raw_json": "1"},
                body=FormBody({"api_type": "json", **form}),
            ),
        )

    def _send(self, who: Caller, call: Call) -> PlatformResponse:
        signed = replace(
            call, token=who.token, headers={"User-Agent": who.agent}, takes=_ANY_STATUS
        )
        response = self._http.send(signed)
        if response.status != _GOOD or response.items("json", "errors"):
            raise self._refusal(response)
        return response

    def _refusal(self, response: PlatformResponse) -> PlatformError:
        if response.status == _REQUEST_TIMEOUT:
            return UnansweredError("Reddit took too long.")
        error = self._http.read_error(response)
        if isinstance(error, RateLimitedError):
            # The header is about calls; a limit on posts stands in the body and is longer.
            return error.waiting(pause_asked(response) or error.retry_after)
        return error


def breather(response: PlatformResponse) -> timedelta:
    """Return how long calls that can wait should do so.

    All accounts share their application's hundred calls a minute, so the last few of a window are
    left to those that publish.
    """
    left, reset = _number(response, "X-Ratelimit-Remaining"), _number(response, "X-Ratelimit-Reset")
    if left is None or reset is None or left > _FEW_LEFT:
        return timedelta(0)
    return timedelta(seconds=min(max(0.0, reset), _LONGEST_WINDOW_S))


def _number(response: PlatformResponse, header: str) -> float | None:
    try:
        number = float(response.headers.get(header) or "")
    except ValueError:
        return None
    return number if isfinite(number) else None
