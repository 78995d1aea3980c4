"""Sign-ins at platforms under way, sealed like accounts' tokens.

A flow ends by being taken: it is deleted by the request that uses it, so it works once. It expires
with everything in it; without KMS nothing in it can be read.
"""

from typing import Final

from chalicelib.domain.workspace.sessions import Flow
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.dynamodb.items import Item
from chalicelib.kit.dynamodb.records import WHOLE_SECOND, Record
from chalicelib.storage.workspace.changes import WorkspaceTable
from chalicelib.storage.workspace.items import flow_key
from chalicelib.storage.workspace.token_encryption import TokenEncryption

_FLOW: Final = Record(Flow, apart=("state_hash", "secret"), kinds={"expires_at": WHOLE_SECOND})


@dataclass(frozen=True, slots=True)
class FlowRepository:
    """Sign-ins that browsers have under way."""

    directory: WorkspaceTable
    encryption: TokenEncryption

    def add(self, flow: Flow) -> None:
        """Keep a sign-in that began."""
        self.directory.table.put(self._item(flow))

    def find(self, state_hash: str) -> Flow | None:
        """Return a sign-in that is under way, expired or not."""
        row = self.directory.table.get(flow_key(state_hash))
        return None if row is None else self._from(row)

    def take(self, state_hash: str) -> bool:
        """Use a sign-in up; tell whether this call was the first."""
        return self.directory.table.take(flow_key(state_hash)) is not None

    def _item(self, flow: Flow) -> Item:
        sealed = self.encryption.seal(
            _encryption_context(flow.state_hash), Tokens(access=flow.secret)
        )
        return {**flow_key(flow.state_hash), **_FLOW.item(flow), "secret": sealed}

    def _from(self, row: Item) -> Flow:
        state_hash = str(row["pk"]).partition("#")[2]
        opened = self.encryption.open(_encryption_context(state_hash), bytes(row["secret"])).access
        return _FLOW.value(row, state_hash=state_hash, secret=opened)


def _encryption_context(state_hash: str) -> str:
    return f"flow:{state_hash}"
