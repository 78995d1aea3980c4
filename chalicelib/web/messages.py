"""Forms and cookies of requests, and cookies and redirects of answers.

Requests and answers are of the same classes as the API's. Only this file writes cookies.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from http import HTTPStatus
from urllib.parse import parse_qs

from chalicelib.domain.text import with_line_feeds
from chalicelib.domain.workspace.session_cookies import is_former_cookie
from chalicelib.http.messages import JSON_TYPE
from chalicelib.http.upload_form import UploadForm
from chalicelib.kit.asgi.messages import Request, Response

MOST_FIELDS = 2_000
_LARGEST_READ_BYTES = 1024 * 1024
_LONGEST_COOKIE = 4_096
SESSION_COOKIE = "goldenhour_session"
HOST_PREFIX = "__Host-"
"""Browsers accept such a cookie only from this host and over https: no sibling host can set it."""


class Form:
    """The fields of a form or query; a missing field reads as an empty text."""

    def __init__(self, fields: Mapping[str, Sequence[str]]) -> None:
        self._fields = fields

    def __getitem__(self, name: str) -> str:
        return (self._fields.get(name) or [""])[-1]

    def __contains__(self, name: str) -> bool:
        return name in self._fields

    def get(self, name: str, other: str) -> str:
        """Return a field's last value, or `other` if the form has no such field."""
        found = self._fields.get(name)
        return found[-1] if found else other

    def all(self, name: str) -> list[str]:
        """Return every value that was sent under a name."""
        return list(self._fields.get(name, ()))

    def with_more(self, name: str, values: Sequence[str]) -> "Form":
        """Return the form with more values under a name."""
        return Form({**self._fields, name: [*self.all(name), *values]})

    def pairs(self, without: Collection[str] = ()) -> list[tuple[str, str]]:
        """Return every field that was sent, as name and value, except those named."""
        names = [name for name in self._fields if name not in without]
        return [(name, text) for name in names for text in self.all(name)]

    def names(self) -> list[str]:
        """Return the names that were sent."""
        return list(self._fields)


def read_form(request: Request) -> Form:
    """Return a form's fields, CRLF as line feeds; none for another type or too many fields."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        return Form({})
    text = request.body.decode("utf-8", "replace")
    try:
        found = parse_qs(text, keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError:
        return Form({})
    plain = {n: [with_line_feeds(v) for v in values] for n, values in found.items()}
    return Form(plain)


def is_too_large(request: Request) -> bool:
    """Tell whether a form with a file is larger than a server reads, at any door.

    A server passes on a body without the file instead.
    """
    return len(request.body) > _LARGEST_READ_BYTES


def read_file(request: Request) -> tuple[str | None, bytes]:
    """Return the name and the bytes of a form's file. Raises FileMissing."""
    form = UploadForm(request.headers.get("content-type"))
    data = form.read(request.body)
    return form.filename, data


def read_cookie(request: Request, name: str, *, secure: bool) -> str | None:
    """Return a cookie's value; None if it is missing or longer than any of ours.

    If `secure`, only a cookie that this host set over https counts. The standard library's parser
    is not used: it reads every cookie, and some take it quadratic time.
    """
    start = f"{HOST_PREFIX if secure else ''}{name}="
    for pair in request.headers.get("cookie", "").split(";"):
        cookie = pair.strip()
        if cookie.startswith(start):
            value = cookie.removeprefix(start)
            return value if len(value) <= _LONGEST_COOKIE else None
    return None


def set_cookie(name: str, value: str, *, path: str, seconds: int, secure: bool) -> str:
    """Return a Set-Cookie header, for a cookie hidden from scripts and from other sites' forms.

    Over https it is bound to this host, which browsers allow only with the path "/": `path` counts
    only over plain http.
    """
    limits = [f"Max-Age={seconds}", "HttpOnly", "SameSite=Lax"]
    if secure:
        return "; ".join([f"{HOST_PREFIX}{name}={value}", "Path=/", *limits, "Secure"])
    return "; ".join([f"{name}={value}", f"Path={path}", *limits])


def read_session_cookie(request: Request, *, secure: bool) -> str | None:
    """Return the session cookie; over https also an older one, from before cookies had a prefix."""
    found = read_cookie(request, SESSION_COOKIE, secure=secure)
    if found is not None or not secure:
        return found
    former = read_cookie(request, SESSION_COOKIE, secure=False)
    return former if is_former_cookie(former) else None


def json_answer(found: Mapping[str, object], status: int = HTTPStatus.OK) -> Response:
    """Answer a page's script with JSON."""
    headers = {"Content-Type": JSON_TYPE}
    return Response(status=status, headers=headers, body=json.dumps(found).encode())


def redirect(
    location: str,
    headers: Mapping[str, str] | None = None,
    *,
    status: HTTPStatus = HTTPStatus.SEE_OTHER,
) -> Response:
    """Redirect to another page, which the browser then gets."""
    return Response(status=status, headers={"Location": location, **(headers or {})})
