"""The first thing that anybody tries: start the stack, send a post, start it again, send another.

The whole product as `make run` starts it, on whatever engine the tests run on.
"""

import json
import signal
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import requests

from chalicelib.local.stack_modules import STACK_MODULES
from tests.local.running_stack import Stack, eventually, running


@pytest.fixture
def stack(tmp_path: Path, stack_environment: Mapping[str, str]) -> Iterator[Stack]:
    with running(Stack(tmp_path / "data", STACK_MODULES, **stack_environment)) as started:
        yield started


def _call(stack: Stack, method: str, path: str, body: object = None) -> dict[str, Any]:
    demo = json.loads((stack.data_dir / "demo.json").read_text())
    headers = {"Authorization": f"Bearer {demo['api_key']}"}
    answer = requests.request(
        method, demo["base_url"] + path, json=body, headers=headers, timeout=30
    )
    answer.raise_for_status()
    found: dict[str, Any] = answer.json()
    return found


def _draft(stack: Stack, caption: str) -> str:
    accounts = _call(stack, "GET", "/v1/accounts")["data"]
    targets = [{"account_id": one["id"]} for one in accounts if one["platform"] == "bluesky"]
    post = _call(stack, "POST", "/v1/posts", {"caption": caption, "targets": targets})
    return str(post["id"])


def _is_published(stack: Stack, post_id: str) -> Callable[[], bool]:
    return lambda: _call(stack, "GET", f"/v1/posts/{post_id}")["status"] == "published"


def _went_out(stack: Stack) -> list[str]:
    return sorted(one["caption"] for one in _call(stack, "GET", "/sandbox/posts")["data"])


def test_a_first_post_goes_out_and_another_after_a_restart(stack: Stack) -> None:
    first, later = _draft(stack, "Now"), _draft(stack, "Across the restart")
    _call(stack, "POST", f"/v1/posts/{first}/publish-now")
    eventually(_is_published(stack, first), within_s=30)
    at = (datetime.now(UTC) + timedelta(seconds=8)).isoformat()
    _call(stack, "POST", f"/v1/posts/{later}/schedule", {"at": at})

    stack.end(signal.SIGTERM)
    stack.start()
    eventually(_is_published(stack, later), within_s=60)

    assert _is_published(stack, first)()
    assert ["Across the restart", "Now"] == _went_out(stack)
