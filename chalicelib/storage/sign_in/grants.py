"""Authorization codes: one row each in its workspace's partition, found by a hash.

A code is marked at its first use and kept until it expires, so that a second use is recognised; the
second use deletes it, so that the first one notices if it has no key yet.
"""

from datetime import datetime
from typing import Final, NamedTuple

from chalicelib.domain.workspace.grants import AuthorizationCode
from chalicelib.kit.dynamodb.items import Item, epoch, stamp
from chalicelib.kit.dynamodb.records import Record
from chalicelib.kit.dynamodb.table import PRESENT, setting
from chalicelib.storage.sign_in.links import read_hash_key
from chalicelib.storage.workspace.changes import WorkspaceTable
from chalicelib.storage.workspace.items import code_key

_CODE: Final = Record(
    AuthorizationCode, apart=("hash", "workspace_id"), stored={"expires_at": "ends_at"}
)


class UsedCode(NamedTuple):
    """A code that was sent, and whether that was its first use."""

    code: AuthorizationCode
    is_first: bool


class CodeRepository:
    """Authorization codes of all workspaces."""

    def __init__(self, directory: WorkspaceTable) -> None:
        self._table = directory.table

    def add(self, code: AuthorizationCode) -> None:
        """Keep a new code."""
        self._table.put(_code_item(code))

    def find(self, workspace_id: str, code_hash: str) -> AuthorizationCode | None:
        """Return a code if it exists, even if expired or used."""
        row = self._table.get(code_key(workspace_id, code_hash))
        return None if row is None else _code_from(row)

    def remove(self, workspace_id: str, code_hash: str) -> None:
        """Forget a code."""
        self._table.delete(code_key(workspace_id, code_hash))

    def use(self, workspace_id: str, code_hash: str, now: datetime) -> UsedCode | None:
        """Use a code up, or tell that it was used before; None if it does not exist any more."""
        key, used = code_key(workspace_id, code_hash), setting({"used_at": stamp(now)})
        row = self._table.update_returning("ALL_OLD", key, used, PRESENT)
        return None if row is None else UsedCode(_code_from(row), is_first="used_at" not in row)


def _code_item(code: AuthorizationCode) -> Item:
    key = code_key(code.workspace_id, code.hash)
    return {**key, **_CODE.item(code), "expires_at": epoch(code.expires_at)}


def _code_from(row: Item) -> AuthorizationCode:
    return _CODE.value(row, **read_hash_key(row))
