"""Copying a workspace's rows from one deployment to another until both are alike.

A pass reads every row on both sides and writes those that differ, so it may be interrupted anywhere
and begun again; a pass with nothing to write proves that the copy is complete. Secrets are
decrypted with one deployment's key and encrypted with the other's.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Final

from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.dynamodb.items import Item, attributes
from chalicelib.kit.dynamodb.table import BatchRead, name_of
from chalicelib.storage.moving.marks import Mark, Marks
from chalicelib.storage.moving.rows import KeptRow, WorkspaceRows
from chalicelib.storage.row_kinds import Moved, Store
from chalicelib.storage.sign_in.applications import seal_name
from chalicelib.storage.tables import Tables

if TYPE_CHECKING:
    from chalicelib.storage.workspace.token_encryption import TokenEncryption

_A_TIME: Final = 20
_MOST_BYTES: Final = 3_000_000
"""The bytes of one transaction; DynamoDB's limit is 4 MB."""


@dataclass(frozen=True, slots=True)
class RowsSide:
    """The rows of one deployment, and its encryption of secrets."""

    marks: Marks
    rows: WorkspaceRows
    seals: "TokenEncryption"


@dataclass(frozen=True, slots=True)
class RowCopies:
    """Copies rows from one side to the other."""

    source: RowsSide
    target: RowsSide

    def copy(self, arriving: Mark) -> int:
        """Write the rows that differ; return how many did.

        Raises MoveTakenOverError.
        """
        copied, counted = 0, 0
        rows = self.source.rows.of(arriving.workspace_id)
        while some := list(islice(rows, _A_TIME)):
            counted += sum(kept.row.get("counted_bytes", 0) for kept in some)
            copied += self._copy_some(arriving, some, counted)
        return copied + self._drop_rest(arriving)

    def _copy_some(self, arriving: Mark, some: Sequence[KeptRow], counted: int) -> int:
        moving = [kept for kept in some if kept.kind.moved is not Moved.NOT]
        found = self._there(self.target, moving)
        wanted = [
            (kept, self._as_moved(kept, found.get(name_of(kept.key)), counted)) for kept in moving
        ]
        differing = [(kept, row) for kept, row in wanted if row != found.get(name_of(kept.key))]
        for together in _within_bytes(differing):
            transaction = self.target.marks.writes(arriving)
            for kept, row in together:
                transaction.put(table_of(kept, self.target.marks.tables), row)
            transaction.commit()
        return len(differing)

    def _there(self, side: RowsSide, some: Sequence[KeptRow]) -> dict[tuple[str, str], Item]:
        keys = [(table_of(kept, side.marks.tables), kept.key) for kept in some]
        return BatchRead(side.marks.client).read(
            list({name_of(k): (t, k) for t, k in keys}.values())
        )

    def _as_moved(self, kept: KeptRow, there: Item | None, counted: int) -> Item:
        """Return a row as it is to be on the other side."""
        row = dict(kept.row)
        if kept.name == "member":
            row.pop("person_id", None)  # people sign in anew: a passkey works at one address only
        if kept.name == "bytes kept":
            row["used_bytes"] = counted  # reservations of unfinished uploads are not copied
        if kept.kind.moved is not Moved.SEALED_ANEW:
            return row
        name = row["account_id"] if kept.name == "tokens" else seal_name(kept.row)
        opened, seals = self.source.seals.open(name, bytes(row["secret"])), self.target.seals
        if there is not None and seals.open(name, bytes(there["secret"])) == opened:
            return {**row, "secret": there["secret"]}
        return {**row, "secret": seals.seal(name, opened)}

    def _drop_rest(self, arriving: Mark) -> int:
        """Delete copied rows that were deleted here meanwhile; return how many."""
        dropped = 0
        rows = self.target.rows.of(arriving.workspace_id)
        while some := list(islice(rows, _A_TIME)):
            found = self._there(self.source, some)
            gone = [kept for kept in some if name_of(kept.key) not in found]
            if gone:
                transaction = self.target.marks.writes(arriving)
                for kept in gone:
                    transaction.delete(table_of(kept, self.target.marks.tables), kept.key)
                transaction.commit()
            dropped += len(gone)
        return dropped


def table_of(kept: KeptRow, tables: Tables) -> str:
    """Return the table in which a deployment keeps such a row."""
    match kept.kind.store:
        case Store.POSTS:
            return tables.posts
        case Store.DIRECTORY:
            return tables.directory
        case _:
            return tables.media


def _within_bytes(
    rows: Sequence[tuple[KeptRow, Item]],
) -> Iterator[list[tuple[KeptRow, Item]]]:
    """Yield the rows in as few batches as transactions allow."""
    lot: list[tuple[KeptRow, Item]] = []
    size = 0
    for kept, row in rows:
        weight = len(str(attributes(row)))
        if lot and size + weight > _MOST_BYTES:
            yield lot
            lot, size = [], 0
        lot.append((kept, row))
        size += weight
    if lot:
        yield lot
