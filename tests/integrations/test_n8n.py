"""The n8n node, as it is published: it builds, passes n8n's own lint, and works in n8n's engine.

`integrations/n8n/tests` drives it through n8n-core, which an installed n8n runs nodes with. n8n
itself needs a later Node.js than is here; its editor is not tried.
"""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.local.running_stack import PROJECT, Stack, running
from tests.support import npm
from tests.web.browser import a_photo

pytestmark = [pytest.mark.node, pytest.mark.timeout(900), pytest.mark.costly("n8n")]

NODE = PROJECT / "integrations" / "n8n"
ICON = PROJECT / "chalicelib" / "web" / "static" / "icon.svg"


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the package with what its lock file names; skip without an index."""
    npm.found("node")
    root = tmp_path_factory.mktemp("n8n")
    folder = root / "integrations" / "n8n"
    shutil.copytree(NODE, folder, ignore=shutil.ignore_patterns("node_modules", "dist", "LICENSE"))
    shutil.copy(PROJECT / "LICENSE", root)
    (root / ICON.relative_to(PROJECT)).parent.mkdir(parents=True)
    shutil.copy(ICON, root / ICON.relative_to(PROJECT))
    npm.install(folder, "n8n's engine")
    done(["npm", "run", "build"], folder)
    return folder


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    with running(Stack(tmp_path_factory.mktemp("stack"), "chalicelib.local.wiring")) as started:
        yield started


def done(words: Sequence[str], folder: Path, **more: str) -> str:
    """Run a program that must succeed and return what it said."""
    ended = subprocess.run(
        words,
        cwd=folder,
        env={**os.environ, **more},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


def test_n8n_lints_it_without_a_word(package: Path) -> None:
    done(["npm", "run", "lint", "--", "--max-warnings", "0"], package)


def test_what_is_packed_has_both_nodes_the_icon_and_the_licence(package: Path) -> None:
    (packed,) = json.loads(done(["npm", "pack", "--dry-run", "--json"], package))
    files = {each["path"] for each in packed["files"]}
    declared = json.loads((package / "package.json").read_text("utf-8"))

    named = [*declared["n8n"]["nodes"], *declared["n8n"]["credentials"]]
    assert {*named, "LICENSE", "README.md", "dist/nodes/Goldenhour/goldenhour.svg"} <= files
    assert "dependencies" not in declared
    assert not [file for file in files if "test" in file]


def test_every_verb_works_in_n8ns_own_engine(package: Path, stack: Stack, tmp_path: Path) -> None:
    demo = json.loads((stack.data_dir / "demo.json").read_text("utf-8"))
    photo = tmp_path / "bread.jpg"
    photo.write_bytes(a_photo())

    done(
        ["npm", "test"],
        package,
        GOLDENHOUR_URL=demo["base_url"],
        GOLDENHOUR_API_KEY=demo["api_key"],
        PHOTO=str(photo),
        N8N_USER_FOLDER=str(tmp_path),
    )
