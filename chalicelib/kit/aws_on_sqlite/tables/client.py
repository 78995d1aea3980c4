"""DynamoDB as the storage calls it: `EmbeddedDynamoDB` has the methods of boto3's client."""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import Any, ClassVar

from botocore.exceptions import ClientError

from chalicelib.kit.aws_on_sqlite.base_client import Answer, Call, EmbeddedClient, Pages, operation
from chalicelib.kit.aws_on_sqlite.engine import Engine
from chalicelib.kit.aws_on_sqlite.failures import invalid, refusal
from chalicelib.kit.aws_on_sqlite.tables.capacity import read_capacity, units_read, write_capacity
from chalicelib.kit.aws_on_sqlite.tables.queries import Page, Question, a_query, a_scan
from chalicelib.kit.aws_on_sqlite.tables.rows import Row, to_text
from chalicelib.kit.aws_on_sqlite.tables.shapes import Shape, Shapes
from chalicelib.kit.aws_on_sqlite.tables.tokens import Tokens
from chalicelib.kit.aws_on_sqlite.tables.writes import (
    Changes,
    ConditionRefused,
    Write,
    a_write,
    read_before,
    read_rows,
)

_MOST_WRITES, _MOST_KEYS, _MOST_BATCH = 100, 100, 25
_MOST_TRANSACTION_BYTES = 4 * 1024 * 1024
_MOST_BATCH_BYTES = 16 * 1024 * 1024
_MOST_TOKEN = 36
_SAID = ("ExpressionAttributeNames", "ExpressionAttributeValues", "ReturnConsumedCapacity")
_WRITES = ("TableName", "ConditionExpression", "ReturnValues", *_SAID)
_TELLS = "ReturnValuesOnConditionCheckFailure"
_READS = ("TableName", "IndexName", "FilterExpression", "ProjectionExpression", "Select", "Limit")
_FAILED = "The conditional request failed"


