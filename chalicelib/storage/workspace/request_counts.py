"""How many requests of a workspace all processes of a stage have counted in a window.

One row for each window, which expires by itself; only what is counted together is written.
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
        """Add to what was counted in a window; return how many that makes."""
        change = Expression(
            "SET #expires_at = :expires_at ADD #requests :more",
            {"expires_at": epoch(window + _KEPT), "more": more},
        )
        row = self._table.update_returning("ALL_NEW", share_key(workspace_id, window), change)
        return more if row is None else int(row["requests"])


def share_key(workspace_id: str, window: datetime) -> Key:
    """Key of what was counted of a workspace in a window."""
    return {"pk": f"SHARE#{workspace_id}", "sk": stamp(window)}
