"""Writes a second with and without a sync of the disk before each answer, in one run.

Fifty writers put rows into an embedded engine's tables; the two ways take turns, so that both see
the same machine. Then a whole stack of each kind sends 200 posts: how late are they.
"""

import statistics
import tempfile
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.figures import Beside, Figure
from benchmarks.publishing import lateness
from benchmarks.stack import running
from chalicelib.kit.aws_on_sqlite.address import address_of
from chalicelib.kit.aws_on_sqlite.engine import open_engine
from chalicelib.local.embedded_resources import make_embedded
from chalicelib.settings import Settings
from tests.support.clients import a_client

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

WRITERS = 50
ROUND_S = 5.0
ROUNDS = 3


def run() -> list[Figure]:
    """Print writes a second and how long one takes, with sync on and off, and the ratio."""
    measured: dict[bool, list[tuple[float, float]]] = {False: [], True: []}
    for _ in range(ROUNDS):
        for synced, rounds in measured.items():
            rounds.append(_round(synced=synced))
    for synced, rounds in measured.items():
        rate, wait_s = (statistics.median(figures) for figures in zip(*rounds, strict=True))
        name = "full" if synced else "normal"
        print(f"  sync {name:6}  {rate:6.0f} writes a second, p50 {wait_s * 1000:.1f} ms")
    off, on = (statistics.median(rate for rate, _ in measured[synced]) for synced in (False, True))
    print(f"  ratio        {on / off:.2f}")
    for name in ("normal", "full"):
        print(f"  sync {name:6}  ", end="", flush=True)
        with running(environment={"GOLDENHOUR_SYNC": name}) as stack:
            lateness.measure(stack)
    peer = Beside("the same without a sync", off)
    return [Figure("writes a second, synced (more is better)", on, peer=peer)]


def _round(*, synced: bool) -> tuple[float, float]:
    """Return writes a second and the median seconds of one."""
    with tempfile.TemporaryDirectory() as folder:
        address = address_of(Path(folder) / "engine", synced=synced)
        settings = Settings.from_environment({"AWS_ENDPOINT_URL": address})
        make_embedded(settings)
        client, waits = a_client("dynamodb", address), list[float]()
        ends_at, table = time.monotonic() + ROUND_S, settings.posts_table
        writers = [
            threading.Thread(target=_write, args=(client, table, str(n), ends_at, waits))
            for n in range(WRITERS)
        ]
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join()
        open_engine(address).close()
    return len(waits) / ROUND_S, statistics.median(waits)


def _write(
    client: "DynamoDBClient", table: str, name: str, ends_at: float, waits: list[float]
) -> None:
    number = 0
    while (began := time.monotonic()) < ends_at:
        number += 1
        client.put_item(TableName=table, Item={"pk": {"S": name}, "sk": {"S": str(number)}})
        waits.append(time.monotonic() - began)
