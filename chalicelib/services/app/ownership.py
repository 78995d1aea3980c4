"""What owners alone do with a workspace as a whole, in the app: export it, and delete it for good.

The background makes exports (`operator/export_requests`) and carries a deletion out
(`operator/deletion`); here is who may ask for it.
"""

from typing import Final

from chalicelib.domain.clock import Clock
from chalicelib.domain.error_kinds import NotFound
from chalicelib.domain.errors import RoleForbids
from chalicelib.domain.workspace.access import Caller, Role
from chalicelib.domain.workspace.activity import Actor, Deed
from chalicelib.domain.workspace.exports import ExportRequest
from chalicelib.domain.workspace.operator_errors import OperatorError
from chalicelib.kit.dataclass import dataclass
from chalicelib.services.operator.deletion import StillScheduledError, WorkspaceDeletion
from chalicelib.services.operator.export_requests import ExportRequests
from chalicelib.services.workspace.activity import ActivityLog
from chalicelib.storage.export.links import ExportLinks
from chalicelib.storage.media.store import export_key

_SCHEDULED_MEANWHILE: Final = (
    "A post was scheduled, or began to be sent, since you were asked. Nothing was deleted: start "
    "again, and you are told of it."
)


class NoSuchPart(NotFound):
    """This part of an export cannot be had any more. Ask for a new export."""

    code = "no_such_part"


class OtherNameError(OperatorError):
    """This is not the workspace's name. Nothing was deleted: type the name as it is shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ownership:
    """A workspace as a whole, in its owners' hands."""

    exports: ExportRequests
    deletion: WorkspaceDeletion
    links: ExportLinks
    activity: ActivityLog
    clock: Clock

    def export_of(self, caller: Caller) -> ExportRequest | None:
        """Return the workspace's export, under way or over. Raises RoleForbids."""
        require_owner(caller)
        found = self.exports.rows.find(caller.workspace_id)
        return None if found is None or found.has_ended(self.clock()) else found

    def ask_for_export(self, caller: Caller) -> None:
        """Have an export made in the background. Raises RoleForbids, ExportUnderWayError."""
        require_owner(caller)
        self.exports.ask(caller.workspace_id, caller.member_id)
        self.activity.note(
            caller.workspace_id, Deed.EXPORTED, Actor.of(caller), detail="asked for in the app"
        )

    def part_address(self, caller: Caller, number: int) -> str:
        """Return where a part can be had for some minutes. Raises RoleForbids, NoSuchPart."""
        request = self.export_of(caller)
        if request is None or not request.can_be_had(self.clock()):
            raise NoSuchPart
        if not 1 <= number <= len(request.parts):
            raise NoSuchPart
        part = request.parts[number - 1]
        filename = f"export-{request.asked_at:%Y-%m-%d}-part-{number:04}.zip"
        self.activity.note(
            caller.workspace_id,
            Deed.EXPORTED,
            Actor.of(caller),
            detail=f"part {number} of {len(request.parts)} downloaded",
        )
        key = export_key(caller.workspace_id, part.name)
        return self.links.address_of(key, part.size_bytes, filename)

    def has_scheduled(self, caller: Caller) -> bool:
        """Tell whether a deletion would keep something from going out. Raises RoleForbids."""
        require_owner(caller)
        return self.deletion.posts.has_motion(caller.workspace_id)

    def require_name(self, caller: Caller, *, typed: str, name: str) -> None:
        """Check what an owner typed before deleting. Raises RoleForbids, OtherNameError."""
        require_owner(caller)
        if typed.strip() != name.strip():
            raise OtherNameError

    def delete(self, caller: Caller, *, even_scheduled: bool) -> None:
        """Begin to delete the workspace for good; nobody gets in from now on.

        Raises RoleForbids, OperatorError.
        """
        require_owner(caller)
        try:
            self.deletion.begin(
                caller.workspace_id, by=Actor.of(caller), even_scheduled=even_scheduled
            )
        except StillScheduledError as error:
            raise OperatorError(_SCHEDULED_MEANWHILE) from error


def require_owner(caller: Caller) -> None:
    """Check that a caller is an owner. Raises RoleForbids."""
    if caller.role is not Role.OWNER:
        raise RoleForbids
