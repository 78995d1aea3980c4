"""Erases a member's name and address wherever they are: raw rows, each change safe to repeat.

Histories have only people's names, so a namesake's actions in the same workspace lose it, too.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

from chalicelib.domain.workspace.former import FORMER_MEMBER, without_name
from chalicelib.kit.dynamodb.items import Item, pack, unpack
from chalicelib.kit.dynamodb.table import PRESENT, Expression, Table, key_of, partition, setting
from chalicelib.storage.tables import workspace_pk
from chalicelib.storage.workspace.callers import key_item_key
from chalicelib.storage.workspace.changes import WorkspaceTable
from chalicelib.storage.workspace.items import LINKS, LIVE_KEYS, REVOKED_KEYS, member_key

_KEYS: Final = (LIVE_KEYS, REVOKED_KEYS)
_NOTICES: Final = "NOTICE#"
_UNREAD: Final = "UNREAD#"


class MemberNames:
    """The names of members in all rows but those of activity."""

    def __init__(self, directory: WorkspaceTable) -> None:
        self._directory = directory.table
        self._posts = Table(directory.client, directory.tables.posts)

    def name(self, workspace_id: str, member_id: str) -> str | None:
        """Return a member's name, a removed one's too; None if there is no such row."""
        row = self._directory.get(member_key(workspace_id, member_id))
        return None if row is None else str(row["name"])

    def erase_in_posts(self, workspace_id: str, names: Collection[str]) -> int:
        """Erase a name from posts and their histories; return from how many rows."""
        keys = Expression("#list_workspace = :workspace", {"workspace": workspace_id})
        posts = [str(row["pk"]) for row in self._posts.read_index("by_workspace", keys)]
        rows = (row for post_id in posts for row in self._posts.rows(partition(post_id)))
        return sum(self._erase_in(row, names) for row in rows)

    def _erase_in(self, row: Item, names: Collection[str]) -> bool:
        sk = str(row["sk"])
        if sk == "POST" and row.get("created_by") in names:
            # By two, so that a process that read it before cannot write it back.
            return self._change(self._posts, row, {"created_by": FORMER_MEMBER}, counts=True)
        if sk.startswith("EVENT#"):
            changed = dict(_without_name(row, names))
            return bool(changed) and self._change(self._posts, row, changed)
        return False

    def erase_in_directory(self, workspace_id: str, member_id: str, name: str) -> None:
        """Erase the name, addresses and key names from a removed member's rows."""
        for row in list(self._directory.rows(partition(workspace_pk(workspace_id)))):
            sk = str(row["sk"])
            if sk.startswith(_KEYS) and row.get("member_id") == member_id:
                self._change(self._directory, key_item_key(row["hash"]), _NO_NAMES_ON_KEY)
                self._change(self._directory, row, {"name": FORMER_MEMBER})
            if sk.startswith(LINKS) and row.get("made_by") == name:
                self._change(self._directory, row, {"made_by": FORMER_MEMBER})
            if sk.startswith((f"{_NOTICES}{member_id}#", f"{_UNREAD}{member_id}#")):
                self._directory.delete(key_of(row))

    def erase_own(self, workspace_id: str, member_id: str) -> None:
        """Erase the name from the member's own row, the last one that has it."""
        gone = {"name": FORMER_MEMBER, "email": None, "asked_email": None, "person_id": None}
        self._change(self._directory, member_key(workspace_id, member_id), gone)

    def keys_of(self, workspace_id: str, member_id: str) -> dict[str, str]:
        """Return the name of each key that a member ever had, by its id."""
        rows = self._directory.rows(partition(workspace_pk(workspace_id)))
        return {
            str(row["sk"]).partition("#")[2]: str(row.get("name", ""))
            for row in rows
            if str(row["sk"]).startswith(_KEYS) and row.get("member_id") == member_id
        }

    def _change(
        self, table: Table, row: Mapping[str, Any], changed: Item, *, counts: bool = False
    ) -> bool:
        change = setting(changed)
        if counts:
            change = Expression(f"{change.text} ADD #version :two", {**change.values, "two": 2})
        return table.update(key_of(row), change, PRESENT)


_NO_NAMES_ON_KEY: Final[Item] = {"member_name": FORMER_MEMBER, "key_name": FORMER_MEMBER}


def _without_name(row: Item, names: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield the attributes of an event without the name."""
    by = str(row.get("by", ""))
    if (former := without_name(by, names)) != by:
        yield "by", former
    kept = row.get("detail")
    told = unpack(kept) if isinstance(kept, str | bytes) else None
    if told and (bare := {k: _bare(v, names) for k, v in told.items()}) != told:
        yield "detail", pack(bare)


def _bare(value: object, names: Collection[str]) -> object:
    return without_name(value, names) if isinstance(value, str) else value
