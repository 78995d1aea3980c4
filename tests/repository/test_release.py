"""A release is one version, said once, with its notes; `make release` refuses anything else."""

import hashlib
import json
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from chalicelib.domain.version import VERSION
from infra.release import Release
from infra.releasing.native_libraries import carried_by
from infra.releasing.parts_list import parts_list
from infra.releasing.server_wheel import build_server_wheel, pinned

PROJECT = Path(__file__).parents[2]
CHANGELOG = "# Changelog\n\n## Unreleased\n\n## [1.2.0] - 2026-11-22\n\n- Bread is on time.\n"


def _git(checkout: Path, *words: str) -> str:
    person = ["-c", "user.name=Ada", "-c", "user.email=ada@bakery.example"]
    done = subprocess.run(
        ["git", *person, *words], cwd=checkout, capture_output=True, text=True, check=True
    )
    return done.stdout


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a clean checkout of a project whose version is 1.2.0."""
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "Ada")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "ada@bakery.example")
    project = tmp_path / "project"
    transport = project / "client" / "goldenhour" / "http" / "transport.py"
    transport.parent.mkdir(parents=True)
    transport.write_text('VERSION = "1.2.0"\n', encoding="utf-8")
    (project / "CHANGELOG.md").write_text(CHANGELOG, encoding="utf-8")
    _git(tmp_path, "init", "-q", "-b", "main", str(project))
    _git(project, "add", "-A")
    _git(project, "commit", "-qm", "Bake")
    return project


def _commit(checkout: Path, name: str, text: str) -> None:
    (checkout / name).write_text(text, encoding="utf-8")
    _git(checkout, "commit", "-qam", "Change")


def test_a_finished_version_is_tagged_with_its_notes(checkout: Path) -> None:
    release = Release(version="1.2.0", project=checkout)

    assert list(release.problems()) == []
    release.mark()

    assert "- Bread is on time." in _git(checkout, "cat-file", "-p", "v1.2.0")
    assert ["v1.2.0 is released already"] == [
        problem.partition(":")[0] for problem in release.problems()
    ]


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("CHANGELOG.md", "# Changelog\n\n## Unreleased\n", "has no chapter"),
        ("CHANGELOG.md", CHANGELOG.replace(" - 2026-11-22", ""), "has no chapter"),
        ("CHANGELOG.md", f"{CHANGELOG}\n## [1.2.0] - 2026-11-21\n\n- Rye.\n", "several chapters"),
        (
            "CHANGELOG.md",
            CHANGELOG.replace("Unreleased\n", "Unreleased\n\n- Rolls too.\n"),
            "lines under Unreleased",
        ),
        ("client/goldenhour/http/transport.py", 'VERSION = "1.1.0"\n', "is not 1.2.0"),
    ],
)
def test_what_is_not_finished_is_named(checkout: Path, name: str, text: str, problem: str) -> None:
    _commit(checkout, name, text)

    (found,) = Release(version="1.2.0", project=checkout).problems()

    assert problem in found


def test_changes_that_are_not_committed_are_no_release(checkout: Path) -> None:
    (checkout / "rolls.txt").write_text("six", encoding="utf-8")

    (found,) = Release(version="1.2.0", project=checkout).problems()

    assert "not committed" in found


def test_the_files_of_a_release_are_the_commits_and_come_with_checksums(
    checkout: Path, tmp_path: Path
) -> None:
    release = Release(version="1.2.0", project=checkout)

    archive = release.archive(tmp_path)
    sums = release.sign([archive], tmp_path)

    with tarfile.open(archive) as packed:
        assert "goldenhour-1.2.0/CHANGELOG.md" in packed.getnames()
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    assert sums.read_text(encoding="utf-8") == f"{digest}  goldenhour-1.2.0.tar.gz\n"


def test_the_version_of_this_checkout_is_written_in_one_place() -> None:
    """The client is a package of its own, and `make release` holds its version to this one.

    The API's description has SPEC's version, which is another thing and may be the same.
    """
    of_description = PROJECT / "chalicelib" / "api" / "openapi" / "document.py"
    sources = [*(PROJECT / "chalicelib").rglob("*.py"), PROJECT / "pyproject.toml"]
    sources.remove(of_description)

    saying = [file for file in sources if f'"{VERSION}"' in file.read_text(encoding="utf-8")]

    assert [file.name for file in saying] == ["version.py"]


def test_the_list_of_parts_names_every_pinned_library_and_its_licence() -> None:
    listed = json.loads(parts_list(PROJECT, "1.2.0"))

    named = {f"{part['name']}=={part['version']}" for part in listed["components"]}
    assert set(pinned(PROJECT / "requirements-run.txt")) == named
    carried = [inner for part in listed["components"] for inner in part.get("components", [])]
    for part in (*listed["components"], *carried):
        (said,) = part["licenses"]
        assert said.get("expression") or said["license"].get("id"), part["name"]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems' wheels carry other files")
def test_what_media_wheels_carry_is_named_with_its_licence() -> None:
    carried = {each.name: each.licence for each in carried_by("av")}

    assert "GPL-2.0-or-later" == carried["libx264"]
    assert "GPL-3.0-or-later" == carried["libavcodec"]
    assert "libwebp" in {each.name for each in carried_by("pillow")}


@pytest.mark.costly
def test_the_services_wheel_asks_for_what_the_tests_ran_with(tmp_path: Path) -> None:
    wheel = build_server_wheel(PROJECT, "1.2.0", tmp_path)

    with zipfile.ZipFile(wheel) as packed:
        metadata = packed.read("goldenhour_server-1.2.0.dist-info/METADATA").decode()
        names = packed.namelist()
    asked = re.findall(r"^Requires-Dist: ([^;\n]+)$", metadata, re.MULTILINE)
    extra = re.findall(r'^Requires-Dist: (.+); extra == "telemetry"$', metadata, re.MULTILINE)
    assert list(pinned(PROJECT / "requirements-run.txt")) == asked
    assert list(pinned(PROJECT / "requirements-telemetry.txt")) == asked + extra
    assert {"goldenhour_server", "goldenhour_server-1.2.0.dist-info"} == {
        name.partition("/")[0] for name in names
    }
