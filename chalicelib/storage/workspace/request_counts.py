"""Counts a workspace's requests in a window over all processes of a stage.

One row for each window, which expires by itself; processes add their counts in batches.
"""

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from chalicelib.kit.dynamodb.items import epoch, stamp
from chalicelib.kit.dynamodb.table import Expression, Table
from chalicelib.storage.tables import Key, Tables

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

_KEPT = timedelta(hours=1)


class RequestCounts:
    """The rows of windows."""

    def __init__(self, client: "DynamoDBClient", tables: Tables) -> None:
        self._table = Table(client, tables.directory)

    def add(self, workspace_id: str, window: datetime, more: int) -> int:
        """Add to a window's count; return the new count."""
        change = Expression(
            "SET #expires_at = :expires_at ADD #requests :more",
            {"expires_at": epoch(window + _KEPT), "more": more},
        )
        row = self._table.update_returning("ALL_NEW", share_key(workspace_id, window), change)
        return more if row is None else int(row["requests"])


def share_key(workspace_id: str, window: datetime) -> Key:
    """Key of a workspace's count in a window."""
    return {"pk": f"SHARE#{workspace_id}", "sk": stamp(window)}
