"""Serves the documentation at `/docs` beside the API, on one machine, if it was built.

`make docs` builds it into `build/docs`; the service's wheel includes it. Without it `/docs` is an
unknown path like any other. Anybody may read it: it contains no data.
"""

from collections.abc import Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Final

from chalicelib.api.doors.crowd import Crowd
from chalicelib.api.http.response_headers import compress
from chalicelib.kit.asgi.exchange import AsgiApp, Exchange, Receive, Scope, Send
from chalicelib.kit.asgi.messages import Request, Response, without_body

BUILT: Final = Path(__file__).parents[2] / "build" / "docs"
_AT: Final = "/docs"
_TYPES: Final[Mapping[str, str]] = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".webp": "image/webp",
    ".jpg": "image/jpeg",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
    ".ttf": "font/ttf",
}
_HEADERS: Final[Mapping[str, str]] = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "font-src 'self'; connect-src 'self'; worker-src 'self'; base-uri 'none'; "
        "form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "public, max-age=300",
}


class DocsSite:
    """An ASGI app that answers `/docs` and paths below it, and passes the rest on."""

    def __init__(self, inner: AsgiApp, crowd: Crowd, site: Path = BUILT) -> None:
        self._inner = inner
        self._crowd = crowd
        self._site = site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or pass it to the API."""
        path = str(scope.get("path", ""))
        is_ours = path == _AT or path.startswith(f"{_AT}/")
        if scope.get("type") != "http" or not is_ours or not self._site.is_dir():
            await self._inner(scope, receive, send)
            return
        exchange = Exchange(scope, receive, send)
        asked = Request(method=exchange.method, path=path, headers=exchange.headers)
        response = await self._crowd.answer(lambda: compress(asked, answer(self._site, asked)))
        await exchange.answer(without_body(response) if asked.method == "HEAD" else response)


def answer(site: Path, asked: Request) -> Response:
    """Return the page or file that is asked for."""
    if asked.method not in ("GET", "HEAD"):
        headers = {"Allow": "GET, HEAD"}
        return _sentence_response(
            HTTPStatus.METHOD_NOT_ALLOWED, "These pages can only be read.", headers
        )
    file = _file(site, asked.path.removeprefix(_AT).lstrip("/"))
    if file is None:
        sentence = "There is no such page; /docs lists those there are."
        return _sentence_response(HTTPStatus.NOT_FOUND, sentence, {})
    if file.is_dir() and not asked.path.endswith("/"):
        onward = {"Location": f"{asked.path.rpartition('/')[2]}/"}
        return _sentence_response(HTTPStatus.PERMANENT_REDIRECT, "", onward)
    return _content(file / "index.html" if file.is_dir() else file)


def _file(site: Path, name: str) -> Path | None:
    """Return what a path names within the site: a file, or a folder with a page."""
    try:
        found = (site / name).resolve()
        is_page = found.is_dir() and (found / "index.html").is_file()
        is_there = is_page or (found.is_file() and found.suffix in _TYPES)
    except (OSError, ValueError):  # a name that no file can have
        return None
    return found if is_there and found.is_relative_to(site.resolve()) else None


def _content(file: Path) -> Response:
    headers = {**_HEADERS, "Content-Type": _TYPES[file.suffix]}
    return Response(status=HTTPStatus.OK, headers=headers, body=file.read_bytes())


def _sentence_response(status: HTTPStatus, sentence: str, more: Mapping[str, str]) -> Response:
    headers = {**_HEADERS, "Content-Type": "text/plain; charset=utf-8", **more}
    return Response(status=status, headers=headers, body=sentence.encode())
