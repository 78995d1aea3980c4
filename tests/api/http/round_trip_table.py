"""Writes `docs/round-trips.md`: what one request of every endpoint asks of DynamoDB.

    python -m tests.api.http.round_trip_table

`test_round_trips` compares the page with what the code does.
"""

import sys
import tempfile
from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path
from urllib.parse import parse_qsl

from chalicelib.api.paths import every_endpoint
from tests.api.http.endpoint_cases import CASES, Ask, Case
from tests.api.http.round_trips import Cost, Meter
from tests.api.http_house import a_house
from tests.api.http_room import Answer, House, Room
from tests.support.emulator import start_embedded

PAGE = Path(__file__).parents[3] / "docs" / "round-trips.md"
_HEAD = """# What each request asks of DynamoDB

Written by `.venv/bin/python -m tests.api.http.round_trip_table`; `make test` compares it. The post
has two targets and no file, the workspace two accounts and the three queue times it starts with.

*In sequence* is the longest chain of calls that wait for one another, including the key check;
calls that run in parallel count once. RCU and WCU are the units that DynamoDB charges for these
rows, including indexes and transactions. Once a minute a key check also saves the key's last use (1
call, 1 WCU), which is not counted here. *Wake messages* are messages to the publish queue. A
refused request costs less, unless a concurrent change came first: then it reads and writes once
more.

A list finds posts through an index, which follows a write within about a second, but reads the
posts consistently, so a client that changes a post and lists it sees the change. Up to twelve posts
are read with one query each, in parallel; more with two batches: four calls in sequence and one RCU
per post and target. An unpublish reads the data for the totals of results while it saves the post;
if that data has changed in the meantime, it is read once more.

| Request | In sequence | Calls | RCU | WCU | Wake messages |
|---|---|---|---|---|---|
"""


def unmeasured() -> set[str]:
    """Return the endpoints that need a key and have no case here."""
    known = {f"{one.method} {one.path}" for one in every_endpoint() if not one.open_to_all}
    return known ^ {case.endpoint for case in CASES}


def measure(house: House, meter: Meter, case: Case) -> Cost:
    """Send a case's request and return what it asked."""
    room = house.room()
    ask = case.prepare(room)
    room.get("/v1/golden-hour")  # the key's last use is noted once a minute: now
    with meter.measured() as cost:
        send(room, ask)
    return cost


def send(room: Room, ask: Ask) -> Answer:
    """Send a request that must succeed; return its answer."""
    if ask.raw is not None:
        return room.send_file(ask.raw, "oven.jpg")
    path, _, query = ask.path.partition("?")
    headers = {} if ask.key is None else {"idempotency-key": ask.key}
    asked = dict(parse_qsl(query))
    answer = room.ask(ask.method, path, body=ask.body, query=asked, headers=headers)
    assert answer.status < 400, (ask, answer)
    return answer


def row(case: Case, cost: Cost) -> str:
    """Return a case's line of the table."""
    return (
        f"| {case.name} | {cost.depth} | {len(cost.trips)} | {cost.read_units:g} "
        f"| {cost.write_units:g} | {cost.wake_messages or ''} |\n"
    )


def measure_all(house: House) -> list[tuple[Case, Cost]]:
    """Measure every case."""
    meter = Meter(house.deployment.clients.dynamodb, house.deployment.clients.sqs)
    return [(case, measure(house, meter, case)) for case in CASES]


def written(costs: Iterable[tuple[Case, Cost]]) -> str:
    """Return the page."""
    return _HEAD + "".join(row(case, cost) for case, cost in costs)


def main() -> None:
    """Write the page."""
    emulator = start_embedded()
    try:
        with tempfile.TemporaryDirectory() as folder:
            house = a_house(emulator, Path(folder))
            house.clock.pass_time(timedelta(seconds=1))
            PAGE.write_text(written(measure_all(house)))
    finally:
        emulator.stop()
    sys.stdout.write(f"wrote {PAGE.name}\n")


if __name__ == "__main__":
    main()
