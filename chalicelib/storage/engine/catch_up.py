"""The times, a minute apart, at which an account's posts go out that are late after an outage.

The worker takes one for each late target, so that an account's followers never see a burst
(docs/api.md "States and transitions").
"""

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from chalicelib.kit.dynamodb.items import instant, stamp
from chalicelib.kit.dynamodb.table import ABSENT, ContentionError, Expression, Table, setting
from chalicelib.storage.tables import Tables, catch_up_key

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

APART = timedelta(minutes=1)
_KEPT = timedelta(days=2)
_TRIES = 50


class CatchUpRepository:
    """The next free moment of each account that catches up."""

    def __init__(self, client: "DynamoDBClient", tables: Tables) -> None:
        self._table = Table(client, tables.directory)

    def take_place(self, account_id: str, *, now: datetime) -> datetime:
        """Return the account's next free moment, not before now; nobody else gets it."""
        key = catch_up_key(account_id)
        for _ in range(_TRIES):
            row = self._table.get(key)
            place = now if row is None else max(now, instant(row["free_at"]))
            unmoved = ABSENT
            if row is not None:
                unmoved = Expression("#free_at = :seen", {"seen": row["free_at"]})
            after, until = place + APART, place + APART + _KEPT
            change = setting({"free_at": stamp(after), "expires_at": int(until.timestamp())})
            if self._table.update(key, change, unmoved):
                return place
        raise ContentionError
