"""When the last tick ended that sent everything: the next one sends only what is new since.

A tick may run in another process than the one before. The mark saves messages and nothing more:
where it is missing or old, or cannot be read, everything near is sent.
"""

import logging
from datetime import datetime
from typing import TYPE_CHECKING

from chalicelib.storage.dynamodb.failures import AwsFailure
from chalicelib.storage.dynamodb.items import attributes, instant, plain, stamp
from chalicelib.storage.dynamodb.tables import TICK_KEY, Tables

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

_LOG = logging.getLogger(__name__)


class TickMark:
    """The one row of the mark, in the directory."""

    def __init__(self, client: "DynamoDBClient", tables: Tables) -> None:
        self._client = client
        self._table = tables.directory

    def read(self) -> datetime | None:
        """Return when the last whole tick began, None if nobody knows."""
        try:
            found = self._client.get_item(
                TableName=self._table, Key=attributes(TICK_KEY), ConsistentRead=True
            )
        except AwsFailure:
            _LOG.exception("The last tick is not known.", extra={"action": "tick.mark"})
            return None
        return instant(plain(found["Item"])["at"]) if "Item" in found else None

    def write(self, at: datetime) -> None:
        """Note a tick that sent everything; without the note the next sends it again."""
        row = attributes({**TICK_KEY, "at": stamp(at)})
        try:
            self._client.put_item(TableName=self._table, Item=row)
        except AwsFailure:
            _LOG.exception("A tick could not be noted.", extra={"action": "tick.mark"})
