"""Writes of several rows under conditions, together or not at all.

Repositories add writes, each with the error to raise if its condition does not hold, and commit
once. Clashes with other transactions are retried after random waits.
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
"""The limit of TransactWriteItems (DynamoDB API reference)."""

_TRIES = 10
_Answer = TypeVar("_Answer")
_CLASHES = frozenset({"TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"})


Part = Callable[["Transaction"], None]
"""What another repository writes, or demands, in the same transaction."""


class StaleWriteError(Exception):
    """Somebody else changed the row since it was read: read again and decide again."""


def as_if_alone(change: Callable[[], _Answer], *, tries: int) -> _Answer:
    """Call `change`, which reads, decides and writes, again while others write first.

    Returns what it returns. Raises ContentionError when others were first at every try, and
    whatever else `change` raises.
    """
    for tried in range(tries):
        try:
            return change()
        except (StaleWriteError, ContentionError):
            time.sleep(backoff_s(tried))
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
        """Set all attributes of a row, except those that only a later release knows."""
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
        """Delete one row."""
        self._add("Delete", {"TableName": table, "Key": attributes(key)}, when, refused)

    def check(
        self, table: str, key: Mapping[str, str], when: Expression, refused: Exception
    ) -> None:
        """Require a condition of a row that is not written."""
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
        """Carry out all writes, or raise the error of the first whose condition does not hold.

        Every try has the same token, so that a try which was carried out without an answer, or is
        still running, does not conflict with the next. Raises ContentionError when others changed
        the same rows at every try: DynamoDB cancels a transaction that conflicts with another
        ("Amazon DynamoDB Transactions: How it works").
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
        """Raise the error that a cancellation means; return if the commit should be retried."""
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
