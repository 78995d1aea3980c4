"""The mark of a move: one row on each side, which says how far it is and who carries it out.

On the side that a workspace leaves it stays for good, and says where the workspace is now. On the
side where it arrives the last write deletes it. The command that took the mark last is the mover;
every write of the move requires that, so an earlier mover is stopped.
"""

from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from chalicelib.domain.workspace.operator_errors import OperatorError
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.dynamodb.records import Record
from chalicelib.kit.dynamodb.table import ABSENT, Expression, Table
from chalicelib.kit.dynamodb.transaction import Transaction
from chalicelib.storage.tables import Tables, moved_key
from chalicelib.storage.workspace.items import workspace_key

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


class MoveTakenOverError(OperatorError):
    """Another command goes on with this move. Let that one finish, or run this one again."""


class MoveStep(StrEnum):
    """How far a move is."""

    COPYING_FILES = "copying files"
    """Nothing has changed yet."""
    CLOSED = "closed"
    """The workspace is shut here, and its rows are being copied."""
    GONE = "gone"
    """The other side has everything; only it may act from now on."""
    CLEARED = "cleared"
    """All its rows here are deleted."""
    ARRIVING = "arriving"
    """Here is the copy, which nobody uses yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A move, as one side sees it; `address` is the workspace's address after the move."""

    workspace_id: str
    step: MoveStep
    place: str
    mover: str
    since: datetime
    address: str | None = None

    @property
    def has_left(self) -> bool:
        """Tell whether the workspace continues on the other side."""
        return self.step in (MoveStep.GONE, MoveStep.CLEARED)


_MARK: Final = Record(Mark, apart=("workspace_id",))


class Marks:
    """The marks of one deployment."""

    def __init__(self, client: "DynamoDBClient", tables: Tables) -> None:
        self.client = client
        self.tables = tables
        self._table = Table(client, tables.directory)

    def find(self, workspace_id: str) -> Mark | None:
        """Return a workspace's mark."""
        row = self._table.get(moved_key(workspace_id))
        return None if row is None else _MARK.value(row, workspace_id=workspace_id)

    def take(self, mark: Mark, found: Mark | None) -> None:
        """Replace the mark that was found, so that its mover is stopped.

        Raises MoveTakenOverError when another command was faster.
        """
        same = ABSENT
        if found is not None:
            still = {"mover": found.mover, "step": found.step}
            same = Expression("#mover = :mover AND #step = :step", still)
        if not self._table.put({**moved_key(mark.workspace_id), **_MARK.item(mark)}, same):
            raise MoveTakenOverError

    def expect(self, arriving: Mark) -> None:
        """Write the mark of a workspace that arrives, unless the workspace exists here.

        Raises MoveTakenOverError.
        """
        transaction = Transaction(self.client)
        row = {**moved_key(arriving.workspace_id), **_MARK.item(arriving)}
        transaction.put(self.tables.directory, row)
        transaction.check(
            self.tables.directory,
            workspace_key(arriving.workspace_id),
            ABSENT,
            MoveTakenOverError(),
        )
        transaction.commit()

    def advance(self, mark: Mark) -> None:
        """Write the next step of the same mover. Raises MoveTakenOverError."""
        row = {**moved_key(mark.workspace_id), **_MARK.item(mark)}
        if not self._table.put(row, _condition_of_mover(mark)):
            raise MoveTakenOverError

    def is_still(self, mark: Mark) -> bool:
        """Tell whether a mover still carries out the move."""
        found = self.find(mark.workspace_id)
        return found is not None and found.mover == mark.mover

    def writes(self, mark: Mark) -> Transaction:
        """Return a transaction that is refused, with MoveTakenOverError, to any other mover."""
        transaction = Transaction(self.client)
        key = moved_key(mark.workspace_id)
        transaction.check(
            self.tables.directory, key, _condition_of_mover(mark), MoveTakenOverError()
        )
        return transaction

    def ending(self, mark: Mark) -> Transaction:
        """Return a transaction that ends the mark, refused to any other mover as `writes` is."""
        transaction = Transaction(self.client)
        key = moved_key(mark.workspace_id)
        transaction.delete(
            self.tables.directory, key, _condition_of_mover(mark), MoveTakenOverError()
        )
        return transaction


def _condition_of_mover(mark: Mark) -> Expression:
    return Expression("#mover = :mover", {"mover": mark.mover})
