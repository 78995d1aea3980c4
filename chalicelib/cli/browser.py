"""A sign-in in the operator's browser: opens the platform's page and waits for its way back.

The platform redirects to a loopback address, where a server of one request listens. Where the
browser is on another machine, or the redirect goes elsewhere, the operator pastes the address that
the browser ended up at. `account.py` calls it.
"""

import webbrowser
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import urlsplit

import click

_LOOPBACK = frozenset({"127.0.0.1", "localhost"})
_DONE = b"<!doctype html><title>goldenhour</title><p>Done. You can close this page."
_PATIENCE_S = 300.0


class _Answer(HTTPServer):
    """A server that keeps the first address that carries the answer to a sign-in."""

    redirected_to: str | None = None
    waits = True

    def handle_timeout(self) -> None:
        """Wait no longer: nobody came back from the page."""
        self.waits = False


class _Receiver(BaseHTTPRequestHandler):
    server: _Answer

    def do_GET(self) -> None:
        """Take the redirect; anything else a browser asks for is not found."""
        query = urlsplit(self.path).query
        is_answer = "state=" in query and ("code=" in query or "error=" in query)
        self.send_response(HTTPStatus.OK if is_answer else HTTPStatus.NOT_FOUND)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        if is_answer:
            self.server.redirected_to = self.path
            self.wfile.write(_DONE)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the library's name
        """Say nothing: the address holds the code."""


def answer_of_page(
    url: str,
    redirect_uri: str,
    *,
    paste: bool,
    open_page: Callable[[str], object] = webbrowser.open,
) -> str:
    """Return the address that the platform's page redirected to."""
    place = urlsplit(redirect_uri)
    if paste or place.scheme != "http" or place.hostname not in _LOOPBACK:
        return _pasted(url)
    with _Answer((place.hostname, place.port or 80), _Receiver) as server:
        server.timeout = _PATIENCE_S
        click.echo(f"Sign in on the page that opens, or open it yourself:\n\n  {url}\n", err=True)
        open_page(url)
        while server.redirected_to is None and server.waits:
            server.handle_request()
    if server.redirected_to is None:
        return _pasted(url)
    return f"http://{place.netloc}{server.redirected_to}"


def _pasted(url: str) -> str:
    click.echo(f"Open this page in a browser and sign in:\n\n  {url}\n", err=True)
    question = "Then paste the whole address that the browser ended up at"
    return str(click.prompt(question, err=True)).strip()
