"""Writes of several rows under conditions, together or not at all.

Repositories collect writes, each with the error that its refusal means, and commit once. Clashes
with other transactions are tried again with jitter; a refusal is raised as its own error.
"""

import time
import uuid
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from botocore.exceptions import ClientError

from chalicelib.kit.dynamodb.failures import backoff_s
from chalicelib.kit.dynamodb.items import attributes
from chalicelib.kit.dynamodb.table import (
    ContentionError,
    Expression,
    key_of,
    parameters,
    rewriting,
)

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

MOST_WRITES = 100
"""TransactWriteItems takes no more (DynamoDB API reference): larger changes are refused or cut."""

_TRIES = 10
_Answer = TypeVar("_Answer")
_CLASHES = frozenset({"TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"})


Part = Callable[["Transaction"], None]
"""What another repository writes, or demands, in the same transaction."""


class StaleWriteError(Exception):
    """Somebody else changed the row since it was read: read again and decide again."""


def as_if_alone(
    change: Callable[[], _Answer], *, tries: int, wait: Callable[[float], None]
) -> _Answer:
    """Return what `change` returns, which reads, decides and writes; anew while others are first.

    Raises ContentionError when they were first at every try, and what else the change raises.
    """
    for tried in range(tries):
        try:
            return change()
        except (StaleWriteError, ContentionError):
            wait(backoff_s(tried))
    raise ContentionError


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

    def rewrite(
        self,
        table: str,
        row: Mapping[str, Any],
        when: Expression | None = None,
        refused: Exception | None = None,
    ) -> None:
        """Write a row again, but for what it does not name: that is a later release's."""
        self.update(table, key_of(row), rewriting(row), when, refused)

    def update(
        self,
        table: str,
        key: Mapping[str, str],
        change: Expression,
        when: Expression | None = None,
        refused: Exception | None = None,
    ) -> None:
        """Change attributes of one row."""
        call = {"TableName": table, "Key": attributes(key)}
        self._add("Update", call, when, refused, change)

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
        self,
        kind: str,
        call: dict[str, Any],
        when: Expression | None,
        refused: Exception | None,
        change: Expression | None = None,
    ) -> None:
        expressions = parameters({"UpdateExpression": change, "ConditionExpression": when})
        self._writes.append({kind: {**call, **expressions}})
        self._refusals.append(refused or StaleWriteError())

    def commit(self) -> None:
        """Carry out every write, or raise the error of the first one that was refused.

        Every try bears one token: a call that was carried out although it was not answered, or
        that is still under way, is this one and no conflict with somebody else. Raises
        ContentionError when others kept changing the same rows through every try: DynamoDB queues
        nobody, it cancels ("Amazon DynamoDB Transactions: How it works").
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
