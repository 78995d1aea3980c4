"""How posts are read from X: docs.x.com/x-api/posts/lookup and .../posts/timelines.

What is to be told of a post is asked for by `tweet.fields` in X's pages and by `post.fields` in its
OpenAPI (2.161 to 2.168) and its own client (xdk 0.10.6). X refuses a parameter that it does not
know, so the other name is taken from then on.
"""

from collections.abc import Mapping

from chalicelib.connectors.shared.calls.failures import RejectedError
from chalicelib.connectors.shared.calls.http import Call, PlatformHttp
from chalicelib.domain.outcome import FailureCode
from chalicelib.kit.transport.responses import PlatformResponse

_NAMES = ("tweet.fields", "post.fields")


class XApi:
    """Reads posts; safe to share between threads, each of which only ever sets the name."""

    def __init__(self, http: PlatformHttp) -> None:
        self.http = http
        self._name = _NAMES[0]

    def posts(
        self, url: str, token: str | None, params: Mapping[str, str], fields: str
    ) -> PlatformResponse:
        """Read posts with these fields."""
        name = self._name
        try:
            return self._read(url, token, {**params, name: fields})
        except RejectedError as error:
            if error.code is not FailureCode.UNKNOWN:
                raise
        other = _NAMES[name == _NAMES[0]]
        response = self._read(url, token, {**params, other: fields})
        self._name = other
        return response

    def _read(self, url: str, token: str | None, params: Mapping[str, str]) -> PlatformResponse:
        return self.http.send(Call(method="GET", url=url, token=token, params=params))
