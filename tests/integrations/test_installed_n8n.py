"""An installed n8n runs a workflow with our node: draft, publish, wait, look.

n8n 2.0.3, of the versions 2 that Node.js 20 runs. Installing it takes minutes (1,900 packages, one
of them compiled), so it is proven and not tested each time, and kept below `build/`. It has no lock
file: it is a program of others that is tried, and nothing of it is in what we publish. Its editor
is not tried, nor a later version, which needs Node.js 24.
"""

import json
import shutil
import subprocess
import uuid
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import requests

from tests.integrations.test_n8n import NODE, done, package, stack
from tests.local.running_stack import PROJECT, Stack
from tests.support.free_port import free_port

__all__ = ["package", "stack"]

pytestmark = [pytest.mark.prove, pytest.mark.timeout(3600)]

FOLDER = PROJECT / "build" / "n8n"
CREDENTIALS, WORKFLOW = "goldenhourcred01", "goldenhourflow01"
OURS = "n8n-nodes-goldenhour.goldenhour"
CAPTION = "Fresh bread from an installed n8n"


@pytest.fixture(scope="module")
def n8n() -> Path:
    """Return the program; skip where it cannot be installed."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        pytest.skip("Node.js and npm are not here, so n8n cannot run.")
    pins, mark = NODE / "tests" / "installed" / "package.json", FOLDER / "ready"
    if not mark.exists() or mark.read_text() != pins.read_text():
        shutil.rmtree(FOLDER, ignore_errors=True)
        FOLDER.mkdir(parents=True)
        shutil.copy(pins, FOLDER)
        words = [npm, "install", "--ignore-scripts", "--no-audit", "--no-fund", "--omit=dev"]
        if subprocess.run(words, cwd=FOLDER, capture_output=True, check=False).returncode != 0:
            pytest.skip("npm could not install n8n (no registry?).")
        program = FOLDER / "node_modules" / ".bin" / "node-gyp"
        headers = f"--nodedir={Path(shutil.which('node') or '').resolve().parents[1]}"
        words = [str(program), "rebuild", headers]
        sqlite = FOLDER / "node_modules" / "sqlite3"
        if subprocess.run(words, cwd=sqlite, capture_output=True, check=False).returncode != 0:
            pytest.skip("sqlite3, which n8n keeps its rows in, could not be compiled.")
        shutil.copy(pins, mark)
    return FOLDER / "node_modules" / ".bin" / "n8n"


def test_an_installed_n8n_drafts_publishes_and_looks(
    n8n: Path, package: Path, stack: Stack, tmp_path: Path
) -> None:
    demo = json.loads((stack.data_dir / "demo.json").read_text("utf-8"))
    account = next(one["id"] for one in demo["accounts"] if one["platform"] == "linkedin")
    _install(package, tmp_path / ".n8n" / "nodes" / "node_modules" / "n8n-nodes-goldenhour")
    named = {"baseUrl": demo["base_url"], "apiKey": demo["api_key"]}
    credentials = {"id": CREDENTIALS, "name": "ours", "type": "goldenhourApi", "data": named}
    (tmp_path / "credentials.json").write_text(json.dumps([credentials]))
    (tmp_path / "workflow.json").write_text(json.dumps([_workflow(account)]))
    where = {
        "N8N_USER_FOLDER": str(tmp_path),
        "N8N_DIAGNOSTICS_ENABLED": "false",
        "N8N_RUNNERS_ENABLED": "false",
        "N8N_RUNNERS_BROKER_PORT": str(free_port()),
    }

    for words in (
        ["import:credentials", "--input=credentials.json"],
        ["import:workflow", "--input=workflow.json"],
        ["execute", f"--id={WORKFLOW}"],
    ):
        done([str(n8n), *words], tmp_path, **where)

    answer = requests.get(
        f"{demo['base_url']}/v1/posts",
        params={"status": "published", "q": CAPTION},
        headers={"Authorization": f"Bearer {demo['api_key']}"},
        timeout=30,
    )
    assert [post["caption"] for post in answer.json()["data"]] == [CAPTION]


def _install(package: Path, place: Path) -> None:
    """Put what `npm pack` packs where n8n keeps the nodes of others."""
    done(["npm", "pack", "--pack-destination", str(package)], package)
    (packed,) = package.glob("*.tgz")
    place.mkdir(parents=True)
    done(["tar", "-xzf", str(packed), "-C", str(place), "--strip-components=1"], package)
    version = json.loads((NODE / "package.json").read_text("utf-8"))["version"]
    manifest = {"private": True, "dependencies": {place.name: version}}
    (place.parents[1] / "package.json").write_text(json.dumps(manifest))


def _workflow(account: str) -> dict[str, Any]:
    """Return a workflow as n8n exports it: each node leads to the next."""
    post = {"resource": "post"}
    draft = {**post, "operation": "create", "caption": CAPTION, "accountIds": [account]}
    publish = {**post, "operation": "publishNow", "postId": "={{ $json.id }}"}
    look = {**post, "operation": "get", "postId": "={{ $('Draft').item.json.id }}"}
    pause = {"resume": "timeInterval", "amount": 5, "unit": "seconds"}
    nodes = [
        _node("Start", "n8n-nodes-base.manualTrigger", {}),
        _node("Draft", OURS, draft),
        _node("Publish", OURS, publish),
        _node("Pause", "n8n-nodes-base.wait", pause, version=1.1),
        _node("Look", OURS, look),
    ]
    leads = pairwise(nodes)
    return {
        "id": WORKFLOW,
        "versionId": str(uuid.UUID(int=1)),
        "name": "Bread",
        "active": False,
        "nodes": nodes,
        "connections": {
            one["name"]: {"main": [[{"node": after["name"], "type": "main", "index": 0}]]}
            for one, after in leads
        },
        "settings": {"executionOrder": "v1"},
    }


def _node(
    name: str, kind: str, parameters: dict[str, Any], *, version: float = 1
) -> dict[str, Any]:
    ours = {"goldenhourApi": {"id": CREDENTIALS, "name": "ours"}} if kind == OURS else {}
    return {
        "id": name,
        "name": name,
        "type": kind,
        "typeVersion": version,
        "position": [0, 0],
        "parameters": parameters,
        "credentials": ours,
    }
