"""Notes in a workspace's activity what was done, after it was done; owners and admins can read it.

An action does not fail because it cannot be noted: then only the log has it. Each note is also a
line of the log, with ids and the address, without names.
"""

import logging
import secrets
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from chalicelib.domain.clock import Clock
from chalicelib.domain.workspace.activity import TOLD, Activity, Actor, Deed
from chalicelib.domain.workspace.operator_errors import UnknownWorkspaceError
from chalicelib.domain.workspace.workspaces import ApiKey
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.dynamodb.failures import AwsFailure
from chalicelib.kit.dynamodb.items import stamp
from chalicelib.storage.workspace.activity import ActivityRows
from chalicelib.storage.workspace.workspaces import WorkspaceRepository

A_PAGE = 100
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class ActivityLog:
    """The activity of all workspaces."""

    rows: ActivityRows
    workspaces: WorkspaceRepository
    clock: Clock

    def note(  # noqa: PLR0913 - what a row has
        self,
        workspace_id: str,
        deed: Deed,
        by: Actor,
        *,
        subject_id: str = "",
        subject: str = "",
        detail: str = "",
        member_id: str = "",
    ) -> None:
        """Note what was done."""
        activity = self._activity(workspace_id, deed, by, subject_id, subject, detail)
        self._keep(replace(activity, member_id=member_id), self.rows.add)

    def note_once(
        self, workspace_id: str, deed: Deed, by: Actor, *, at: datetime, detail: str
    ) -> None:
        """Note what was done at a moment; the same note again is the same row."""
        activity = self._activity(workspace_id, deed, by, "", "", detail)
        self._keep(replace(activity, id=f"{stamp(at)}#{deed}", at=at), self.rows.add)

    def note_key(self, key: ApiKey, deed: Deed, by: Actor, detail: str) -> None:
        """Note what was done with a key; its member can read that too."""
        whose = {"subject_id": key.id, "subject": key.name, "member_id": key.member_id}
        self.note(key.workspace_id, deed, by, detail=detail, **whose)

    def note_refusal(self, workspace_id: str, by: Actor, *, subject_id: str = "", why: str) -> None:
        """Note that somebody was not let in, for a known workspace, once a minute and subject."""
        activity = self._activity(workspace_id, Deed.REFUSED, by, subject_id, "", why)
        self._keep(activity, self._add_if_there)

    def newest(self, workspace_id: str, before: str = "", most: int = A_PAGE) -> Sequence[Activity]:
        """Return the latest notes, newest first. Raises UnknownWorkspaceError."""
        if self.workspaces.get(workspace_id) is None:
            raise UnknownWorkspaceError
        return self.rows.newest(workspace_id, most, before)

    def _add_if_there(self, activity: Activity) -> None:
        if self.workspaces.get(activity.workspace_id) is not None:
            self.rows.add_once_a_minute(activity)

    def _activity(
        self, workspace_id: str, deed: Deed, by: Actor, subject_id: str, subject: str, detail: str
    ) -> Activity:
        now = self.clock()
        return Activity(
            id=f"{stamp(now)}#{secrets.token_hex(4)}",
            workspace_id=workspace_id,
            at=now,
            deed=deed,
            by=by.kind,
            by_id=by.id,
            by_name=by.name,
            client=by.client,
            subject_id=subject_id,
            subject=subject,
            detail=detail,
        )

    def _keep(self, activity: Activity, keep: Callable[[Activity], None]) -> None:
        facts = {
            "action": f"activity.{activity.deed}",
            "workspace_id": activity.workspace_id,
            "by": activity.by,
            "by_id": activity.by_id or None,
            "client": activity.client or None,
            "subject_id": activity.subject_id or None,
        }
        try:
            keep(activity)
        except AwsFailure as failure:
            log.warning("Activity was not kept: %s", failure, extra=facts)
        else:
            log.info("activity", extra=facts)
            if activity.deed in TOLD:
                self.workspaces.mark(activity.workspace_id, activity.at)
