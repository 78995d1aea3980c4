"""A workspace's people, keys and settings, as its owner and admins change them in the app.

Administration does the work. Here is who may: owners and admins, and only an owner touches owners.
A workspace keeps one owner. A key made here acts as whoever makes it.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta

from chalicelib.domain.error_kinds import NotFound
from chalicelib.domain.errors import RoleForbids
from chalicelib.domain.workspace.access import Caller, Role, Scope, manages
from chalicelib.domain.workspace.activity import Activity, Actor
from chalicelib.domain.workspace.notices import Channel, NoticeKind
from chalicelib.domain.workspace.operator_errors import OperatorError
from chalicelib.domain.workspace.workspaces import ApiKey, Member
from chalicelib.kit.dataclass import dataclass
from chalicelib.services.app.ownership import require_owner
from chalicelib.services.app.sign_in_links import SignInLinks
from chalicelib.services.app.signed_in import SignedIn
from chalicelib.services.operator.administration import Administration
from chalicelib.services.operator.key_administration import NewKey
from chalicelib.services.operator.workspace_use import WorkspaceUse

MANAGERS = frozenset({Role.OWNER, Role.ADMIN})


class NoPasskeyUsedError(OperatorError):
    """Sign in by a passkey first, so that this does not shut you out."""


class NotInTeam(NotFound):
    """There is no such member or key in this workspace. It may be gone already."""

    code = "not_in_team"


@dataclass(frozen=True, slots=True, kw_only=True)
class Team:
    """What owners and admins do with people and keys of their workspace."""

    administration: Administration
    links: SignInLinks

    def members(self, caller: Caller) -> list[Member]:
        """Return the members, oldest first."""
        return self.administration.list_members(caller.workspace_id)

    def keys(self, caller: Caller) -> list[ApiKey]:
        """Return the keys, oldest first, revoked ones too."""
        require_manager(caller)
        return self.administration.list_keys(caller.workspace_id)

    def visible_keys(self, caller: Caller) -> list[ApiKey]:
        """Return the live keys that the caller may revoke: all, or those the caller allowed."""
        found = self.administration.list_keys(caller.workspace_id)
        now = self.administration.clock()
        live = [key for key in found if key.works(now)]
        return live if caller.role in MANAGERS else [k for k in live if _is_own_grant(caller, k)]

    def use(self, caller: Caller) -> WorkspaceUse:
        """Return what of the plan is used up."""
        return self.administration.show_workspace(caller.workspace_id)

    def set_timezone(self, caller: Caller, timezone: str) -> None:
        """Change the zone in which times are shown and queue times are meant."""
        require_manager(caller)
        self.administration.update_workspace(
            caller.workspace_id, timezone=timezone, by=Actor.of(caller)
        )

    def set_passkeys_only(self, who: SignedIn, is_on: bool) -> None:  # noqa: FBT001 - the setting
        """Decide whether members need a passkey to see the workspace.

        Raises RoleForbids, NoPasskeyUsedError.
        """
        require_owner(who.caller)
        if is_on and who.session.reach is not None:
            raise NoPasskeyUsedError
        self.administration.update_workspace(
            who.workspace.id, passkeys_only=is_on, by=Actor.of(who.caller)
        )

    def add_member(self, caller: Caller, *, name: str, role: Role) -> Member:
        """Add a person. Raises RoleForbids, OperatorError."""
        require_manager(caller)
        _require_rank(caller, role)
        return self.administration.add_member(
            caller.workspace_id, name=name, role=role, by=Actor.of(caller)
        )

    def set_role(self, caller: Caller, member_id: str, role: Role) -> None:
        """Give a member another role. Raises RoleForbids, NotInTeam, LastOwnerError."""
        member = self._changeable(caller, member_id)
        _require_rank(caller, role)
        self.administration.update_member(
            member.id, role, by=Actor.of(caller), by_member=caller.member_id
        )

    def remove_member(self, caller: Caller, member_id: str) -> None:
        """Remove a person; keys and sessions end at once.

        Raises RoleForbids, NotInTeam, LastOwnerError.
        """
        member = self._changeable(caller, member_id)
        self.administration.remove_member(
            member.id, by=Actor.of(caller), by_member=caller.member_id
        )

    def tell_me(
        self, caller: Caller, *, email: str, chosen: Mapping[Channel, frozenset[NoticeKind]]
    ) -> Member:
        """Change which notices the caller gets by each channel; a new address must be confirmed.

        Raises OperatorError.
        """
        me, mailed = self._me(caller), chosen[Channel.MAIL]
        if not email or email == me.email:
            return self.administration.tell_member(
                me.id, email=email, notices=mailed, elsewhere=chosen, by=Actor.of(caller)
            )
        return self.administration.ask_address(me.id, email=email, notices=mailed, elsewhere=chosen)

    def asks_for_address(self, caller: Caller, email: str) -> bool:
        """Tell whether an address is not the one that the caller's notices go to."""
        me = self._me(caller)
        return bool(email) and email not in {me.email, me.asked_email}

    def _me(self, caller: Caller) -> Member:
        return next(one for one in self.members(caller) if one.id == caller.member_id)

    def make_sign_in_link(self, caller: Caller, member_id: str) -> str:
        """Return a token that signs a member in once."""
        member = self._changeable(caller, member_id)
        return self.links.make(member.id, made_by=caller.member_name, by=Actor.of(caller))

    def create_key(
        self,
        caller: Caller,
        *,
        name: str,
        scopes: Iterable[Scope],
        last_day: date | None = None,
    ) -> NewKey:
        """Make a key that acts as the caller; its text is in the answer and nowhere else."""
        require_manager(caller)
        chosen = frozenset(scopes)
        if not chosen:
            raise OperatorError("Choose at least one thing that the key may do.")
        return self.administration.create_key(
            caller.member_id,
            name=name,
            scopes=chosen,
            last_day=last_day,
            by=Actor.of(caller),
        )

    def rotate_key(self, caller: Caller, key_id: str, overlap: timedelta) -> NewKey:
        """Make a key that replaces another one, which stays valid for a while.

        It acts as the same member, so that only an owner gets a new one of an owner's. Raises
        RoleForbids, NotInTeam, OperatorError.
        """
        require_manager(caller)
        key = next((one for one in self.visible_keys(caller) if one.id == key_id), None)
        if key is None:
            raise NotInTeam
        self._changeable(caller, key.member_id)
        return self.administration.rotate_key(
            key_id, overlap=overlap, by=Actor.of(caller), by_member=caller.member_id
        )

    def revoke_key(self, caller: Caller, key_id: str) -> None:
        """Make a key of the workspace, or of an assistant, stop working at once."""
        if key_id not in {key.id for key in self.visible_keys(caller)}:
            raise NotInTeam
        self.administration.revoke_key(key_id, by=Actor.of(caller))

    def activity(self, caller: Caller, before: str) -> Sequence[Activity]:
        """Return what was done in the workspace, newest first. Raises RoleForbids."""
        require_manager(caller)
        return self.administration.activity.newest(caller.workspace_id, before)

    def _changeable(self, caller: Caller, member_id: str) -> Member:
        """Return a member of the caller's workspace whom the caller may change."""
        require_manager(caller)
        for member in self.members(caller):
            if member.id == member_id:
                _require_rank(caller, member.role)
                return member
        raise NotInTeam


def _is_own_grant(caller: Caller, key: ApiKey) -> bool:
    return key.client_hash is not None and key.member_id == caller.member_id


def require_manager(caller: Caller) -> None:
    """Check that a caller is an owner or an admin. Raises RoleForbids."""
    if caller.role not in MANAGERS:
        raise RoleForbids


def _require_rank(caller: Caller, role: Role) -> None:
    """Only an owner makes, changes or removes owners."""
    if not manages(caller.role, role):
        raise RoleForbids
