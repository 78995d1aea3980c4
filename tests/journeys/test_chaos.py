"""Processes are killed at random while posts go out; each goes out exactly once.

The whole product as `make run` starts it: real processes, `kill -9`, and the sandbox platform as
the judge. `make test` sends a few, `make prove` 500.
"""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import requests

from chalicelib.local.stack_modules import STACK_MODULES
from tests.local.running_stack import PROJECT, Stack, running
from tests.support.engines import costly_elsewhere

SEED = 20261120
WORDS = ("", "", "", "sandbox:ambiguous", "sandbox:slow:2", "sandbox:flaky:1")
PLATFORMS = ("linkedin", "x", "facebook", "threads", "bluesky", "reddit")
RECOVERED_WITHIN = timedelta(seconds=180)


class QuietStack(Stack):
    """A stack of the real app whose log goes to a file."""

    def launch(self) -> "subprocess.Popen[str]":
        """Start it without waiting."""
        with (self.data_dir.parent / "stack.log").open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "chalicelib.local", "--stack-modules", self._stack_modules],
                cwd=PROJECT,
                env={
                    "PATH": os.environ["PATH"],
                    "GOLDENHOUR_PORT": str(self.port),
                    "GOLDENHOUR_DATA_DIR": str(self.data_dir),
                    **self._environment,
                },
                stdout=log,
                stderr=log,
                text=True,
            )


class Client:
    """A patient client: it asks again while the API is away."""

    def __init__(self, stack: Stack) -> None:
        self._demo = json.loads((stack.data_dir / "demo.json").read_text())
        self._session = requests.Session()

    def call(self, method: str, path: str, body: object = None, key: str = "") -> dict[str, object]:
        """Make a call; a create carries a key, so that asking again makes no second post."""
        headers = {"Authorization": f"Bearer {self._demo['api_key']}"}
        if key:
            headers["Idempotency-Key"] = key
        deadline = time.monotonic() + 60
        while True:
            try:
                answer = self._session.request(
                    method, self._demo["base_url"] + path, json=body, headers=headers, timeout=240
                )
            except requests.RequestException:
                assert time.monotonic() < deadline, "the API stays away"
                time.sleep(0.1)
                continue
            if answer.status_code < 500 and answer.status_code != 409:
                answer.raise_for_status()
            found: dict[str, object] = answer.json()
            return found

    def account(self, platform: str) -> str:
        """Return the demo account on a platform."""
        accounts = self._demo["accounts"]
        return str(next(one["id"] for one in accounts if one["platform"] == platform))

    def taken(self) -> Counter[str]:
        """Return how often each target went out."""
        entries = self.call("GET", "/sandbox/posts")["data"]
        assert isinstance(entries, list)
        return Counter(str(entry["target_id"]) for entry in entries)


def _schedule(client: Client, number: int, at: datetime, chance: random.Random) -> str:
    """Schedule one target; return its id once the API has acknowledged it."""
    platform = PLATFORMS[number % len(PLATFORMS)]
    account = client.account(platform)
    options = {"subreddit": "goldenhour_test"} if platform == "reddit" else {}
    body = {
        "caption": f"Bread {number} {chance.choice(WORDS)}",
        "targets": [{"account_id": account, "options": options}],
    }
    post = client.call("POST", "/v1/posts", body, key=f"chaos-{number}")
    client.call("POST", f"/v1/posts/{post['id']}/schedule", {"at": at.isoformat()})
    targets = client.call("GET", f"/v1/posts/{post['id']}")["targets"]
    assert isinstance(targets, list)
    return str(targets[0]["id"])


def _hurt(stack: Stack, chance: random.Random) -> None:
    """Kill one process of the stack, or all of them and start again."""
    children = stack.children()
    victim = chance.choice([*sorted(children), "everything"])
    if victim != "everything":
        os.kill(children[victim], signal.SIGKILL)
        return
    assert stack.process is not None
    stack.process.kill()
    stack.process.communicate(timeout=240)
    stack.start()


def _chaos(stack: Stack, *, targets: int, spread_s: int, blows: int) -> str:
    chance = random.Random(SEED)
    with running(stack):
        client = Client(stack)
        begin = datetime.now(UTC) + timedelta(seconds=4 + targets / 15)
        times = [begin + timedelta(seconds=chance.uniform(0, spread_s)) for _ in range(targets)]
        ids = [_schedule(client, n, at, chance) for n, at in enumerate(times)]
        time.sleep(max((begin - datetime.now(UTC)).total_seconds(), 0))
        for _ in range(blows):
            time.sleep(spread_s / blows)
            _hurt(stack, chance)
        deadline = max(times) + RECOVERED_WITHIN
        while (taken := Client(stack).taken()).keys() < set(ids):
            assert datetime.now(UTC) < deadline, f"{len(set(ids) - taken.keys())} are missing"
            time.sleep(0.5)
        time.sleep(3)
        doubles = {target: n for target, n in Client(stack).taken().items() if n > 1}
        assert not doubles
        assert set(ids) == taken.keys()
        last = (datetime.now(UTC) - max(times)).total_seconds()
    return f"{targets} targets, {blows} kills: each went out exactly once, the last {last:.0f} s on"


@pytest.fixture
def stack(tmp_path: Path, stack_environment: Mapping[str, str]) -> Stack:
    return QuietStack(tmp_path / "data", STACK_MODULES, **stack_environment)


@costly_elsewhere
def test_each_post_goes_out_once_though_processes_are_killed(stack: Stack) -> None:
    _chaos(stack, targets=24, spread_s=6, blows=2)


@pytest.mark.prove
def test_500_posts_go_out_once_though_processes_are_killed(stack: Stack) -> None:
    print(_chaos(stack, targets=500, spread_s=60, blows=8))  # noqa: T201 - make prove
