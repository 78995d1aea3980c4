"""Targets as the engine sees them: when they wake, who holds them, how far they are.

The dispatcher asks `waking`; the worker claims, renews its lease and saves progress (`outcomes.py`
saves the end). A worker's write is conditional on its lease's token, so a worker that lost its
lease can change nothing.
"""

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from chalicelib.domain.outcome import FailureCode
from chalicelib.domain.posts.progress import MOST_WAKES, TAKEOVER_GRACE, Lease
from chalicelib.domain.posts.target import Target, TargetStatus
from chalicelib.domain.workspace.plans import Charge, Use, give_back
from chalicelib.kit.dynamodb.failures import Retrying, is_refused
from chalicelib.kit.dynamodb.items import Item, attributes, instant, plain, stamp, unpack
from chalicelib.kit.dynamodb.table import (
    BatchRead,
    Expression,
    Table,
    key_of,
    name_of,
    parameters,
    rewriting,
    unless_changed,
)
from chalicelib.kit.dynamodb.transaction import Transaction
from chalicelib.storage.engine.claims import (
    LeaseLostError,
    MessageKind,
    TargetRef,
    WornOutError,
    as_saved,
    is_kept,
    still_held,
)
from chalicelib.storage.posts.allowances import add_uses
from chalicelib.storage.posts.items import target_from, target_item
from chalicelib.storage.tables import WAKE_SHARDS, Tables, list_publishing, target_key

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


