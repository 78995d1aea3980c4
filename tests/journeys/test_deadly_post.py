"""One post ends the process that sends it, each time: the others go out, and the stack stays up."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import requests

from chalicelib.domain.posts.progress import LEASE
from tests.api.http.endpoint_cases import a_photo
from tests.journeys.test_chaos import Client, QuietStack
from tests.local.running_stack import Stack, eventually, running

_DEADLY = "This ends whoever uploads it"
_AT_ONCE = 3
"""So often the post is taken at once; then its lease of a minute has to end."""


@pytest.fixture
def stack(tmp_path: Path, stack_environment: Mapping[str, str]) -> Stack:
    return QuietStack(tmp_path / "data", "tests.local.deadly_stack", **stack_environment)


@pytest.mark.costly
def test_a_post_that_ends_its_process_each_time_takes_neither_stack_nor_neighbours_along(
    stack: Stack,
) -> None:
    with running(stack):
        client = Client(stack)
        due = datetime.now(UTC) + timedelta(seconds=10)
        deadly = _scheduled(client, _DEADLY, due, _upload(stack))
        others = [_scheduled(client, f"Bread {number}", due) for number in range(5)]

        assert eventually(lambda: len(_ends(stack)) > _AT_ONCE, within_s=240)
        assert eventually(lambda: set(others) <= client.taken().keys(), within_s=120)

        assert stack.process is not None
        assert stack.process.poll() is None
        assert stack.answers()
        taken, ends = client.taken(), _ends(stack)

    assert set(taken.values()) == {1}
    assert deadly not in taken
    assert ends[_AT_ONCE] - ends[_AT_ONCE - 1] >= LEASE.total_seconds()


def _ends(stack: Stack) -> list[float]:
    """Return when a process ended."""
    told = stack.data_dir / "ended"
    return [float(line) for line in told.read_text().splitlines()] if told.exists() else []


def _scheduled(client: Client, caption: str, at: datetime, *media_ids: str) -> str:
    target = {"account_id": client.account("linkedin")}
    body = {"caption": caption, "media_ids": media_ids, "targets": [target]}
    post = client.call("POST", "/v1/posts", body, key=caption)
    client.call("POST", f"/v1/posts/{post['id']}/schedule", {"at": at.isoformat()})
    targets = client.call("GET", f"/v1/posts/{post['id']}")["targets"]
    assert isinstance(targets, list)
    return str(targets[0]["id"])


def _upload(stack: Stack) -> str:
    demo = json.loads((stack.data_dir / "demo.json").read_text())
    answer = requests.post(
        f"http://127.0.0.1:{stack.port}/v1/media",
        files={"file": ("bread.jpg", a_photo(), "image/jpeg")},
        headers={"Authorization": f"Bearer {demo['api_key']}"},
        timeout=60,
    )
    answer.raise_for_status()
    return str(answer.json()["id"])
