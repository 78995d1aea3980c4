"""Clients that four generators make of docs/openapi.json: they compile and do the whole flow.

The flow is a real caller's: upload, draft, check, publish, watch. Each of the Python ones has an
environment of its own below `build/`, so that its libraries meet none of ours, installed once and
as `generated/requirements-<name>.txt` pins it; npm and Go install by their lock files.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.local.running_stack import PROJECT, Stack, running
from tests.support import npm
from tests.support.go_modules import fetched
from tests.web.browser import a_photo

pytestmark = [pytest.mark.node, pytest.mark.timeout(900), pytest.mark.costly("generated clients")]

HERE = Path(__file__).parent / "generated"
DESCRIPTION = PROJECT / "docs" / "openapi.json"
BUILD = PROJECT / "build" / "generated"
COMPILED_FOR = ("--target", "es2022", "--module", "nodenext", "--moduleResolution", "nodenext")


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    with running(Stack(tmp_path_factory.mktemp("stack"), "chalicelib.local.wiring")) as started:
        yield started


@pytest.fixture(scope="module")
def flow(stack: Stack, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Return what a flow is told: where the service is, a key, an account and a photo."""
    demo = json.loads((stack.data_dir / "demo.json").read_text())
    account = next(one["id"] for one in demo["accounts"] if one["platform"] == "instagram")
    photo = tmp_path_factory.mktemp("photo") / "bread.jpg"
    photo.write_bytes(a_photo())
    return [demo["base_url"], demo["api_key"], account, str(photo)]


def done(words: Sequence[str | Path], folder: Path) -> str:
    """Run a program that must succeed, the others of its folder at hand; return what it said."""
    beside = {**os.environ, "PATH": f"{Path(words[0]).parent}:{os.environ['PATH']}"}
    spelled = [str(word) for word in words]
    ended = subprocess.run(
        spelled, cwd=folder, env=beside, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout + ended.stderr


def installed(name: str) -> Path:
    """Return the programs of a generator's own environment; skip without a package index."""
    pins, mark = HERE / f"requirements-{name}.txt", BUILD / name / "installed"
    programs = BUILD / name / "bin"
    if not mark.exists() or mark.read_text() != pins.read_text():
        uv = str(Path(sys.executable).with_name("uv"))
        make = [uv, "venv", "-q", "--clear", "--python", sys.executable, str(BUILD / name)]
        subprocess.run(make, check=True)
        python = str(programs / "python")
        words = [uv, "pip", "install", "-q", "--no-deps", "--python", python, "-r", str(pins)]
        if subprocess.run(words, capture_output=True, check=False).returncode != 0:
            pytest.skip("uv could not install the generator (no package index?).")
        mark.write_text(pins.read_text())
    return programs


def test_openapi_python_client_does_the_whole_flow(
    flow: list[str], stack: Stack, tmp_path: Path
) -> None:
    programs = installed("client")
    package = tmp_path / "made_client"
    words: list[str | Path] = [programs / "openapi-python-client", "generate", "--meta", "none"]

    said = done([*words, "--path", DESCRIPTION, "--output-path", package], tmp_path)
    done([programs / "python", "-m", "compileall", "-q", package], tmp_path)
    shutil.copy(HERE / "flow_client.py", tmp_path)
    url = done([programs / "python", "flow_client.py", *flow], tmp_path).strip()

    assert "WARNING" not in said.upper(), said
    assert url.startswith(f"http://127.0.0.1:{stack.port}/sandbox/instagram/")


def test_datamodel_code_generator_does_the_whole_flow(
    flow: list[str], stack: Stack, tmp_path: Path
) -> None:
    programs = installed("models")
    words: list[str | Path] = [
        programs / "datamodel-codegen",
        "--input",
        DESCRIPTION,
        "--input-file-type",
        "openapi",
    ]
    kind = ["--output-model-type", "pydantic_v2.BaseModel", "--target-python-version", "3.11"]

    done([*words, *kind, "--output", tmp_path / "made_models.py"], tmp_path)
    done([programs / "python", "-W", "error", "-c", "import made_models"], tmp_path)
    shutil.copy(HERE / "flow_models.py", tmp_path)
    url = done([programs / "python", "flow_models.py", *flow], tmp_path).strip()

    assert url.startswith(f"http://127.0.0.1:{stack.port}/sandbox/instagram/")


def test_openapi_typescript_does_the_whole_flow(
    flow: list[str], stack: Stack, tmp_path: Path
) -> None:
    (node,) = npm.found("node")
    for name in ("package.json", "package-lock.json", "flow.ts"):
        shutil.copy(HERE / name, tmp_path)
    npm.install(tmp_path, "the generator")
    programs = tmp_path / "node_modules" / ".bin"

    done([programs / "openapi-typescript", DESCRIPTION, "--output", "schema.ts"], tmp_path)
    strictly = ["--strict", "--noUncheckedIndexedAccess", "--skipLibCheck", "false"]
    done([programs / "tsc", *strictly, *COMPILED_FOR, "flow.ts"], tmp_path)
    url = done([node, "flow.js", *flow], tmp_path).strip()

    assert url.startswith(f"http://127.0.0.1:{stack.port}/sandbox/instagram/")


def test_oapi_codegen_does_the_whole_flow_in_go(
    flow: list[str], stack: Stack, tmp_path: Path
) -> None:
    go = fetched(HERE, ("go.mod", "go.sum", "flow.go"), tmp_path, "the generator")
    older = tmp_path / "openapi.json"
    older.write_text(json.dumps(as_openapi_30(json.loads(DESCRIPTION.read_text("utf-8")))))
    (tmp_path / "api").mkdir()
    kinds = ["-generate", "types,client", "-package", "api", "-o", "api/api.go"]

    done([go, "tool", "oapi-codegen", *kinds, older], tmp_path)
    done([go, "vet", "./..."], tmp_path)
    done([go, "build", "-o", "flow", "."], tmp_path)
    url = done([tmp_path / "flow", *flow], tmp_path).strip()

    assert url.startswith(f"http://127.0.0.1:{stack.port}/sandbox/instagram/")


def as_openapi_30(document: Any) -> Any:  # noqa: ANN401 - JSON
    """Return the description for programs that know no type null: 3.0 calls it nullable."""
    return {**_nullable(document), "openapi": "3.0.3"}


def _nullable(part: Any) -> Any:  # noqa: ANN401 - JSON
    if isinstance(part, list):
        return [_nullable(one) for one in part]
    if not isinstance(part, dict):
        return part
    part = {name: _nullable(inner) for name, inner in part.items()}
    kinds = part.get("type")
    if isinstance(kinds, list):
        [kind] = [one for one in kinds if one != "null"]
        part |= {"type": kind, "nullable": "null" in kinds}
    others = [one for one in part.get("anyOf", []) if one != {"type": "null"}]
    if len(others) < len(part.get("anyOf", [])):
        del part["anyOf"]
        several = {"allOf": others} if len(others) == 1 else {"anyOf": others}
        part |= {"nullable": True, **several}
    return part
