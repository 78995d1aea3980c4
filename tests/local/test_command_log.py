"""What operators' commands do is told by a log, as what the app does: of whom, without names."""

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from chalicelib.__main__ import open_services
from chalicelib.cli.command_line import goldenhour
from tests.local.caller import command

GRACE = "Grace Hopper"


def told(data_dir: Path) -> list[dict[str, object]]:
    lines = (data_dir / "commands.log").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_each_command_that_changes_somebody_is_a_line_of_the_log(tmp_path: Path) -> None:
    def ask(*words: str) -> Any:  # noqa: ANN401 - any JSON
        terminal = CliRunner(env={"GOLDENHOUR_DATA_DIR": str(tmp_path)})
        done = terminal.invoke(goldenhour, [*words, "--json"], obj=open_services)
        assert done.exit_code == 0, done.output
        return json.loads(done.stdout)

    owner = ("--owner-name", "Ada", "--timezone", "UTC", "--plan", "studio")
    made = ask("workspace", "create", "--name", "Lighthouse Bakery", *owner)
    workspace, ada = made["workspace_id"], made["member_id"]
    # As a process: the log is made by it, and for nobody but its owner.
    key = json.loads(command(tmp_path, "key", "create", "--member", ada, "--json").stdout)
    grace = ask("member", "add", workspace, "--name", GRACE, "--role", "editor")["member_id"]
    ask("member", "update", grace, "--role", "viewer")
    ask("member", "sign-in", grace)
    ask("key", "rotate", key["key_id"])
    ask("account", "invite", workspace, "--platform", "linkedin")
    ask("member", "remove", grace, "--erase", "--yes")
    ask("workspace", "delete", workspace, "--yes")

    lines = told(tmp_path)
    deeds = [str(one["action"]).removeprefix("activity.") for one in lines]
    assert [
        "key.created",
        "member.added",
        "member.changed",
        "member.invited",
        "key.rotated",
        "account.invited",
        "member.removed",
        "member.changed",  # erased
        "deleted",
    ] == deeds
    assert {"operator"} == {one["by"] for one in lines}
    assert {workspace} == {one["workspace_id"] for one in lines}
    assert GRACE not in (tmp_path / "commands.log").read_text(encoding="utf-8")
    assert (tmp_path / "commands.log").stat().st_mode & 0o077 == 0
