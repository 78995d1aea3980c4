"""Places in line, a minute apart, for what one account missed during an outage.

The worker takes a place for each target that it finds late; a follower of one account never
sees a burst (docs/api.md "Posts", late policy).
"""

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from chalicelib.storage.dynamodb.failures import is_carried_out
from chalicelib.storage.dynamodb.items import attributes, instant, plain, stamp
from chalicelib.storage.dynamodb.table import ContentionError, Expression, parameters
from chalicelib.storage.dynamodb.tables import Tables, catch_up_key

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

APART = timedelta(minutes=1)
_KEPT = timedelta(days=2)
_TRIES = 50


class CatchUpRepository:
    """The next free moment of each account that catches up."""

    def __init__(self, client: "DynamoDBClient", tables: Tables) -> None:
        self._client = client
        self._tables = tables

    def take_place(self, account_id: str, *, now: datetime) -> datetime:
        """Return the account's next free moment, not before now; nobody else gets it."""
        for _ in range(_TRIES):
            free_at = self._free_at(account_id)
            place = now if free_at is None else max(now, free_at)
            if self._move(account_id, free_at, place + APART):
                return place
        raise ContentionError

    def _free_at(self, account_id: str) -> datetime | None:
        found = self._client.get_item(
            TableName=self._tables.directory,
            Key=attributes(catch_up_key(account_id)),
            ConsistentRead=True,
        ).get("Item")
        return None if found is None else instant(plain(found)["free_at"])

    def _move(self, account_id: str, seen: datetime | None, free_at: datetime) -> bool:
        unmoved = (
            Expression("attribute_not_exists(#pk)")
            if seen is None
            else Expression("#free_at = :seen", {"seen": stamp(seen)})
        )
        change = Expression(
            "SET #free_at = :free_at, #expires_at = :expires_at",
            {"free_at": stamp(free_at), "expires_at": int((free_at + _KEPT).timestamp())},
        )
        return is_carried_out(
            lambda: self._client.update_item(
                TableName=self._tables.directory,
                Key=attributes(catch_up_key(account_id)),
                **parameters({"UpdateExpression": change, "ConditionExpression": unmoved}),
            )
        )
