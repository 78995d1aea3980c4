"""One row that is written only to see whether writing works: a full disk still answers reads.

`services/health` asks. `STORE_SILENT` is what any other call raises while nothing answers it.
"""

from datetime import datetime
from typing import TYPE_CHECKING

from botocore.exceptions import BotoCoreError, ClientError, HTTPClientError
from botocore.exceptions import ConnectionError as NotConnectedError

from chalicelib.storage.dynamodb.items import attributes, stamp
from chalicelib.storage.dynamodb.tables import PROBE_KEY, Tables

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


STORE_SILENT = (NotConnectedError, HTTPClientError)
"""A table, a bucket or a queue could not be reached, or broke off."""


class WriteProbe:
    """Tries the table without which nothing can be done."""

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
