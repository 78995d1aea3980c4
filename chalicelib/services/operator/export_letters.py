"""Tells whoever asked for an export by e-mail that it is ready, or that it was given up.

`notices` sends these letters with its run. Who has no proven address sees it in settings alone.
"""

from dataclasses import replace

from chalicelib.domain.workspace.exports import ExportRequest
from chalicelib.domain.workspace.notices import export_letter
from chalicelib.kit.dataclass import dataclass
from chalicelib.services.operator.outbox import Outbox
from chalicelib.storage.export.requests import ExportRequestRows
from chalicelib.storage.workspace.members import MemberRepository
from chalicelib.storage.workspace.workspaces import WorkspaceRepository


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportLetters:
    """Letters about exports."""

    rows: ExportRequestRows
    workspaces: WorkspaceRepository
    members: MemberRepository
    outbox: Outbox

    def tell(self) -> int:
        """Tell of every export that is over; return how many letters went out."""
        over = [one for one in self.rows.every() if one.over_at and one.told_at is None]
        return sum(self._tell(one) for one in over)

    def _tell(self, request: ExportRequest) -> bool:
        to, workspace = self._address(request), self.workspaces.get(request.workspace_id)
        if to is not None and workspace is not None:
            letter = export_letter(
                to=to,
                workspace=workspace.name,
                url=self.outbox.url,
                ends_at=None if request.failed_at else request.ends_at,
            )
            if not self.outbox.send(letter, request.workspace_id, "export"):
                return False
        self.rows.keep(replace(request, told_at=self.outbox.clock()))
        return to is not None

    def _address(self, request: ExportRequest) -> str | None:
        """Return the address of who asked, None of one who has none or is gone."""
        member = self.members.find(request.workspace_id, request.member_id)
        return None if member is None else member.email