class TargetRepository:
    """Targets that wake or are held, in the posts table and its wake index."""

    def __init__(
        self,
        client: "DynamoDBClient",
        tables: Tables,
        *,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        self._client = client
        self._tables = tables
        self._table = Table(client, tables.posts)
        self._retrying = Retrying(wait)
        self._recent = BatchRead(client, wait=wait, is_consistent=False)

    def waking(
        self, *, after: datetime | None, until: datetime, shard: str, limit: int | None = None
    ) -> Iterator[TargetRef]:
        """Yield the targets of one shard that wake in (after, until], soonest first."""
        low = "0" if after is None else stamp(after)
        near = Expression(
            "#wake_shard = :shard AND #wake_at BETWEEN :low AND :high",
            {"shard": shard, "low": low, "high": stamp(until)},
        )
        for row in islice(self._table.read_index("wake", near, page_size=limit), limit):
            if row["wake_at"] != low:
                yield TargetRef(
                    post_id=row["pk"],
                    target_id=row["sk"].removeprefix("TARGET#"),
                    workspace_id=row["workspace_id"],
                    wake_at=instant(row["wake_at"]),
                )

    def oldest_waking(self, until: datetime) -> datetime | None:
        """Return the earliest time to wake that is not after `until`, over all shards."""
        first = (
            next(self.waking(after=None, until=until, shard=shard, limit=1), None)
            for shard in WAKE_SHARDS
        )
        return min((ref.wake_at for ref in first if ref is not None), default=None)

    def claim(
        self, ref: TargetRef, lease: Lease, *, now: datetime, steady: datetime | None = None
    ) -> Target | None:
        """Claim a target that wakes, under the lease's token; None if there is nothing to do.

        A target that is due is `publishing` from here on; one that is prepared ahead stays
        `scheduled`. Whether its second has come is decided by `now`; whether a lease or a wait is
        over, by `steady`, because after a change of the clock the holder may be alive. Raises
        WornOutError for a row that could not be read too many times; it is held nevertheless. A
        message may come twice ("Amazon SQS at-least-once delivery"): the condition decides.
        """
        due = Expression(
            "#status IN (:scheduled, :publishing) AND #due_at <= :now",
            {"scheduled": TargetStatus.SCHEDULED, "publishing": TargetStatus.PUBLISHING},
        )
        posting = {
            "status": TargetStatus.PUBLISHING,
            "list_status": list_publishing(ref.workspace_id, ref.target_id),
        }
        ahead = Expression(
            "#status = :scheduled AND #due_at > :now", {"scheduled": TargetStatus.SCHEDULED}
        )
        waiting = {"status": str(TargetStatus.SCHEDULED)}
        ways = [(due, posting), (ahead, waiting)]
        is_ahead = ref.kind is MessageKind.WAKE_AHEAD
        for claimable, becomes in reversed(ways) if is_ahead else ways:
            taken = self._take(ref, lease, (now, steady or now), claimable, becomes)
            if taken is not TargetStatus.SCHEDULED:
                return taken if isinstance(taken, Target) else None
        return None

    def _take(
        self,
        ref: TargetRef,
        lease: Lease,
        at: tuple[datetime, datetime],
        claimable: Expression,
        becomes: Mapping[str, str],
    ) -> Target | TargetStatus | None:
        """Claim a target that wakes; if it cannot be claimed, return its status."""
        change = Expression(
            f"SET {', '.join(f'#{name} = :{name}' for name in becomes)}, "
            "#lease_token = :token, #lease_until = :until, "
            "#wake_at = :next_look ADD #wakes :one, #version :one",
            {
                **becomes,
                "token": lease.token,
                "until": stamp(lease.until),
                "next_look": stamp(lease.until + TAKEOVER_GRACE),
                "one": 1,
            },
        )
        # A row that is held wakes only once its lease is over.
        now, steady = at
        woken = Expression(
            f"{claimable.text} AND #wake_at <= :now AND (#wake_at <= :steady OR"
            " (#status = :scheduled AND attribute_not_exists(#lease_token)))",
            {**claimable.values, "now": stamp(now), "steady": stamp(steady)},
        )
        try:
            taken = self._retrying(
                lambda: self._client.update_item(
                    TableName=self._tables.posts,
                    Key=attributes(_key(ref)),
                    **parameters({"UpdateExpression": change, "ConditionExpression": woken}),
                    ReturnValues="ALL_NEW",
                    ReturnValuesOnConditionCheckFailure="ALL_OLD",
                )
            )
        except ClientError as error:
            return _read_refusal(error, lease)
        row = plain(taken["Attributes"])
        try:
            return target_from(row)
        except Exception as error:
            if row["wakes"] > MOST_WAKES:
                raise WornOutError from error
            raise

    def renew(self, ref: TargetRef, lease: Lease) -> None:
        """Extend a lease under its token; a late call never shortens it.

        Raises LeaseLostError.
        """
        change = Expression(
            "SET #lease_until = :until, #wake_at = :next_look",
            {"until": stamp(lease.until), "next_look": stamp(lease.until + TAKEOVER_GRACE)},
        )
        shorter = Expression(
            "#lease_token = :token AND #lease_until <= :until", {"token": lease.token}
        )
        try:
            self._client.update_item(
                TableName=self._tables.posts,
                Key=attributes(_key(ref)),
                **parameters({"UpdateExpression": change, "ConditionExpression": shorter}),
                ReturnValuesOnConditionCheckFailure="ALL_OLD",
            )
        except ClientError as error:
            if not is_refused(error):
                raise
            found = plain(error.response.get("Item", {}))  # type: ignore[arg-type]  # stubs
            if found.get("lease_token") != lease.token:
                raise LeaseLostError from error

    def find_held(self, refs: Sequence[TargetRef], *, wakes: int) -> list[TargetRef]:
        """Return the targets that a worker holds, or held when it died.

        Those that were claimed more than `wakes` times without progress are left out.
        """
        keys = [(self._tables.posts, _key(ref)) for ref in refs]
        rows = BatchRead(self._client).read(keys)
        found = ((ref, rows.get(name_of(_key(ref)), {})) for ref in refs)
        return [ref for ref, row in found if "lease_token" in row and row.get("wakes", 0) <= wakes]

    def end_lease(self, ref: TargetRef, *, at: datetime) -> bool:
        """Make a held target wake as if its lease had ended at a time; return if it was held."""
        change = Expression(
            "SET #lease_until = :over, #wake_at = :at",
            {"over": stamp(at - TAKEOVER_GRACE), "at": stamp(at)},
        )
        held = Expression("attribute_exists(#lease_token)")
        return self._table.update(_key(ref), change, held)

    def fail_by_key(self, ref: TargetRef, token: str, message: str, *, now: datetime) -> None:
        """Fail a target that breaks every worker, by nothing but its key and the lease.

        Its doubt stays: if anything was sent, it may be live. Raises LeaseLostError.
        """
        row = self._table.get(_key(ref)) or {}
        code = FailureCode.OUTCOME_UNKNOWN if "sent" in row else FailureCode.UNKNOWN
        held = Expression("#lease_token = :token", {"token": token})
        change = Expression(
            "SET #status = :failed, #error_code = :code, #error_message = :message, "
            "#failed_at = :now "
            "REMOVE #list_status, #wake_at, #wake_shard, #lease_token, #lease_until, #charge "
            "ADD #version :one",
            {
                "failed": TargetStatus.FAILED,
                "code": code,
                "message": message,
                "now": stamp(now),
                "one": 1,
            },
        )
        ended = Transaction(self._client)
        ended.update(self._tables.posts, _key(ref), change, held, LeaseLostError())
        add_uses(ended, self._tables, ref.workspace_id, _uses_to_give_back(row))
        ended.commit()

    def save(self, ref: TargetRef, target: Target, token: str) -> Target:
        """Save progress that changes no status in lists. Raises LeaseLostError.

        It names the version that it follows, so that a repeated earlier write that arrives late
        under the same token changes nothing.
        """
        saved = self._put(ref, target, still_held(token, target.version))
        if saved is None:
            raise LeaseLostError
        return saved

    def fire(self, ref: TargetRef, target: Target, is_fresh: Callable[[], bool]) -> Target | None:
        """Claim a target at its second, `publishing` and in doubt, on exactly what was read.

        One write is claim, status, doubt and fence; right before each try `is_fresh` tells whether
        it is still early enough. Returns None if it was not, or if anything had changed.
        """
        return self._put(ref, target, unless_changed(target.version), is_fresh)

    def _put(
        self,
        ref: TargetRef,
        target: Target,
        when: Expression,
        is_fresh: Callable[[], bool] = lambda: True,
    ) -> Target | None:
        """Write a row under a condition; if a try already went through, notice that."""
        saved = as_saved(target)
        row = target_item(ref.post_id, ref.workspace_id, saved)
        write = partial(
            self._client.update_item,
            TableName=self._tables.posts,
            Key=attributes(key_of(row)),
            **parameters({"UpdateExpression": rewriting(row), "ConditionExpression": when}),
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
        try:
            written = self._retrying(lambda: write() if is_fresh() else None)
        except ClientError as error:
            if not is_refused(error):
                raise
            return saved if is_kept(error, saved) else None
        return None if written is None else saved

    def recent_wake_times(self, refs: Collection[TargetRef]) -> dict[TargetRef, datetime | None]:
        """Return when targets wake, None for never, by cheap reads that may be a moment old.

        Only for a decision that may be wrong. A row that was not found is left out.
        """
        keys = {ref: target_key(ref.post_id, ref.target_id) for ref in refs}
        distinct = {(key["pk"], key["sk"]): key for key in keys.values()}
        rows = self._recent.read([(self._tables.posts, key) for key in distinct.values()])
        found = {ref: rows.get((key["pk"], key["sk"])) for ref, key in keys.items()}
        return {ref: _wake_time(row) for ref, row in found.items() if row is not None}

    def get(self, ref: TargetRef) -> Target | None:
        """Read one target as it is now."""
        row = self._table.get(_key(ref))
        return None if row is None else target_from(row)


def _key(ref: TargetRef) -> dict[str, str]:
    return target_key(ref.post_id, ref.target_id)


def _uses_to_give_back(row: Item) -> tuple[Use, ...]:
    """Return what gives back a row's charge; nothing when that cannot be read either."""
    try:
        charge = unpack(row.get("charge"))
        return () if charge is None else give_back(Charge(**charge))
    except (TypeError, ValueError):
        return ()


def _wake_time(row: Item) -> datetime | None:
    stored = row.get("wake_at")
    return None if stored is None else instant(stored)


def _read_refusal(error: ClientError, lease: Lease) -> Target | TargetStatus | None:
    """Return the status of a row that a claim did not take; our own token is our retried write."""
    if not is_refused(error):
        raise error
    found: dict[str, Any] = error.response.get("Item", {})  # type: ignore[assignment]  # stubs
    if not found:
        return None
    row = plain(found)
    is_ours = row.get("lease_token") == lease.token
    return target_from(row) if is_ours else TargetStatus(row["status"])
