"""Counts what a request asks of DynamoDB: calls, how many of them wait for one another, units.

    with meter.measured() as cost:
        room.call("GET", f"/v1/posts/{post_id}")
    assert cost.depth <= 2

A call waits for another when the same thread made it later, or a thread that was started later or
that had waited for it; `depth` is the longest chain of such calls. Units are what DynamoDB's own
rules charge, as the emulator reckons them; it says nothing of batch reads, so those are reckoned
here.
"""

import math
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.api.http.waits import Waits

if TYPE_CHECKING:
    from botocore.client import BaseClient

_READ_UNIT_BYTES = 4_096
_READS = frozenset({"GetItem", "BatchGetItem", "Query", "TransactGetItems"})


@dataclass(slots=True)
class RoundTrip:
    """One call, its place in the longest chain that ends with it, and the capacity it took."""

    operation: str
    asked_rows: int
    place: int
    units: float = 0.0


@dataclass(slots=True)
class Cost:
    """Everything that was asked while something ran."""

    trips: list[RoundTrip] = field(default_factory=list)
    wake_messages: int = 0

    @property
    def depth(self) -> int:
        """Return the length of the longest chain of calls that waited for one another."""
        return max((trip.place for trip in self.trips), default=0)

    @property
    def operations(self) -> list[str]:
        """Return the calls by name, in the order in which they began."""
        return [trip.operation for trip in self.trips]

    @property
    def read_units(self) -> float:
        return sum(trip.units for trip in self.trips if trip.operation in _READS)

    @property
    def write_units(self) -> float:
        return sum(trip.units for trip in self.trips if trip.operation not in _READS)


class Meter:
    """Listens to a DynamoDB and an SQS client."""

    def __init__(self, dynamodb: "BaseClient", sqs: "BaseClient") -> None:
        self._cost: Cost | None = None
        self._waits = Waits()
        self._current = threading.local()
        events = dynamodb.meta.events
        events.register("before-parameter-build.dynamodb", self._ask_for_units)
        events.register("before-call.dynamodb", self._begin)
        events.register("after-call.dynamodb", self._end)
        sqs.meta.events.register("before-call.sqs", self._note_hint)

    @contextmanager
    def measured(self) -> Iterator[Cost]:
        """Count what happens inside."""
        cost, self._waits = Cost(), Waits()
        self._cost = cost
        try:
            with self._waits.followed():
                yield cost
        finally:
            self._cost = None

    def _ask_for_units(self, params: dict[str, Any], **_: object) -> None:
        params["ReturnConsumedCapacity"] = "TOTAL"
        tables = params.get("RequestItems", {}).values()
        reads = [table["Keys"] for table in tables if "Keys" in table]
        self._current.asked_rows = sum(len(keys) for keys in reads)

    def _begin(self, model: Any, **_: object) -> None:  # noqa: ANN401 - botocore's own
        if self._cost is not None:
            trip = RoundTrip(model.name, self._current.asked_rows, self._waits.next())
            self._current.trip = trip
            self._cost.trips.append(trip)

    def _end(self, parsed: dict[str, Any], **_: object) -> None:
        trip: RoundTrip | None = getattr(self._current, "trip", None)
        if self._cost is not None and trip is not None:
            trip.units = _units(trip, parsed)

    def _note_hint(self, **_: object) -> None:
        if self._cost is not None:
            self._cost.wake_messages += 1


def _units(trip: RoundTrip, parsed: Mapping[str, Any]) -> float:
    if trip.operation == "BatchGetItem":
        rows = [row for table in parsed["Responses"].values() for row in table]
        missing = trip.asked_rows - len(rows)
        return missing + sum(math.ceil(_size(row) / _READ_UNIT_BYTES) for row in rows)
    spent = parsed.get("ConsumedCapacity", [])
    several = spent if isinstance(spent, list) else [spent]
    return sum(float(one["CapacityUnits"]) for one in several)


def _size(row: Mapping[str, Mapping[str, object]]) -> int:
    """Return about how many bytes a row takes: its names and its values."""
    return sum(len(name) + len(str(next(iter(value.values())))) for name, value in row.items())
