"""`app.py` as Chalice reads it: a route of its own for every line of the table."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Final, TypedDict

import pytest

from chalicelib.api.doors.chalice_app import ANYTHING_ELSE, METHODS, NO_LINE, ROOT
from chalicelib.api.routes import ROUTES

_PROJECT: Final = Path(__file__).parents[3]
_TELL: Final = """
import json, sys
from app import app
print(json.dumps({
    "routes": {p: {m: one.view_name for m, one in at.items()} for p, at in app.routes.items()},
    "handlers": list(app.handler_map),
    "imported": [one for one in sys.modules if one.startswith("chalicelib.api.resources.")],
}))
"""


class Told(TypedDict):
    """What a process knows that has done no more than import the app."""

    routes: dict[str, dict[str, str]]
    handlers: list[str]
    imported: list[str]


@pytest.fixture(scope="module")
def told() -> Told:
    done = subprocess.run(
        [sys.executable, "-c", _TELL], cwd=_PROJECT, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def test_chalice_has_a_route_for_every_line_named_after_what_answers(
    told: Told,
) -> None:
    named = [
        (method, path, name)
        for path, methods in told["routes"].items()
        for method, name in methods.items()
        if name != NO_LINE
    ]

    assert sorted(named) == sorted(ROUTES)


def test_chalice_takes_every_method_at_every_path_so_that_ours_is_the_refusal(
    told: Told,
) -> None:
    paths = {path for _, path, _ in ROUTES} | {ROOT, ANYTHING_ELSE}

    assert {path: sorted(methods) for path, methods in told["routes"].items()} == {
        path: sorted(METHODS) for path in paths
    }


def test_no_route_has_the_name_of_a_function_that_something_else_wakes(
    told: Told,
) -> None:
    functions = set(told["handlers"]) - {answers for _, _, answers in ROUTES} - {NO_LINE}

    assert all("." not in name for name in functions)
    assert {"tick", "publish", "review"} <= functions


def test_no_resource_is_imported_when_a_function_starts(
    told: Told,
) -> None:
    assert told["imported"] == []
