"""Allowance counters: the uses of a month or of the trial, changed only in transactions.

A counter is never read before it is used: the write itself is conditional on the limit, so
concurrent requests cannot exceed it (docs/api.md "Plans").
"""

from collections.abc import Sequence

from chalicelib.domain.errors import PlanLimit
from chalicelib.domain.workspace.plans import Use, allowance_message
from chalicelib.kit.dynamodb.table import Expression
from chalicelib.kit.dynamodb.transaction import Transaction
from chalicelib.storage.tables import Tables, use_key


def add_uses(
    transaction: Transaction, tables: Tables, workspace_id: str, uses: Sequence[Use]
) -> None:
    """Put uses and give-backs into a transaction, one write a counter row.

    A use beyond its limit refuses the transaction with PlanLimit.
    """
    for counter in sorted({use.counter for use in uses}):
        same = [use for use in uses if use.counter == counter]
        _add_row(transaction, tables, workspace_id, counter, same)


def _add_row(
    transaction: Transaction,
    tables: Tables,
    workspace_id: str,
    counter: str,
    uses: Sequence[Use],
) -> None:
    added: dict[str, int] = {}
    limits: dict[str, int] = {}
    for use in uses:
        added[use.unit] = added.get(use.unit, 0) + use.units
        if use.limit is not None:
            limits[use.unit] = use.limit
    changed = {unit: units for unit, units in added.items() if units != 0}
    if not changed:
        return
    capped = {unit: limits[unit] - n for unit, n in changed.items() if n > 0 and unit in limits}
    if any(room < 0 for room in capped.values()):
        raise PlanLimit(_message(uses))
    condition = " AND ".join(
        f"(attribute_not_exists(#{unit}) OR #{unit} <= :room_{unit})" for unit in capped
    )
    transaction.update(
        tables.directory,
        use_key(workspace_id, counter),
        Expression("ADD " + ", ".join(f"#{unit} :{unit}" for unit in changed), changed),
        Expression(condition, {f"room_{unit}": room for unit, room in capped.items()})
        if condition
        else None,
        PlanLimit(_message(uses)),
    )


def _message(uses: Sequence[Use]) -> str | None:
    """Say which of a row's allowances is the limit."""
    return next((allowance_message(use) for use in uses if use.limit is not None), None)
