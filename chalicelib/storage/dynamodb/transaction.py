"""Several rows at once: read as they are now, or written under conditions together or not at all.

One call reads up to 100 rows of any tables; what DynamoDB leaves over is asked again. Repositories
collect writes, each with the error that its refusal means, and commit once. Clashes with other
transactions are tried again with jitter; a refusal is raised as its own error.
"""

import re
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from chalicelib.domain.dataclass import dataclass
from chalicelib.storage.dynamodb.failures import backoff_s
from chalicelib.storage.dynamodb.items import Item, attributes, plain

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


MOST_KEYS = 100

TableKey = tuple[str, dict[str, str]]
"""A table's name and the key of one row in it."""


class BatchRead:
    """BatchGetItem over several tables, complete, and consistent unless `is_consistent` is False.

    An inconsistent read costs half as much, and may return a row as it was a moment ago.
    Raises ContentionError when the tables leave everything undone again and again.
    """

    def __init__(
        self,
        client: "DynamoDBClient",
        *,
        wait: Callable[[float], None] = time.sleep,
        is_consistent: bool = True,
    ) -> None:
        self._client = client
        self._wait = wait
        self._is_consistent = is_consistent

    def read(self, keys: Sequence[TableKey]) -> dict[tuple[str, str], Item]:
        """Return the rows that exist, by (pk, sk)."""
        found: dict[tuple[str, str], Item] = {}
        for start in range(0, len(keys), MOST_KEYS):
            for item in self._read_some(keys[start : start + MOST_KEYS]):
                found[item["pk"], item["sk"]] = item
        return found

    def _read_some(self, keys: Sequence[TableKey]) -> Iterator[Item]:
        asked: dict[str, Any] = {}
        for table, key in keys:
            request = asked.setdefault(table, {"Keys": [], "ConsistentRead": self._is_consistent})
            request["Keys"].append(attributes(key))
        in_vain = 0
        while asked:
            answer = self._client.batch_get_item(RequestItems=asked)
            found = [row for rows in answer["Responses"].values() for row in rows]
            yield from map(plain, found)
            asked = dict(answer.get("UnprocessedKeys", {}))
            in_vain = 0 if found else in_vain + 1
            if in_vain > _TRIES:
                raise ContentionError
            if asked:
                self._wait(backoff_s(in_vain))


MOST_WRITES = 100
_TRIES = 10
_CLASHES = frozenset({"TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"})
_NAME = re.compile(r"#(\w+)")


class StaleWriteError(Exception):
    """Somebody else changed the row since it was read: read again and decide again."""


class ContentionError(Exception):
    """The same rows were changed by others too many times in a row."""


@dataclass(frozen=True, slots=True)
class Expression:
    """A DynamoDB expression: `#name` stands for an attribute, `:name` for one of the values."""

    text: str
    values: Mapping[str, Any] = field(default_factory=dict)

    def parameters(self, kind: str) -> dict[str, Any]:
        """Return the API parameters for this expression as `kind`, e.g. ConditionExpression."""
        return parameters({kind: self})


def parameters(expressions: Mapping[str, Expression]) -> dict[str, Any]:
    """Return the API parameters for several expressions of one call."""
    names = {n for e in expressions.values() for n in _NAME.findall(e.text)}
    values = {f":{n}": v for e in expressions.values() for n, v in e.values.items()}
    call: dict[str, Any] = {kind: expression.text for kind, expression in expressions.items()}
    if names:
        call["ExpressionAttributeNames"] = {f"#{name}": name for name in sorted(names)}
    if values:
        call["ExpressionAttributeValues"] = attributes(values)
    return call


def unless_changed(version: int) -> Expression:
    """Name the condition that a row still has the version that was read."""
    return Expression("#version = :version", {"version": version})


ABSENT = Expression("attribute_not_exists(#pk)")
PRESENT = Expression("attribute_exists(#pk)")


class Transaction:
    """Writes over any tables, committed in one TransactWriteItems call."""

    def __init__(
        self, client: "DynamoDBClient", *, wait: Callable[[float], None] = time.sleep
    ) -> None:
        self._client = client
        self._wait = wait
        self._writes: list[dict[str, Any]] = []
        self._refusals: list[Exception] = []

    def __len__(self) -> int:
        return len(self._writes)

    def put(
        self,
        table: str,
        item: Mapping[str, Any],
        when: Expression | None = None,
        refused: Exception | None = None,
    ) -> None:
        """Write a whole row."""
        self._add("Put", {"TableName": table, "Item": attributes(item)}, when, refused)

    def update(
        self,
        table: str,
        key: Mapping[str, str],
        change: Expression,
        when: Expression | None = None,
        refused: Exception | None = None,
    ) -> None:
        """Change attributes of one row."""
        expressions = {"UpdateExpression": change}
        if when is not None:
            expressions["ConditionExpression"] = when
        call = {"TableName": table, "Key": attributes(key), **parameters(expressions)}
        self._writes.append({"Update": call})
        self._refusals.append(refused or StaleWriteError())

    def delete(
        self,
        table: str,
        key: Mapping[str, str],
        when: Expression | None = None,
        refused: Exception | None = None,
    ) -> None:
        """Remove one row."""
        self._add("Delete", {"TableName": table, "Key": attributes(key)}, when, refused)

    def check(
        self, table: str, key: Mapping[str, str], when: Expression, refused: Exception
    ) -> None:
        """Demand something of a row that is not written."""
        self._add("ConditionCheck", {"TableName": table, "Key": attributes(key)}, when, refused)

    def _add(
        self, kind: str, call: dict[str, Any], when: Expression | None, refused: Exception | None
    ) -> None:
        condition = {} if when is None else when.parameters("ConditionExpression")
        self._writes.append({kind: {**call, **condition}})
        self._refusals.append(refused or StaleWriteError())

    def commit(self) -> None:
        """Carry out every write, or raise the error of the first one that was refused.

        Every try bears one token: a call that was carried out although it was not answered, or
        that is still under way, is this one and no conflict with somebody else. Raises
        ContentionError when others kept changing the same rows through every try.
        """
        token = uuid.uuid4().hex
        for attempt in range(_TRIES):
            try:
                self._client.transact_write_items(
                    TransactItems=self._writes,  # type: ignore[arg-type]  # built as plain dicts
                    ClientRequestToken=token,
                )
            except ClientError as error:
                self._raise_refusal(error)
            else:
                return
            self._wait(backoff_s(attempt))
        raise ContentionError

    def _raise_refusal(self, error: ClientError) -> None:
        """Raise what a cancellation means; return when trying again is the answer."""
        code = error.response["Error"]["Code"]
        if code == "TransactionInProgressException":
            return
        if code != "TransactionCanceledException":
            raise error
        reasons = [str(r.get("Code")) for r in error.response.get("CancellationReasons", [])]
        for refused, reason in zip(self._refusals, reasons, strict=True):
            if reason == "ConditionalCheckFailed":
                raise refused from error
        if not _CLASHES.intersection(reasons):
            raise error
