"""What operators do with workspaces, members and keys; accounts are `connections`.

The command line and the local stack's demo call it; no endpoint does. Refusals are OperatorErrors,
one sentence each.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from chalicelib.domain.ids import new_id
from chalicelib.domain.times.queue_slots import default_slots
from chalicelib.domain.workspace.access import Plan, Role
from chalicelib.domain.workspace.activity import OPERATOR, Actor, Deed
from chalicelib.domain.workspace.notices import Channel, NoticeKind, is_address
from chalicelib.domain.workspace.operator_errors import (
    OperatorError,
    UnknownWorkspaceError,
)
from chalicelib.domain.workspace.workspaces import (
    Member,
    Workspace,
    check_name,
    check_timezone,
)
from chalicelib.kit.dataclass import dataclass
from chalicelib.services.in_parallel import in_parallel
from chalicelib.services.operator.key_administration import KeyAdministration
from chalicelib.services.operator.workspace_use import WorkspaceUse, with_use
from chalicelib.storage.workspace.members import MemberRepository
from chalicelib.storage.workspace.owner_index import require_id


@dataclass(frozen=True, slots=True, kw_only=True)
class Administration(KeyAdministration):
    """Changes workspaces and their members."""

    members: MemberRepository

    def create_workspace(  # a workspace is never without any of these
        self,
        *,
        name: str,
        plan: Plan,
        timezone: str,
        approvals: bool,
        owner_name: str,
        owner_timezone: str | None = None,
    ) -> tuple[Workspace, Member]:
        """Make a workspace with its owner and the three queue times every workspace starts with."""
        now = self.clock()
        workspace = Workspace(
            id=new_id(now),
            name=check_name(name),
            plan=plan,
            timezone=check_timezone(timezone),
            approvals=approvals,
            created_at=now,
        )
        owner = Member(
            id=new_id(now),
            workspace_id=workspace.id,
            name=check_name(owner_name),
            role=Role.OWNER,
            timezone=check_timezone(owner_timezone or timezone),
            created_at=now,
        )
        self.workspaces.add(workspace, owner, default_slots(now))
        return workspace, owner

    def show_workspace(self, workspace_id: str) -> WorkspaceUse:
        """Return a workspace with its month's use."""
        return self._with_use([self._workspace(workspace_id)])[0]

    def list_workspaces(self) -> list[WorkspaceUse]:
        """Return every workspace with its month's use, oldest first."""
        return self._with_use(self.workspaces.list())

    def update_workspace(  # noqa: PLR0913 - one for each setting
        self,
        workspace_id: str,
        *,
        plan: Plan | None = None,
        timezone: str | None = None,
        approvals: bool | None = None,
        raised_storage: int | None = None,
        passkeys_only: bool | None = None,
        by: Actor = OPERATOR,
    ) -> WorkspaceUse:
        """Change what is given; it holds from the next request of every key.

        `raised_storage` counts where it is more than the plan's; 0 takes it back. With
        `passkeys_only` members need a passkey to see anything of the workspace.
        """
        zone = None if timezone is None else check_timezone(timezone)
        changed = self.workspaces.update(
            require_id(workspace_id, UnknownWorkspaceError),
            plan=plan,
            timezone=zone,
            approvals=approvals,
            raised_storage=raised_storage,
            passkeys_only=passkeys_only,
        )
        if plan is not None:
            self.activity.note(changed.id, Deed.PLAN_CHANGED, by, detail=plan)
        settings = {
            "time zone": zone,
            "approvals": _on_or_off(approvals),
            "passkeys only": _on_or_off(passkeys_only),
            "storage": None if raised_storage is None else f"{raised_storage:,} bytes",
        }
        said = ", ".join(f"{name}: {to}" for name, to in settings.items() if to is not None)
        if said:
            self.activity.note(changed.id, Deed.SETTINGS_CHANGED, by, detail=said)
        return self._with_use([changed])[0]

    def _with_use(self, workspaces: Sequence[Workspace]) -> list[WorkspaceUse]:
        return with_use(self.workspaces, workspaces, self.clock())

    def add_member(
        self,
        workspace_id: str,
        *,
        name: str,
        role: Role,
        timezone: str | None = None,
        by: Actor = OPERATOR,
    ) -> Member:
        """Add a person to a workspace, in the workspace's time zone unless told otherwise."""
        workspace = self._workspace(workspace_id)
        now = self.clock()
        member = Member(
            id=new_id(now),
            workspace_id=workspace.id,
            name=check_name(name),
            role=role,
            timezone=check_timezone(timezone or workspace.timezone),
            created_at=now,
        )
        self.members.add(member)
        self._note(member, Deed.MEMBER_ADDED, by, role)
        return member

    def list_members(self, workspace_id: str) -> list[Member]:
        """Return a workspace's members, oldest first."""
        _, members = in_parallel(
            lambda: self._workspace(workspace_id), lambda: self.members.list(workspace_id)
        )
        return members

    def update_member(
        self, member_id: str, role: Role, *, by: Actor = OPERATOR, by_member: str | None = None
    ) -> Member:
        """Give a member another role; it holds from the next request of the member's keys.

        An operator may leave a workspace without an owner. Raises RoleForbids and LastOwnerError to
        a member.
        """
        changed = self.members.set_role(
            self._members_home(member_id), member_id, role, by_member=by_member
        )
        self._note(changed, Deed.MEMBER_CHANGED, by, role)
        return changed

    def tell_member(
        self,
        member_id: str,
        *,
        email: str | None = None,
        notices: frozenset[NoticeKind] | None = None,
        elsewhere: Mapping[Channel, frozenset[NoticeKind]] = MappingProxyType({}),
        by: Actor = OPERATOR,
    ) -> Member:
        """Change a member's address, and which notices go there and which `elsewhere`.

        An operator vouches for the address: it is used at once. Without one, notices appear only in
        browsers and on the bell's page.
        """
        if email and not is_address(email):
            raise OperatorError(f"{email} is not an e-mail address.")
        home_id = self._members_home(member_id)
        member = self.members.get(home_id, member_id)
        address = member.email if email is None else (email or None)
        kinds = member.notices if notices is None else notices
        if notices and address is None and by == OPERATOR:
            raise OperatorError("Notices need an address: give --email as well.")
        told = self.members.set_notices(
            home_id,
            member_id,
            email=address,
            chosen={
                **elsewhere,
                Channel.MAIL: frozenset() if address is None and notices is None else kinds,
            },
            now=self.clock(),
        )
        if address != member.email:
            self._note(told, Deed.MEMBER_CHANGED, by, "address")
        return told

    def ask_address(
        self,
        member_id: str,
        *,
        email: str,
        notices: frozenset[NoticeKind],
        elsewhere: Mapping[Channel, frozenset[NoticeKind]] = MappingProxyType({}),
    ) -> Member:
        """Change which notices a member gets, and the address once it is confirmed.

        Until then the earlier address stays in use. Raises OperatorError.
        """
        if not is_address(email):
            raise OperatorError(f"{email} is not an e-mail address.")
        home_id, now = self._members_home(member_id), self.clock()
        asking = self.members.set_notices(
            home_id,
            member_id,
            email=self.members.get(home_id, member_id).email,
            chosen={**elsewhere, Channel.MAIL: notices},
            now=now,
            asked=(email, now),
        )
        self.workspaces.mark(home_id, now)
        return asking

    def remove_member(
        self, member_id: str, *, by: Actor = OPERATOR, by_member: str | None = None
    ) -> Member:
        """Remove a member; the member's keys stop working at once. Raises as `update_member`."""
        gone = self.members.remove(
            self._members_home(member_id), member_id, self.clock(), by_member=by_member
        )
        self._note(gone, Deed.MEMBER_REMOVED, by)
        return gone

    def _note(self, member: Member, deed: Deed, by: Actor, detail: str = "") -> None:
        self.activity.note(
            member.workspace_id,
            deed,
            by,
            subject_id=member.id,
            subject=member.name,
            detail=detail,
        )


def _on_or_off(is_on: bool | None) -> str | None:  # noqa: FBT001 - the setting
    return None if is_on is None else ("on" if is_on else "off")
