"""Targets that break every worker end too, and leave nothing behind that says otherwise."""

from datetime import timedelta
from pathlib import Path

import pytest

from chalicelib.connectors.connector import Publication
from chalicelib.connectors.sandbox.connector import SandboxConnector
from chalicelib.connectors.shared.registry import Connectors
from chalicelib.domain.outcome import Checkpoint, Outcome, Reconciliation, Sent
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.post import PostStatus
from chalicelib.domain.posts.query import PostQuery
from chalicelib.kit.dynamodb.items import attributes
from chalicelib.storage.engine.targets import MOST_WAKES
from chalicelib.storage.tables import target_key
from tests.support.emulator import EmulatorProcess
from tests.support.engine_room import EngineRoom, an_engine_room

SOON = timedelta(minutes=1)


class CrashError(Exception):
    """What no worker is prepared for."""


@pytest.fixture
def room(emulator: EmulatorProcess, tmp_path: Path) -> EngineRoom:
    return an_engine_room(emulator, tmp_path, platforms=(Platform.X,))


class Crashing(SandboxConnector):
    """A platform that breaks its worker at a step, as a file that kills FFmpeg would."""

    at: str

    def advance(self, publication: Publication, checkpoint: Checkpoint) -> Outcome:
        if checkpoint.step == self.at:
            raise CrashError
        return super().advance(publication, checkpoint)

    def reconcile(
        self, publication: Publication, checkpoint: Checkpoint, sent: Sent
    ) -> Reconciliation:
        raise CrashError(publication.target_id, checkpoint.step, sent.at)


def crashing(room: EngineRoom, at: str) -> None:
    """Let X break whoever makes the step `at`."""
    connector = Crashing(Platform.X, room.sandbox, "http://127.0.0.1:8000", wait=room.sleep)
    connector.at = at
    sandbox = {**room.deployment.connectors.sandbox, Platform.X: connector}
    room.deployment.connectors = Connectors(sandbox=sandbox, real={})


def crash_until_nothing_wakes(room: EngineRoom) -> int:
    """Wake what is there as often as the engine would; return how many workers it broke."""
    broken = 0
    while due := room.waking(room.clock() + timedelta(days=3)):
        room.clock.now = max(room.clock(), due[0].wake_at)
        try:
            room.run_due()
        except (CrashError, KeyError):
            broken += 1
    return broken


def x_units(room: EngineRoom) -> int:
    """Return how much of the month's allowance is used up."""
    rows = room.deployment.clients.dynamodb.scan(TableName=room.deployment.tables.directory)[
        "Items"
    ]
    used = [row["x_units"]["N"] for row in rows if row["sk"]["S"].startswith("USE#")]
    return sum(map(int, used))


def failed_posts(room: EngineRoom) -> list[str]:
    """Return the posts that the list of failed ones names."""
    query = PostQuery(statuses=frozenset({PostStatus.FAILED}))
    return [
        post.id
        for post in room.deployment.stores.post_lists.find(room.caller.workspace_id, query).posts
    ]


@pytest.mark.parametrize(
    ("step", "code", "breaks"),
    [
        ("upload", "unknown", MOST_WAKES),
        ("publish", "outcome_unknown", 1 + MOST_WAKES),  # the first one had made progress
    ],
)
def test_a_target_that_breaks_every_worker_fails_as_any_other_does(
    room: EngineRoom, step: str, code: str, breaks: int
) -> None:
    crashing(room, step)
    post = room.scheduled("Fresh bread", in_=SOON, platforms=(Platform.X,))
    assert 1 == x_units(room)

    broken = crash_until_nothing_wakes(room)

    target = room.target(post)
    assert ("failed", code) == (target.status, target.error_code)
    assert breaks == broken
    assert 0 == x_units(room)
    assert [post.id] == failed_posts(room)


def test_a_row_that_nobody_can_read_ends_by_its_key(room: EngineRoom) -> None:
    post = room.scheduled("Fresh bread", in_=SOON, platforms=(Platform.X,))
    target, table = post.targets[0], room.deployment.tables.posts
    key = attributes(target_key(post.id, target.id))
    database = room.deployment.clients.dynamodb
    database.update_item(TableName=table, Key=key, UpdateExpression="REMOVE platform")

    broken = crash_until_nothing_wakes(room)

    row = database.get_item(TableName=table, Key=key)["Item"]
    assert MOST_WAKES == broken
    assert ("failed", "unknown") == (row["status"]["S"], row["error_code"]["S"])
    assert [] == room.sandbox.find(target.account_id, target.id)
    assert 0 == x_units(room)


def test_a_row_that_nobody_can_read_and_that_may_be_live_says_so(room: EngineRoom) -> None:
    post = room.scheduled("Fresh bread", in_=SOON, platforms=(Platform.X,))
    target, table = post.targets[0], room.deployment.tables.posts
    key = attributes(target_key(post.id, target.id))
    database = room.deployment.clients.dynamodb
    database.update_item(
        TableName=table,
        Key=key,
        UpdateExpression="SET sent = :sent REMOVE platform",
        ExpressionAttributeValues={":sent": {"S": "{}"}},
    )

    crash_until_nothing_wakes(room)

    row = database.get_item(TableName=table, Key=key)["Item"]
    assert ("failed", "outcome_unknown") == (row["status"]["S"], row["error_code"]["S"])
    assert "sent" in row
