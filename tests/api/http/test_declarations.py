"""The table of endpoints: complete, consistent with its handlers, and described as it behaves."""

import json
import re
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, get_args, get_type_hints

import pytest

from chalicelib.api import resources
from chalicelib.api.http.answers import Out
from chalicelib.api.http.endpoint import Declared, Endpoint, endpoint
from chalicelib.api.openapi.document import as_text, describe
from chalicelib.api.paths import PATHS, every_endpoint
from chalicelib.api.routes import ROUTES
from chalicelib.domain.workspace.access import Scope
from tests.support.rights.tables import ENDPOINTS as TABLE

ENDPOINTS = every_endpoint()
EVERY = pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda one: f"{one.method} {one.path}")
Description = dict[str, Any]


@pytest.fixture(scope="module")
def description() -> Description:
    described: Description = json.loads(as_text(describe(ENDPOINTS)))
    return described


def test_every_endpoint_answers_success_with_the_status_of_the_table() -> None:
    told = {name: cell for (name, column), cell in TABLE.items() if column == "success"}

    declared = {f"{one.method}{one.path}": str(one.status) for one in ENDPOINTS}

    assert told == declared, "Give each a row in tests/support/rights/endpoints.txt."


def test_every_declared_endpoint_stands_in_the_table_once_and_nothing_else_does() -> None:
    modules = [
        import_module(f"{resources.__name__}.{one.name}")
        for one in iter_modules(resources.__path__)
    ]
    declared = [
        f"{module.__name__.rpartition('.')[2]}.{name}"
        for module in modules
        for name, one in vars(module).items()
        if isinstance(one, Declared)
    ]

    assert sorted(answers for _, _, answers in ROUTES) == sorted(declared)


def test_every_endpoint_is_found_by_its_path() -> None:
    found = [one for path, find in PATHS.items() for one in find() if one.path == path]

    assert set(map(id, ENDPOINTS)) == set(map(id, found))
    assert len(ENDPOINTS) == len(found)


def test_a_model_that_says_not_what_it_shows_is_no_answer() -> None:
    class Bare(Out):
        id: str

    with pytest.raises(TypeError, match=r"^Bare must derive from Of\[what the endpoint returns\]"):
        endpoint(summary="Get it", scope=None, returns=Bare)  # type: ignore[arg-type]


def test_no_endpoint_is_declared_twice() -> None:
    keys = [(one.method, one.path) for one in ENDPOINTS]

    assert len(keys) == len(set(keys))


def test_names_are_unique_because_clients_are_generated_from_them() -> None:
    names = [one.name for one in ENDPOINTS]

    assert len(names) == len(set(names))


@EVERY
def test_a_handler_takes_what_its_declaration_parses(endpoint: Endpoint) -> None:
    wake_messages = get_type_hints(endpoint.handler, localns={"Deployment": object})
    (call,) = [wake_message for name, wake_message in wake_messages.items() if name != "return"]

    taken = [kind or type(None) for kind in get_args(call)] or [type(None), type(None)]
    assert [endpoint.body or type(None), endpoint.query or type(None)] == taken


def test_the_description_is_openapi_3_1_of_version_0_1_0(description: Description) -> None:
    assert description["openapi"] == "3.1.0"
    assert description["info"]["version"] == "0.1.0"


def test_the_description_in_docs_is_the_one_that_is_served(description: Description) -> None:
    written = Path(__file__).parents[3] / "docs" / "openapi.json"

    assert json.loads(written.read_text()) == description


def test_every_reference_of_the_description_leads_somewhere(description: Description) -> None:
    references = set(re.findall(r'"#/components/schemas/(\w+)"', json.dumps(description)))

    assert references <= set(description["components"]["schemas"])


def test_every_schema_of_the_description_is_used(description: Description) -> None:
    references = set(re.findall(r'"#/components/schemas/(\w+)"', json.dumps(description)))

    assert set(description["components"]["schemas"]) <= references


@EVERY
def test_the_description_lists_what_a_key_can_call_and_nothing_else(
    endpoint: Endpoint, description: Description
) -> None:
    operations = description["paths"].get(endpoint.path, {})

    assert (endpoint.method.lower() in operations) == endpoint.documented


@EVERY
def test_every_code_an_endpoint_can_answer_is_described(
    endpoint: Endpoint, description: Description
) -> None:
    if not endpoint.documented:
        return
    operation = description["paths"][endpoint.path][endpoint.method.lower()]

    described = {
        code
        for answer in operation["responses"].values()
        for media in answer.get("content", {}).values()
        for code in media.get("examples", {})
    }

    expected = {error.code for error in endpoint.raises} | {"internal"}
    if not endpoint.open_to_all:
        expected |= {"bad_api_key", "plan_limit"}
    if endpoint.scope is not None:
        expected |= {"scope_missing", "forbidden"}
    assert expected <= described


def test_scopes_are_those_a_key_can_carry() -> None:
    assert {one.scope for one in ENDPOINTS if one.scope} <= set(Scope)
