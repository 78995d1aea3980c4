"""Claims at the second: each target by one conditional write, or many of them in one transaction.

A fire that comes alone is one write, at once. When a whole second's targets are due, those that
wait for earlier writes share a transaction: one call of the tables for up to fifty. A transaction
says nothing of a single row, so whenever one is refused or not answered, each of its targets is
fired by itself: a write that had gone through is recognized there as its own.
"""

import logging
import uuid
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from botocore.exceptions import BotoCoreError, ClientError

from chalicelib.domain.dataclass import dataclass
from chalicelib.domain.posts.target import Target
from chalicelib.storage.dynamodb.failures import Retrying, is_refused
from chalicelib.storage.dynamodb.tables import Tables
from chalicelib.storage.dynamodb.transaction import unless_changed
from chalicelib.storage.engine.claims import TargetRef, is_kept, put_of
from chalicelib.storage.shared_writes import SharedWrites

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import PutTypeDef

_MOST_TOGETHER = 50
_AT_ONCE = 2
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Fire:
    """A target as it was read, and as it is to be."""

    ref: TargetRef
    version: int
    saved: Target


class _Alone:
    """What became of a fire whose transaction was not carried out, or may not have been."""


_ALONE: Final = _Alone()


class Fires:
    """The writes that claim targets at their second."""

    def __init__(self, client: "DynamoDBClient", tables: Tables) -> None:
        self._client = client
        self._table = tables.posts
        self._retrying = Retrying()
        self._shared: SharedWrites[_Fire, Target | None | _Alone] = SharedWrites(
            self._write, most=_MOST_TOGETHER, at_once=_AT_ONCE
        )

    def fire(self, ref: TargetRef, target: Target) -> Target | None:
        """Claim a target and keep its doubt in one write, on exactly the version that was read.

        Returns None when anything changed since.
        """
        fire = _Fire(ref, target.version, replace(target, version=target.version + 1))
        fired = self._shared(fire)
        return self._alone(fire) if isinstance(fired, _Alone) else fired

    def _write(self, fires: Sequence[_Fire]) -> Sequence[Target | None | _Alone]:
        if len(fires) == 1:
            return [self._alone(fires[0])]
        try:
            self._client.transact_write_items(
                TransactItems=[{"Put": self._put(fire)} for fire in fires],
                ClientRequestToken=uuid.uuid4().hex,
            )
        except (ClientError, BotoCoreError) as failure:
            facts = {"action": "target.fired_alone", "targets": len(fires)}
            _LOG.info("A shared claim was not carried out: %s", type(failure).__name__, extra=facts)
            return [_ALONE] * len(fires)
        return [fire.saved for fire in fires]

    def _alone(self, fire: _Fire) -> Target | None:
        try:
            self._retrying(lambda: self._client.put_item(**self._put(fire)))
        except ClientError as error:
            if not is_refused(error):
                raise
            return fire.saved if is_kept(error, fire.saved) else None
        return fire.saved

    def _put(self, fire: _Fire) -> "PutTypeDef":
        return put_of(self._table, fire.ref, fire.saved, unless_changed(fire.version))
