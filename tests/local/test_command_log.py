"""What operators' commands do is told by a log, as what the app does: of whom, without names."""

import json
from pathlib import Path

from tests.local.caller import command

GRACE = "Grace Hopper"


def told(data_dir: Path) -> list[dict[str, object]]:
    lines = (data_dir / "commands.log").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_each_command_that_changes_somebody_is_a_line_of_the_log(tmp_path: Path) -> None:
    def ask(*words: str) -> dict[str, str]:
        done = command(tmp_path, *words, "--json")
        assert done.returncode == 0, done.stderr
        found: dict[str, str] = json.loads(done.stdout)
        return found

    owner = ("--owner-name", "Ada", "--timezone", "UTC", "--plan", "studio")
    made = ask("workspace", "create", "--name", "Lighthouse Bakery", *owner)
    workspace, ada = made["workspace_id"], made["member_id"]
    key = ask("key", "create", "--member", ada)
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
