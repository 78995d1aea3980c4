"""Calls that start at the same moment, each in a thread of its own, and what they leave behind.

`test_races` and `test_races_with_workers` use it.
"""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from chalicelib.domain.workspace.plans import period_of
from chalicelib.kit.dynamodb.items import attributes, plain
from chalicelib.storage.tables import use_key
from tests.api.http_room import Document, House, Room

_Result = TypeVar("_Result")
Race = Callable[[House], str]
"""Runs one race, checks how it ended and tells it."""


def together(*calls: Callable[[], _Result]) -> Sequence[_Result]:
    """Start all calls at once and return what each returned; an error of one is raised."""
    start = threading.Barrier(len(calls))

    def run(call: Callable[[], _Result]) -> _Result:
        start.wait()
        return call()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def spent(room: Room) -> int:
    """Return the X units that this month's counter holds."""
    deployment = room.house.deployment
    month = period_of(room.house.clock(), "UTC")
    found = deployment.clients.dynamodb.get_item(
        TableName=deployment.tables.directory,
        Key=attributes(use_key(room.workspace_id, month)),
        ConsistentRead=True,
    )
    return int(plain(found["Item"]).get("x_units", 0)) if "Item" in found else 0


def taken(room: Room, post: Document) -> list[int]:
    """Return how often the sandbox platform took each target."""
    sandbox = room.house.sandbox
    return [len(sandbox.find(t["account_id"], t["id"])) for t in post["targets"]]
