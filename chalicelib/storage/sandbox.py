"""What the sandbox platform received: a DynamoDB table of its own.

The sandbox connector writes it; "exactly once" is checked against it, so it survives crashes. On
one machine the table is in an engine of its own, with the bytes beside it (`sandbox_here`).
"""

from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING, Final

from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.platforms.sandbox import SandboxEntry
from chalicelib.kit.dynamodb.items import Item, attributes, compress, stamp, unpack
from chalicelib.kit.dynamodb.records import Kind, Record
from chalicelib.kit.dynamodb.table import PRESENT, Expression, Table, key_of, partition, setting

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


_COMPRESSED: Final = Kind(lambda sent: compress(dict(sent)), unpack)
_ENTRY: Final = Record(SandboxEntry, kinds={"sent": _COMPRESSED})
"""What was sent repeats the caption, and two of Facebook's longest do not fit into a row."""
_POST: Final = "POST"


class SandboxTable:
    """The sandbox's memory: a row by remote id, one by target, and counters."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._client = client
        self._name = table
        self._table = Table(client, table)

    def take(self, entry: SandboxEntry) -> None:
        """Keep a post, durably, before returning."""
        self.take_all([entry])

    def take_all(self, entries: Iterable[SandboxEntry]) -> None:
        """Keep some posts together, 50 at most."""
        rows = [row for entry in entries for row in _rows_of(entry)]
        self._client.transact_write_items(
            TransactItems=[
                {"Put": {"TableName": self._name, "Item": attributes(row)}} for row in rows
            ]
        )

    def keep_file(self, name: str, pieces: Iterator[bytes]) -> bool:
        """Keep no bytes: a stage has no pages to show them."""
        del name, pieces
        return False

    def read_file(self, name: str) -> Iterator[bytes] | None:
        """Return nothing: no bytes are kept here."""
        del name
        return None

    def find(self, account_id: str, target_id: str) -> list[SandboxEntry]:
        """Return a target's posts, oldest first, removed ones too."""
        found = self._table.rows(partition(_target_pk(account_id, target_id)))
        names = [str(row["sk"]).split("#", 2) for row in found]
        entries = (self.get(Platform(platform), remote_id) for _, platform, remote_id in names)
        return [entry for entry in entries if entry is not None]

    def get(self, platform: Platform, remote_id: str) -> SandboxEntry | None:
        """Return one post, or None."""
        found = self._table.get(_post_key(platform, remote_id))
        return None if found is None else _ENTRY.value(found)

    def remove(self, platform: Platform, remote_id: str) -> bool:
        """Mark a post as deleted; tell whether it was live."""
        live = Expression(f"{PRESENT.text} AND #removed = :no", {"no": False})
        return self._table.update(_post_key(platform, remote_id), setting({"removed": True}), live)

    def bump(self, key: str) -> int:
        """Increment a durable counter and return its new value, starting at 1."""
        one_more = Expression("ADD #value :one", {"one": 1})
        counted = self._table.update_returning("ALL_NEW", _counter_key(key), one_more)
        return int(counted["value"]) if counted else 0

    def count_from(self, key: str, value: int) -> None:
        """Continue a counter from another store's value."""
        self._table.update(_counter_key(key), setting({"value": value}))

    def forget(self, account_ids: Collection[str]) -> None:
        """Delete accounts' posts for good; this scans the whole table."""
        for row in self._rows():
            by_target = _account_of(str(row["pk"]))
            if row.get("account_id") in account_ids or by_target in account_ids:
                self._table.delete(key_of(row))

    def entries(self) -> Iterator[SandboxEntry]:
        """Yield every post, unordered; this scans the whole table."""
        return (_ENTRY.value(row) for row in self._rows() if row["sk"] == _POST)

    def _rows(self) -> Iterator[Item]:
        page = self._table.scan()
        while True:
            yield from page.rows
            if page.last is None:
                return
            page = self._table.scan(page.last)


def _rows_of(entry: SandboxEntry) -> tuple[Item, Item]:
    """Return a post's own row, and the row by which its target finds it."""
    post = {**_post_key(entry.platform, entry.remote_id), **_ENTRY.item(entry)}
    return post, _target_key(entry)


def _target_key(entry: SandboxEntry) -> dict[str, str]:
    return {"pk": _target_pk(entry.account_id, entry.target_id), "sk": _order(entry)}


def _counter_key(key: str) -> dict[str, str]:
    return {"pk": f"COUNTER#{key}", "sk": "COUNTER"}


def _post_key(platform: Platform, remote_id: str) -> dict[str, str]:
    return {"pk": f"POST#{platform}#{remote_id}", "sk": _POST}


def _target_pk(account_id: str, target_id: str) -> str:
    return f"TARGET#{account_id}#{target_id}"


def _account_of(pk: str) -> str | None:
    kind, _, rest = pk.partition("#")
    return rest.partition("#")[0] if kind == "TARGET" else None


def _order(entry: SandboxEntry) -> str:
    return f"{stamp(entry.created_at)}#{entry.platform}#{entry.remote_id}"
