"""One table: consistent reads, writes under conditions, queries and batches.

Repositories make a Table from a client and a table's name. Conditions and changes are Expressions;
`transaction` writes several rows together or not at all.
"""

import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal

from botocore.exceptions import ClientError

from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.dynamodb.failures import backoff_s, is_carried_out, is_refused
from chalicelib.kit.dynamodb.items import Item, attributes, plain

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

MOST_KEYS = 100
"""The limit of BatchGetItem, which may leave some keys unread (DynamoDB API reference)."""

_TRIES = 10
_MOST_READS = 4
_NAME = re.compile(r"#(\w+)")
_KEY = frozenset({"pk", "sk"})

Name = tuple[str, str]
"""A row's keys (pk, sk) as one value."""
TableKey = tuple[str, dict[str, str]]
"""A table's name and the key of one row in it."""


class ContentionError(Exception):
    """Others changed the same rows at every try, or the tables left reads undone."""


@dataclass(frozen=True, slots=True)
class Expression:
    """A DynamoDB expression: `#name` stands for an attribute, `:name` for one of the values."""

    text: str
    values: Mapping[str, Any] = field(default_factory=dict)

    def parameters(self, kind: str) -> dict[str, Any]:
        """Return the API parameters for this expression as `kind`, e.g. ConditionExpression."""
        return parameters({kind: self})


def parameters(expressions: Mapping[str, Expression | None]) -> dict[str, Any]:
    """Return the API parameters for several expressions of one call; None is left out."""
    given = {kind: expression for kind, expression in expressions.items() if expression is not None}
    names: dict[str, str] = {}
    values = {f":{n}": v for e in given.values() for n, v in e.values.items()}
    call: dict[str, Any] = {}
    for kind, expression in given.items():
        call[kind] = expression.text
        names |= _names_in(expression.text)
    if names:
        call["ExpressionAttributeNames"] = names
    if values:
        call["ExpressionAttributeValues"] = attributes(values)
    return call


@lru_cache(1_024)
def _names_in(text: str) -> Mapping[str, str]:
    """Return the attribute names in an expression, cached: there are few different texts."""
    return {f"#{name}": name for name in sorted(set(_NAME.findall(text)))}


ABSENT = Expression("attribute_not_exists(#pk)")
PRESENT = Expression("attribute_exists(#pk)")


def unless_changed(version: int) -> Expression:
    """Return the condition that a row still has the version that was read."""
    return Expression("#version = :version", {"version": version})


def setting(changed: Mapping[str, Any]) -> Expression:
    """Return the update that sets these attributes and removes those that are None."""
    kept = {name: value for name, value in changed.items() if value is not None}
    gone = [f"#{name}" for name, value in changed.items() if value is None]
    parts = [("SET", [f"#{name} = :{name}" for name in kept]), ("REMOVE", gone)]
    return Expression(" ".join(f"{verb} {', '.join(said)}" for verb, said in parts if said), kept)


def rewriting(row: Mapping[str, Any]) -> Expression:
    """Return the update that sets all attributes of a row, except keys, and removes those of None.

    Attributes that the row does not name stay: a later release may have written them. Its values
    are named `:new_…`, so that a condition can compare an attribute with its old value.
    """
    changed = {name: value for name, value in row.items() if name not in _KEY}
    kept = {name: value for name, value in changed.items() if value is not None}
    gone = [f"#{name}" for name, value in changed.items() if value is None]
    parts = [("SET", [f"#{name} = :new_{name}" for name in kept]), ("REMOVE", gone)]
    text = " ".join(f"{verb} {', '.join(said)}" for verb, said in parts if said)
    return Expression(text, {f"new_{name}": value for name, value in kept.items()})


def partition(pk: str, prefix: str = "") -> Expression:
    """Return the query for the rows of a partition whose sort keys begin with a prefix."""
    if not prefix:
        return Expression("#pk = :pk", {"pk": pk})
    return Expression("#pk = :pk AND begins_with(#sk, :prefix)", {"pk": pk, "prefix": prefix})


def between(pk: str, first: str, last: str) -> Expression:
    """Return the query for the rows of a partition between two sort keys, both included."""
    keys = {"pk": pk, "first": first, "last": last}
    return Expression("#pk = :pk AND #sk BETWEEN :first AND :last", keys)


def name_of(key: Mapping[str, str]) -> Name:
    """Return a key, or a row's key, as one value."""
    return key["pk"], key["sk"]


@dataclass(frozen=True, slots=True)
class Scanned:
    """A page of all rows of a table, and its last key if there are more."""

    rows: Sequence[Item]
    last: dict[str, str] | None


def key_of(row: Mapping[str, Any]) -> dict[str, str]:
    """Return the key of a row."""
    return {"pk": row["pk"], "sk": row["sk"]}


