"""Saved texts and signatures of a workspace: a row each."""

from typing import TYPE_CHECKING

from chalicelib.domain.ids import is_id
from chalicelib.domain.posts.words import SavedText
from chalicelib.kit.dynamodb.items import Item
from chalicelib.kit.dynamodb.records import Record
from chalicelib.kit.dynamodb.table import PRESENT, Table, partition
from chalicelib.storage.tables import Tables, words_key, workspace_pk

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

_TEXT = Record(SavedText, apart=("id",))


class WordsRepository:
    """Saved texts of all workspaces; every method names the workspace."""

    def __init__(self, client: "DynamoDBClient", tables: Tables) -> None:
        self._table = Table(client, tables.directory)

    def list(self, workspace_id: str) -> list[SavedText]:
        """Return a workspace's texts and signatures, oldest first."""
        rows = self._table.rows(partition(workspace_pk(workspace_id), "WORDS#"))
        return [_text_from(row) for row in rows]

    def put(self, workspace_id: str, text: SavedText) -> None:
        """Keep a text, replacing an earlier one of its id."""
        self._table.put({**words_key(workspace_id, text.id), **_TEXT.item(text)})

    def replace(self, workspace_id: str, text: SavedText) -> bool:
        """Keep a text if there is one of its id; tell whether there was."""
        row = {**words_key(workspace_id, text.id), **_TEXT.item(text)}
        return is_id(text.id) and self._table.rewrite(row, PRESENT)

    def remove(self, workspace_id: str, text_id: str) -> bool:
        """Remove a text; tell whether there was one."""
        if not is_id(text_id):
            return False
        return self._table.take(words_key(workspace_id, text_id)) is not None


def _text_from(row: Item) -> SavedText:
    return _TEXT.value(row, id=str(row["sk"]).partition("#")[2])
