"""The operator's switch that stops everything from being sent, and starts it again.

Workers read the row with each batch of messages, so a pause holds for all that is not armed yet.
After a restore from a backup, `confirm_since` makes workers look on the platform, from then on,
before they send any target of the backup.
"""

from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from chalicelib.domain.dataclass import dataclass
from chalicelib.storage.dynamodb.failures import Retrying
from chalicelib.storage.dynamodb.items import attributes, maybe_instant, maybe_stamp, plain
from chalicelib.storage.dynamodb.tables import SWITCH_KEY, Tables

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


@dataclass(frozen=True, slots=True, kw_only=True)
class SwitchState:
    """Whether the engine is paused, and since when posts of a restored backup are looked for.

    `confirm_until` is when the engine went on: what was made later is of no backup.
    """

    paused: bool = False
    confirm_since: datetime | None = None
    confirm_until: datetime | None = None


class EngineSwitch:
    """The one row of the switch; without a row the engine runs."""

    def __init__(self, client: "DynamoDBClient", tables: Tables) -> None:
        self._client = client
        self._table = tables.directory
        self._retrying = Retrying()

    def read(self) -> SwitchState:
        """Return the switch as it is now."""
        found = self._retrying(
            lambda: self._client.get_item(
                TableName=self._table, Key=attributes(SWITCH_KEY), ConsistentRead=True
            )
        )
        if "Item" not in found:
            return SwitchState()
        row = plain(found["Item"])
        return SwitchState(
            paused=row["paused"],
            confirm_since=maybe_instant(row.get("confirm_since")),
            confirm_until=maybe_instant(row.get("confirm_until")),
        )

    def pause(self) -> SwitchState:
        """Let nothing more be sent; what is being sent right now finishes."""
        return self._write(replace(self.read(), paused=True))

    def resume(self) -> SwitchState:
        """Let the engine go on."""
        return self._write(replace(self.read(), paused=False))

    def resume_confirming(self, since: datetime, *, now: datetime) -> SwitchState:
        """Let the engine go on; any target there is now may have been sent since the backup."""
        return self._write(SwitchState(confirm_since=since, confirm_until=now))

    def _write(self, state: SwitchState) -> SwitchState:
        row = {
            **SWITCH_KEY,
            "paused": state.paused,
            "confirm_since": maybe_stamp(state.confirm_since),
            "confirm_until": maybe_stamp(state.confirm_until),
        }
        self._client.put_item(TableName=self._table, Item=attributes(row))
        return state
