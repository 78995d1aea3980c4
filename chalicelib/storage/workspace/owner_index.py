"""Finds the workspace of a member, key or account by its id.

Operators and the app's forms name them by id alone. The index `by_id` lags behind a write by
moments, so an id that is not found is searched for again for a second. A malformed id is unknown,
with the one sentence that says what to type.
"""

import time
from collections.abc import Callable

from chalicelib.domain.ids import is_id
from chalicelib.domain.workspace.operator_errors import OperatorError
from chalicelib.kit.dynamodb.table import Expression
from chalicelib.storage.workspace.changes import WorkspaceTable
from chalicelib.storage.workspace.items import BY_ID, workspace_of

_LOOKS = 4
_BETWEEN_LOOKS_S = 0.25


class OwnerIndex:
    """The index by_id of the directory table."""

    def __init__(
        self, directory: WorkspaceTable, *, wait: Callable[[float], None] = time.sleep
    ) -> None:
        self._table = directory.table
        self._wait = wait

    def workspace_of(self, prefix: str, identifier: str) -> str | None:
        """Return the workspace that has a row `prefix` + id, or None."""
        for look in range(_LOOKS):
            if look:
                self._wait(_BETWEEN_LOOKS_S)
            workspace_id = self._look(f"{prefix}{identifier}", identifier)
            if workspace_id is not None:
                return workspace_id
        return None

    def _look(self, sk: str, identifier: str) -> str | None:
        condition = Expression("#id = :id AND #sk = :sk", {"id": identifier, "sk": sk})
        found = next(self._table.read_index(BY_ID, condition), None)
        return None if found is None else workspace_of(found)


def home(index: OwnerIndex, prefix: str, identifier: str, unknown: type[OperatorError]) -> str:
    """Return the workspace in which a member, key or account is, or raise `unknown`."""
    workspace_id = index.workspace_of(prefix, require_id(identifier, unknown))
    if workspace_id is None:
        raise unknown
    return workspace_id


def require_id(identifier: str, unknown: type[OperatorError]) -> str:
    """Return an id that has the form of one; raise for anything else."""
    if not is_id(identifier):
        raise unknown
    return identifier
