"""Rows for choosing accounts: one for each group, and one that counts how often each was chosen.

Their keys are adjacent, so that the composer reads all by one query.
"""

from collections.abc import Callable, Sequence

from chalicelib.domain.ids import is_id
from chalicelib.domain.workspace.account_groups import AccountGroup, Chooser
from chalicelib.kit.dynamodb.items import Item
from chalicelib.kit.dynamodb.records import Record
from chalicelib.kit.dynamodb.table import PRESENT, partition
from chalicelib.kit.dynamodb.transaction import Transaction
from chalicelib.storage.tables import account_group_key, chosen_times_key, workspace_pk
from chalicelib.storage.workspace.changes import WorkspaceTable

_GROUP = Record(AccountGroup, apart=("id",))
_TIMES = Record(Chooser, apart=("groups",))


class ChooserRepository:
    """Groups of accounts of all workspaces; every method names the workspace."""

    def __init__(self, directory: WorkspaceTable) -> None:
        self._directory = directory
        self._table = directory.table

    def read(self, workspace_id: str) -> Chooser:
        """Return a workspace's groups by name, and how often its accounts were chosen."""
        rows = list(self._table.rows(partition(workspace_pk(workspace_id), "CHOOSER#")))
        times = next((row for row in rows if row["sk"] == _sk_of_times(workspace_id)), None)
        groups = sorted(
            (_group_from(row) for row in rows if row is not times),
            key=lambda group: group.name.casefold(),
        )
        known = Chooser(times={}) if times is None else _TIMES.value(times, groups=())
        return Chooser(groups=tuple(groups), times=known.times)

    def add(
        self, workspace_id: str, make: Callable[[Sequence[AccountGroup]], AccountGroup]
    ) -> AccountGroup:
        """Keep and return the group that `make` makes beside the others. Raises what it raises."""

        def decide(transaction: Transaction) -> AccountGroup:
            group = make(self.read(workspace_id).groups)
            row = _group_row(workspace_id, group)
            transaction.put(self._directory.tables.directory, row)
            return group

        return self._directory.add(workspace_id, decide)

    def replace(self, workspace_id: str, group: AccountGroup) -> bool:
        """Keep a group if there is one of its id; tell whether there was."""
        return is_id(group.id) and self._table.rewrite(_group_row(workspace_id, group), PRESENT)

    def remove(self, workspace_id: str, group_id: str) -> bool:
        """Remove a group; tell whether there was one."""
        if not is_id(group_id):
            return False
        return self._table.take(account_group_key(workspace_id, group_id)) is not None

    def keep_times(self, workspace_id: str, chooser: Chooser) -> None:
        """Keep how often accounts were chosen; of two writes at the same moment the last stays."""
        self._table.put({**chosen_times_key(workspace_id), **_TIMES.item(chooser)})


def _sk_of_times(workspace_id: str) -> str:
    return chosen_times_key(workspace_id)["sk"]


def _group_row(workspace_id: str, group: AccountGroup) -> Item:
    return {**account_group_key(workspace_id, group.id), **_GROUP.item(group)}


def _group_from(row: Item) -> AccountGroup:
    return _GROUP.value(row, id=str(row["sk"]).rpartition("#")[2])
