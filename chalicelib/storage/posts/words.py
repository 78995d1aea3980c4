"""Saved texts and signatures of a workspace: a row each."""

from collections.abc import Callable, Sequence

from chalicelib.domain.ids import is_id
from chalicelib.domain.posts.words import SavedText
from chalicelib.kit.dynamodb.items import Item
from chalicelib.kit.dynamodb.records import Record
from chalicelib.kit.dynamodb.table import PRESENT, partition
from chalicelib.kit.dynamodb.transaction import Transaction
from chalicelib.storage.tables import words_key, workspace_pk
from chalicelib.storage.workspace.changes import WorkspaceTable

_TEXT = Record(SavedText, apart=("id",))


class WordsRepository:
    """Saved texts of all workspaces; every method names the workspace."""

    def __init__(self, directory: WorkspaceTable) -> None:
        self._directory = directory
        self._table = directory.table

    def list(self, workspace_id: str) -> list[SavedText]:
        """Return a workspace's texts and signatures, oldest first."""
        rows = self._table.rows(partition(workspace_pk(workspace_id), "WORDS#"))
        return [_text_from(row) for row in rows]

    def add(
        self,
        workspace_id: str,
        text: SavedText,
        require_room: Callable[[Sequence[SavedText]], None],
    ) -> None:
        """Keep a new text. Raises what `require_room` raises of those that are there."""

        def decide(transaction: Transaction) -> None:
            require_room(self.list(workspace_id))
            transaction.put(self._directory.tables.directory, _text_row(workspace_id, text))

        self._directory.add(workspace_id, decide)

    def put(self, workspace_id: str, text: SavedText) -> None:
        """Keep a text, replacing an earlier one of its id."""
        self._table.put(_text_row(workspace_id, text))

    def replace(self, workspace_id: str, text: SavedText) -> bool:
        """Keep a text if there is one of its id; tell whether there was."""
        return is_id(text.id) and self._table.rewrite(_text_row(workspace_id, text), PRESENT)

    def remove(self, workspace_id: str, text_id: str) -> bool:
        """Remove a text; tell whether there was one."""
        if not is_id(text_id):
            return False
        return self._table.take(words_key(workspace_id, text_id)) is not None


def _text_row(workspace_id: str, text: SavedText) -> Item:
    return {**words_key(workspace_id, text.id), **_TEXT.item(text)}


def _text_from(row: Item) -> SavedText:
    return _TEXT.value(row, id=str(row["sk"]).partition("#")[2])
