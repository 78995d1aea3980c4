"""What a tick costs: beside few and many scheduled targets, and how fast it sends what is due.

Pages, rows and consumed capacity are the measure of cost; an emulator's own query time is not
DynamoDB's. Amazon's DynamoDB Local (`--dynamodb-local`) is Amazon's own.
"""

import os
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from benchmarks.figures import Beside, Figure
from chalicelib.bootstrap.deployment import Deployment
from chalicelib.domain.ids import new_id
from chalicelib.kit.dynamodb.items import attributes, stamp
from chalicelib.storage.tables import target_key, wake_shard
from tests.support.emulator import DYNAMODB_URL, make_resources, start_embedded

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import WriteRequestTypeDef

DUE = 3_000
LATER = (1_000, 50_000)
LATER_ON_DYNAMODB_LOCAL = (1_000, 1_000_000)
_BATCH = 25
_WRITERS = 4


@dataclass(slots=True)
class Reads:
    """What queries have cost so far."""

    pages: int = 0
    rows: int = 0
    capacity_units: float = 0.0

    def add(self, parsed: dict[str, Any], **_: object) -> None:
        """Count an answer."""
        self.pages += 1
        self.rows += parsed.get("ScannedCount", 0)
        self.capacity_units += parsed.get("ConsumedCapacity", {}).get("CapacityUnits", 0.0)


def run() -> list[Figure]:
    """Print pages, rows, capacity and time of a tick beside more and more scheduled for later."""
    emulator, pages = start_embedded(), {}
    try:
        for later in LATER_ON_DYNAMODB_LOCAL if DYNAMODB_URL in os.environ else LATER:
            pages[later] = _measure(Deployment(make_resources(emulator.endpoint)), later)
    finally:
        emulator.stop()
    few, many = min(pages), max(pages)
    beside_few = Beside(f"beside {few:,}", pages[few])
    return [Figure(f"pages a tick reads beside {many:,} later targets", pages[many], beside_few)]


def _measure(deployment: Deployment, later: int) -> int:
    """Fill the tables, tick once, say what it took and return how many pages it read."""
    _fill(deployment, later, datetime.now(UTC) + timedelta(days=30))
    _fill(deployment, DUE, datetime.now(UTC) + timedelta(seconds=60))
    reads = _count_reads(deployment)
    began = time.monotonic()
    sent = deployment.dispatcher.tick()
    took = time.monotonic() - began
    print(
        f"{later:,} scheduled for later, {DUE:,} near: {reads.pages} pages, {reads.rows:,} rows, "
        f"{reads.capacity_units:g} read units; "
        f"{sent:,} messages sent in {took:.2f} s, {sent / took:.0f} a second",
        flush=True,
    )
    return reads.pages


def _fill(deployment: Deployment, count: int, wake_at: datetime) -> None:
    """Put targets on the wake index that look like any other to a tick."""
    client, table = deployment.clients.dynamodb, deployment.tables.posts

    def write(size: int) -> None:
        requests = [_target_at(wake_at) for _ in range(size)]
        if client.batch_write_item(RequestItems={table: requests})["UnprocessedItems"]:
            sys.exit("The emulator left rows of a batch unwritten, so the figures would be wrong.")

    with ThreadPoolExecutor(_WRITERS) as writers:
        list(writers.map(write, _batches(count)))


def _batches(count: int) -> Iterator[int]:
    return (min(_BATCH, count - start) for start in range(0, count, _BATCH))


def _target_at(wake_at: datetime) -> "WriteRequestTypeDef":
    post_id, target_id = new_id(wake_at), new_id(wake_at)
    row = {
        **target_key(post_id, target_id),
        "workspace_id": "0" * 32,
        "wake_shard": wake_shard(target_id),
        "wake_at": stamp(wake_at),
    }
    return {"PutRequest": {"Item": attributes(row)}}


def _count_reads(deployment: Deployment) -> Reads:
    """Count every query from here on, and let DynamoDB say what each consumes."""
    reads, events = Reads(), deployment.clients.dynamodb.meta.events
    events.register("provide-client-params.dynamodb.Query", _ask_for_capacity)
    events.register("after-call.dynamodb.Query", reads.add)
    return reads


def _ask_for_capacity(params: dict[str, Any], **_: object) -> None:
    params["ReturnConsumedCapacity"] = "TOTAL"
