"""What a request for a file, an upload or a queue time made, by Idempotency-Key, for a day.

Posts keep their keys as long as they exist (`posts/posts.py`).
"""

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.dynamodb.items import Item
from chalicelib.kit.dynamodb.table import Expression, Table
from chalicelib.kit.dynamodb.transaction import Transaction
from chalicelib.storage.tables import Tables, repeat_key

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

KEPT: Final = timedelta(hours=24)


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """What the first call made; `made_of` is its body's fingerprint."""

    id: str
    made_of: str


class KeyTakenError(Exception):
    """Another call with the same Idempotency-Key made its thing first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """Notes a key: its row is written if the key is free or made the same thing."""

    row: Item
    when: Expression

    def write(self, transaction: Transaction, table: str) -> None:
        """Note the key together with the thing; the commit may raise KeyTakenError."""
        transaction.put(table, self.row, self.when, refused=KeyTakenError())


class RepeatRepository:
    """The rows of all workspaces; every method names the workspace."""

    def __init__(self, client: "DynamoDBClient", tables: Tables) -> None:
        self._table = Table(client, tables.directory)

    def find(self, workspace_id: str, verb: str, key: str, now: datetime) -> Made | None:
        """Return what a request with the key made within the last day."""
        row = self._table.get(repeat_key(workspace_id, verb, key))
        if row is None or int(row["expires_at"]) <= now.timestamp():
            return None
        return Made(id=row["made_id"], made_of=row["made_of"])

    def forget(self, workspace_id: str, verb: str, key: str, made_id: str) -> None:
        """Free a key after what it made was deleted, unless it has made something else since."""
        same = Expression("#made_id = :gone", {"gone": made_id})
        self._table.delete(repeat_key(workspace_id, verb, key), same)


def mark_of(workspace_id: str, verb: str, key: str, made: Made, now: datetime) -> Mark:
    """Return the mark that a key made something now."""
    row = {
        **repeat_key(workspace_id, verb, key),
        "made_id": made.id,
        "made_of": made.made_of,
        "expires_at": int((now + KEPT).timestamp()),
    }
    free = Expression(
        "attribute_not_exists(#pk) OR #expires_at <= :now OR #made_id = :made",
        {"now": int(now.timestamp()), "made": made.id},
    )
    return Mark(row=row, when=free)
