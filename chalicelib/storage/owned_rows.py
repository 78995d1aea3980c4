"""The rows of a workspace outside its partition, its posts and its files, found by their keys.

Deleting and moving a workspace both ask here, so a row that one of them finds is found by the
other. `tests/storage/test_owned_rows.py` compares it with the table of row kinds.
"""

from collections.abc import Iterator
from typing import Final

from chalicelib.kit.dynamodb.items import Item
from chalicelib.storage.export.requests import export_request_key
from chalicelib.storage.row_kinds import Store
from chalicelib.storage.tables import (
    Key,
    analytics_pk,
    catch_up_key,
    conversion_place_key,
    fetch_place_key,
    idempotency_key,
    live_pks,
    remote_key,
    storage_key,
)
from chalicelib.storage.workspace.activity import activity_pk
from chalicelib.storage.workspace.callers import key_item_key
from chalicelib.storage.workspace.items import (
    ACCOUNTS,
    GONE_ACCOUNTS,
    LIVE_KEYS,
    REVOKED_KEYS,
    listed_workspace_key,
)

TARGETS: Final = "TARGET#"
OWNS_KEYS: Final = (LIVE_KEYS, REVOKED_KEYS)
OWNS_ACCOUNTS: Final = (ACCOUNTS, GONE_ACCOUNTS)


def partitions_of(workspace_id: str, store: Store) -> tuple[str, ...]:
    """Return the partitions of a table that have only rows of the workspace."""
    match store:
        case Store.POSTS:
            return (analytics_pk(workspace_id), *live_pks(workspace_id))
        case Store.DIRECTORY:
            return (activity_pk(workspace_id),)
        case Store.MEDIA:
            lanes = (conversion_place_key(workspace_id, 0), fetch_place_key(workspace_id, 0))
            return (*(key["pk"] for key in lanes), storage_key(workspace_id)["pk"])
        case _:
            return ()


def lines_of(workspace_id: str) -> tuple[Key, ...]:
    """Return the keys of its lines in lists of all workspaces, in the directory."""
    return (listed_workspace_key(workspace_id), export_request_key(workspace_id))


def linked_keys(workspace_id: str, row: Item) -> Iterator[Key]:
    """Yield the keys that a row of a post, or of the workspace's partition, leads to.

    They are in the same table. An unreadable row leads to none.
    """
    sk = str(row["sk"])
    asked_by, live, platform = (
        row.get(name) for name in ("idempotency_key", "remote_id", "platform")
    )
    if isinstance(asked_by, str):
        yield idempotency_key(workspace_id, asked_by)
    if sk.startswith(TARGETS) and isinstance(live, str):
        yield remote_key(str(platform), live)
    if sk.startswith(OWNS_KEYS) and isinstance(row.get("hash"), str):
        yield key_item_key(row["hash"])
    if sk.startswith(OWNS_ACCOUNTS):
        yield catch_up_key(sk.partition("#")[2])
