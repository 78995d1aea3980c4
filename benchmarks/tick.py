"""What a tick costs: beside few and many scheduled targets, and how fast it sends what is due.

Pages and rows read are the measure of cost; an emulator's own query time is not DynamoDB's.
"""

import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.domain.ids import new_id
from chalicelib.storage.dynamodb.items import attributes, stamp
from chalicelib.storage.dynamodb.tables import target_key, wake_shard
from tests.support.emulator import make_resources, start_emulator

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import WriteRequestTypeDef

DUE = 3_000
LATER = (1_000, 50_000)
_BATCH = 25


def run() -> None:
    """Print pages, rows and time of a tick beside more and more that is scheduled for later."""
    emulator = start_emulator()
    try:
        for later in LATER:
            deployment = Deployment(make_resources(emulator.endpoint))
            now = datetime.now(UTC)
            _fill(deployment, later, now + timedelta(days=30))
            _fill(deployment, DUE, now + timedelta(seconds=60))
            pages = _count_pages(deployment)
            began = time.monotonic()
            sent = deployment.dispatcher.tick()
            took = time.monotonic() - began
            print(
                f"{later} scheduled for later: {len(pages)} pages, {sum(pages)} rows read, "
                f"{sent} hints sent in {took:.2f} s, {sent / took:.0f} a second"
            )
    finally:
        emulator.stop()


def _fill(deployment: Deployment, count: int, wake_at: datetime) -> None:
    """Put targets on the wake index that look like any other to a tick."""
    client = deployment.dynamodb
    for start in range(0, count, _BATCH):
        requests: list[WriteRequestTypeDef] = []
        for _ in range(min(_BATCH, count - start)):
            post_id, target_id = new_id(wake_at), new_id(wake_at)
            row = {
                **target_key(post_id, target_id),
                "workspace_id": "0" * 32,
                "wake_shard": wake_shard(target_id),
                "wake_at": stamp(wake_at),
            }
            requests.append({"PutRequest": {"Item": attributes(row)}})
        client.batch_write_item(RequestItems={deployment.tables.posts: requests})


def _count_pages(deployment: Deployment) -> list[int]:
    pages: list[int] = []

    def count(parsed: dict[str, int], **_: object) -> None:
        pages.append(parsed.get("ScannedCount", 0))

    deployment.dynamodb.meta.events.register("after-call.dynamodb.Query", count)
    return pages