class EmbeddedDynamoDB(EmbeddedClient):
    """The tables of an engine."""

    service: ClassVar[str] = "dynamodb"
    pages: ClassVar[Mapping[str, Pages]] = {
        name: Pages("ExclusiveStartKey", "LastEvaluatedKey", "Limit") for name in ("query", "scan")
    }

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine)
        self._shapes = Shapes(engine)
        self._tokens = Tokens()

    # Writes.

    @operation("PutItem", "Item", _TELLS, *_WRITES)
    def put_item(self, call: Call) -> Answer:
        """Write a whole row."""
        return self._write("Put", call)

    @operation("UpdateItem", "Key", "UpdateExpression", _TELLS, *_WRITES)
    def update_item(self, call: Call) -> Answer:
        """Change attributes of a row."""
        return self._write("Update", call)

    @operation("DeleteItem", "Key", _TELLS, *_WRITES)
    def delete_item(self, call: Call) -> Answer:
        """Remove a row."""
        return self._write("Delete", call)

    def _write(self, kind: str, call: Call) -> Answer:
        write = a_write(kind, self._shapes[call["TableName"]], call)
        try:
            with self._engine.writing() as connection:
                _carry_out([write], connection)
        except ConditionRefused as refused:
            raise _condition_failed(write, refused) from None
        return {
            **_returned_attributes(write, call.get("ReturnValues", "NONE")),
            **write_capacity(call, [write], 1),
        }

    @operation("TransactWriteItems", "TransactItems", "ClientRequestToken", _SAID[-1])
    def transact_write_items(self, call: Call) -> Answer:
        """Make all writes or none; a repeated token changes nothing."""
        writes = [
            a_write(kind, self._shapes[said["TableName"]], said)
            for one in call["TransactItems"]
            for kind, said in one.items()
        ]
        token = call.get("ClientRequestToken")
        _check_transaction(writes, token)
        digest = b"" if token is None else _digest(call["TransactItems"], writes)
        with self._engine.writing() as connection:
            if token is not None and self._tokens.has(token, digest):
                return {}
            _carry_out_together(writes, connection)
        if token is not None:
            self._tokens.note(token, digest)
        return write_capacity(call, writes, 2, several=True)

    @operation("BatchWriteItem", "RequestItems", _SAID[-1])
    def batch_write_item(self, call: Call) -> Answer:
        """Write and remove rows, each independently."""
        writes = [
            a_write(kind.removesuffix("Request"), self._shapes[table], said)
            for table, requests in call["RequestItems"].items()
            for request in requests
            for kind, said in request.items()
        ]
        if len(writes) > _MOST_BATCH:
            raise invalid("Too many items requested for the BatchWriteItem call")
        with self._engine.writing() as connection:
            _carry_out(writes, connection)
        return {"UnprocessedItems": {}, **write_capacity(call, writes, 1, several=True)}

    # Reads.

    @operation("GetItem", "TableName", "Key", "ConsistentRead", _SAID[-1])
    def get_item(self, call: Call) -> Answer:
        """Return a row as it is now."""
        shape = self._shapes[call["TableName"]]
        found = self._read([(shape, call["Key"])])[0]
        if found is None:
            return read_capacity(call, shape.name, 0)
        return {"Item": found[0], **read_capacity(call, shape.name, found[1])}

    @operation("BatchGetItem", "RequestItems", _SAID[-1])
    def batch_get_item(self, call: Call) -> Answer:
        """Return rows of several tables; those beyond 16 MB are left for another call."""
        asked = [
            (self._shapes[table], key)
            for table, request in call["RequestItems"].items()
            for key in request["Keys"]
        ]
        named = {(shape.name, shape.only_key(key)) for shape, key in asked}
        if len(asked) > _MOST_KEYS or len(named) < len(asked):
            raise invalid("Too many items requested for the BatchGetItem call, or one twice")
        answer: dict[str, list[Row]] = {name: [] for name in call["RequestItems"]}
        left: dict[str, Any] = {}
        size, units = 0, 0.0
        for (shape, key), found in zip(asked, self._read(asked), strict=True):
            size += found[1] if found else 0
            request = call["RequestItems"][shape.name]
            if size > _MOST_BATCH_BYTES:
                left.setdefault(shape.name, {**request, "Keys": []})["Keys"].append(key)
            elif found is not None:
                answer[shape.name].append(found[0])
                units += units_read(request, found[1])
        spent = [{"TableName": name, "CapacityUnits": units} for name in answer][:1]
        told = {"ConsumedCapacity": spent} if "ReturnConsumedCapacity" in call else {}
        return {"Responses": answer, "UnprocessedKeys": left, **told}

    def _read(self, asked: Iterable[tuple[Shape, Row]]) -> list[tuple[Row, int] | None]:
        """Return rows with their sizes."""
        places = [(shape.id, *shape.only_key(key)) for shape, key in asked]
        with self._engine.reading() as connection:
            found = read_rows(connection, places)
        return [found.get(place) for place in places]

    @operation(
        *("Query", "KeyConditionExpression", "ConsistentRead", "ScanIndexForward"),
        *("ExclusiveStartKey", *_READS, *_SAID),
    )
    def query(self, call: Call) -> Answer:
        """Return a page of one partition, in order."""
        return self._ask(call, a_query(self._shapes[call["TableName"]], call))

    @operation(
        *("Scan", "ConsistentRead", "ExclusiveStartKey", "Segment", "TotalSegments"),
        *(*_READS, *_SAID),
    )
    def scan(self, call: Call) -> Answer:
        """Return a page of all rows, for tools that inspect a table."""
        return self._ask(call, a_scan(self._shapes[call["TableName"]], call))

    def _ask(self, call: Call, question: Question) -> Answer:
        with self._engine.reading() as connection:
            page: Page = question.ask(connection)
        following = {} if page.following is None else {"LastEvaluatedKey": page.following}
        counts = {"Count": len(page.rows), "ScannedCount": page.scanned}
        capacity = read_capacity(call, question.shape.name, page.size)
        return {"Items": page.rows, **counts, **following, **capacity}

    # Tables.

    @operation(
        *("CreateTable", "TableName", "BillingMode", "AttributeDefinitions", "KeySchema"),
        *("GlobalSecondaryIndexes", "TimeToLiveSpecification"),
    )
    def create_table(self, call: Call) -> Answer:
        """Make a table. Raises ResourceInUseException."""
        if not self._engine.make("table", call["TableName"], call):
            raise refusal("ResourceInUseException", f"Table already exists: {call['TableName']}")
        return self._describe(call["TableName"])

    @operation("DescribeTable", "TableName")
    def describe_table(self, call: Call) -> Answer:
        """Return a table's definition."""
        return self._describe(call["TableName"])

    def _describe(self, name: str) -> Answer:
        made = dict(self._shapes[name].described)
        made["GlobalSecondaryIndexes"] = [
            {**index, "IndexStatus": "ACTIVE"} for index in made.get("GlobalSecondaryIndexes", [])
        ]
        return {"Table": {**made, "TableStatus": "ACTIVE"}}

    @operation("DescribeTimeToLive", "TableName")
    def describe_time_to_live(self, call: Call) -> Answer:
        """Return the attribute by which rows of a table expire."""
        attribute = self._shapes[call["TableName"]].expiry
        on = {"TimeToLiveStatus": "ENABLED", "AttributeName": attribute}
        return {"TimeToLiveDescription": on if attribute else {"TimeToLiveStatus": "DISABLED"}}


