"""Many rows of any tables by their keys, as they are now, in as few calls as there can be.

Lists and drafts use it: one call reads up to 100 rows; what DynamoDB leaves over is asked again.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from chalicelib.storage.dynamodb.failures import backoff_s
from chalicelib.storage.dynamodb.items import Item, attributes, plain

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

MOST_KEYS = 100

TableKey = tuple[str, dict[str, str]]
"""A table's name and the key of one row in it."""


class BatchRead:
    """BatchGetItem over several tables, consistent and complete."""

    def __init__(
        self, client: "DynamoDBClient", *, wait: Callable[[float], None] = time.sleep
    ) -> None:
        self._client = client
        self._wait = wait

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
            request = asked.setdefault(table, {"Keys": [], "ConsistentRead": True})
            request["Keys"].append(attributes(key))
        tried = 0
        while asked:
            answer = self._client.batch_get_item(RequestItems=asked)
            for rows in answer["Responses"].values():
                for row in rows:
                    yield plain(row)
            asked = dict(answer.get("UnprocessedKeys", {}))
            if asked:
                self._wait(backoff_s(tried))
                tried += 1
