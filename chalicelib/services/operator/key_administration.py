"""What operators do with keys: make, list, replace and revoke them; people are `administration`."""

from dataclasses import field
from datetime import date, timedelta

from chalicelib.domain.clock import Clock
from chalicelib.domain.ids import new_id
from chalicelib.domain.workspace.access import DEFAULT_SCOPES, Scope
from chalicelib.domain.workspace.activity import OPERATOR, Actor, Deed
from chalicelib.domain.workspace.key_ends import OVERLAP, end_after, end_of, successor
from chalicelib.domain.workspace.key_form import key_hash, make_key
from chalicelib.domain.workspace.operator_errors import (
    UnknownKeyError,
    UnknownMemberError,
    UnknownWorkspaceError,
)
from chalicelib.domain.workspace.workspaces import ApiKey, Workspace, check_name
from chalicelib.kit.dataclass import dataclass
from chalicelib.services.in_parallel import in_parallel
from chalicelib.services.workspace.activity import ActivityLog
from chalicelib.storage.workspace.api_keys import ApiKeyRepository
from chalicelib.storage.workspace.items import LIVE_KEYS, MEMBERS, StoredKey
from chalicelib.storage.workspace.owner_index import OwnerIndex, home, require_id
from chalicelib.storage.workspace.workspaces import WorkspaceRepository


@dataclass(frozen=True, slots=True, kw_only=True)
class NewKey:
    """A key that was just made, and its text, which is shown once and never again."""

    key: ApiKey
    secret: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyAdministration:
    """Makes, lists, replaces and revokes keys."""

    workspaces: WorkspaceRepository
    keys: ApiKeyRepository
    index: OwnerIndex
    activity: ActivityLog
    clock: Clock

    def create_key(
        self,
        member_id: str,
        *,
        name: str = "",
        scopes: frozenset[Scope] = DEFAULT_SCOPES,
        last_day: date | None = None,
        by: Actor = OPERATOR,
    ) -> NewKey:
        """Make a key that acts as the member, if asked only until the end of a day."""
        now = self.clock()
        secret = make_key()
        key = ApiKey(
            id=new_id(now),
            workspace_id=self._members_home(member_id),
            member_id=member_id,
            name=check_name(name) if name else "",
            scopes=scopes,
            created_at=now,
            expires_at=None if last_day is None else end_of(last_day, now),
        )
        self.keys.add(StoredKey(key=key, hash=key_hash(secret)))
        self._note_key(key, Deed.KEY_CREATED, by)
        return NewKey(key=key, secret=secret)

    def rotate_key(
        self,
        key_id: str,
        *,
        overlap: timedelta = OVERLAP,
        by: Actor = OPERATOR,
        by_member: str | None = None,
    ) -> NewKey:
        """Make a key that replaces another one, which stays valid for a while.

        Raises UnknownKeyError, OperatorError, and RoleForbids to a member.
        """
        workspace_id, now = home(self.index, LIVE_KEYS, key_id, UnknownKeyError), self.clock()
        secret, fresh_id = make_key(), new_id(now)

        def decide(key: ApiKey) -> tuple[StoredKey, ApiKey]:
            fresh = successor(key, fresh_id, now)
            return StoredKey(key=fresh, hash=key_hash(secret)), end_after(key, overlap, now)

        fresh = self.keys.rotate(workspace_id, key_id, decide, by_member=by_member)
        self._note_key(fresh, Deed.KEY_ROTATED, by)
        return NewKey(key=fresh, secret=secret)

    def _note_key(self, key: ApiKey, deed: Deed, by: Actor) -> None:
        self.activity.note_key(key, deed, by, ", ".join(sorted(key.scopes)))

    def list_keys(self, workspace_id: str) -> list[ApiKey]:
        """Return a workspace's keys, oldest first, revoked ones too."""
        _, keys = in_parallel(
            lambda: self._workspace(workspace_id), lambda: self.keys.list(workspace_id)
        )
        return keys

    def revoke_key(self, key_id: str, *, by: Actor = OPERATOR) -> None:
        """Make a key stop working at once."""
        workspace_id = home(self.index, LIVE_KEYS, key_id, UnknownKeyError)
        self._note_key(self.keys.revoke(workspace_id, key_id, self.clock()), Deed.KEY_REVOKED, by)

    def _workspace(self, workspace_id: str) -> Workspace:
        workspace = self.workspaces.get(require_id(workspace_id, UnknownWorkspaceError))
        if workspace is None:
            raise UnknownWorkspaceError
        return workspace

    def _members_home(self, member_id: str) -> str:
        return home(self.index, MEMBERS, member_id, UnknownMemberError)
