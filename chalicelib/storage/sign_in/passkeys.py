"""Passkeys, rows of their persons; and the challenges that browsers answered.

Making a challenge writes no row. The request that proves its answer writes one, so that a challenge
works once; DynamoDB's TTL removes it after the challenge's own end.
"""

from datetime import datetime
from typing import Final

from chalicelib.domain.workspace.operator_errors import OperatorError
from chalicelib.domain.workspace.passkeys import MOST_PASSKEYS, Challenge, Passkey
from chalicelib.domain.workspace.persons import Person
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.dynamodb.items import Item, stamp
from chalicelib.kit.dynamodb.records import WHOLE_SECOND, Record
from chalicelib.kit.dynamodb.table import ABSENT, Expression, partition, setting
from chalicelib.kit.dynamodb.transaction import Transaction
from chalicelib.storage.workspace.changes import WorkspaceTable
from chalicelib.storage.workspace.items import challenge_key
from chalicelib.storage.workspace.person_items import (
    PASSKEYS,
    passkey_key,
    person_of,
    person_pk,
)
from chalicelib.storage.workspace.persons import PersonRepository

_PASSKEY: Final = Record(Passkey, apart=("hash", "person_id"))
_CHALLENGE: Final = Record(Challenge, apart=("hash",), kinds={"expires_at": WHOLE_SECOND})


class TooManyPasskeysError(OperatorError):
    """You have 20 passkeys, the most there can be. Remove one that you no longer use."""


class PasskeyTakenError(OperatorError):
    """This passkey is here already."""


@dataclass(frozen=True, slots=True)
class PasskeyRepository:
    """Passkeys of all persons."""

    directory: WorkspaceTable
    persons: PersonRepository

    def list(self, person_id: str) -> list[Passkey]:
        """Return a person's passkeys, oldest first."""
        rows = self.directory.table.rows(partition(person_pk(person_id), PASSKEYS))
        found = [_passkey_from(row) for row in rows]
        return sorted(found, key=lambda passkey: passkey.created_at)

    def find(self, person_id: str, passkey_hash: str) -> Passkey | None:
        """Return a person's passkey as it is now."""
        row = self.directory.table.get(passkey_key(person_id, passkey_hash))
        return None if row is None else _passkey_from(row)

    def add(self, passkey: Passkey) -> None:
        """Keep a new passkey.

        Raises UnknownPersonError for a person who is gone, PasskeyTakenError, TooManyPasskeysError.
        """
        row = {**passkey_key(passkey.person_id, passkey.hash), **_PASSKEY.item(passkey)}

        def decide(person: Person, transaction: Transaction) -> Person:
            known = self.list(person.id)
            if passkey.hash in {one.hash for one in known}:
                raise PasskeyTakenError
            if len(known) >= MOST_PASSKEYS:
                raise TooManyPasskeysError
            transaction.put(self.directory.tables.directory, row, ABSENT)
            return person

        self.persons.change(passkey.person_id, decide)

    def note_use(self, passkey: Passkey, counter: int, now: datetime) -> bool:
        """Keep a passkey's signature count; False if it is gone, or its count did not grow.

        A count that does not grow shows a copy, except for one that is always 0.
        """
        key = passkey_key(passkey.person_id, passkey.hash)
        grows = "#counter < :counter" if counter else "#counter = :counter"
        used = setting({"counter": counter, "used_at": stamp(now)})
        return self.directory.table.update(key, used, Expression(grows, {"counter": counter}))

    def remove(self, person_id: str, passkey_hash: str) -> None:
        """Remove a passkey: it signs nobody in any more."""
        self.directory.table.delete(passkey_key(person_id, passkey_hash))

    def use_up(self, challenge: Challenge) -> bool:
        """Note that a challenge was answered; False if it was answered before."""
        row = {**challenge_key(challenge.hash), **_CHALLENGE.item(challenge)}
        return self.directory.table.put(row, ABSENT)


def _passkey_from(row: Item) -> Passkey:
    return passkey_from(row, person_of(row), str(row["sk"]).partition("#")[2])


def passkey_from(row: Item, person_id: str, passkey_hash: str) -> Passkey:
    """Read the row of a person's passkey, wherever it is kept."""
    return _PASSKEY.value(row, person_id=person_id, hash=passkey_hash)
