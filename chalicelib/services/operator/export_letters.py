"""Letters to the owner who asked for an export: it is ready, or it failed.

`notices` sends them in its run. An owner without a confirmed address sees it only in settings.
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
        """Mail about every export that has ended; return how many letters went out."""
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
        """Return the address of the owner who asked, None without one or if they left."""
        member = self.members.find(request.workspace_id, request.member_id)
        return None if member is None else member.email
