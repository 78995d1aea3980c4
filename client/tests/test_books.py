"""What README.md, docs/app.md and the settings of assistants show works as it stands there.

README.md and docs/app.md are worked through in a folder like a checkout after `make run`.
"""

import json
import re
import sys
from pathlib import Path

import pytest
from assistants import an_assistant
from command_line import CommandLine
from stack import REPOSITORY, Stack
from test_docs import run, shell
from tests.support.books import run_of

__all__ = ["shell"]


@pytest.fixture
def checkout(shell: CommandLine, stack: Stack) -> CommandLine:
    """Return a shell in a folder like a checkout whose service runs."""
    programs = shell.folder / ".venv" / "bin"
    programs.mkdir(parents=True)
    python = programs / "python"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    (shell.folder / ".local").symlink_to(stack.data_dir)
    (shell.folder / "docs").symlink_to(REPOSITORY / "docs")
    settings = {
        "PYTHONPATH": str(REPOSITORY),
        "GOLDENHOUR_DATA_DIR": str(stack.data_dir),
        "GOLDENHOUR_PORT": stack.base_url.rpartition(":")[2],
    }
    return CommandLine(folder=shell.folder, environment={**shell.environment, **settings})


def as_operator(checkout: CommandLine, stack: Stack, commands: str, typed: str = "") -> str:
    """Run an operator's commands, with the ids of a new workspace; return what they printed."""
    words = ("--name", "New", "--plan", "studio", "--timezone", "UTC", "--owner-name", "Ada")
    made = stack.operator("workspace", "create", *words)
    named = commands.replace("MEMBER_ID", str(made["member_id"]))
    named = re.sub(r"WORKSPACE(_ID)?\b", str(made["workspace_id"]), named)
    return run(checkout, "bash", "-euo", "pipefail", "-c", named, typed=typed)


def test_the_first_post_of_the_readme_is_published(checkout: CommandLine, stack: Stack) -> None:
    first_post, _ = run_of("README.md")

    out = run(checkout, "bash", "-euo", "pipefail", "-c", first_post)

    scheduled, _, target = out.partition("\n")
    assert '"scheduled"' == scheduled
    published = json.loads(target)
    assert "published" == published["status"]
    assert str(published["url"]).startswith(f"{stack.base_url}/sandbox/linkedin/")


def test_the_operators_commands_of_the_readme_do_their_work(
    checkout: CommandLine, stack: Stack
) -> None:
    _, commands = run_of("README.md")

    out = as_operator(checkout, stack, commands)

    assert re.search(r"^workspace +\w{32}$", out, re.MULTILINE)
    assert "gh_live_" in out
    assert "engine: not paused" in out


@pytest.mark.costly
def test_the_operators_commands_for_the_app_do_their_work(
    checkout: CommandLine, stack: Stack
) -> None:
    sign_in, credentials, invite = run_of("docs/app.md")

    assert "/app/sign-in/" in as_operator(checkout, stack, sign_in)
    *setting, listing = credentials.splitlines()
    for command in setting:  # each asks for its own secret, and refuses none
        as_operator(checkout, stack, command, typed="a secret\n")
    listed = as_operator(checkout, stack, listing)
    assert re.search(r"^facebook +- +1234567 +7654321$", listed, re.MULTILINE)
    assert f"{stack.base_url}/connect/" in as_operator(checkout, stack, invite)


@pytest.mark.anyio
@pytest.mark.parametrize("page", ["docs/clients.md", "docs/tutorials/assistant.md"])
async def test_the_settings_for_an_assistant_start_its_server(
    command: CommandLine, page: str, tmp_path: Path
) -> None:
    """But for the folder and the address, which are the reader's own."""
    (settings,) = run_of(page, "json")
    server = json.loads(settings)["mcpServers"]["goldenhour"]
    name, *options = server["args"]
    options[options.index("--files") + 1] = str(tmp_path)

    async with an_assistant(command, *options) as assistant:
        tools = {tool.name for tool in (await assistant.list_tools()).tools}

    assert ("goldenhour", "mcp") == (server["command"], name)
    assert {"GOLDENHOUR_URL", "GOLDENHOUR_API_KEY"} >= set(server.get("env", ()))
    assert {"begin_upload", "create_draft"} & tools
