"""Whether the tables take writes, tried for `services/health`."""

from datetime import datetime
from typing import TYPE_CHECKING

from botocore.exceptions import BotoCoreError, ClientError

from chalicelib.storage.dynamodb.items import stamp
from chalicelib.storage.dynamodb.table import Table
from chalicelib.storage.dynamodb.tables import PROBE_KEY, Tables

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


class WriteProbe:
    """Tries the table without which nothing can be done: a full disk still answers reads."""

    def __init__(self, client: "DynamoDBClient", tables: Tables) -> None:
        self._table = Table(client, tables.directory)

    def writes(self, now: datetime) -> bool:
        """Tell whether a write is taken."""
        try:
            return self._table.put({**PROBE_KEY, "at": stamp(now)})
        except (BotoCoreError, ClientError):
            return False