class Table:
    """The rows of one table."""

    def __init__(self, client: "DynamoDBClient", name: str) -> None:
        self._client = client
        self._name = name

    def get(self, key: Mapping[str, str]) -> Item | None:
        """Return a row as it is now (consistent read), None if there is none."""
        found = self._client.get_item(
            TableName=self._name, Key=attributes(key), ConsistentRead=True
        ).get("Item")
        return None if found is None else plain(found)

    def put(self, row: Mapping[str, Any], when: Expression | None = None) -> bool:
        """Write a whole row, replacing an existing one; tell whether the condition held."""
        condition = parameters({"ConditionExpression": when})
        return is_carried_out(
            lambda: self._client.put_item(TableName=self._name, Item=attributes(row), **condition)
        )

    def rewrite(self, row: Mapping[str, Any], when: Expression | None = None) -> bool:
        """Write a row as `rewriting` does; tell whether the condition held."""
        return self.update(key_of(row), rewriting(row), when)

    def update(
        self, key: Mapping[str, str], change: Expression, when: Expression | None = None
    ) -> bool:
        """Change attributes of one row; tell whether the condition held."""
        return is_carried_out(lambda: self._client.update_item(**self._update(key, change, when)))

    def update_returning(
        self,
        returned: Literal["ALL_OLD", "ALL_NEW"],
        key: Mapping[str, str],
        change: Expression,
        when: Expression | None = None,
    ) -> Item | None:
        """Change attributes and return the row before or after; None if the condition failed."""
        call = self._update(key, change, when)
        try:
            answer = self._client.update_item(ReturnValues=returned, **call)
        except ClientError as error:
            if not is_refused(error):
                raise
            return None
        return plain(answer["Attributes"])

    def _update(
        self, key: Mapping[str, str], change: Expression, when: Expression | None
    ) -> dict[str, Any]:
        expressions = parameters({"UpdateExpression": change, "ConditionExpression": when})
        return {"TableName": self._name, "Key": attributes(key), **expressions}

    def delete(self, key: Mapping[str, str], when: Expression | None = None) -> bool:
        """Delete a row if there is one; tell whether the condition held."""
        condition = parameters({"ConditionExpression": when})
        return is_carried_out(
            lambda: self._client.delete_item(TableName=self._name, Key=attributes(key), **condition)
        )

    def take(self, key: Mapping[str, str]) -> Item | None:
        """Delete a row and return it, None if there is none; of several callers, one gets it."""
        gone = self._client.delete_item(
            TableName=self._name, Key=attributes(key), ReturnValues="ALL_OLD"
        ).get("Attributes")
        return plain(gone) if gone else None

    def rows(self, keys: Expression, *, is_consistent: bool = True) -> Iterator[Item]:
        """Yield the rows of a query in the order of their sort keys, page by page."""
        return self._pages(keys, {"ConsistentRead": is_consistent})

    def read_fitting(
        self, keys: Expression, fits: Callable[[list[Item]], bool], *, is_consistent: bool = True
    ) -> list[Item]:
        """Return the rows of a query, read again while those that were found do not fit together.

        A query can show a part of a transaction that is being carried out (DynamoDB Developer
        Guide, "Transaction isolation levels"). Rows that never fit are returned in the end.
        """
        for _ in range(_MOST_READS):
            rows = list(self.rows(keys, is_consistent=is_consistent))
            if not rows or fits(rows):
                break
        return rows

    def newest(self, pk: str, before: str, most: int) -> list[Item]:
        """Return at most `most` rows of a partition before a sort key, in descending order."""
        keys = Expression("#pk = :pk AND #sk < :before", {"pk": pk, "before": before})
        call = {"ScanIndexForward": False, "PaginationConfig": {"PageSize": most}}
        return list(islice(self._pages(keys, call), most))

    def read_index(
        self,
        index: str,
        keys: Expression,
        *,
        is_newest_first: bool = False,
        page_size: int | None = None,
    ) -> Iterator[Item]:
        """Yield the rows of a query on an index, which follows its table within moments."""
        call = {"IndexName": index, "ScanIndexForward": not is_newest_first}
        paging = {} if page_size is None else {"PageSize": page_size}
        return self._pages(keys, {**call, "PaginationConfig": paging})

    def scan(self, after: Mapping[str, str] | None = None) -> Scanned:
        """Return one page of all rows, from the key `after`; only for maintenance."""
        start: Any = {} if after is None else {"ExclusiveStartKey": attributes(after)}
        found: Any = self._client.scan(TableName=self._name, ConsistentRead=True, **start)
        last = found.get("LastEvaluatedKey")
        rows = [plain(row) for row in found["Items"]]
        return Scanned(rows, None if last is None else plain(last))

    def _pages(self, keys: Expression, call: Mapping[str, Any]) -> Iterator[Item]:
        pages = self._client.get_paginator("query").paginate(
            TableName=self._name, **call, **parameters({"KeyConditionExpression": keys})
        )
        return (plain(found) for page in pages for found in page["Items"])


class BatchRead:
    """BatchGetItem over several tables, for any number of keys.

    Reads are consistent unless `is_consistent` is False, which costs half as much and may return a
    row as it was a moment ago.
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

    def read(self, keys: Sequence[TableKey]) -> dict[Name, Item]:
        """Return the rows that exist, by (pk, sk). Raises ContentionError if they stay unread."""
        found: dict[Name, Item] = {}
        for start in range(0, len(keys), MOST_KEYS):
            for item in self._read_some(keys[start : start + MOST_KEYS]):
                found[name_of(item)] = item
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
