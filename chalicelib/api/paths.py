"""Finds the endpoints of a path without importing those of any other.

Chalice is told the paths when a function starts. A resource is imported when the first request for
one of its paths comes: a new process answers that sooner, and functions that answer no request
import none. So `path_table` has the paths apart from the declarations that they are written from.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Final

from chalicelib.api.path_table import RESOURCES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chalicelib.api.http.endpoint import Endpoint, FindEndpoints


def _endpoints(resource: str) -> tuple[Endpoint, ...]:
    from chalicelib.api.http.endpoint import declared_in

    return declared_in(import_module(f"chalicelib.api.resources.{resource}"))


PATHS: Final[Mapping[str, FindEndpoints]] = {
    path: partial(_endpoints, resource) for path, resource in RESOURCES.items()
}


def every_endpoint() -> tuple[Endpoint, ...]:
    """Return all endpoints, in the order of the description."""
    from chalicelib.api.routes import ROUTES

    return ROUTES


def path_table() -> str:
    """Return what `path_table.py` must hold, written from the endpoints' declarations."""
    found = {one.path: one.handler.__module__.rpartition(".")[2] for one in every_endpoint()}
    rows = "".join(f'    "{path}": "{resource}",\n' for path, resource in found.items())
    opening = '"""Which resource declares a path: written by `make openapi`."""'
    return f"{opening}\n\nRESOURCES = {{\n{rows}}}\n"
