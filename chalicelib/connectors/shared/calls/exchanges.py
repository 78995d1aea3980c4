"""Calls to a platform and their answers, as text for people: never with a secret in it.

`observe_calls` reports every call that this thread makes in a block; `connector try` keeps them in
a report. Secrets are removed by value (the account's tokens), by name (whatever is called a token,
password or signature) and by place (the query of every address that a platform returned).
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import field
from urllib.parse import quote, urlsplit

from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.bodies import (
    Body,
    BytesBody,
    FileBody,
    FilePart,
    FormBody,
    JsonBody,
    JsonFileBody,
    MultipartBody,
)
from chalicelib.kit.transport.responses import PlatformResponse, read_json

CUT = "{secret}"
_SHORTEST = 6
_LONGEST_TEXT = 2_000
_SECRET_NAME = re.compile(
    r"token|secret|passw|jwt|signature|proof|authorization|cookie|verifier|assertion"
    r"|credential|policy|api[-_]?key|^code$|^sig$|^key$|^sau$",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"(https?://[^\s\"'<>?]+)\?([^\s\"'<>]+)")
_BEARER = re.compile(r"\b(Bearer|DPoP|OAuth) [^\s\"',]+")
_JWT = re.compile(r"\beyJ[\w-]+\.[\w-]+\.[\w-]*")
_SHOWN_OF_CALL = re.compile(
    r"content-range|offset|file_size|linkedin-version|x-(restli|goog)-.*", re.IGNORECASE
)
_SHOWN_OF_ANSWER = re.compile(
    r"content-type|location|range|retry-after|(x-)?rate-?limit-.*|x-restli-id|x-.*usage|x-.*trace.*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One call and its answer, None where there was none; `missing` says why."""

    method: str
    url: str = field(repr=False)
    params: tuple[tuple[str, str], ...] = field(repr=False)
    headers: Mapping[str, str] = field(repr=False)
    body: Body | None = field(repr=False)
    response: PlatformResponse | None
    missing: str | None = None


Observer = Callable[[Exchange], None]
_OBSERVER: ContextVar[Observer | None] = ContextVar("observer", default=None)


@contextmanager
def observe_calls(observer: Observer) -> Iterator[None]:
    """Report every call that this thread makes in the block."""
    token = _OBSERVER.set(observer)
    try:
        yield
    finally:
        _OBSERVER.reset(token)


def observer() -> Observer | None:
    """Return the observer of this thread's calls, usually None."""
    return _OBSERVER.get()


class Redactor:
    """Writes exchanges as text, without their secrets."""

    def __init__(self, secrets: Iterable[str]) -> None:
        known = {secret for secret in secrets if len(secret) >= _SHORTEST}
        spelled = known | {quote(secret, safe="") for secret in known}
        self._secrets = sorted(spelled, key=len, reverse=True)

    def text(self, text: str) -> str:
        """Return a text without the secrets that are known, or look like one."""
        for secret in self._secrets:
            text = text.replace(secret, CUT)
        text = _BEARER.sub(rf"\1 {CUT}", _JWT.sub(CUT, text))
        return _ADDRESS.sub(lambda found: f"{found[1]}?{_names_only(found[2])}", text)

    def json(self, value: Json, name: str = "") -> Json:
        """Return JSON without values of a secret name, and without secrets in all others."""
        match value:
            case dict():
                named = str(value.get("name", "")) if "value" in value else ""
                return {
                    key: self.json(inner, named if key == "value" and named else key)
                    for key, inner in value.items()
                }
            case list():
                return [self.json(inner, name) for inner in value]
            case str():
                is_address = urlsplit(value).scheme in ("http", "https")
                return CUT if _SECRET_NAME.search(name) and not is_address else self.text(value)
        return CUT if _SECRET_NAME.search(name) and value is not None else value

    def call(self, exchange: Exchange) -> list[str]:
        """Return the lines of a request."""
        asked = "&".join(f"{name}={self._value(name, text)}" for name, text in exchange.params)
        address = self.text(exchange.url)
        lines = [f"{exchange.method} {address}{'?' if asked else ''}{asked}"]
        shown = {n: v for n, v in exchange.headers.items() if _SHOWN_OF_CALL.fullmatch(n)}
        return [*lines, *self._headers(shown), *self._body(exchange.body)]

    def answer(self, exchange: Exchange) -> list[str]:
        """Return the lines of its answer."""
        response = exchange.response
        if response is None:
            return [f"no answer: {self.text(exchange.missing or 'unknown')}"]
        shown = {n: v for n, v in response.headers.items() if _SHOWN_OF_ANSWER.fullmatch(n)}
        return [str(response.status), *self._headers(shown), *self._content(response.body)]

    def _headers(self, headers: Mapping[str, str]) -> list[str]:
        return [f"{name.lower()}: {self._value(name, text)}" for name, text in headers.items()]

    def _value(self, name: str, text: str) -> str:
        return CUT if _SECRET_NAME.search(name) else self.text(text)

    def _body(self, body: Body | None) -> list[str]:
        if body is None:
            return []
        return ["", *self._lines(body)]

    def _lines(self, body: Body) -> list[str]:
        match body:
            case JsonBody():
                return _lines_of_json(self.json(body.value))
            case JsonFileBody():
                value = self.json(dict(body.value))
                return [
                    *_lines_of_json(value),
                    f"(and {_describe(body.file)} at {'.'.join(body.path)})",
                ]
            case FormBody():
                fields = body.fields
                pairs = fields.items() if isinstance(fields, Mapping) else fields
                return [f"{name} = {self._value(name, text)}" for name, text in pairs]
            case MultipartBody():
                return [self._part(part) for part in body.parts]
            case FileBody():
                return [f"({_describe(body)})"]
            case BytesBody():
                return [f"({len(body.content)} bytes, {body.mime})"]

    def _part(self, part: tuple[str, str] | FilePart) -> str:
        if isinstance(part, FilePart):
            return f"{part.name} = ({_describe(part.body)})"
        return f"{part[0]} = {self._value(*part)}"

    def _content(self, content: bytes) -> list[str]:
        if not content:
            return []
        try:
            return ["", *_lines_of_json(self.json(read_json(content)))]
        except (ValueError, RecursionError):
            text = self.text(content.decode(errors="replace"))
            return ["", *text[:_LONGEST_TEXT].splitlines()]


def _names_only(query: str) -> str:
    """Return an address's query without its values: such addresses give access by themselves."""
    return "&".join(part.partition("=")[0] for part in query.split("&"))


def _describe(body: FileBody) -> str:
    return f"{body.size_bytes} bytes of the file from {body.offset} on, {body.mime}"


def _lines_of_json(value: Json) -> list[str]:
    return json.dumps(value, indent=2, ensure_ascii=False).splitlines()
