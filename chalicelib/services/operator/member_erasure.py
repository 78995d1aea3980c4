"""Erasing a member: the name is removed from every history, the addresses from activity.

`member remove --erase` calls it. The member's own row loses the name last, so that an interrupted
run can be repeated and finished.
"""

from chalicelib.domain.workspace.activity import OPERATOR, Deed
from chalicelib.domain.workspace.former import FORMER_MEMBER
from chalicelib.domain.workspace.operator_errors import UnknownMemberError
from chalicelib.kit.dataclass import dataclass
from chalicelib.services.operator.administration import Administration
from chalicelib.storage.workspace.items import MEMBERS
from chalicelib.storage.workspace.member_names import MemberNames
from chalicelib.storage.workspace.owner_index import home


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberErasure:
    """Removes members and their names."""

    administration: Administration
    names: MemberNames

    def erase(self, member_id: str) -> int:
        """Remove a member, and the name from all rows; return how many rows had it.

        Raises UnknownMemberError.
        """
        office, names = self.administration, self.names
        workspace_id = home(office.index, MEMBERS, member_id, UnknownMemberError)
        name = names.name(workspace_id, member_id)
        if name is None:
            raise UnknownMemberError
        if office.members.is_there(workspace_id, member_id):
            office.remove_member(member_id)
        keys = names.keys_of(workspace_id, member_id)
        called = {name, *keys.values()} - {""}
        changed = names.erase_in_posts(workspace_id, called)
        office.activity.rows.forget_member(workspace_id, {member_id, *keys}, called)
        names.erase_in_directory(workspace_id, member_id, name)
        names.erase_own(workspace_id, member_id)
        office.activity.note(
            workspace_id,
            Deed.MEMBER_CHANGED,
            OPERATOR,
            subject_id=member_id,
            subject=FORMER_MEMBER,
            detail="name and address erased",
        )
        return changed
