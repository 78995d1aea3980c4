"""The same facts from both sides: as the service shows and keeps them, and as the model tells them.

`test_state_machine` compares them after every call.
"""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from chalicelib.kit.dynamodb.items import attributes, plain
from chalicelib.storage.engine.claims import TargetRef
from chalicelib.storage.tables import workspace_pk
from tests.api.http_room import Document, House, Room
from tests.api.state_machine.model import LIVE, Post

Shown = tuple[str, str, list[tuple[object, ...]]]


def shown(post: Document) -> Shown:
    """Return what a client sees of a post."""
    targets: list[tuple[object, ...]] = [
        (
            target["id"],
            target["platform"],
            target["status"],
            target["caption_override"],
            target["scheduled_at"],
            target["error_code"],
            target["url"] is not None,
            target["published_at"] is not None,
        )
        for target in post["targets"]
    ]
    return post["caption"], post["status"], targets


def told(post: Post) -> Shown:
    """Return what the model says that a client sees."""
    targets: list[tuple[object, ...]] = [
        (
            target.id,
            target.platform,
            target.status,
            target.override,
            None if target.time is None else target.time.isoformat(),
            target.error,
            target.status in LIVE,
            target.status in LIVE,
        )
        for target in post.targets
    ]
    return post.caption, post.status, targets


def counters(room: Room) -> dict[str, int]:
    """Return the X units in a workspace's counters that are not zero."""
    rows = _rows(room, "USE#")
    used = {row["sk"].removeprefix("USE#"): int(row.get("x_units", 0)) for row in rows}
    return {counter: units for counter, units in used.items() if units}


def taken_times(room: Room, *, after: datetime) -> set[tuple[datetime, str]]:
    """Return the instants to come at which the workspace has marked that a post goes out."""
    marks = (row["sk"].split("#") for row in _rows(room, "TAKEN#"))
    times = {(datetime.fromisoformat(at).astimezone(UTC), post_id) for _, at, post_id in marks}
    return {(at, post_id) for at, post_id in times if at > after}


def _rows(room: Room, prefix: str) -> list[dict[str, Any]]:
    deployment = room.house.deployment
    found = deployment.clients.dynamodb.query(
        TableName=deployment.tables.directory,
        KeyConditionExpression="pk = :pk AND begins_with(sk, :prefix)",
        ExpressionAttributeValues=attributes(
            {":pk": workspace_pk(room.workspace_id), ":prefix": prefix}
        ),
        ConsistentRead=True,
    )
    return [plain(item) for item in found["Items"]]


def engine_runs(house: House, post_ids: Iterable[str], until: datetime) -> None:
    """Let time go by, running each target of these posts when it wakes."""
    known = list(post_ids)
    while refs := [ref for ref in _waking(house, known) if ref.wake_at <= until]:
        first = min(refs, key=lambda ref: ref.wake_at)
        house.clock.now = max(house.clock(), first.wake_at)
        for ref in refs:
            if ref.wake_at <= house.clock():
                house.deployment.engine.publish_worker.run(ref)
    house.clock.now = until


def _waking(house: House, post_ids: Iterable[str]) -> list[TargetRef]:
    posts = (house.deployment.stores.posts.get_any(post_id) for post_id in post_ids)
    return [
        TargetRef(post.id, target.id, post.workspace_id, target.progress.wake_at)
        for post in posts
        for target in post.targets
        if target.progress.wake_at is not None
    ]
