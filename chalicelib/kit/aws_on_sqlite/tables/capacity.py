"""The capacity that calls of DynamoDB would consume, returned if a call asks for it.

By "Read and write capacity" of the Developer Guide.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from chalicelib.kit.aws_on_sqlite.base_client import Answer, Call
from chalicelib.kit.aws_on_sqlite.tables.writes import Write

READ_UNIT = 4096


def write_capacity(call: Call, writes: list[Write], times: int, *, several: bool = False) -> Answer:
    """Return the write units if a call asks for them; in a transaction a row counts twice."""
    wanted = call.get("ReturnConsumedCapacity", "NONE")
    if wanted == "NONE":
        return {}
    told = []
    for table in {write.shape.name for write in writes}:
        units: Counter[str] = Counter()
        for write in writes:
            if write.shape.name == table:
                units.update(write.units)
                units[""] += write.units.get("", 0) * (times - 1)
        told.append({"TableName": table, **_by_index(units, wanted)})
    return {"ConsumedCapacity": told if several else told[0]}


def _by_index(units: Mapping[str, int], wanted: str) -> Answer:
    total = {"CapacityUnits": float(sum(units.values()))}
    if wanted != "INDEXES":
        return total
    indexes = {name: {"CapacityUnits": float(n)} for name, n in units.items() if name}
    table = {"CapacityUnits": float(units.get("", 0))}
    return {**total, "Table": table, "GlobalSecondaryIndexes": indexes}


def read_capacity(call: Call, table: str, size: int) -> Answer:
    """Return the read units if a call asks for them."""
    if call.get("ReturnConsumedCapacity", "NONE") == "NONE":
        return {}
    told = {"TableName": table, "CapacityUnits": units_read(call, size)}
    return {"ConsumedCapacity": told}


def units_read(request: Mapping[str, Any], size: int) -> float:
    """Return the read units of a number of bytes: one for 4 KB, half if not consistent."""
    return (-(-size // READ_UNIT) or 1) * (1.0 if request.get("ConsistentRead") else 0.5)
