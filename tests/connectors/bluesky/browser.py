"""What a person does on Bluesky's sign-in page, as the page's own script does it.

The page belongs to the real server; nobody clicks here, so the calls behind its buttons are made.
"""

import http.client
import json
from contextlib import closing
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from tests.connectors.support.fake_platform import Value

_API = "/@atproto/oauth-provider/~api/"


@dataclass(slots=True)
class Page:
    """A browser on the sign-in page, with its cookies."""

    url: str
    cookies: dict[str, str] = field(default_factory=dict)

    def sign_in_and_allow(self, handle: str, password: str, scope: str) -> str:
        """Sign in, allow what is asked for, and return where the browser is sent."""
        self._visit(self.url, site="none")
        signed = self._ask(
            "sign-in",
            {"locale": "en", "username": handle, "password": password, "remember": False},
        )
        allowed = self._ask(
            "consent",
            {"sub": signed["account"]["sub"], "scope": scope},
            bearer=signed["ephemeralToken"],
        )
        return self._visit(allowed["url"], site="same-origin")

    def _ask(self, name: str, body: Value, bearer: str | None = None) -> Value:
        headers = {
            "Content-Type": "application/json",
            "Sec-Fetch-Mode": "same-origin",
            "Sec-Fetch-Site": "same-origin",
            "Origin": self._origin,
            "Referer": self.url,
            "x-csrf-token": self.cookies.get("csrf-token", ""),
        }
        if bearer is not None:
            headers["Authorization"] = f"Bearer {bearer}"
        status, found, _ = self._send("POST", _API + name, json.dumps(body).encode(), headers)
        assert status == 200, found
        return json.loads(found)

    def _visit(self, url: str, *, site: str) -> str:
        place = urlsplit(url)
        headers = {
            "Sec-Fetch-Mode": "navigate",
            "Sec-Fetch-Dest": "document",
            "Sec-Fetch-Site": site,
            "Referer": self.url,
        }
        _, _, sent_to = self._send("GET", f"{place.path}?{place.query}", None, headers)
        return sent_to

    def _send(
        self, method: str, path: str, body: bytes | None, headers: dict[str, str]
    ) -> tuple[int, bytes, str]:
        """Return status, body and where the answer sends the browser."""
        connection = http.client.HTTPConnection("127.0.0.1", urlsplit(self.url).port, timeout=240)
        pairs = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        host = {"Host": urlsplit(self.url).netloc, **({"Cookie": pairs} if pairs else {})}
        with closing(connection):
            connection.request(method, path, body, {**headers, **host})
            answer = connection.getresponse()
            content = answer.read()
        for cookie in answer.headers.get_all("set-cookie") or []:
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        return answer.status, content, answer.headers.get("location", "")

    @property
    def _origin(self) -> str:
        place = urlsplit(self.url)
        return f"{place.scheme}://{place.netloc}"
