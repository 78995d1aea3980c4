"""Plans of a workspace: a row each, and one for each line; all expire after 30 days."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

from chalicelib.domain.ids import is_id
from chalicelib.domain.posts.plans import Plan, PlanLine
from chalicelib.kit.dynamodb.items import Item, epoch
from chalicelib.kit.dynamodb.records import Record
from chalicelib.kit.dynamodb.table import between, partition, unless_changed
from chalicelib.kit.dynamodb.transaction import StaleWriteError, Transaction
from chalicelib.storage.tables import Key, plan_key, plan_line_key, workspace_pk
from chalicelib.storage.workspace.changes import WorkspaceTable

_PLAN = Record(Plan, apart=("id", "workspace_id"))
_LINE = Record(PlanLine, apart=("number",))
_LAST_LINE = 9_999_999
_AT_ONCE = 25
"""This many lines, of 120 KB each at most, stay below the 4 MB of a transaction."""


class PlanRepository:
    """Plans of all workspaces; every method names the workspace."""

    def __init__(self, directory: WorkspaceTable) -> None:
        self._directory = directory
        self._name = directory.tables.directory
        self._table = directory.table

    def list(self, workspace_id: str) -> list[Plan]:
        """Return a workspace's plans, oldest first."""
        rows = self._table.rows(partition(workspace_pk(workspace_id), "PLAN#"))
        return [_plan_from(row) for row in rows]

    def find(self, workspace_id: str, plan_id: str) -> Plan | None:
        """Return a plan, None if there is none."""
        row = self._table.get(plan_key(workspace_id, plan_id)) if is_id(plan_id) else None
        return None if row is None else _plan_from(row)

    def add(
        self,
        plan: Plan,
        lines: Sequence[PlanLine],
        require_room: Callable[[Sequence[Plan]], None],
    ) -> None:
        """Keep a new plan; it can be found once all of its lines are kept.

        Raises what `require_room` raises of the plans that are there; then lines that nobody finds
        stay until they expire.
        """
        require_room(self.list(plan.workspace_id))
        for some in _in_parts(lines):
            writes = self._directory.transaction()
            for line in some:
                writes.put(self._name, _line_item(plan, line))
            writes.commit()
        key, until = plan_key(plan.workspace_id, plan.id), epoch(plan.ends_at)
        row = {**key, **_PLAN.item(plan), "expires_at": until}

        def decide(transaction: Transaction) -> None:
            require_room(self.list(plan.workspace_id))
            transaction.put(self._name, row)

        self._directory.add(plan.workspace_id, decide)

    def lines(self, plan: Plan, *, after: int = 0) -> Iterator[PlanLine]:
        """Yield the lines after a number, in order."""
        first, last = (_line_key(plan, number)["sk"] for number in (after + 1, _LAST_LINE))
        rows = self._table.rows(between(workspace_pk(plan.workspace_id), first, last))
        return (_line_from(row) for row in rows)

    def line(self, plan: Plan, number: int) -> PlanLine | None:
        """Return a line, None if there is none."""
        row = self._table.get(_line_key(plan, number))
        return None if row is None else _line_from(row)

    def change(self, plan: Plan, before: PlanLine, after: PlanLine) -> None:
        """Keep a line's change. Raises StaleWriteError if the line changed meanwhile."""
        if not self._table.rewrite(_line_item(plan, after), unless_changed(before.version)):
            raise StaleWriteError

    def note_made(self, plan: Plan, line: PlanLine) -> None:
        """Note that a line became a post, whatever changed in it meanwhile."""
        self._table.rewrite(_line_item(plan, line.finish()))

    def remove(self, plan: Plan) -> None:
        """Forget a plan and its lines."""
        self._table.delete(plan_key(plan.workspace_id, plan.id))
        for some in _in_parts(self.lines(plan)):
            writes = self._directory.transaction()
            for line in some:
                writes.delete(self._name, _line_key(plan, line.number))
            writes.commit()


def _in_parts(lines: Iterable[PlanLine]) -> Iterator[Sequence[PlanLine]]:
    left = iter(lines)
    while some := list(islice(left, _AT_ONCE)):
        yield some


def _line_key(plan: Plan, number: int) -> Key:
    return plan_line_key(plan.workspace_id, plan.id, number)


def _line_item(plan: Plan, line: PlanLine) -> Item:
    key, until = _line_key(plan, line.number), epoch(plan.ends_at)
    return {**key, **_LINE.item(line), "expires_at": until}


def _line_from(row: Item) -> PlanLine:
    return _LINE.value(row, number=int(str(row["sk"]).rpartition("#")[2]))


def _plan_from(row: Item) -> Plan:
    workspace_id, plan_id = (str(row[part]).partition("#")[2] for part in ("pk", "sk"))
    return _PLAN.value(row, id=plan_id, workspace_id=workspace_id)
