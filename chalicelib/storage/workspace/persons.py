"""Persons: one row each, guarded by its version, with its memberships in it.

A membership is kept on the person and on the member, and both change in one transaction. A person
who leaves the last workspace is deleted with passkeys, sessions and addresses.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from chalicelib.domain.workspace.persons import (
    AddressTakenError,
    Membership,
    Person,
    UnknownPersonError,
    hash_of_address,
)
from chalicelib.domain.workspace.workspaces import Member
from chalicelib.kit.dynamodb.table import (
    ABSENT,
    PRESENT,
    Table,
    key_of,
    partition,
    unless_changed,
)
from chalicelib.kit.dynamodb.transaction import MOST_WRITES, Transaction, as_if_alone
from chalicelib.storage.tables import Key
from chalicelib.storage.workspace.changes import WorkspaceChange, WorkspaceTable
from chalicelib.storage.workspace.items import member_item, member_key, require_member
from chalicelib.storage.workspace.person_items import (
    PASSKEYS,
    SESSIONS,
    address_key,
    person_from,
    person_item,
    person_key,
    person_pk,
)

_TRIES = 40
_OTHER_WRITES = 3
"""A workspace's row, a member's and the person's are written with a person's belongings."""
Decide = Callable[[Person, Transaction], Person]


class PersonRepository:
    """All persons."""

    def __init__(self, directory: WorkspaceTable) -> None:
        self._directory = directory
        self._table: Table = directory.table
        self._rows = directory.tables.directory

    def find(self, person_id: str) -> Person | None:
        """Return a person as it is now."""
        row = self._table.get(person_key(person_id))
        return None if row is None else person_from(row)

    def change(self, person_id: str, decide: Decide) -> Person:
        """Carry out what `decide` decides, as if nobody else changed the person meanwhile.

        `decide` may run several times. Raises UnknownPersonError, and ContentionError when others
        changed the person through every try.
        """

        def write() -> Person:
            person = self.find(person_id)
            if person is None:
                raise UnknownPersonError
            transaction = self._directory.transaction()
            changed = decide(person, transaction)
            self.put(transaction, changed)
            transaction.commit()
            return changed

        return as_if_alone(write, tries=_TRIES)

    def put(self, transaction: Transaction, person: Person) -> None:
        """Write a changed person that was read in this version."""
        kept = replace(person, version=person.version + 1)
        transaction.rewrite(self._rows, person_item(kept), unless_changed(person.version))

    def join(
        self, workspace_id: str, member_id: str, person_id: str | None, now: datetime
    ) -> Person:
        """Link a member without a person to this one, or a new one; return the person.

        A member who was linked to another person meanwhile stays so; that person is returned.
        Raises UnknownMemberError, UnknownPersonError, AlreadyMemberError, TooManyWorkspacesError.
        """

        def decide(change: WorkspaceChange) -> Person:
            member = require_member(self._table.get(member_key(workspace_id, member_id)))
            before = self.find(member.person_id or person_id or member.id)
            if member.person_id is not None and before is not None:
                return before
            if before is None and person_id is not None:
                raise UnknownPersonError
            return self._join(change, member, before, now)

        return self._directory.change(workspace_id, decide)

    def _join(
        self, change: WorkspaceChange, member: Member, before: Person | None, now: datetime
    ) -> Person:
        membership = Membership(
            workspace_id=member.workspace_id,
            member_id=member.id,
            workspace_name=change.workspace.name,
            since=now,
        )
        person = (before or Person(id=member.id, created_at=now)).joins(membership)
        if before is None:
            change.transaction.put(self._rows, person_item(person), ABSENT)
        else:
            self.put(change.transaction, person)
        taken = replace(member, person_id=person.id)
        change.transaction.rewrite(self._rows, member_item(taken), PRESENT)
        return person

    def leave(self, change: WorkspaceChange, member: Member) -> None:
        """Remove a member's workspace from the person; one who is in no other is deleted."""
        if member.person_id is not None:
            self._leave(change.transaction, member.person_id, member.workspace_id)

    def forget_membership(self, person_id: str, workspace_id: str) -> None:
        """Remove a workspace that is deleted or moved away from a person, as `leave` does.

        It can be repeated.
        """

        def write() -> None:
            transaction = self._directory.transaction()
            self._leave(transaction, person_id, workspace_id)
            if len(transaction):
                transaction.commit()

        as_if_alone(write, tries=_TRIES)

    def _leave(self, transaction: Transaction, person_id: str, workspace_id: str) -> None:
        person = self.find(person_id)
        if person is None or person.membership_in(workspace_id) is None:
            return
        left = person.leaves(workspace_id)
        if left.memberships:
            self.put(transaction, left)
            return
        belongings = self._belongings(person)
        room = max(0, MOST_WRITES - len(transaction) - _OTHER_WRITES)
        for key in belongings[room:]:
            self._table.delete(key)
        for key in belongings[:room]:
            transaction.delete(self._rows, key)
        transaction.delete(self._rows, person_key(person.id), unless_changed(person.version))

    def _belongings(self, person: Person) -> list[Key]:
        """Return a person's other rows, last those that one can best do without: sessions."""
        own = person_key(person.id)
        keys = [key_of(row) for row in self._table.rows(partition(own["pk"]))]
        addresses = [address_key(hash_of_address(address)) for address in person.addresses]
        others = sorted(keys, key=lambda key: key["sk"].startswith(SESSIONS))
        return [*addresses, *(key for key in others if key != own)]

    def sign_out(self, change: WorkspaceChange, person_id: str, now: datetime) -> None:
        """End every session and passkey that a person has now."""
        person = self.find(person_id)
        if person is None:
            return
        for row in self._table.rows(partition(person_pk(person_id), PASSKEYS)):
            change.transaction.delete(self._rows, key_of(row))
        self.put(change.transaction, replace(person, signed_out_at=now))

    def own_address(self, change: WorkspaceChange, person_id: str, address: str) -> None:
        """Make a proven address a person's. Raises AddressTakenError."""
        person, key = self.find(person_id), address_key(hash_of_address(address))
        if person is None or address in person.addresses:
            return
        row = self._table.get(key)
        if row is not None and row["person_id"] != person_id:
            raise AddressTakenError
        if row is None:
            change.transaction.put(self._rows, {**key, "person_id": person_id}, ABSENT)
        self.put(change.transaction, replace(person, addresses=person.addresses | {address}))
