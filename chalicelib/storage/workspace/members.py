"""Members of workspaces: keys act for a member, with the member's role.

A change of role is copied to the member's keys in the same transaction, so it applies to the next
request. Removing a member revokes the member's keys and removes the workspace from the person, at
once in all of the person's sessions.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from chalicelib.domain.errors import RoleForbids
from chalicelib.domain.workspace.access import Role, manages
from chalicelib.domain.workspace.notices import Channel, NoticeKind
from chalicelib.domain.workspace.operator_errors import LastOwnerError, UnknownMemberError
from chalicelib.domain.workspace.workspaces import Member
from chalicelib.kit.dynamodb.table import ABSENT, PRESENT, key_of
from chalicelib.storage.workspace.changes import WorkspaceChange, WorkspaceTable
from chalicelib.storage.workspace.items import (
    MEMBERS,
    browsers_of,
    member_from,
    member_item,
    member_key,
    require_member,
)
from chalicelib.storage.workspace.person_items import former_passkeys_of
from chalicelib.storage.workspace.persons import PersonRepository

_KEYS_A_TIME = 10
"""Revoking one takes three of a transaction's hundred writes; the last deletes more rows."""


class MemberRepository:
    """Members of all workspaces."""

    def __init__(self, directory: WorkspaceTable) -> None:
        self._directory = directory
        self._persons = PersonRepository(directory)
        self._table = directory.tables.directory

    def get(self, workspace_id: str, member_id: str) -> Member:
        """Return a member who was not removed. Raises UnknownMemberError."""
        return require_member(self._directory.table.get(member_key(workspace_id, member_id)))

    def find(self, workspace_id: str, member_id: str) -> Member | None:
        """Return a member who was not removed, None if there is none."""
        try:
            return self.get(workspace_id, member_id)
        except UnknownMemberError:
            return None

    def is_there(self, workspace_id: str, member_id: str) -> bool:
        """Tell whether there is such a member who was not removed."""
        row = self._directory.table.get(member_key(workspace_id, member_id))
        return row is not None and "removed_at" not in row

    def list(self, workspace_id: str) -> list[Member]:
        """Return a workspace's members, oldest first, without removed ones."""
        rows = self._directory.rows(workspace_id, MEMBERS)
        return [member_from(row) for row in rows if "removed_at" not in row]

    def add(self, member: Member) -> None:
        """Keep a new member. Raises UnknownWorkspaceError."""

        def decide(change: WorkspaceChange) -> None:
            change.transaction.put(self._table, member_item(member), ABSENT)

        self._directory.change(member.workspace_id, decide)

    def set_role(
        self, workspace_id: str, member_id: str, role: Role, *, by_member: str | None = None
    ) -> Member:
        """Give a member and the member's keys another role, as an operator or as another member.

        Raises UnknownMemberError; RoleForbids and LastOwnerError to a member.
        """

        def decide(change: WorkspaceChange) -> Member:
            before = self.get(workspace_id, member_id)
            self._require_right(by_member, before, role)
            member = replace(before, role=role)
            change.transaction.rewrite(self._table, member_item(member), PRESENT)
            change.rewrite_keys(change.keys_of(member_id), {"role": role})
            return member

        return self._directory.change(workspace_id, decide)

    def set_notices(
        self,
        workspace_id: str,
        member_id: str,
        *,
        email: str | None,
        chosen: Mapping[Channel, frozenset[NoticeKind]],
        now: datetime,
        asked: tuple[str, datetime] | None = None,
    ) -> Member:
        """Keep a member's choice of notices by channel, and the address for e-mail.

        A channel that `chosen` lacks stays as it is; `asked` is an address to prove, with a time.
        Raises UnknownMemberError.
        """
        asked_email, asked_at = asked or (None, None)

        def decide(change: WorkspaceChange) -> Member:
            member = self.get(workspace_id, member_id)
            changed = replace(
                member,
                email=email,
                email_at=member.email_at if email == member.email else now,
                notices=chosen.get(Channel.MAIL, member.notices),
                asked_email=asked_email,
                asked_at=asked_at,
                notices_in_bell=chosen.get(Channel.BELL, member.notices_in_bell),
                notices_by_push=chosen.get(Channel.PUSH, member.notices_by_push),
                notices_in_digest=chosen.get(Channel.DIGEST, member.notices_in_digest),
            )
            change.transaction.rewrite(self._table, member_item(changed), PRESENT)
            return changed

        return self._directory.change(workspace_id, decide)

    def prove_address(
        self, workspace_id: str, member_id: str, address: str, now: datetime
    ) -> Member | None:
        """Use an address from now on; None if the member no longer asks for it.

        Raises UnknownMemberError, AddressTakenError.
        """

        def decide(change: WorkspaceChange) -> Member | None:
            member = self.get(workspace_id, member_id)
            if member.asked_email != address:
                return None
            if member.person_id is not None:
                self._persons.own_address(change, member.person_id, address)
            proven = replace(member, email=address, email_at=now, asked_email=None, asked_at=None)
            change.transaction.rewrite(self._table, member_item(proven), PRESENT)
            return proven

        return self._directory.change(workspace_id, decide)

    def sign_out(self, workspace_id: str, member_id: str, now: datetime) -> Member:
        """End every session and passkey that a member's person has now.

        Raises UnknownMemberError.
        """

        def decide(change: WorkspaceChange) -> Member:
            member = replace(self.get(workspace_id, member_id), signed_out_at=now)
            self._delete_former_passkeys(change, member)
            if member.person_id is not None:
                self._persons.sign_out(change, member.person_id, now)
            change.transaction.rewrite(self._table, member_item(member), PRESENT)
            return member

        return self._directory.change(workspace_id, decide)

    def remove(
        self, workspace_id: str, member_id: str, now: datetime, *, by_member: str | None = None
    ) -> Member:
        """Remove a member with keys, and the person with passkeys if in no other workspace.

        An operator does it, or another member. Raises UnknownMemberError; RoleForbids and
        LastOwnerError to a member.

        Many keys take several transactions; the last one removes the member.
        """

        def decide(change: WorkspaceChange) -> Member:
            member = self.get(workspace_id, member_id)
            self._require_right(by_member, member, None)
            keys = change.keys_of(member_id)
            change.revoke_keys(keys[:_KEYS_A_TIME], now)
            if len(keys) > _KEYS_A_TIME:
                return member
            removed = replace(member, removed_at=now)
            self._delete_former_passkeys(change, member)
            self._delete(change, member, browsers_of(member.id))
            self._persons.leave(change, member)
            change.transaction.rewrite(self._table, member_item(removed), PRESENT)
            return removed

        while True:
            member = self._directory.change(workspace_id, decide)
            if member.removed_at is not None:
                return member

    def _require_right(self, by_member: str | None, member: Member, becomes: Role | None) -> None:
        """Check that a member may change another one, and that an owner is left.

        It reads for itself what both are: decided again if a role changes meanwhile.
        """
        if by_member is None:
            return
        there = {one.id: one.role for one in self.list(member.workspace_id)}
        own = there.get(by_member)
        roles = [member.role] if becomes is None else [member.role, becomes]
        if own is None or not all(manages(own, role) for role in roles):
            raise RoleForbids
        others = {role for one, role in there.items() if one != member.id}
        if Role.OWNER not in {*others, becomes}:
            raise LastOwnerError

    def _delete_former_passkeys(self, change: WorkspaceChange, member: Member) -> None:
        self._delete(change, member, former_passkeys_of(member.id))

    def _delete(self, change: WorkspaceChange, member: Member, kind: str) -> None:
        for row in self._directory.rows(member.workspace_id, kind):
            change.transaction.delete(self._table, key_of(row))
