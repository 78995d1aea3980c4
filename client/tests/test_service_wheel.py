"""The service's wheel in a bare environment beside the client's: what `make run` does, it does.

It opens the data directory of a recorded commit, and what was planned there is still planned.
"""

import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
import requests
from conftest import png
from infra.release import Release
from stack import REPOSITORY, free_port
from test_install import pip
from tests.local.server.kept_directory import SECOND, unpack
from tests.support.books import run_of

pytestmark = [pytest.mark.install, pytest.mark.costly("wheels")]

STARTED_WITHIN_S = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Installed:
    """An environment with both wheels; nothing of this checkout is on its way."""

    environment: Path

    def program(self, name: str) -> str:
        """Return where a program of the environment lies."""
        return str(self.environment / "bin" / name)

    def run(self, *words: str, variables: Mapping[str, str]) -> str:
        """Run a program to its end and return what it printed."""
        done = subprocess.run(
            [self.program(words[0]), *words[1:]],
            env=self.variables(variables),
            cwd=self.environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=240,
        )
        assert 0 == done.returncode, done.stdout + done.stderr
        return done.stdout

    def variables(self, more: Mapping[str, str]) -> Mapping[str, str]:
        """Return an environment without this one's packages and settings."""
        return {"PATH": os.environ["PATH"], "HOME": str(self.environment / "home"), **more}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """Build both wheels, and check and install them as the page about releases says."""
    folder = tmp_path_factory.mktemp("wheels")
    release = Release()
    sources = tmp_path_factory.mktemp("sources")
    left = shutil.ignore_patterns("tests", "build", "*.egg-info")
    shutil.copytree(REPOSITORY / "client", sources / "client", ignore=left)
    built = [
        release.server_wheel(folder),
        Release(version=release.version, project=sources).wheel(folder),
    ]
    release.sign(built, folder)
    *steps, run = steps_of("docs/upgrade.md")
    assert "goldenhour/bin/goldenhour-server run" == run
    subprocess.run(["bash", "-euo", "pipefail", "-c", "\n".join(steps)], cwd=folder, check=True)
    environment = folder / "goldenhour"
    pip(environment, "check")
    return Installed(environment=environment)


def steps_of(page: str) -> list[str]:
    """Return the lines of a page's only block."""
    (block,) = run_of(page)
    return block.splitlines()


@contextmanager
def running(installed: Installed, variables: Mapping[str, str], log: Path) -> Iterator[None]:
    """Run `goldenhour-server run` until the block ends; it must end within its time."""
    with log.open("wb") as out:
        process = subprocess.Popen(
            [installed.program("goldenhour-server"), "run"],
            env=installed.variables(variables),
            cwd=installed.environment,
            stdout=out,
            stderr=out,
        )
    try:
        _wait(f"http://127.0.0.1:{variables['GOLDENHOUR_PORT']}/v1/ready", process, log)
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        assert 0 == process.wait(timeout=240)


def _wait(address: str, process: "subprocess.Popen[bytes]", log: Path) -> None:
    ends = time.monotonic() + STARTED_WITHIN_S
    while True:
        try:
            if requests.get(address, timeout=240).ok:
                return
        except requests.RequestException:
            pass
        assert process.poll() is None, log.read_text()
        assert time.monotonic() < ends, log.read_text()
        time.sleep(0.1)


def _as_caller(data_dir: Path, port: int) -> Mapping[str, str]:
    demo = json.loads((data_dir / "demo.json").read_text("utf-8"))
    return {"GOLDENHOUR_URL": f"http://127.0.0.1:{port}", "GOLDENHOUR_API_KEY": demo["api_key"]}


def test_the_wheels_run_the_service_and_publish_with_a_photo(
    installed: Installed, tmp_path: Path
) -> None:
    port, photo = free_port(), tmp_path / "loaf.png"
    photo.write_bytes(png(320, 200))
    variables = {"GOLDENHOUR_PORT": str(port)}

    with running(installed, variables, tmp_path / "log"):
        data_dir = installed.environment / "home" / ".local" / "share" / "goldenhour"
        words = ("post", str(photo), "--caption", "By wheel", "--to", "x,bluesky", "--now")
        post = installed.run(
            "goldenhour", *words, "--yes", "--watch", "--json", variables=_as_caller(data_dir, port)
        )
        status = installed.run("goldenhour-server", "engine", "status", variables=variables)
        books = requests.get(f"http://127.0.0.1:{port}/docs", timeout=240)
    greeting = (tmp_path / "log").read_text()

    assert '"status": "published"' in post
    assert "running" in status
    assert "Documentation, by reader" in books.text
    assert "goldenhour-server member sign-in" in greeting


def test_a_data_directory_of_a_recorded_commit_goes_on(
    installed: Installed, tmp_path: Path
) -> None:
    data_dir, port = unpack(SECOND, tmp_path / "data"), free_port()
    variables = {"GOLDENHOUR_PORT": str(port), "GOLDENHOUR_DATA_DIR": str(data_dir)}

    with running(installed, variables, tmp_path / "log"):
        caller = _as_caller(data_dir, port)
        posts = json.loads(installed.run("goldenhour", "list", "--json", variables=caller))
        words = ("post", "--caption", "After the upgrade", "--to", "x", "--now", "--watch")
        new = installed.run("goldenhour", *words, "--yes", "--json", variables=caller)

    found = {post["caption"]: post["status"] for post in posts}
    assert {
        "A draft with a photo": "draft",
        "Due in ten years": "scheduled",
        "Cancelled": "cancelled",
        "Published": "published",
    } == found
    assert '"status": "published"' in new


def test_no_name_of_the_service_is_in_the_way_of_other_packages(installed: Installed) -> None:
    (packages,) = installed.environment.glob("lib/python3*/site-packages")

    theirs = {"app.py", "chalicelib", "infra", "tests", ".chalice"} & {
        path.name for path in packages.iterdir()
    }

    assert set() == theirs
    service = packages / "goldenhour_server" / "service"
    for name in (
        "app.py",
        ".chalice/config.json",
        "chalicelib/web/templates",
        "infra/resources.json",
    ):
        assert (service / name).exists(), name
