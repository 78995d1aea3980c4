"""Makes the exports that owners asked for, in the background, and removes them after 7 days.

The review calls `run`. Each part is an object of its own and is noted when it is complete: after a
kill it is made again, and an export whose parts keep failing ends (`failed_at`). Two runs at once
do no harm: the row has a version, and the second one removes the part that it made.
"""

import logging
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from chalicelib.domain.clock import Clock
from chalicelib.domain.ids import new_id
from chalicelib.domain.workspace.exports import (
    MOST_TRIES,
    ExportPart,
    ExportRequest,
    ExportUnderWayError,
)
from chalicelib.domain.workspace.operator_errors import UnknownWorkspaceError
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.dynamodb.items import stamp
from chalicelib.services.operator.export import Exported, WorkspaceExport
from chalicelib.services.operator.export_parts import BucketFile
from chalicelib.storage.export.requests import ExportRequestRows
from chalicelib.storage.export.rows import Source
from chalicelib.storage.media.store import S3MediaStore, export_key

ASKED_PART_BYTES: Final = 500_000_000
"""A function on AWS has minutes for a part, which may hold one file of 1 GB."""
_LONGEST_RUN: Final = timedelta(seconds=60)
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportRequests:
    """The exports that owners asked for."""

    rows: ExportRequestRows
    export: WorkspaceExport
    store: S3MediaStore
    clock: Clock

    def ask(self, workspace_id: str, member_id: str) -> ExportRequest:
        """Store that a member wants an export, in place of one that has ended.

        Raises ExportUnderWayError.
        """
        before = self.rows.find(workspace_id)
        if before is not None and before.over_at is None:
            raise ExportUnderWayError
        now = self.clock()
        request = ExportRequest(
            workspace_id=workspace_id, id=new_id(now), member_id=member_id, asked_at=now
        )
        if not self.rows.begin(request, instead_of=before):
            raise ExportUnderWayError
        return request

    def run(self) -> int:
        """Go on with every export, and remove old ones; return how many parts were made."""
        made, until = 0, self.clock() + _LONGEST_RUN
        for request in self.rows.every():
            try:
                made += self._run_one(request, until)
            except Exception:  # noqa: BLE001 - one that fails must not keep the others
                facts = {"action": "export.put_off", "workspace_id": request.workspace_id}
                _LOG.exception("An export goes on later.", extra=facts)
        return made

    def _run_one(self, request: ExportRequest, until: datetime) -> int:
        if request.has_ended(self.clock()):
            self._remove(request)
            return 0
        made, going = 0, request
        while going.over_at is None and self.clock() < until:
            after = self._step(going)
            if after is None:
                break
            made, going = made + len(after.parts) - len(going.parts), after
        return made

    def _remove(self, request: ExportRequest) -> None:
        self.store.empty(export_key(request.workspace_id, ""))
        self.rows.forget(request)

    def _step(self, request: ExportRequest) -> ExportRequest | None:
        """Make the next part, or give up; return how far it is, None if another run goes on.

        The try is stored first, so that a part that kills its process counts as well.
        """
        if request.tries >= MOST_TRIES:
            facts = {"action": "export.failed", "workspace_id": request.workspace_id}
            _LOG.error("An export was given up: a part failed %d times.", MOST_TRIES, extra=facts)
            return self.rows.keep(replace(request, failed_at=self.clock()))
        begun = self.rows.keep(replace(request, tries=request.tries + 1))
        if begun is None:
            return None
        if not self.export.workspaces.exists(begun.workspace_id):
            raise UnknownWorkspaceError  # it moves, or has moved
        if not begun.parts:
            self.store.empty(export_key(begun.workspace_id, ""))
        name = f"{begun.id}/{new_id(self.clock())}.zip"
        key = export_key(begun.workspace_id, name)
        file = BucketFile(self.store.untyped_writer(key))
        done = self.export.next_part(_so_far(begun), file)
        after = replace(
            begun,
            source=done.source,
            after=done.after,
            counts=done.counts,
            parts=(*begun.parts, ExportPart(name=name, size_bytes=file.size_bytes)),
            tries=0,
            ended_at=None if done.whole_at is None else self.clock(),
        )
        kept = self.rows.keep(after)
        if kept is None:
            self.store.delete(key)
        return kept


def _so_far(request: ExportRequest) -> Exported:
    return Exported(
        workspace_id=request.workspace_id,
        begun_at=stamp(request.asked_at),
        source=request.source or Source.DIRECTORY,
        after=request.after,
        parts=len(request.parts),
        counts=request.counts,
    )
