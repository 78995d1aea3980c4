"""Everything is killed (`kill -9`) amid a burst, and started again: each post goes out once.

Real processes, as `make run` starts them, and the sandbox platform as the judge. The calls take a
second each and few places are given, so that at the kill some posts are out, some are at the
platform and some have not begun. It waits for what happens, never for a time.
"""

import os
import signal
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from chalicelib.local.stack_modules import STACK_MODULES
from tests.journeys.test_chaos import PLATFORMS, Client, QuietStack
from tests.local.running_stack import Stack, eventually, running

_TARGETS = 30
_PLACES = "8"
_SETTLED_WITHIN_S = 600.0
"""What was at the platform is looked for until it is certain: that alone takes a minute."""


@pytest.fixture
def stack(tmp_path: Path, stack_environment: Mapping[str, str]) -> Stack:
    settings = {**stack_environment, "GOLDENHOUR_CALLS_AT_ONCE": _PLACES}
    return QuietStack(tmp_path / "data", STACK_MODULES, **settings)


@pytest.mark.costly
@pytest.mark.timeout(2 * _SETTLED_WITHIN_S)
def test_each_post_of_a_burst_goes_out_once_though_everything_is_killed_in_it(
    stack: Stack,
) -> None:
    with running(stack):
        due, posts = _scheduled_for_one_second(Client(stack))
        before = _first_taken(Client(stack))

        _kill_everything(stack)
        stack.start()

        client = Client(stack)
        for post_id in posts:
            # One after the other: asking for all of them each time kept a processor busy.
            eventually(partial(_is_published, client, post_id), within_s=_SETTLED_WITHIN_S)
        after = _taken(client)

    assert sorted(one["target_id"] for one in after) == sorted(posts.values())
    assert {one["remote_id"] for one in before} <= {one["remote_id"] for one in after}
    assert min(datetime.fromisoformat(one["created_at"]) for one in after) >= due


def _scheduled_for_one_second(client: Client) -> tuple[datetime, dict[str, str]]:
    """Schedule all for one second; return it, and each post's target."""
    began = datetime.now(UTC)
    drafts = [_draft(client, number) for number in range(_TARGETS)]
    took = datetime.now(UTC) - began
    due = (datetime.now(UTC) + timedelta(seconds=3) + 4 * took).replace(microsecond=0)
    for draft in drafts:
        client.call("POST", f"/v1/posts/{draft['id']}/schedule", {"at": due.isoformat()})
    return due, {str(draft["id"]): str(draft["targets"][0]["id"]) for draft in drafts}


def _draft(client: Client, number: int) -> dict[str, Any]:
    platform = PLATFORMS[number % len(PLATFORMS)]
    options = {"subreddit": "goldenhour_test"} if platform == "reddit" else {}
    target = {"account_id": client.account(platform), "options": options}
    body = {"caption": f"Bread {number} sandbox:hang:1", "targets": [target]}
    return client.call("POST", "/v1/posts", body, key=f"burst-{number}")


def _first_taken(client: Client) -> list[dict[str, Any]]:
    """Return what the platform has taken as soon as that is anything."""
    assert eventually(lambda: bool(_taken(client)), within_s=_SETTLED_WITHIN_S)
    return _taken(client)


def _taken(client: Client) -> list[dict[str, Any]]:
    entries = client.call("GET", "/sandbox/posts")["data"]
    assert isinstance(entries, list)
    return entries


def _kill_everything(stack: Stack) -> None:
    assert stack.process is not None
    for pid in (*stack.children().values(), stack.process.pid):
        os.kill(pid, signal.SIGKILL)
    stack.process.communicate()


def _is_published(client: Client, post_id: str) -> bool:
    """Tell whether a post is told to be out: then nothing of it is sent any more."""
    return bool(client.call("GET", f"/v1/posts/{post_id}")["status"] == "published")
