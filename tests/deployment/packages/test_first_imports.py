"""What each function imports before its first answer, so that none of it creeps back unseen.

A start costs what is imported. What is added to these lists is paid for by everybody whose request
is the first of a new process: `python -m benchmarks cold` says how much.
"""

import re
import sys

import pytest

from benchmarks.cold import Start, environment_of, starts
from benchmarks.stack import PROJECT
from tests.api.http_house import a_house
from tests.deployment.packages.test_readiness import ENGINE_OF_SANDBOX
from tests.support.emulator import EmulatorProcess

AWS = {"botocore", "certifi", "chalice", "dateutil", "jmespath", "six", "urllib3"}
PYDANTIC = {"annotated_types", "pydantic", "pydantic_core"}
PYDANTIC |= {"typing_extensions", "typing_inspection"}
WITH_REQUESTS = {"charset_normalizer", "idna", "requests"}
NO_LIBRARIES = {"app", "chalicelib", "__main__", "backports", "cython_runtime"}
"""Ours, and names without code: `backports` is a folder that only libraries of tests use."""
EXPECTED = {
    "API, first GET /v1/accounts": AWS | PYDANTIC,
    "API, first POST /v1/posts": AWS | PYDANTIC | {"tzdata"},
    "tick, first run": AWS,
    "fire, first post sent": AWS | WITH_REQUESTS,
}
NEVER = (
    "asyncio",
    "chalicelib.web.pages",
    "chalicelib.api.openapi",
    "chalicelib.domain.platforms.texts.x_links",
)
SENDS = "fire, first post sent"
MOST_OF_OURS = {
    "API, first GET /v1/accounts": 206,
    "API, first POST /v1/posts": 219,
    "tick, first run": 96,
    SENDS: 276,
}
"""How many modules of ours each may import, with five to spare."""
_STANDARD = re.compile(r"^from dataclasses import .*\bdataclass\b", re.MULTILINE)


@pytest.fixture(scope="module")
def imported(
    emulator: EmulatorProcess, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, set[str]]:
    """Return every module that is there after each function's first answer."""
    folder = tmp_path_factory.mktemp("house")
    room = a_house(emulator, folder).room()
    environment = environment_of(room, folder)
    at_once = Start("an interpreter", "").modules(environment)
    wanted = [start for start in starts(room) if start.name in EXPECTED]
    return {start.name: start.modules(environment) - at_once for start in wanted}


@pytest.mark.parametrize("name", EXPECTED)
def test_a_function_imports_only_these_libraries(name: str, imported: dict[str, set[str]]) -> None:
    libraries = {module.partition(".")[0] for module in imported[name]}
    others = libraries - sys.stdlib_module_names - NO_LIBRARIES

    assert {one for one in others if not one.startswith("_")} == EXPECTED[name]


@pytest.mark.parametrize("name", EXPECTED)
def test_a_function_imports_no_more_of_ours(name: str, imported: dict[str, set[str]]) -> None:
    found = {module for module in imported[name] if module.startswith("chalicelib.")}
    ours = sorted(module for module in found if not module.startswith(ENGINE_OF_SANDBOX))

    assert len(ours) <= MOST_OF_OURS[name], ours


@pytest.mark.parametrize("name", EXPECTED)
def test_a_function_imports_no_heavy_room_of_another(
    name: str, imported: dict[str, set[str]]
) -> None:
    assert not {module for module in imported[name] if module.startswith(NEVER)}


def test_requests_and_the_tick_import_no_platform(imported: dict[str, set[str]]) -> None:
    for name in EXPECTED.keys() - {SENDS}:
        assert not _platforms(imported[name]), name


def test_sending_imports_the_connector_of_its_own_platform_alone(
    imported: dict[str, set[str]],
) -> None:
    assert _platforms(imported[SENDS]) == {"linkedin", "sandbox"}


@pytest.mark.parametrize("name", EXPECTED)
def test_values_that_a_function_imports_compile_their_constructor_alone(
    name: str, imported: dict[str, set[str]]
) -> None:
    ours = {module for module in imported[name] if module.startswith("chalicelib.")}
    sources = {module: _source(module) for module in ours}

    standard = {module for module, source in sources.items() if _STANDARD.search(source)}
    frozen = {module for module in standard if "@dataclass(frozen=True" in sources[module]}
    assert frozen == set()


def _source(module: str) -> str:
    """Return the text of a module of ours."""
    path = PROJECT / module.replace(".", "/")
    file = path.with_suffix(".py")
    return (file if file.exists() else path / "__init__.py").read_text(encoding="utf-8")


def _platforms(modules: set[str]) -> set[str]:
    """Return the folders of platforms of which anything was imported."""
    parts = [module.split(".") for module in modules if module.startswith("chalicelib.connectors.")]
    return {found[2] for found in parts} - {"connector", "shared"}
