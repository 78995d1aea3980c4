"""Deleting what a moved workspace left behind, or a copy of a move that was given up.

The rows by which others are found go last, so that an interrupted run can be continued.
"""

from collections.abc import Collection, Sequence
from itertools import islice

from chalicelib.kit.dataclass import dataclass
from chalicelib.services.operator.moving.side import Side
from chalicelib.storage.media.items import media_from
from chalicelib.storage.media.store import export_key, file_key
from chalicelib.storage.moving.copies import table_of
from chalicelib.storage.moving.marks import Mark, MoveTakenOverError
from chalicelib.storage.moving.rows import KeptRow
from chalicelib.storage.owned_rows import lines_of
from chalicelib.storage.tables import Key
from chalicelib.storage.workspace.callers import AWAY

_A_TIME = 90
_LAST = ("post", "file", "operators' row of a key", "revoked key", "workspace that is shut")
"""The rows by which others are found, the workspace's own row last of all."""


@dataclass(frozen=True, slots=True)
class Clearing:
    """Clears a workspace from one side. With `leaves_keys`, its keys answer that it has moved."""

    side: Side
    leaves_keys: bool

    def clear(self, mark: Mark, test_accounts: Collection[str]) -> None:
        """Delete all of a workspace except its mark, and its test accounts' posts.

        The sandbox's posts go first: they are found by the accounts, also in a repeated run.
        Raises MoveTakenOverError.
        """
        if test_accounts:
            self._forget_test_posts(mark, test_accounts)
        self._leave_persons(mark)
        for names in (None, *_LAST):
            rows = self.side.rows.rows.of(mark.workspace_id)
            going = (kept for kept in rows if _is_due(kept, names))
            while some := list(islice(going, _A_TIME)):
                self._clear_some(mark, some)
        self._clear_lists(mark)

    def _clear_lists(self, mark: Mark) -> None:
        """Take it from the lists of all workspaces, then delete the export that one led to."""
        directory = self.side.rows.marks.tables.directory
        self._delete(mark, [(directory, key) for key in lines_of(mark.workspace_id)])
        self.side.store.empty(export_key(mark.workspace_id, ""))

    def _forget_test_posts(self, mark: Mark, test_accounts: Collection[str]) -> None:
        if not self.side.rows.marks.is_still(mark):
            raise MoveTakenOverError
        self.side.sandbox().forget(test_accounts)

    def _leave_persons(self, mark: Mark) -> None:
        """Take the workspace from the persons of its members."""
        members = [kept.row for kept in self.side.rows.rows.of_people(mark.workspace_id)]
        persons = {row["person_id"] for row in members if row.get("person_id")}
        for person_id in sorted(persons):
            self.side.persons.forget_membership(person_id, mark.workspace_id)

    def _clear_some(self, mark: Mark, some: Sequence[KeptRow]) -> None:
        if any(kept.name == "file" for kept in some):
            self._delete_files(mark, some)
        keys = [(table_of(kept, self.side.rows.marks.tables), kept.key) for kept in some]
        if not self.leaves_keys:
            self._delete(mark, keys)
            return
        transaction = self.side.rows.marks.writes(mark)
        for kept, (table, key) in zip(some, keys, strict=True):
            if kept.name == "key":
                away = {**key, "workspace_id": mark.workspace_id, AWAY: True}
                transaction.put(table, away)
            else:
                transaction.delete(table, key)
        transaction.commit()

    def _delete(self, mark: Mark, keys: Sequence[tuple[str, Key]]) -> None:
        transaction = self.side.rows.marks.writes(mark)
        for table, key in keys:
            transaction.delete(table, key)
        transaction.commit()

    def _delete_files(self, mark: Mark, some: Sequence[KeptRow]) -> None:
        if not self.side.rows.marks.is_still(mark):
            raise MoveTakenOverError
        for kept in some:
            if kept.name == "file":
                media = media_from(kept.row)
                self.side.copies.drop_all(media)
                self.side.store.delete(file_key(media.workspace_id, media.id))


def _is_due(kept: KeptRow, name: str | None) -> bool:
    """Tell whether a row goes in the round of a kind; the first is of all that nothing needs."""
    return kept.name == name if name is not None else kept.name not in _LAST
