"""A workspace moves between two servers that run, and the move is killed in every step of its way.

Real processes, as `make run` starts them, and the sandbox platform as the judge: its posts come due
before, while and after the workspace moves. Killed are the command, as it begins each step of
`docs/moving.md`, and once the server that the workspace moves to: a folder is opened whether its
server runs or not. It waits for what happens, never for a time.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import requests

from chalicelib.local.stack_modules import STACK_MODULES
from tests.journeys.test_chaos import PLATFORMS, Client, QuietStack
from tests.local.running_stack import PROJECT, Stack, eventually, running
from tests.support.engines import Engine

_POSTS = 8
_APART_S = 4
_SETTLED_WITHIN_S = 600.0


class Moving:
    """The command that moves a workspace, each time anew."""

    def __init__(self, here: Stack, there: Stack) -> None:
        self._here, self._there = here, there
        demo = json.loads((here.data_dir / "demo.json").read_text())
        self._workspace_id = str(demo["workspace_id"])

    def killed_at(self, words: str) -> bool:
        """Run it, and kill it as soon as it says this; tell whether it said it."""
        process = self._begun()
        assert process.stderr is not None
        for line in process.stderr:
            if line.startswith(words):
                process.kill()
                process.communicate()
                return True
        process.communicate()
        return False

    def to_its_end(self) -> "subprocess.CompletedProcess[str]":
        """Run it until it ends by itself."""
        process = self._begun()
        out, err = process.communicate()
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)

    def _begun(self) -> "subprocess.Popen[str]":
        words = ["workspace", "move", self._workspace_id, "--to", str(self._there.data_dir)]
        return subprocess.Popen(
            [sys.executable, "-u", "-m", "chalicelib", *words],
            cwd=PROJECT,
            env={**os.environ, "GOLDENHOUR_DATA_DIR": str(self._here.data_dir)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Stack]:
    (tmp_path / "here").mkdir()
    with running(QuietStack(tmp_path / "here" / "data", STACK_MODULES)) as started:
        yield started


@pytest.fixture
def there(tmp_path: Path) -> Iterator[Stack]:
    (tmp_path / "there").mkdir()
    with running(QuietStack(tmp_path / "there" / "data", STACK_MODULES)) as started:
        yield started


@pytest.mark.costly
@pytest.mark.cannot_run_on(
    Engine.DYNAMODB_LOCAL,
    Engine.LOCALSTACK,
    Engine.MOTO,
    because="each server has an engine of its own in its data directory",
)
@pytest.mark.timeout(3 * _SETTLED_WITHIN_S)
def test_posts_of_a_workspace_that_moves_between_servers_go_out_once_and_not_early(
    here: Stack, there: Stack
) -> None:
    due = _scheduled(Client(here))
    moving = Moving(here, there)

    reached = [moving.killed_at("Copying files"), moving.killed_at("The workspace is shut")]
    _kill_everything(there)
    reached.append(moving.killed_at("Copied"))
    there.start()
    # It may have come past its words before it was killed.
    moving.killed_at("The other side goes on")
    reached.append(moving.killed_at("Clearing what is left"))
    ended = moving.to_its_end()

    assert reached == [True] * 4, "each run goes on where the one before was killed"
    assert ended.returncode == 0, ended.stderr
    assert eventually(lambda: _all_published(here, there, due), within_s=_SETTLED_WITHIN_S)
    taken = _answer(here, there, "/sandbox/posts")["data"]
    assert sorted(one["target_id"] for one in taken) == sorted(one.target_id for one in due)
    at = {one.target_id: one.at for one in due}
    assert all(datetime.fromisoformat(one["created_at"]) >= at[one["target_id"]] for one in taken)
    with pytest.raises(requests.HTTPError, match="421"):
        _answer(here, here, "/v1/posts")
    assert _sandbox_rows(here, due) == set(), "nothing went out here that the move did not see"


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """A post that was scheduled."""

    post_id: str
    target_id: str
    at: datetime


def _scheduled(client: Client) -> list[Due]:
    """Schedule posts one after another, for before, while and after the workspace moves."""
    began = datetime.now(UTC)
    drafts = [_draft(client, number) for number in range(_POSTS)]
    took = datetime.now(UTC) - began
    first = (datetime.now(UTC) + timedelta(seconds=3) + 4 * took).replace(microsecond=0)
    due: list[Due] = []
    for number, draft in enumerate(drafts):
        at = first + number * timedelta(seconds=_APART_S)
        client.call("POST", f"/v1/posts/{draft['id']}/schedule", {"at": at.isoformat()})
        due.append(Due(post_id=draft["id"], target_id=draft["targets"][0]["id"], at=at))
    return due


def _draft(client: Client, number: int) -> dict[str, Any]:
    platform = PLATFORMS[number % len(PLATFORMS)]
    options = {"subreddit": "goldenhour_test"} if platform == "reddit" else {}
    target = {"account_id": client.account(platform), "options": options}
    body = {"caption": f"Bread {number}", "targets": [target]}
    return client.call("POST", "/v1/posts", body, key=f"moved-{number}")


def _answer(keeper: Stack, asked: Stack, path: str) -> Any:  # noqa: ANN401 - any JSON
    """Ask a server with the key that another one's demo workspace was made with."""
    key = json.loads((keeper.data_dir / "demo.json").read_text())["api_key"]
    url = f"http://127.0.0.1:{asked.port}{path}"
    answer = requests.get(url, headers={"Authorization": f"Bearer {key}"}, timeout=240)
    answer.raise_for_status()
    return answer.json()


def _all_published(here: Stack, there: Stack, due: list[Due]) -> bool:
    """Tell whether the server that the workspace moved to says so of every post."""
    return all(
        _answer(here, there, f"/v1/posts/{one.post_id}")["status"] == "published" for one in due
    )


def _sandbox_rows(stack: Stack, due: list[Due]) -> set[str]:
    """Return the targets that a server's own platform has posts of."""
    rows = stack.dynamodb.scan(TableName=stack.settings.sandbox_table, ConsistentRead=True)["Items"]
    told = json.dumps(rows, default=str)
    return {one.target_id for one in due if one.target_id in told}


def _kill_everything(stack: Stack) -> None:
    assert stack.process is not None
    for pid in (*stack.children().values(), stack.process.pid):
        os.kill(pid, signal.SIGKILL)
    stack.process.communicate()
