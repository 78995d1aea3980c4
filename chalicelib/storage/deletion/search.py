"""Searches whole tables, page by page, for a workspace's rows that are on no list.

A row is a workspace's if its key, or the attribute that says whose it is, names it
(docs/adr/0036-deleting-a-workspace.md). If one row of a post or a file is found, all of them are
erased.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from chalicelib.domain.ids import is_id
from chalicelib.kit.dynamodb.items import Item
from chalicelib.kit.dynamodb.table import Table, key_of, name_of
from chalicelib.storage.deletion.files import FileRemains
from chalicelib.storage.deletion.people import DirectoryRemains
from chalicelib.storage.deletion.posts import PostRemains
from chalicelib.storage.owned_rows import lines_of
from chalicelib.storage.tables import Tables

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

_TABLES: Final = ("posts", "media", "directory")
_NAMES_ITS_OWNER: Final = ("workspace_id", "list_workspace", "time_workspace")


class Search:
    """The search of a deployment's tables."""

    def __init__(
        self,
        client: "DynamoDBClient",
        tables: Tables,
        *,
        posts: PostRemains,
        files: FileRemains,
        directory: DirectoryRemains,
    ) -> None:
        self._tables = {name: Table(client, getattr(tables, name)) for name in _TABLES}
        self._posts, self._files, self._directory = posts, files, directory

    def go_on(self, workspace_id: str, searched: Mapping[str, str]) -> Mapping[str, str] | None:
        """Erase the workspace's rows in the next page; return where to go on, None at the end."""
        name = searched.get("table", _TABLES[0])
        start = {part: searched[part] for part in ("pk", "sk") if part in searched}
        page = self._tables[name].scan(start or None)
        for row in page.rows:
            if is_of(row, workspace_id):
                self._erase(name, workspace_id, row)
        if page.last is not None:
            return {"table": name, **page.last}
        following = _TABLES.index(name) + 1
        return None if following == len(_TABLES) else {"table": _TABLES[following]}

    def _erase(self, name: str, workspace_id: str, row: Item) -> None:
        pk = str(row["pk"])
        if name == "directory":
            self._directory.erase_found(workspace_id, row)
        elif not is_id(pk):
            self._tables[name].delete(key_of(row))
        elif name == "posts":
            self._posts.erase(workspace_id, pk)
        else:
            self._files.erase(pk)


def is_of(row: Item, workspace_id: str) -> bool:
    """Tell whether a row is a workspace's; texts that people wrote are not considered."""
    pk, sk = str(row["pk"]), str(row["sk"])
    if any(row.get(name) == workspace_id for name in _NAMES_ITS_OWNER):
        return True
    if pk.split("#")[1:2] == [workspace_id] or pk.endswith(f"#LANE#{workspace_id}"):
        return True
    if (pk, sk) in {name_of(key) for key in lines_of(workspace_id)}:
        return True
    if sk == "PERSON":
        return workspace_id in str(row.get("memberships"))
    return f"/{workspace_id}/" in str(row.get("object_key"))
