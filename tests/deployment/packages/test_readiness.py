"""What a function builds while Lambda starts it, so that its first event waits for none of it."""

import json
import subprocess
import sys

import pytest

import app
from benchmarks.cold import Start, environment_of, starts
from benchmarks.stack import PROJECT
from chalicelib.bootstrap.readiness import NEEDS
from tests.api.http_house import a_house
from tests.support.emulator import EmulatorProcess

HANDLERS = {
    "API, first POST /v1/posts": "app",
    "API, first GET /v1/accounts": "app",
    "tick, first run": "tick",
    "fire, first post sent": "publish",
}
ENGINE_OF_SANDBOX = ("chalicelib.kit.aws_on_sqlite", "chalicelib.storage.sandbox_")
_TELLS = """
import json, sys
event = json.load(sys.stdin)
import app
built = set(sys.modules)
app.{handler}(event, None)
print(json.dumps([sorted(built), sorted(set(sys.modules) - built)]))
"""


@pytest.fixture(scope="module")
def imported(
    emulator: EmulatorProcess, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, tuple[set[str], set[str]]]:
    """Return what of ours each function imports while it starts, and what at its first event."""
    folder = tmp_path_factory.mktemp("house")
    room = a_house(emulator, folder).room()
    environment = dict(environment_of(room, folder))
    return {
        start.name: _ours(start, HANDLERS[start.name], environment)
        for start in starts(room)
        if start.name in HANDLERS
    }


def _ours(start: Start, handler: str, environment: dict[str, str]) -> tuple[set[str], set[str]]:
    done = subprocess.run(
        [sys.executable, "-c", _TELLS.format(handler=handler)],
        cwd=PROJECT,
        env={**environment, "_HANDLER": f"app.{handler}"},
        input=json.dumps(start.event()),
        capture_output=True,
        text=True,
        check=True,
    )
    found = json.loads(done.stdout.splitlines()[-1])
    built, later = ({name for name in some if name.startswith("chalicelib.")} for some in found)
    return built, later


@pytest.mark.parametrize("name", HANDLERS)
def test_the_first_event_finds_nearly_all_that_it_needs_built(
    name: str, imported: dict[str, tuple[set[str], set[str]]]
) -> None:
    built, later = imported[name]

    # What calls a platform, and the kit it calls with, which stood among the connectors. In the
    # place of a stage's table, the sandbox's is in a folder here, which brings an engine.
    calling = ("chalicelib.connectors.", "chalicelib.kit.transport.", *ENGINE_OF_SANDBOX)
    platform = {module for module in later if module.startswith(calling)}
    assert len(later - platform) <= len(built) / 20, sorted(later - platform)


def test_every_function_has_something_built_and_nothing_else_is_named() -> None:
    config = json.loads((PROJECT / ".chalice" / "config.json").read_text(encoding="utf-8"))
    functions = config["lambda_functions"].keys() - {"api_handler"}

    assert NEEDS.keys() == {"app", *functions}


def test_a_process_that_is_no_function_builds_nothing_ahead() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import app; print(app.deployment.cache_info().currsize)"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.strip() == "0"
    assert app.SETTINGS.handler is None