def _condition_failed(write: Write, refused: ConditionRefused) -> ClientError:
    item = {"Item": refused.row} if write.tells_refusing and refused.row is not None else {}
    return refusal("ConditionalCheckFailedException", _FAILED, **item)


def _returned_attributes(write: Write, wanted: str) -> Answer:
    match wanted:
        case "ALL_OLD":
            return {} if write.before is None else {"Attributes": write.before}
        case "ALL_NEW":
            return {"Attributes": write.after}
        case "NONE":
            return {}
    raise invalid(f"ReturnValues {wanted} is not known here.")


def _check_transaction(writes: list[Write], token: str | None) -> None:
    if len(writes) > _MOST_WRITES:
        raise invalid("Member must have length less than or equal to 100")
    if len({(write.shape.name, write.key) for write in writes}) < len(writes):
        raise invalid("Transaction request cannot include multiple operations on one item")
    if sum(write.size for write in writes) > _MOST_TRANSACTION_BYTES:
        raise invalid("Member must have a total size of 4 MB at most")
    if token is not None and len(token) > _MOST_TOKEN:
        raise invalid("Member must have length less than or equal to 36")


def _digest(items: Sequence[Mapping[str, Any]], writes: Sequence[Write]) -> bytes:
    """Return a transaction's digest; rows that are put are serialized already."""
    told = [
        {kind: {name: value for name, value in said.items() if name != "Item"}}
        for one in items
        for kind, said in one.items()
    ]
    texts = (to_text(told), *(write.body for write in writes))
    return blake2b("\n".join(texts).encode(), digest_size=16).digest()


def _carry_out(writes: list[Write], connection: sqlite3.Connection) -> None:
    """Make writes; the first refused one ends all."""
    changes = Changes()
    for write, before in read_before(connection, writes):
        write.decide(before)
        changes.add(write)
    changes.carry_out(connection)


def _carry_out_together(writes: list[Write], connection: sqlite3.Connection) -> None:
    """Make all writes or none, with a reason for each. Raises TransactionCanceledException."""
    changes, reasons = Changes(), list[Answer]()
    for write, before in read_before(connection, writes):
        try:
            write.decide(before)
            changes.add(write)
        except ConditionRefused as refused:
            reasons.append(_reason("ConditionalCheckFailed", _condition_failed(write, refused)))
        except ClientError as error:
            reasons.append(_reason("ValidationError", error))
        else:
            reasons.append({"Code": "None"})
    _cancel(reasons)
    changes.carry_out(connection)


def _reason(code: str, error: ClientError) -> Answer:
    more = {"Item": error.response["Item"]} if "Item" in error.response else {}  # type: ignore[typeddict-item]
    return {"Code": code, "Message": error.response["Error"]["Message"], **more}


def _cancel(reasons: list[Answer]) -> None:
    codes = [reason["Code"] for reason in reasons]
    if set(codes) != {"None"}:
        raise refusal(
            "TransactionCanceledException",
            f"Transaction cancelled, reasons [{', '.join(codes)}]",
            CancellationReasons=reasons,
        )
