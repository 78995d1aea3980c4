"""A DynamoDB client of one process, over the model, that fails as a real one does.

It has the methods that the storage calls, with their parameters and errors. A call that times out
waits as long as its configuration says and is sent again by itself as often as botocore would, so
that a write may be applied twice, or long after its answer was given up.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from zlib import crc32

from botocore.config import Config
from botocore.exceptions import ClientError, EndpointConnectionError, ReadTimeoutError

from tests.simulation.faults import Fault, Out
from tests.simulation.models.expressions import Wire
from tests.simulation.models.tables_model import (
    ConditionRefused,
    TablesModel,
    TransactionRefused,
    hash_value,
)
from tests.simulation.virtual_time.scheduler import Process
from tests.simulation.world import World

_READ_TIMEOUT_S = 60.0
_PAGE = 100
_LATEST_S = 20.0
_SLOW_S, _HOT_OF = (0.1, 3.0), 4
Answer = dict[str, Any]
_OF_WRITES = (
    *(Fault.THROTTLED, Fault.CONFLICT, Fault.NOT_APPLIED, Fault.APPLIED),
    Fault.LATE_WRITE,
)


class _Events:
    """Takes whoever wants to hear of answers, and tells nobody: the world counts them itself."""

    def register(self, event: str, hears: Callable[..., object]) -> None:
        """Do nothing."""


@dataclass(frozen=True, slots=True)
class _Meta:
    events: _Events = field(default_factory=_Events)


class DynamoDBModelClient:
    """What boto3's client is to the storage."""

    meta = _Meta()

    def __init__(self, world: World, model: TablesModel, config: Config | None = None) -> None:
        self._world = world
        self._model = model
        said: Any = config
        self._timeout_s = float(getattr(said, "read_timeout", None) or _READ_TIMEOUT_S)
        self._tries = _tries(getattr(said, "retries", None))

    # Writes.

    def put_item(self, **call: Any) -> Answer:  # noqa: ANN401 - boto3's
        return self._write("PutItem", call, lambda: _none(self._model.put(call)))

    def delete_item(self, **call: Any) -> Answer:  # noqa: ANN401 - boto3's
        return self._write("DeleteItem", call, lambda: _none(self._model.delete(call)))

    def update_item(self, **call: Any) -> Answer:  # noqa: ANN401 - boto3's
        return self._write("UpdateItem", call, lambda: {"Attributes": self._model.update(call)})

    def transact_write_items(self, **call: Any) -> Answer:  # noqa: ANN401 - boto3's
        done: dict[str, None] = self._world_tokens()

        if self._world.strikes(Fault.ITEM_THROTTLED, "TransactWriteItems"):
            raise _one_throttled(call)

        def apply() -> Answer:
            token = call.get("ClientRequestToken")
            if token in done:
                return {}
            self._model.transact(call["TransactItems"])
            if token is not None:
                done[token] = None
            return {}

        return self._write("TransactWriteItems", call, apply)

    def _world_tokens(self) -> dict[str, None]:
        """Return the tokens of transactions that are done: a repeat of one changes nothing."""
        return self._model.tokens

    # Reads.

    def get_item(self, **call: Any) -> Answer:  # noqa: ANN401 - boto3's
        def read() -> Answer:
            consistent = bool(call.get("ConsistentRead"))
            row = self._model.get(call["TableName"], call["Key"], consistent=consistent)
            return {} if row is None else {"Item": row}

        return self._read("GetItem", call["Key"]["pk"]["S"], read)

    def batch_get_item(self, **call: Any) -> Answer:  # noqa: ANN401 - boto3's
        def read() -> Answer:
            found: dict[str, list[Wire]] = {}
            left: dict[str, Any] = {}
            for table, asked in call["RequestItems"].items():
                keys, consistent = asked["Keys"], bool(asked.get("ConsistentRead"))
                if Out.UNREAD in self._world.without:
                    hot = [key for key in keys if _is_hot(key["pk"]["S"])]
                    left |= {table: {**asked, "Keys": hot}} if hot else {}
                    keys = [key for key in keys if key not in hot]
                elif self._world.strikes(Fault.LEFT_UNDONE, "BatchGetItem"):
                    left[table] = {**asked, "Keys": keys[len(keys) // 2 :]}
                    keys = keys[: len(keys) // 2]
                rows = [self._model.get(table, key, consistent=consistent) for key in keys]
                found[table] = [row for row in rows if row is not None]
            return {"Responses": found, "UnprocessedKeys": left}

        return self._read("BatchGetItem", "", read)

    def query(self, **call: Any) -> Answer:  # noqa: ANN401 - boto3's
        def read() -> Answer:
            rows = self._model.query(call)
            start = int(call.get("ExclusiveStartKey", {}).get("place", {"N": "0"})["N"])
            most = min(int(call.get("Limit", _PAGE)), _PAGE)
            answer: Answer = {"Items": rows[start : start + most]}
            if start + most < len(rows):
                answer["LastEvaluatedKey"] = {"place": {"N": str(start + most)}}
            return answer

        return self._read("Query", hash_value(call), read)

    def get_paginator(self, operation: str) -> "_Paginator":
        if operation != "query":
            raise NotImplementedError(operation)
        return _Paginator(self)

    # How calls go.

    def _read(self, name: str, pk: str, read: Callable[[], Answer]) -> Answer:
        for tried in range(self._tries):
            self._leave(name)
            if Out.UNREAD in self._world.without and pk and _is_hot(pk):
                raise _refusal(name, "ThrottlingException")
            fault = self._world.first(name, Fault.THROTTLED, Fault.NOT_APPLIED)
            if fault is Fault.THROTTLED:
                raise _refusal(name, "ProvisionedThroughputExceededException")
            if fault is None:
                return self._arrive(name, read())
            self._give_up(tried, name)
        raise AssertionError("The last try returns or raises.")

    def _write(self, name: str, call: Mapping[str, Any], apply: Callable[[], Answer]) -> Answer:
        for tried in range(self._tries):
            self._leave(name)
            if self._world.disk_is_full:
                raise EndpointConnectionError(endpoint_url=f"model {name}")
            if Out.HOT in self._world.without:
                _refuse_hot(name, call)
            fault = self._world.first(name, *_OF_WRITES)
            if fault is None:
                return self._arrive(name, _spoken(name, call, apply))
            self._fail(name, fault, call, apply)
            self._give_up(tried, name)
        raise AssertionError("The last try returns or raises.")

    def _fail(
        self, name: str, fault: Fault, call: Mapping[str, Any], apply: Callable[[], Answer]
    ) -> None:
        """Do what a fault does before the silence. Raises what has an answer."""
        if fault is Fault.THROTTLED:
            raise _refusal(name, "ProvisionedThroughputExceededException")
        if fault is Fault.CONFLICT:
            raise _conflict(name, call)
        if fault is Fault.APPLIED:
            _quietly(apply)
        if fault is Fault.LATE_WRITE:
            late_s = self._world.faults.chance(fault).uniform(0.0, self._timeout_s + _LATEST_S)
            network = Process(f"network of {self._world.plan.seed}")
            life = self._model.life

            def arrive() -> None:
                if self._model.life == life:
                    _quietly(apply)

            self._world.scheduler.spawn(network, arrive, after_s=late_s)

    def _leave(self, name: str) -> None:
        self._world.point(f"before {name}")
        self._world.travel(*(_SLOW_S if Out.SLOW in self._world.without else ()))
        if Out.TABLES in self._world.without:
            raise EndpointConnectionError(endpoint_url=f"model {name}")

    def _arrive(self, name: str, answer: Answer) -> Answer:
        self._world.travel()
        self._world.point(f"after {name}")
        return answer

    def _give_up(self, tried: int, name: str) -> None:
        """Wait for an answer that does not come. Raises ReadTimeoutError at the last try."""
        self._world.scheduler.sleep(self._timeout_s)
        self._world.point(f"after {name}")
        if tried + 1 == self._tries:
            raise ReadTimeoutError(endpoint_url=f"model {name}")


class _Paginator:
    def __init__(self, client: DynamoDBModelClient) -> None:
        self._client = client

    def paginate(self, **call: Any) -> Iterator[Answer]:  # noqa: ANN401 - boto3's
        paging = call.pop("PaginationConfig", {})
        most = paging.get("MaxItems")
        if "PageSize" in paging:
            call["Limit"] = paging["PageSize"]
        while True:
            page = self._client.query(**call)
            if most is not None:
                page["Items"] = page["Items"][:most]
                most -= len(page["Items"])
            yield page
            if "LastEvaluatedKey" not in page or most == 0:
                return
            call["ExclusiveStartKey"] = page["LastEvaluatedKey"]


def _tries(retries: Mapping[str, Any] | None) -> int:
    """Return how often botocore sends a call in all."""
    said = retries or {}
    if "total_max_attempts" in said:
        return int(said["total_max_attempts"])
    if "max_attempts" in said:
        return int(said["max_attempts"]) + 1
    return 3 if said.get("mode") == "standard" else 5


def _none(_: object) -> Answer:
    return {}


def _quietly(apply: Callable[[], Answer]) -> None:
    with suppress(ConditionRefused, TransactionRefused):
        apply()


def _spoken(name: str, call: Mapping[str, Any], apply: Callable[[], Answer]) -> Answer:
    """Carry out a write; say a refusal as DynamoDB does."""
    try:
        return apply()
    except ConditionRefused as refused:
        wants_row = call.get("ReturnValuesOnConditionCheckFailure") == "ALL_OLD"
        item = {"Item": refused.row} if wants_row and refused.row is not None else {}
        raise _refusal(name, "ConditionalCheckFailedException", **item) from None
    except TransactionRefused as refused:
        reasons = [{"Code": reason} for reason in refused.reasons]
        raise _refusal(name, "TransactionCanceledException", CancellationReasons=reasons) from None


def _refuse_hot(name: str, call: Mapping[str, Any]) -> None:
    """Refuse a write of a partition that has too many. Raises ClientError."""
    if name != "TransactWriteItems":
        if _is_written_hot(call):
            raise _refusal(name, "ProvisionedThroughputExceededException")
        return
    steps = [step for write in call["TransactItems"] for step in write.values()]
    reasons = [{"Code": "ThrottlingError" if _is_written_hot(step) else "None"} for step in steps]
    if any(map(_is_written_hot, steps)):
        raise _refusal(name, "TransactionCanceledException", CancellationReasons=reasons)


def _is_written_hot(call: Mapping[str, Any]) -> bool:
    key = call["Item"] if "Item" in call else call["Key"]
    return _is_hot(key["pk"]["S"])


def _is_hot(pk: str) -> bool:
    return crc32(pk.encode()) % _HOT_OF == 0


def _conflict(name: str, call: Mapping[str, Any]) -> ClientError:
    if name != "TransactWriteItems":
        return _refusal(name, "TransactionConflictException")
    reasons = [{"Code": "TransactionConflict"}, *({"Code": "None"} for _ in call["TransactItems"])]
    return _refusal(name, "TransactionCanceledException", CancellationReasons=reasons[:-1])


def _one_throttled(call: Mapping[str, Any]) -> ClientError:
    reasons = [{"Code": "None"} for _ in call["TransactItems"]]
    reasons[-1] = {"Code": "ThrottlingError"}
    return _refusal(
        "TransactWriteItems", "TransactionCanceledException", CancellationReasons=reasons
    )


def _refusal(name: str, code: str, **more: object) -> ClientError:
    answer: Any = {"Error": {"Code": code, "Message": "the model refuses"}, **more}
    return ClientError(answer, name)
