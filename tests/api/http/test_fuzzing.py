"""Schemathesis from outside: requests made up from our own description, against the real stack.

All its checks: no 500, no undocumented status or header,
no answer beside its schema, nothing wrong accepted and nothing right refused. `make test` sends a
seeded sample; `make prove` sends much more, and each schema's borders and links too.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.local.running_stack import PROJECT, eventually
from tests.support.free_port import free_port

HERE = Path(__file__).parent
SEED = 20261120
QUICK, ALL = "examples,fuzzing", "examples,coverage,fuzzing,stateful"


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, object]]:
    """Start the local stack as `make run` does; return its demo workspace."""
    folder = tmp_path_factory.mktemp("fuzzed")
    port = free_port()
    environment = {
        **{name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ},
        "GOLDENHOUR_PORT": str(port),
        "GOLDENHOUR_DATA_DIR": str(folder / "data"),
    }
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "chalicelib.local"],
            cwd=PROJECT,
            env=environment,
            stdout=log,
            stderr=log,
        )
        try:
            shown = eventually((folder / "data" / "demo.json").read_text, within_s=60)
            yield json.loads(shown)
        finally:
            process.terminate()
            process.wait(240)


def fuzz(demo: dict[str, object], folder: Path, phases: str, *, examples: int) -> str:
    """Run schemathesis with all checks; return what it says when nothing is wrong."""
    accounts = demo["accounts"]
    assert isinstance(accounts, list)
    environment = {
        **os.environ,
        "SCHEMATHESIS_HOOKS": "tests.api.http.fuzz_checks",
        "PYTHONPATH": str(PROJECT),
        "FUZZ_ACCOUNTS": json.dumps([account["id"] for account in accounts]),
        "NO_COLOR": "1",
    }
    command = [
        *(str(Path(sys.executable).with_name("schemathesis")), "--config-file"),
        *(str(HERE / "schemathesis.toml"), "run", f"{demo['base_url']}/v1/openapi.json"),
        *("--header", f"Authorization: Bearer {demo['api_key']}"),
        *("--checks", "all", "--phases", phases),
        *("--max-examples", str(examples), "--seed", str(SEED)),
        *("--generation-database", "none"),
    ]
    found = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert found.returncode == 0, found.stdout + found.stderr
    return found.stdout


def metrics(said: str) -> tuple[int, int]:
    """Return how many operations were tested and how many requests were made up."""
    tested = re.search(r"Tested: (\d+)", said)
    generated = re.search(r"(\d+) generated", said)
    assert tested is not None
    assert generated is not None
    return int(tested[1]), int(generated[1])


@pytest.mark.costly
def test_made_up_requests_meet_nothing_undocumented(
    demo: dict[str, object], tmp_path: Path
) -> None:
    operations, requests = metrics(fuzz(demo, tmp_path, QUICK, examples=3))

    described = json.loads((PROJECT / "docs" / "openapi.json").read_text())["paths"]
    assert operations == sum(len(methods) for methods in described.values())
    assert requests > 100


@pytest.mark.prove
def test_many_made_up_requests_meet_nothing_undocumented(
    demo: dict[str, object], tmp_path: Path
) -> None:
    operations, requests = metrics(fuzz(demo, tmp_path, ALL, examples=150))

    print(f"{requests} made-up requests to {operations} operations: all as described")  # noqa: T201
