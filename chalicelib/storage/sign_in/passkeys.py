"""Passkeys, rows of their members; and the challenges that browsers answered.

Asking leaves no row. The request that proves its answer writes one, so that a challenge works once;
the table's own clean-up removes it when the challenge would have ended anyway.
"""

from datetime import datetime
from typing import Final

from chalicelib.domain.workspace.operator_errors import OperatorError
from chalicelib.domain.workspace.passkeys import MOST_PASSKEYS, Challenge, Passkey
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.dynamodb.items import Item, stamp
from chalicelib.kit.dynamodb.records import WHOLE_SECOND, Record
from chalicelib.kit.dynamodb.table import ABSENT, Expression, setting
from chalicelib.storage.workspace.changes import WorkspaceChange, WorkspaceTable
from chalicelib.storage.workspace.items import (
    challenge_key,
    member_key,
    passkey_key,
    passkeys_of,
    workspace_of,
)
from chalicelib.storage.workspace.members import require_member

_PASSKEY: Final = Record(Passkey, apart=("hash", "workspace_id", "member_id"))
_CHALLENGE: Final = Record(Challenge, apart=("hash",), kinds={"expires_at": WHOLE_SECOND})


class TooManyPasskeysError(OperatorError):
    """You have 20 passkeys, the most there can be. Remove one that you no longer use."""


class PasskeyTakenError(OperatorError):
    """This passkey is here already."""


@dataclass(frozen=True, slots=True)
class PasskeyRepository:
    """Passkeys of all members."""

    directory: WorkspaceTable

    def list(self, workspace_id: str, member_id: str) -> list[Passkey]:
        """Return a member's passkeys, oldest first."""
        rows = self.directory.rows(workspace_id, passkeys_of(member_id))
        found = [_PASSKEY.value(row, **_named(row)) for row in rows]
        return sorted(found, key=lambda passkey: passkey.created_at)

    def find(self, workspace_id: str, member_id: str, passkey_hash: str) -> Passkey | None:
        """Return a member's passkey as it is now."""
        row = self.directory.table.get(passkey_key(workspace_id, member_id, passkey_hash))
        return None if row is None else _PASSKEY.value(row, **_named(row))

    def add(self, passkey: Passkey) -> None:
        """Keep a new passkey.

        Raises UnknownMemberError for a member who is gone, PasskeyTakenError, TooManyPasskeysError.
        """
        key = passkey_key(passkey.workspace_id, passkey.member_id, passkey.hash)

        def decide(change: WorkspaceChange) -> None:
            require_member(
                self.directory.table.get(member_key(passkey.workspace_id, passkey.member_id))
            )
            known = self.list(passkey.workspace_id, passkey.member_id)
            if passkey.hash in {one.hash for one in known}:
                raise PasskeyTakenError
            if len(known) >= MOST_PASSKEYS:
                raise TooManyPasskeysError
            change.transaction.put(change.table, {**key, **_PASSKEY.item(passkey)}, ABSENT)

        self.directory.change(passkey.workspace_id, decide)

    def note_use(self, passkey: Passkey, counter: int, now: datetime) -> bool:
        """Keep what a passkey counted; False if it is gone, or its count did not grow.

        A count that stands still or falls shows a copy, but for one that never leaves 0.
        """
        key = passkey_key(passkey.workspace_id, passkey.member_id, passkey.hash)
        grows = "#counter < :counter" if counter else "#counter = :counter"
        used = setting({"counter": counter, "used_at": stamp(now)})
        return self.directory.table.update(key, used, Expression(grows, {"counter": counter}))

    def remove(self, workspace_id: str, member_id: str, passkey_hash: str) -> None:
        """Make a passkey open nothing any more."""
        self.directory.table.delete(passkey_key(workspace_id, member_id, passkey_hash))

    def use_up(self, challenge: Challenge) -> bool:
        """Keep that a challenge was answered; False if it was before."""
        row = {**challenge_key(challenge.hash), **_CHALLENGE.item(challenge)}
        return self.directory.table.put(row, ABSENT)


def _named(row: Item) -> dict[str, str]:
    """Return what a row's key says."""
    _, member_id, passkey_hash = str(row["sk"]).split("#")
    return {"workspace_id": workspace_of(row), "member_id": member_id, "hash": passkey_hash}
