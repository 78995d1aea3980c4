"""Headers that every answer needs: links, CORS, compression, entity tags.

`pipeline` adds them to every answer; the streaming front compresses, as API Gateway does by itself.
An entity tag (RFC 9110, 8.8.3 and 13.1) names what was read, for If-Match and If-None-Match. A
post's tag is made from its state and its bytes, because two callers may see the same state
differently once an account is gone; any other tag from the bytes alone. Tags are opaque to clients.
"""

import gzip
import hashlib
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from posixpath import dirname, relpath
from typing import Final

from chalicelib.http.errors import ERRORS_PAGE
from chalicelib.kit.asgi.messages import Request, Response, is_host
from chalicelib.kit.dataclass import dataclass

_SMALLEST = 1_024
_LEVEL, _BEST = 5, 9
_NO_CONTENT = 204
_TEXT = ("application/json", "text/", "image/svg+xml")
_HEADERS_TAKEN = (
    "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, traceparent, "
    "X-Request-Id"
)
_HEADERS_SHOWN = (
    "ETag, Idempotency-Mismatch, Idempotency-Replayed, Link, Location, Retry-After, X-Request-Id"
)
_AN_HOUR = "3600"


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponseHeaders:
    """Where the service is reached, and which sites' pages may call it.

    An empty `base_url` is one that nobody knows: links then name their query alone, which is right
    behind any prefix. None leaves links as endpoints write them. With `follows_request` links lead
    to where the request itself was sent, `base_url` where it does not say so. A browser is told of
    no site unless the operator named some (`*`: every site).
    """

    base_url: str | None = None
    origins: frozenset[str] = frozenset()
    follows_request: bool = False

    def service_address(self, request: Request) -> str:
        """Return where the service is, for the answer to this request and for nothing else.

        What is kept, or sent to anybody else, must not be made of it: clients choose the header.
        """
        asked = _asked_at(request.headers) if self.follows_request else None
        return asked or self.base_url or request.base_path

    def preflight(self, request: Request, methods: tuple[str, ...]) -> Response | None:
        """Return the answer to a browser that asks before it calls, None to anybody else."""
        asks = request.method == "OPTIONS" and "access-control-request-method" in request.headers
        if not asks or self._origin(request) is None:
            return None
        headers = {
            "Access-Control-Allow-Methods": ", ".join(methods),
            "Access-Control-Allow-Headers": _HEADERS_TAKEN,
            "Access-Control-Max-Age": _AN_HOUR,
        }
        return Response(status=_NO_CONTENT, headers=headers)

    def add_to(self, request: Request, response: Response) -> Response:
        """Return the answer with Link, Location, Vary and, for an allowed origin, CORS headers."""
        headers = {**response.headers, **self._link(request, response)}
        if LOCATION in headers:
            headers[LOCATION] = self._location(request, headers[LOCATION])
        headers["Vary"] = "Accept-Encoding, Origin" if self.origins else "Accept-Encoding"
        if (origin := self._origin(request)) is not None:
            headers["Access-Control-Allow-Origin"] = origin
            headers["Access-Control-Expose-Headers"] = _HEADERS_SHOWN
        return replace(response, headers=headers)

    def _origin(self, request: Request) -> str | None:
        origin = request.headers.get("origin")
        if origin is None or not ({"*", origin} & self.origins):
            return None
        return "*" if "*" in self.origins else origin

    def _link(self, request: Request, response: Response) -> Mapping[str, str]:
        """Return the link as a whole address; by its query alone, or its way, if ours is unknown.

        Links lead to the next page of what was asked, or to the section of a refusal's code.
        """
        link = response.headers.get("Link", "")
        for ours, nearby in (
            (f"<{request.path.removesuffix('/')}?", "<?"),
            (f"<{ERRORS_PAGE}#", f"<{_way(request.path, ERRORS_PAGE)}#"),
        ):
            if self.base_url is not None and link.startswith(ours):
                base = self._base(request)
                start = f"<{base}{ours[1:]}" if base else nearby
                return {"Link": start + link.removeprefix(ours)}
        return {}

    def _base(self, request: Request) -> str | None:
        """Return what whole addresses begin with, nothing where nobody knows that."""
        return self.base_url and self.service_address(request).rstrip("/")

    def _location(self, request: Request, place: str) -> str:
        """Return where what was made is read as a whole address, or as the way there."""
        if self.base_url is None or not place.startswith("/"):
            return place
        base = self._base(request)
        return f"{base}{place}" if base else _way(request.path, place)


