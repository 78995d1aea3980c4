"""Targets that a worker may have read together with an account, before that account changed.

`services/operator/connections.py` raises their versions before it answers: a worker that read one
can then neither claim nor save it, and reads it again with the account as it is now.
"""

from datetime import datetime
from typing import TYPE_CHECKING

from chalicelib.domain.posts.progress import LEASE, TAKEOVER_GRACE
from chalicelib.domain.posts.target import TargetStatus
from chalicelib.domain.workspace.accounts import Account
from chalicelib.kit.dynamodb.failures import Retrying
from chalicelib.kit.dynamodb.table import Expression, Table
from chalicelib.storage.engine.claims import TargetRef
from chalicelib.storage.engine.targets import TargetRepository
from chalicelib.storage.tables import WAKE_SHARDS, Tables, target_key

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

_TWO_MORE = Expression("ADD #version :two", {"two": 2})
"""One more would look to the worker that holds the target like a write of its own."""


class ArmedTargets:
    """The targets that are armed, or claimed ahead of their second, by the wake index."""

    def __init__(self, client: "DynamoDBClient", tables: Tables) -> None:
        self._table = Table(client, tables.posts)
        self._targets = TargetRepository(client, tables)
        self._retrying = Retrying()

    def outdate(self, account: Account, *, now: datetime) -> int:
        """Raise the version of every such target of an account; return how many there were.

        A target that was claimed wakes at the end of its lease, which lies that far ahead.
        """
        until = now + LEASE + TAKEOVER_GRACE
        near = [
            ref
            for shard in WAKE_SHARDS
            for ref in self._targets.waking(after=None, until=until, shard=shard)
            if ref.workspace_id == account.workspace_id
        ]
        return sum(self._outdate(ref, account) for ref in near)

    def _outdate(self, ref: TargetRef, account: Account) -> bool:
        its_own = Expression(
            "#account_id = :account AND #status = :scheduled",
            {"account": account.id, "scheduled": TargetStatus.SCHEDULED},
        )
        key = target_key(ref.post_id, ref.target_id)
        return self._retrying(lambda: self._table.update(key, _TWO_MORE, its_own))
