"""Google's own descriptions of its APIs, held against calls and bodies.

    assert document("youtube.v3").call_problems(call) == []

The discovery documents come with google-api-python-client. They know methods, paths, query names,
fields, types and closed sets of values, but no lengths.
"""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files

from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.responses import find
from tests.connectors.support.fake_platform import Received

_WHOLE_NUMBER = re.compile(r"-?\d+")
_KINDS: Mapping[str, type | tuple[type, ...]] = {
    "string": str,
    "boolean": bool,
    "integer": int,
    "number": (int, float),
    "any": object,
}


@cache
def document(name: str) -> "Document":
    """Return the description of an API, such as `youtube.v3`."""
    folder = files("googleapiclient").joinpath("discovery_cache", "documents")
    return Document(json.loads(folder.joinpath(f"{name}.json").read_text()))


class Document:
    """One API's description."""

    def __init__(self, content: Json) -> None:
        self._content = content
        self._methods = list(_methods(find(content, "resources")))

    def call_problems(self, call: Received, *, below: str = "") -> list[str]:
        """Return what is wrong with a call; `below` is what its path begins with here alone."""
        method = self.method_of(call, below=below)
        if method is None:
            return [f"{call.name}: no such method"]
        problems = self.query_problems(method, call.query)
        body = find(method, "request", "$ref")
        if isinstance(body, str):
            problems += self.problems(body, call.json)
        return problems

    def answer_problems(self, call: Received, answer: Json, *, below: str = "") -> list[str]:
        """Return what an answer has that is not described."""
        body = find(self.method_of(call, below=below), "response", "$ref")
        return self.problems(body, answer) if isinstance(body, str) else []

    def method_of(self, call: Received, *, below: str = "") -> Json:
        """Return the description of what a call asks for, None if there is none."""
        path = call.path.removeprefix(below).removeprefix("/")
        for method in self._methods:
            if find(method, "httpMethod") == call.method and _fits(method, path):
                return method
        return None

    def query_problems(self, method: Json, query: Mapping[str, str]) -> list[str]:
        """Return names that a query must not have, names that it lacks, and unfit values."""
        of_all, own = find(self._content, "parameters"), find(method, "parameters")
        known = {**_fields(of_all), **_fields(own)}
        needed = [name for name, rule in _fields(own).items() if find(rule, "required") is True]
        in_path = {name for name, rule in known.items() if find(rule, "location") == "path"}
        lacking = [f"{name}: missing" for name in needed if name not in {*query, *in_path}]
        given = [
            problem
            for name, text in query.items()
            for problem in self._walk(known.get(name), _read(known.get(name), text), name)
        ]
        return lacking + given

    def problems(self, schema: str, value: Json) -> list[str]:
        """Return where a body has what its schema does not know."""
        return list(self._walk({"$ref": schema}, value, schema))

    def _walk(self, rule: Json, value: Json, place: str) -> Iterator[str]:
        named = find(rule, "$ref")
        if isinstance(named, str):
            rule = find(self._content, "schemas", named)
        kind = find(rule, "type")
        if kind == "object" and isinstance(value, dict):
            for name, inner in value.items():
                known = find(rule, "properties", name) or find(rule, "additionalProperties")
                yield from self._walk(known, inner, f"{place}.{name}")
        elif kind == "array" and isinstance(value, list):
            for number, inner in enumerate(value):
                yield from self._walk(find(rule, "items"), inner, f"{place}[{number}]")
        else:
            yield from _of_leaf(rule, value, place)


def _of_leaf(rule: Json, value: Json, place: str) -> Iterator[str]:
    kind, allowed, form = find(rule, "type"), find(rule, "enum"), str(find(rule, "format"))
    if kind is None:
        yield f"{place}: unknown"
    elif not isinstance(value, _KINDS.get(str(kind), ())) or (
        isinstance(value, bool) and kind not in {"boolean", "any"}
    ):
        yield f"{place}: not of type {kind}"
    elif isinstance(allowed, list) and value not in allowed:
        yield f"{place}: none of {allowed}"
    elif kind == "string" and form.endswith("int64") and not _WHOLE_NUMBER.fullmatch(str(value)):
        yield f"{place}: no number"


def _methods(resources: Json) -> Iterator[Json]:
    """Yield the methods of resources and of those below them."""
    for resource in _fields(resources).values():
        yield from _fields(find(resource, "methods")).values()
        yield from _methods(find(resource, "resources"))


def _fits(method: Json, path: str) -> bool:
    """Tell whether a path is a method's, for its body or for its file."""
    upload = find(method, "mediaUpload", "protocols", "simple", "path")
    patterns = (find(method, "flatPath") or find(method, "path"), upload)
    return any(
        re.fullmatch(re.sub(r"\{[^}]*\}", "[^/:]+", pattern.removeprefix("/")), path) is not None
        for pattern in patterns
        if isinstance(pattern, str)
    )


def _read(rule: Json, text: str) -> Json:
    """Return a query's text as the value that it spells, or as it is."""
    kind = find(rule, "type")
    if kind == "boolean":
        return {"true": True, "false": False}.get(text, text)
    if kind == "integer" and _WHOLE_NUMBER.fullmatch(text):
        return int(text)
    return text


def _fields(value: Json) -> dict[str, Json]:
    return value if isinstance(value, dict) else {}