def _way(here: str, there: str) -> str:
    """Return how one path is reached from another, behind any prefix."""
    return relpath(there, dirname(here) or "/")


def _asked_at(headers: Mapping[str, str]) -> str | None:
    """Return the address that a request names; None unless it is plainly a host and a port.

    `X-Forwarded-*` of anybody but a trusted proxy was taken out before.
    """
    for name in ("x-forwarded-host", "host"):
        host = headers.get(name, "")
        if is_host(host):
            scheme = "https" if headers.get("x-forwarded-proto") == "https" else "http"
            return f"{scheme}://{host}"
    return None


def compress(request: Request, response: Response) -> Response:
    """Return the answer in gzip where its reader takes that and it is worth it."""
    kind = response.headers.get("Content-Type", "")
    is_done = "Content-Encoding" in response.headers or "Content-Range" in response.headers
    if is_done or len(response.body) < _SMALLEST or not kind.startswith(_TEXT):
        return response
    headers = {**response.headers, "Vary": response.headers.get("Vary", "Accept-Encoding")}
    if not _takes_gzip(request.headers.get("accept-encoding", "")):
        return replace(response, headers=headers)
    is_for_many = "max-age" in response.headers.get("Cache-Control", "")
    body = (_gzip_once if is_for_many else _gzip)(response.body)
    return replace(response, headers={**headers, "Content-Encoding": "gzip"}, body=body)


def _gzip(body: bytes) -> bytes:
    return gzip.compress(body, _LEVEL, mtime=0)


@lru_cache(maxsize=64)
def _gzip_once(body: bytes) -> bytes:
    """Compress what is the same for everybody, once and as far as it goes: it takes milliseconds.

    There are some fifty files of the app, and the API's description.
    """
    return gzip.compress(body, _BEST, mtime=0)


def _takes_gzip(accepted: str) -> bool:
    """Read Accept-Encoding (RFC 9110, 12.5.3): a weight of zero is a no."""
    weights = dict(_parse_weight(one) for one in accepted.split(","))
    return weights.get("gzip", weights.get("*", 0.0)) > 0


def _parse_weight(one: str) -> tuple[str, float]:
    name, _, parameter = one.partition(";")
    weight = parameter.strip().lower().removeprefix("q=")
    try:
        return name.strip().lower(), float(weight) if parameter else 1.0
    except ValueError:
        return name.strip().lower(), 0.0


ETAG: Final = "ETag"
LOCATION: Final = "Location"
IF_MATCH: Final = "If-Match"
IF_NONE_MATCH: Final = "If-None-Match"
_ANY: Final = "*"
_TAGS: Final = re.compile(r'(W/)?"([^"]*)"')
_DIGEST_LENGTH: Final = 16
_BETWEEN: Final = "-"
_OK: Final = 200
_NOT_MODIFIED: Final = 304


def entity_tag(shown: bytes, revision: str | None = None) -> str:
    """Return the tag of an answer, as the header holds it; `revision` is the state it shows."""
    digest = hashlib.sha256(shown).hexdigest()[:_DIGEST_LENGTH]
    return f'W/"{digest}"' if revision is None else f'"{revision}{_BETWEEN}{digest}"'


def revisions_in(header: str) -> frozenset[str] | None:
    """Return the states that If-Match names; None when any state will do.

    A weak tag never matches, as If-Match demands.
    """
    if header.strip() == _ANY:
        return None
    strong = (found[2] for found in _TAGS.finditer(header) if found[1] is None)
    return frozenset(tag.partition(_BETWEEN)[0] for tag in strong)


def without_what_is_known(request: Request, response: Response) -> Response:
    """Return 304 in place of what the reader has already, by its If-None-Match."""
    tag, known = response.headers.get(ETAG), request.headers.get(IF_NONE_MATCH.lower())
    is_read = request.method in ("GET", "HEAD") and response.status == _OK
    if tag is None or known is None or not is_read or not _names(known, tag):
        return response
    headers = {name: value for name, value in response.headers.items() if name != "Content-Type"}
    return Response(status=_NOT_MODIFIED, headers=headers, body=b"")


def _names(known: str, tag: str) -> bool:
    """Tell whether a list of tags has this one; weak and strong are alike here."""
    opaque = tag.removeprefix("W/").strip('"')
    return known.strip() == _ANY or any(found[2] == opaque for found in _TAGS.finditer(known))
