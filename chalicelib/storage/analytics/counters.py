"""The counters: polls that are due, the stored results of some posts, and their changes.

`services/analytics` reads entries and writes them back. A change of a sum is one transaction over
one day: the posts' rows, each on condition that it is unchanged, the deletion of marks that are now
counted, and the day's sum. A change of no sum writes only a post's row.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime
from itertools import islice
from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from chalicelib.domain.analytics.counters import DayCounters, share_of
from chalicelib.domain.analytics.post_metrics import StoredPostMetrics
from chalicelib.domain.posts.post import Post
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.dynamodb.failures import is_clash
from chalicelib.kit.dynamodb.items import Item, instant, stamp
from chalicelib.kit.dynamodb.table import (
    ABSENT,
    PRESENT,
    BatchRead,
    ContentionError,
    Expression,
    Name,
    Table,
    name_of,
    setting,
    unless_changed,
)
from chalicelib.kit.dynamodb.transaction import StaleWriteError, Transaction
from chalicelib.storage.analytics.items import (
    day_counters_from,
    day_counters_item,
    post_metrics_from,
    post_metrics_item,
)
from chalicelib.storage.posts.items import post_from
from chalicelib.storage.tables import (
    Key,
    Tables,
    day_counters_key,
    fresh_key,
    post_key,
    post_metrics_key,
    target_key,
)

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

_Rows = dict[Name, Item]


@dataclass(frozen=True, slots=True)
class DuePoll:
    """A row that is due to be polled: a post's own, or the mark of a target that went live."""

    workspace_id: str
    key: Key
    at: datetime

    @property
    def post_id(self) -> str:
        """Return the post that it is about."""
        return self.key["sk"].split("#")[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A post as it is now, with its stored results.

    `fresh` are the targets that went live and are in no sum yet.
    """

    workspace_id: str
    post: Post
    known: StoredPostMetrics | None
    fresh: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CountersRead:
    """One post's counters, as read while the post itself is being changed."""

    entry: Entry
    day: DayCounters


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """An entry's change: new results, None to leave the counters, and the next poll."""

    entry: Entry
    after: StoredPostMetrics | None
    poll_at: datetime | None

    @property
    def writes(self) -> int:
        """Return how many writes it takes."""
        return 1 + len(self.entry.fresh)

    @property
    def moves_sums(self) -> bool:
        """Tell whether it changes the day's sum, or which targets are in no sum yet."""
        known, after = self.entry.known, self.after
        if self.entry.fresh or known is None or after is None:
            return True
        return known.platforms != after.platforms or share_of(known) != share_of(after)


class CounterRows:
    """The writing side of results, over the posts table and its look index."""

    def __init__(self, client: "DynamoDBClient", tables: Tables, batch: BatchRead) -> None:
        self._client = client
        self._table = tables.posts
        self._rows = Table(client, tables.posts)
        self._batch = batch

    def due(self, now: datetime, *, shard: str, limit: int) -> Iterator[DuePoll]:
        """Yield the due polls of one shard, longest due first; a post may appear twice."""
        condition = Expression(
            "#look_shard = :shard AND #look_at <= :now", {"shard": shard, "now": stamp(now)}
        )
        for item in islice(self._rows.read_index("look", condition), limit):
            key = {"pk": item["pk"], "sk": item["sk"]}
            yield DuePoll(item["workspace_id"], key, instant(item["look_at"]))

    def entries(self, workspace_id: str, post_ids: Sequence[str]) -> list[Entry]:
        """Read posts with their stored results: two rounds of batches."""
        own = self._read(
            key
            for post_id in post_ids
            for key in (post_key(post_id), post_metrics_key(workspace_id, post_id))
        )
        posts = [row for post_id in post_ids if (row := own.get(name_of(post_key(post_id))))]
        targets = self._read(
            key
            for row in posts
            for target_id in row["target_ids"]
            for key in (
                target_key(row["pk"], target_id),
                fresh_key(workspace_id, row["pk"], target_id),
            )
        )
        return [_entry(workspace_id, row, own, targets) for row in posts]

    def find_known(self, workspace_id: str, post_id: str) -> StoredPostMetrics | None:
        """Return a post's stored results."""
        key = post_metrics_key(workspace_id, post_id)
        row = self._read([key]).get(name_of(key))
        return None if row is None else post_metrics_from(row)

    def read_counters(
        self, workspace_id: str, post: Post, known: StoredPostMetrics | None, day: date
    ) -> CountersRead:
        """Read a post's marks and its day's sum in one round; the rest is known already."""
        marks = {target.id: fresh_key(workspace_id, post.id, target.id) for target in post.targets}
        day_key = day_counters_key(workspace_id, day)
        found = self._read([day_key, *marks.values()])
        fresh = tuple(target_id for target_id, key in marks.items() if name_of(key) in found)
        row = found.get(name_of(day_key))
        return CountersRead(
            Entry(workspace_id=workspace_id, post=post, known=known, fresh=fresh),
            DayCounters(day=day) if row is None else day_counters_from(row),
        )

    def day(self, workspace_id: str, day: date) -> DayCounters:
        """Return a day's sum as it is now, an empty one before the first post."""
        key = day_counters_key(workspace_id, day)
        row = self._read([key]).get(name_of(key))
        return DayCounters(day=day) if row is None else day_counters_from(row)

    def _read(self, keys: Iterable[Key]) -> _Rows:
        return self._batch.read([(self._table, key) for key in keys])

    def write(
        self, workspace_id: str, before: DayCounters, after: DayCounters, changes: Sequence[Change]
    ) -> None:
        """Write changes of posts of one day, with the day's sum.

        Raises StaleWriteError when anything that was read changed meanwhile, ContentionError.
        """
        transaction = Transaction(self._client)
        for change in changes:
            self._write_post(transaction, workspace_id, change)
        if after != before:
            item = day_counters_item(workspace_id, replace(after, version=before.version + 1))
            unchanged = unless_changed(before.version) if before.version else ABSENT
            transaction.rewrite(self._table, item, unchanged)
        if len(transaction):
            transaction.commit()

    def write_unmoved(self, workspace_id: str, change: Change) -> None:
        """Write a change that changes no sum. Raises StaleWriteError, ContentionError."""
        known, after = change.entry.known, change.after
        if known is None or after is None:
            return
        row = _post_row(workspace_id, after, change.poll_at)
        try:
            is_kept = self._rows.rewrite(row, unless_changed(known.version))
        except ClientError as error:
            if is_clash(error):
                raise ContentionError from error
            raise
        if not is_kept:
            raise StaleWriteError

    def _write_post(self, transaction: Transaction, workspace_id: str, change: Change) -> None:
        entry, after = change.entry, change.after
        known = entry.known
        for target_id in entry.fresh:
            mark = fresh_key(workspace_id, entry.post.id, target_id)
            transaction.delete(self._table, mark, PRESENT)
        unchanged = ABSENT if known is None else unless_changed(known.version)
        if after is not None:
            row = _post_row(workspace_id, after, change.poll_at)
            transaction.rewrite(self._table, row, unchanged)
        elif known is not None:
            key = post_metrics_key(workspace_id, entry.post.id)
            transaction.delete(self._table, key, unchanged)

    def put_off(self, poll: DuePoll, until: datetime) -> None:
        """Poll a post later, whatever keeps it from being polled now."""
        unmoved = Expression("#look_at = :due", {"due": stamp(poll.at)})
        self._rows.update(poll.key, setting({"look_at": stamp(until)}), unmoved)


def _post_row(workspace_id: str, after: StoredPostMetrics, poll_at: datetime | None) -> Item:
    return post_metrics_item(workspace_id, replace(after, version=after.version + 1), poll_at)


def _entry(workspace_id: str, row: Item, own: _Rows, targets: _Rows) -> Entry:
    post_id, target_ids = row["pk"], row["target_ids"]
    known = own.get(name_of(post_metrics_key(workspace_id, post_id)))
    found = [targets.get(name_of(target_key(post_id, target_id))) for target_id in target_ids]
    return Entry(
        workspace_id=workspace_id,
        post=post_from(row, *(item for item in found if item is not None)),
        known=None if known is None else post_metrics_from(known),
        fresh=tuple(
            target_id
            for target_id in target_ids
            if name_of(fresh_key(workspace_id, post_id, target_id)) in targets
        ),
    )
