"""Finds the endpoints of a path without importing those of any other.

Chalice is told the lines of `routes` when a function starts. A resource is imported when the first
request for one of its paths comes: a new process answers that sooner, and functions that answer no
request import none.
"""

from __future__ import annotations

from functools import cache, partial
from importlib import import_module
from typing import TYPE_CHECKING, Final, cast

from chalicelib.api.routes import ROUTES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chalicelib.api.http.endpoint import Declared, Endpoint, FindEndpoints
    from chalicelib.http.routing import Line


@cache
def _endpoint(line: Line) -> Endpoint:
    method, path, answers = line
    resource, _, name = answers.partition(".")
    module = import_module(f"chalicelib.api.resources.{resource}")
    return cast("Declared", getattr(module, name)).at(method, path)


def _at(path: str) -> tuple[Endpoint, ...]:
    return tuple(_endpoint(line) for line in ROUTES if line[1] == path)


PATHS: Final[Mapping[str, FindEndpoints]] = {path: partial(_at, path) for _, path, _ in ROUTES}


@cache
def every_endpoint() -> tuple[Endpoint, ...]:
    """Return all endpoints, in the order of the description."""
    return tuple(_endpoint(line) for line in ROUTES)
