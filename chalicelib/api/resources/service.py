"""Endpoints about the service itself, all without a key: health, its descriptions, its page.

The page is Swagger UI from `docs_page`, served by us, so that it works without the internet.
`/llms.txt` is for language models, by the convention of https://llmstxt.org: a text with rules and
examples, in which the operations are listed from their own declarations, so that none is missing.
"""

import gzip
import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Annotated

from chalicelib.api.http.answers import From, Of, Out
from chalicelib.api.http.endpoint import Call, Endpoint, Raw, endpoint
from chalicelib.domain.errors import NotReady, PathNotFound, Unwritable
from chalicelib.domain.platforms.platform import Platform
from chalicelib.http.messages import JSON_TYPE
from chalicelib.kit.asgi.messages import Response

_PAGE = Path(__file__).parents[1] / "openapi" / "docs_page"
_ASSETS = {
    "start.js": "text/javascript; charset=utf-8",
    "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
    "swagger-ui.css": "text/css; charset=utf-8",
}
_MOVED = 308
_AN_HOUR = "public, max-age=3600"
_AN_HOUR_EACH = "private, max-age=3600"
_ONLY_OURS = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'"
)


class ServiceHealthOut(Out, Of[bool]):
    """The service is up."""

    ok: Annotated[bool, From(bool)]


@endpoint(
    summary="Health: the service is up and its storage is writable",
    scope=None,
    raises=(Unwritable,),
    returns=ServiceHealthOut,
    open_to_all=True,
)
def health(call: Call) -> bool:
    """Say that requests are answered and that what they say can be kept. Raises Unwritable."""
    if not call.services.workspace.health.is_writable():
        raise Unwritable
    return True


class ReadyOut(Out, Of[bool]):
    """The service answers and publishes."""

    ready: Annotated[bool, From(bool)]


@endpoint(
    summary="Readiness: requests are answered, and what is due is sent",
    scope=None,
    raises=(Unwritable, NotReady),
    returns=ReadyOut,
    open_to_all=True,
)
def ready(call: Call) -> bool:
    """Say that requests are answered and posts sent. Raises Unwritable, NotReady."""
    if not call.services.workspace.health.is_writable():
        raise Unwritable
    if not call.services.workspace.health.is_publishing():
        raise NotReady
    return True


@endpoint(
    summary="The machine-readable description",
    scope=None,
    returns=Raw,
    open_to_all=True,
    documented=False,
)
def openapi_json(call: Call) -> Response:
    """Serve the same document as docs/openapi.json, with the address of this service."""
    server = json.dumps(f"{call.base_url.rstrip('/')}/")
    text = _description(call.find_endpoints()).replace(json.dumps(_SERVER), server)
    # It names the address that was asked: a shared cache must not give it to others.
    headers = {"Content-Type": JSON_TYPE, "Cache-Control": _AN_HOUR_EACH}
    return Response(status=200, headers=headers, body=text.encode())


@endpoint(
    summary="The description for language models",
    scope=None,
    returns=Raw,
    open_to_all=True,
    documented=False,
)
def llms_text(call: Call) -> Response:
    """Serve the rules, every operation and short examples as one page of plain text."""
    headers = {"Content-Type": "text/plain; charset=utf-8", "Cache-Control": _AN_HOUR}
    return Response(status=200, headers=headers, body=as_llms_text(call.find_endpoints()).encode())


@endpoint(
    summary="The description as a page",
    scope=None,
    returns=Raw,
    open_to_all=True,
    documented=False,
)
def docs_page(call: Call) -> Response:
    """Serve the page; it may load and call nothing but this service.

    What it is made of is named beside `/v1/docs`, so `/v1/docs/` leads there.
    """
    if call.asked.endswith("/"):
        return Response(status=_MOVED, headers={"Location": "../docs"})
    return _file("index.html", "text/html; charset=utf-8", {"Content-Security-Policy": _ONLY_OURS})


@endpoint(
    summary="What each error code means and what to do",
    scope=None,
    returns=Raw,
    open_to_all=True,
    documented=False,
)
def docs_errors(_call: Call) -> Response:
    """Serve a section for each code of a refusal or of a failed target."""
    from chalicelib.api.openapi.error_sections import errors_page  # noqa: PLC0415 - seldom asked

    headers = {
        "Content-Type": "text/html; charset=utf-8",
        "Content-Security-Policy": _ONLY_OURS,
        "Cache-Control": _AN_HOUR,
    }
    return Response(status=200, headers=headers, body=errors_page().encode())


@endpoint(
    summary="What the page is made of",
    scope=None,
    returns=Raw,
    open_to_all=True,
    documented=False,
)
def docs_asset(call: Call) -> Response:
    """Serve a file of the page; only those named above exist."""
    kind = _ASSETS.get(call.path["asset"])
    if kind is None:
        raise PathNotFound
    return _file(call.path["asset"], kind, {"Cache-Control": _AN_HOUR})


def _file(name: str, kind: str, headers: dict[str, str]) -> Response:
    return Response(status=200, headers={"Content-Type": kind, **headers}, body=_content(name))


def _content(name: str) -> bytes:
    """Return a file of the page; what is not ours lies there compressed."""
    compressed = _PAGE / f"{name}.gz"
    if compressed.exists():
        return gzip.decompress(compressed.read_bytes())
    return (_PAGE / name).read_bytes()


_SERVER = "the address that was asked"


@cache
def _description(endpoints: tuple[Endpoint, ...]) -> str:
    """Return the document, written once: anybody may ask for it, as often as they like."""
    from chalicelib.api.openapi.document import as_text, describe  # noqa: PLC0415 - seldom asked

    return as_text({**describe(endpoints), "servers": [{"url": _SERVER}]})


_ABOUT_THE_API = Path(__file__).parents[1] / "openapi" / "llms.txt"


@cache
def as_llms_text(endpoints: tuple[Endpoint, ...]) -> str:
    """Return the text with every documented operation."""
    words = _ABOUT_THE_API.read_text("utf-8")
    *most, last = Platform
    named = words.replace("{platforms}", f"{', '.join(most)} and {last}")
    return named.replace("{operations}", "\n".join(_operations(endpoints)))


def _operations(endpoints: Iterable[Endpoint]) -> Iterable[str]:
    for one in endpoints:
        if one.documented:
            needs = "" if one.scope is None else f" ({one.scope})"
            yield f"- {one.method} {one.path}: {one.summary}{needs}"
