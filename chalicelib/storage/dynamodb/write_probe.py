"""Whether the tables take writes, tried for `services/health`."""

from datetime import datetime
from typing import TYPE_CHECKING

from botocore.exceptions import BotoCoreError, ClientError

from chalicelib.storage.dynamodb.items import attributes, stamp
from chalicelib.storage.dynamodb.tables import PROBE_KEY, Tables

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


class WriteProbe:
    """Tries the table without which nothing can be done: a full disk still answers reads."""

    def __init__(self, client: "DynamoDBClient", tables: Tables) -> None:
        self._client = client
        self._table = tables.directory

    def writes(self, now: datetime) -> bool:
        """Tell whether a write is taken."""
        row = {**PROBE_KEY, "at": stamp(now)}
        try:
            self._client.put_item(TableName=self._table, Item=attributes(row))
        except (BotoCoreError, ClientError):
            return False
        return True
