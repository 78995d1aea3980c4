"""Series of a workspace: a row each; a change is conditional on the row that was read."""

from collections.abc import Callable, Sequence

from chalicelib.domain.ids import is_id
from chalicelib.domain.times.series import Series
from chalicelib.domain.workspace.rounds import Stand
from chalicelib.kit.dynamodb.items import Item
from chalicelib.kit.dynamodb.records import Record
from chalicelib.kit.dynamodb.table import ABSENT, partition, unless_changed
from chalicelib.kit.dynamodb.transaction import StaleWriteError, Transaction
from chalicelib.storage.repeats import Mark
from chalicelib.storage.tables import SERIES_READ_KEY, series_key, workspace_pk
from chalicelib.storage.workspace.changes import WorkspaceTable
from chalicelib.storage.workspace.rounds import keep_stand, read_stand

_SERIES = Record(Series, apart=("id", "workspace_id"))


class SeriesRepository:
    """Series of all workspaces; every method names the workspace."""

    def __init__(self, directory: WorkspaceTable) -> None:
        self._directory = directory
        self._table = directory.table

    def list(self, workspace_id: str) -> list[Series]:
        """Return a workspace's series, oldest first, ended ones too."""
        rows = self._table.rows(partition(workspace_pk(workspace_id), "SERIES#"))
        return [series_from(row) for row in rows]

    def find(self, workspace_id: str, series_id: str) -> Series | None:
        """Return a series as it is now, None if there is none."""
        row = self._table.get(series_key(workspace_id, series_id)) if is_id(series_id) else None
        return None if row is None else series_from(row)

    def add(
        self,
        series: Series,
        mark: Mark | None,
        require_room: Callable[[Sequence[Series]], None],
    ) -> None:
        """Keep a new series together with its Idempotency-Key.

        Raises KeyTakenError, and what `require_room` raises of those that are there.
        """

        def decide(transaction: Transaction) -> None:
            require_room(self.list(series.workspace_id))
            transaction.put(self._directory.tables.directory, series_item(series), ABSENT)
            if mark is not None:
                mark.write(transaction, self._directory.tables.directory)

        self._directory.add(series.workspace_id, decide)

    def change(self, before: Series, after: Series) -> None:
        """Keep a changed series. Raises StaleWriteError if it changed meanwhile."""
        if not self._table.rewrite(series_item(after), unless_changed(before.version)):
            raise StaleWriteError

    def remove(self, series: Series) -> None:
        """Forget a series."""
        self._table.delete(series_key(series.workspace_id, series.id))

    def stand(self) -> Stand | None:
        """Return how far the rounds have come, None before the first."""
        return read_stand(self._table, SERIES_READ_KEY)

    def note(self, stand: Stand) -> None:
        """Keep how far the rounds have come."""
        keep_stand(self._table, SERIES_READ_KEY, stand)


def series_item(series: Series) -> Item:
    """Return a series' row."""
    return {**series_key(series.workspace_id, series.id), **_SERIES.item(series)}


def series_from(row: Item) -> Series:
    """Read a series' row."""
    return _SERIES.value(
        row,
        id=str(row["sk"]).partition("#")[2],
        workspace_id=str(row["pk"]).partition("#")[2],
    )
