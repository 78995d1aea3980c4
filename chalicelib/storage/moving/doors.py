"""Shuts a workspace for a move, and opens it in the deployment where it continues.

A workspace that is shut has its own row under another key, in one transaction with its keys:
changes of people and accounts, sessions and links find no workspace, and requests with a key are
told that it is away. So no other code has to check for a move.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from chalicelib.kit.dynamodb.items import Item
from chalicelib.kit.dynamodb.table import PRESENT, Table, partition, setting, unless_changed
from chalicelib.kit.dynamodb.transaction import StaleWriteError, Transaction
from chalicelib.storage.moving.marks import Mark, Marks
from chalicelib.storage.tables import workspace_pk
from chalicelib.storage.workspace.callers import AWAY, key_item_key
from chalicelib.storage.workspace.items import (
    LIVE_KEYS,
    away_key,
    listed_workspace_key,
    workspace_key,
)

if TYPE_CHECKING:
    from chalicelib.storage.tables import Key

_TRIES = 40


class Doors:
    """Shuts and opens the workspaces of one deployment."""

    def __init__(self, marks: Marks) -> None:
        self._marks = marks
        self._name = marks.tables.directory
        self._table = Table(marks.client, self._name)

    def is_open(self, workspace_id: str) -> bool:
        """Tell whether the workspace is here and not shut."""
        return self._table.get(workspace_key(workspace_id)) is not None

    def shut(self, mark: Mark) -> None:
        """Shut the workspace; a shut one stays shut. Raises MoveTakenOverError."""
        self._turn(mark, workspace_key(mark.workspace_id), away_key(mark.workspace_id), away=True)

    def open(self, mark: Mark) -> None:
        """Open the workspace and end the mark in the same write. Raises MoveTakenOverError."""
        self._turn(mark, away_key(mark.workspace_id), workspace_key(mark.workspace_id), away=None)

    def _turn(self, mark: Mark, before: "Key", after: "Key", *, away: bool | None) -> None:
        """Move the workspace's row to another key; API keys made meanwhile are included."""
        for _ in range(_TRIES):
            row = self._table.get(before)
            if row is None:
                return
            transaction = self._marks.writes(mark) if away else self._opening(mark)
            transaction.delete(self._name, before, unless_changed(row["version"]))
            transaction.put(self._name, {**row, **after, "version": row["version"] + 1})
            for key in self._keys(mark.workspace_id):
                transaction.update(self._name, key, setting({AWAY: away}), PRESENT)
            try:
                transaction.commit()
            except StaleWriteError:
                continue
            return
        raise StaleWriteError

    def _opening(self, mark: Mark) -> Transaction:
        transaction = self._marks.ending(mark)
        transaction.put(self._name, listed_workspace_key(mark.workspace_id))
        return transaction

    def _keys(self, workspace_id: str) -> "Iterator[Key]":
        rows: Iterator[Item] = self._table.rows(partition(workspace_pk(workspace_id), LIVE_KEYS))
        return (key_item_key(row["hash"]) for row in rows)
