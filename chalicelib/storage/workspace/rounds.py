"""How far the rounds over all workspaces have come: a row for each kind of round."""

from chalicelib.domain.workspace.rounds import Stand
from chalicelib.kit.dynamodb.records import Record
from chalicelib.kit.dynamodb.table import Table
from chalicelib.storage.tables import Key

_STAND = Record(Stand)


def read_stand(table: Table, key: Key) -> Stand | None:
    """Return how far the rounds have come, None before the first."""
    row = table.get(key)
    return None if row is None else _STAND.value(row)


def keep_stand(table: Table, key: Key, stand: Stand) -> None:
    """Keep how far the rounds have come."""
    table.put({**key, **_STAND.item(stand)})
