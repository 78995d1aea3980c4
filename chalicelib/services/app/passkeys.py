"""A member's own passkeys, as settings list them. What adds and uses them is `ceremonies`."""

from dataclasses import dataclass

from chalicelib.domain.workspace.access import Caller
from chalicelib.domain.workspace.passkeys import Passkey
from chalicelib.storage.workspace.passkeys import PasskeyRepository


@dataclass(frozen=True, slots=True, kw_only=True)
class Passkeys:
    """Passkeys of all members."""

    rows: PasskeyRepository

    def of(self, caller: Caller) -> list[Passkey]:
        """Return the caller's own, oldest first."""
        return self.rows.list(caller.workspace_id, caller.member_id)

    def remove(self, caller: Caller, passkey_hash: str) -> None:
        """Make one of the caller's own open nothing any more; sessions that it began go on."""
        self.rows.remove(caller.workspace_id, caller.member_id, passkey_hash)
