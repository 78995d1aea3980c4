"""Every example of docs/clients.md runs as it stands there, in order, against the real service.

The description's examples in TypeScript, which need ids of their own, compile.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import requests
from command_line import CommandLine
from stack import Stack
from tests.support.books import PROJECT, run_of

from goldenhour import Client

PAGE = "docs/clients.md"
TYPESCRIPT = Path(__file__).parent / "typescript"
COMPILED_FOR = ("--target", "es2022", "--module", "nodenext", "--strict", "--types", "node")


def blocks(language: str, text: str) -> list[str]:
    """Return a text's examples in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


@pytest.fixture
def shell(command: CommandLine, photo: Path, tmp_path: Path) -> CommandLine:
    """Return a shell's environment: photo.jpg is there, and `goldenhour` is on the path."""
    photo.rename(tmp_path / "photo.jpg")
    programs = tmp_path / "programs"
    programs.mkdir()
    script = programs / "goldenhour"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m goldenhour "$@"\n')
    script.chmod(0o755)
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    return CommandLine(folder=tmp_path, environment={**command.environment, "PATH": path})


def run(shell: CommandLine, *words: str, typed: str | None = None) -> str:
    """Run a program to its end, which must be good, and return what it printed."""
    done = subprocess.run(
        words,
        cwd=shell.folder,
        env=shell.whole_environment(),
        input=typed,
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )
    assert 0 == done.returncode, done.stdout + done.stderr
    return done.stdout


@pytest.mark.costly
def test_the_curl_example_publishes_a_photo(shell: CommandLine, stack: Stack) -> None:
    where, example, _, _ = run_of(PAGE)
    (shell.folder / ".local").symlink_to(stack.data_dir)

    out = run(shell, "bash", "-euo", "pipefail", "-c", where + example)

    assert '"scheduled"' in out
    assert f"linkedin published {stack.base_url}/sandbox/linkedin/" in out


def test_the_python_example_publishes_a_photo(shell: CommandLine, stack: Stack) -> None:
    (example,) = run_of(PAGE, "python")

    out = run(shell, sys.executable, "-c", example)

    assert f"linkedin published {stack.base_url}/sandbox/linkedin/" in out
    assert f"x published {stack.base_url}/sandbox/x/" in out
    assert "nothing_to_schedule" in out
    assert "caption_too_long targets[0].caption" in out


@pytest.fixture(scope="module")
def compiler(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the compiler as the lock file names it, or skip saying why not."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        pytest.skip("Node.js and npm are not here, so TypeScript cannot run.")
    folder = tmp_path_factory.mktemp("typescript")
    for name in ("package.json", "package-lock.json"):
        shutil.copy(TYPESCRIPT / name, folder)
    words = [npm, "ci", "--no-audit", "--no-fund", "--fetch-retries=1"]
    if subprocess.run(words, cwd=folder, capture_output=True, check=False).returncode:
        pytest.skip("npm could not install TypeScript (no registry?).")
    return folder


@pytest.mark.costly
@pytest.mark.node
def test_the_typescript_example_publishes_a_photo(
    shell: CommandLine, stack: Stack, compiler: Path
) -> None:
    (example,) = run_of(PAGE, "ts")

    out = run_typescript(shell, example, compiler)

    assert f"linkedin published {stack.base_url}/sandbox/linkedin/" in out


@pytest.mark.node
def test_the_typescript_of_every_endpoint_compiles(shell: CommandLine, compiler: Path) -> None:
    described = json.loads((PROJECT / "docs" / "openapi.json").read_text("utf-8"))
    samples = {
        operation["operationId"]: sample["source"]
        for operations in described["paths"].values()
        for operation in operations.values()
        for sample in operation["x-codeSamples"]
        if sample["lang"] == "TypeScript"
    }
    for name, source in samples.items():
        told = "export {};\ndeclare const BASE_URL: string, API_KEY: string;\n"
        (shell.folder / f"{name}.ts").write_text(told + source, "utf-8")
    (shell.folder / "node_modules").symlink_to(compiler / "node_modules")
    (shell.folder / "package.json").symlink_to(compiler / "package.json")

    names = [f"{name}.ts" for name in samples]
    run(shell, "npx", "--no-install", "tsc", *COMPILED_FOR, "--noEmit", *names)

    assert 46 <= len(names)


def run_typescript(shell: CommandLine, example: str, compiler: Path) -> str:
    """Check, compile and run an example and return what it printed."""
    for name in ("package.json", "node_modules"):
        (shell.folder / name).symlink_to(compiler / name)
    (shell.folder / "example.ts").write_text(example, "utf-8")

    run(shell, "npx", "--no-install", "tsc", *COMPILED_FOR, "example.ts")
    return run(shell, "node", "example.js")


@pytest.mark.costly
def test_the_commands_do_what_the_page_says(shell: CommandLine, client: Client) -> None:
    _, _, example, _ = run_of(PAGE)

    out = run(shell, "bash", "-euo", "pipefail", "-c", example)

    assert "x:demo\tpublished" in out
    again = next(client.posts.list(q="Fresh bread at eight", status=["scheduled"]))
    assert [None, "Bread, 8:00"] == [target.caption_override for target in again.targets]
    actions = [event.action for event in client.posts.history(again.id).events]
    assert ["post.cancelled", "post.edited", "post.scheduled"] == actions[-3:]
    board = next(client.posts.list(q="A draft")).targets[0].options
    assert {"board": "123"} == board
    exported = (shell.folder / "posts.jsonl").read_text("utf-8").splitlines()
    assert len(list(client.posts.list())) == len(exported)


def test_the_plan_is_read_imported_and_known_again(shell: CommandLine, client: Client) -> None:
    _, _, _, example = run_of(PAGE)

    out = run(shell, "bash", "-euo", "pipefail", "-c", example)

    assert "2 lines are correct. Nothing was created" in out
    assert "Mon 3 Mar 2031, 07:00 Europe/Paris" in out
    assert "2 of 2 lines are posts, 0 failed." in out
    assert [1, 1] == [len(list(client.posts.list(q=f"Rye on {day}"))) for day in ("Mon", "Tue")]


@pytest.mark.node
def test_the_examples_for_language_models_make_drafts(
    shell: CommandLine, client: Client, stack: Stack, compiler: Path
) -> None:
    page = requests.get(f"{stack.base_url}/llms.txt", timeout=240).text
    (curl,), (python,), (typescript,) = (blocks(each, page) for each in ("sh", "python", "ts"))

    by_curl = json.loads(run(shell, "bash", "-euo", "pipefail", "-c", curl))["id"]
    by_python = run(shell, sys.executable, "-c", python).split()[0]
    by_typescript = run_typescript(shell, typescript, compiler).split()[0]

    made = {by_curl, by_python, by_typescript}
    assert 3 == len(made)
    assert {"draft"} == {client.posts.get(each).status for each in made}
