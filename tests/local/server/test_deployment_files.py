"""The files of infra/server, as far as they can be judged without Docker and a real machine."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support.books import run_of
from tests.support.emulator import PROJECT

FOLDER = PROJECT / "infra" / "server"
LARGEST_EXPOSURE = 3.0

needs_systemd = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="units are judged by systemd-analyze"
)


def run(*words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(words, capture_output=True, text=True, check=False)


def units_on(folder: Path) -> list[Path]:
    """Return copies of the units that name programs of this machine."""
    copies = []
    for unit in sorted(FOLDER.glob("goldenhour*.*")):
        text = unit.read_text().replace("/opt/goldenhour/.venv/bin/python", sys.executable)
        (folder / unit.name).write_text(text)
        copies.append(folder / unit.name)
    return copies


def dockerfile() -> list[str]:
    return (FOLDER / "Dockerfile").read_text().splitlines()


def compose() -> Any:  # noqa: ANN401 - YAML
    return yaml.safe_load((FOLDER / "compose.yaml").read_text())


def test_hadolint_finds_nothing_in_the_dockerfile() -> None:
    hadolint = Path(sys.executable).with_name("hadolint")

    told = run(str(hadolint), "--failure-threshold", "style", str(FOLDER / "Dockerfile"))

    assert told.stdout == ""
    assert told.returncode == 0


@needs_systemd
def test_systemd_understands_the_units(tmp_path: Path) -> None:
    told = run("systemd-analyze", "verify", *map(str, units_on(tmp_path)))

    assert [line for line in told.stderr.splitlines() if "goldenhour" in line] == []


@needs_systemd
@pytest.mark.parametrize("name", ["goldenhour.service", "goldenhour-backup.service"])
def test_a_unit_may_do_little(tmp_path: Path, name: str) -> None:
    units_on(tmp_path)

    told = run("systemd-analyze", "security", "--offline=true", str(tmp_path / name))

    (line,) = (line for line in told.stdout.splitlines() if "Overall exposure level" in line)
    assert float(line.partition(f"{name}: ")[2].split()[0]) <= LARGEST_EXPOSURE


def test_no_limit_of_time_ends_a_start_that_rebuilds_indexes() -> None:
    (check,) = (line for line in dockerfile() if line.startswith("HEALTHCHECK"))
    unit = (FOLDER / "goldenhour.service").read_text().splitlines()

    assert "--start-period=168h" in check.split(), "a week: 6 billion rows as fast as measured"
    assert "TimeoutStartSec=infinity" in unit


def test_the_container_may_do_little_and_keeps_its_data_apart_from_backups() -> None:
    service = compose()["services"]["goldenhour"]

    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["volumes"] == ["data:/data", "backups:/backups"]
    (made,) = (line for line in dockerfile() if "install -d -o goldenhour" in line)
    assert made.split()[-2:] == ["/data", "/backups"], "a volume is its user's as the folder is"


def test_the_settings_that_the_book_names_reach_the_container_and_no_image() -> None:
    book = (PROJECT / "docs" / "server.md").read_text()
    chapter = book.partition("## As containers")[2].partition("\n## ")[0]
    named = set(re.findall(r"GOLDENHOUR_[A-Z_]+", chapter))
    given = compose()["services"]["goldenhour"]["environment"]

    assert named
    assert {given[name] for name in named} == {f"${{{name}:-}}" for name in named}
    for ignored in (".gitignore", ".dockerignore"):
        assert "infra/server/.env" in (PROJECT / ignored).read_text().splitlines()


def test_every_image_has_an_exact_version() -> None:
    images = [
        compose()["services"]["caddy"]["image"],
        *(line.split()[1] for line in dockerfile() if line.startswith("FROM ")),
    ]

    assert all(image.partition(":")[2].count(".") == 2 for image in images)


def test_what_the_dockerfile_copies_is_there_and_not_kept_from_it() -> None:
    kept = {
        line.removeprefix("!")
        for line in (PROJECT / ".dockerignore").read_text().splitlines()
        if line.startswith("!")
    }
    copied = {
        word for line in dockerfile() if line.startswith("COPY ") for word in line.split()[1:-1]
    }

    assert copied == kept
    assert [name for name in copied if not (PROJECT / name).exists()] == []


def test_the_proxy_may_speak_for_browsers() -> None:
    networks = compose()["networks"]["default"]["ipam"]["config"]
    environment = compose()["services"]["goldenhour"]["environment"]

    assert environment["GOLDENHOUR_TRUSTED_PROXIES"] == networks[0]["subnet"]


@pytest.mark.skipif(shutil.which("caddy") is None, reason="a Caddyfile is read by caddy")
def test_the_lines_for_assistants_lead_to_their_server(tmp_path: Path) -> None:
    (lines,) = run_of("docs/server.md", "caddyfile")
    before = "\treverse_proxy {$UPSTREAM"
    written = (FOLDER / "Caddyfile").read_text("utf-8")
    assert 1 == written.count(before)
    config = tmp_path / "Caddyfile"
    config.write_text(written.replace(before, lines + before).replace("{$DOMAIN}", "post.example"))

    told = run("caddy", "adapt", "--config", str(config), "--adapter", "caddyfile")

    assert 0 == told.returncode, told.stderr
    (server,) = json.loads(told.stdout)["apps"]["http"]["servers"].values()
    (site,) = server["routes"]
    (routes,) = (each["routes"] for each in site["handle"])
    asked = {path: each for each in routes for path in each.get("match", [{}])[0].get("path", ())}
    (handler,) = asked["/mcp"]["handle"]
    assert {"/mcp", "/token", "/.well-known/oauth-protected-resource/mcp"} == set(asked)
    assert [{"dial": "127.0.0.1:8765"}] == handler["upstreams"]
