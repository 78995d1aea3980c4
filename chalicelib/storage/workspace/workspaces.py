"""Workspaces: made together with an owner and queue times, changed with all copies of them.

A new plan, time zone or approvals setting is copied to every live key's item in the transaction
that changes it, so it applies to the next request.
"""

import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime

from chalicelib.domain.times.queue_slots import QueueSlot
from chalicelib.domain.workspace.access import Plan
from chalicelib.domain.workspace.workspaces import Member, Workspace
from chalicelib.kit.dynamodb.failures import AwsFailure
from chalicelib.kit.dynamodb.items import stamp
from chalicelib.kit.dynamodb.table import (
    ABSENT,
    BatchRead,
    Expression,
    name_of,
    partition,
    setting,
)
from chalicelib.storage.tables import storage_key, use_key
from chalicelib.storage.workspace.callers import workspace_copy
from chalicelib.storage.workspace.changes import WorkspaceChange, WorkspaceTable
from chalicelib.storage.workspace.items import (
    WORKSPACES_PK,
    listed_workspace_key,
    member_item,
    slot_item,
    workspace_from,
    workspace_item,
    workspace_key,
    workspace_of,
)

_LOG = logging.getLogger(__name__)
_UNMARKED = Expression("attribute_exists(#pk) AND attribute_not_exists(#news_at)")


class WorkspaceRepository:
    """All workspaces of a deployment."""

    def __init__(self, directory: WorkspaceTable) -> None:
        self._directory = directory
        self._table = directory.tables.directory

    def add(self, workspace: Workspace, owner: Member, slots: Sequence[QueueSlot]) -> None:
        """Keep a new workspace with its owner and queue times."""
        transaction = self._directory.transaction()
        transaction.put(self._table, workspace_item(workspace), ABSENT)
        transaction.put(self._table, listed_workspace_key(workspace.id), ABSENT)
        transaction.put(self._table, member_item(owner), ABSENT)
        for slot in slots:
            transaction.put(self._table, slot_item(workspace.id, slot), ABSENT)
        transaction.commit()

    def get(self, workspace_id: str) -> Workspace | None:
        """Return a workspace as it is now."""
        return self._directory.workspace(workspace_id)

    def plan_of(self, workspace_id: str) -> Plan | None:
        """Return a workspace's present plan, None if there is no such workspace."""
        found = self.get(workspace_id)
        return None if found is None else found.plan

    def exists(self, workspace_id: str) -> bool:
        """Tell whether there is a workspace, even if its row cannot be decoded."""
        return self._directory.table.get(workspace_key(workspace_id)) is not None

    def list(self) -> list[Workspace]:
        """Return every workspace that can be read, oldest first; the log names the others."""
        listed = self._directory.table.rows(partition(WORKSPACES_PK))
        keys = [(self._table, workspace_key(row["sk"])) for row in listed]
        found = []
        for row in BatchRead(self._directory.client).read(keys).values():
            try:
                found.append(workspace_from(row))
            except (ValueError, KeyError, TypeError):  # what a later release wrote, as it may be
                facts = {"action": "workspace.unreadable", "workspace_id": workspace_of(row)}
                _LOG.exception("A workspace cannot be read.", extra=facts)
        return sorted(found, key=lambda workspace: workspace.id)

    def mark(self, workspace_id: str, now: datetime) -> None:
        """Have the next round of notices look at a workspace: something happened to it.

        An earlier mark stays as it is. One that cannot be written is no loss: rounds look at all
        in turn (`domain/workspace/rounds.py`).
        """
        with suppress(*AwsFailure):
            row = listed_workspace_key(workspace_id)
            self._directory.table.update(row, setting({"news_at": stamp(now)}), _UNMARKED)

    def marks(self) -> Mapping[str, str | None]:
        """Return every workspace's mark by its id, oldest workspace first; None is no mark."""
        rows = self._directory.table.rows(partition(WORKSPACES_PK))
        return {row["sk"]: row.get("news_at") for row in rows}

    def settle(self, workspace_id: str, mark: str) -> None:
        """Take a mark off before the workspace is looked at."""
        row = listed_workspace_key(workspace_id)
        is_unchanged = Expression("#news_at = :mark", {"mark": mark})
        self._directory.table.update(row, setting({"news_at": None}), is_unchanged)

    def update(
        self,
        workspace_id: str,
        *,
        plan: Plan | None = None,
        timezone: str | None = None,
        approvals: bool | None = None,
        raised_storage: int | None = None,
        passkeys_only: bool | None = None,
    ) -> Workspace:
        """Change the given attributes; return the workspace. Raises UnknownWorkspaceError."""

        def decide(change: WorkspaceChange) -> Workspace:
            before = change.workspace
            change.workspace = replace(
                before,
                plan=before.plan if plan is None else plan,
                timezone=before.timezone if timezone is None else timezone,
                approvals=before.approvals if approvals is None else approvals,
                raised_storage=before.raised_storage if raised_storage is None else raised_storage,
                passkeys_only=before.passkeys_only if passkeys_only is None else passkeys_only,
            )
            change.rewrite_keys(change.keys, workspace_copy(change.workspace))
            return change.workspace

        return self._directory.change(workspace_id, decide)

    def stored_bytes(self, workspace_ids: Sequence[str]) -> dict[str, int]:
        """Return how many bytes of files each workspace keeps, reservations of uploads included."""
        keys = {one: storage_key(one) for one in workspace_ids}
        table = self._directory.tables.media
        rows = BatchRead(self._directory.client).read([(table, key) for key in keys.values()])
        return {one: rows.get(name_of(key), {}).get("used_bytes", 0) for one, key in keys.items()}

    def x_units(self, counters: Sequence[tuple[str, str]]) -> dict[str, int]:
        """Return how much of its X allowance each workspace has used, from one counter each."""
        keys = [(self._table, use_key(*counter)) for counter in counters]
        rows = BatchRead(self._directory.client).read(keys)
        return {
            workspace_id: rows.get(name_of(use_key(workspace_id, counter)), {}).get("x_units", 0)
            for workspace_id, counter in counters
        }
