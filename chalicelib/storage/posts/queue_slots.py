"""Queue times of a workspace, and the times that its posts have taken.

Slots are rows of the workspace's partition, oldest first by their ids. Every post marks its
scheduled times with `TAKEN#<instant>#<post id>` (written by `changes.py`), so one consistent query
over a range of marks tells whether a time is free.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from chalicelib.domain.times.queue_slots import QueueSlot
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.dynamodb.items import stamp
from chalicelib.kit.dynamodb.table import between, partition
from chalicelib.kit.dynamodb.transaction import Transaction
from chalicelib.storage.tables import workspace_pk
from chalicelib.storage.workspace.changes import WorkspaceTable
from chalicelib.storage.workspace.items import slot_from, slot_item, slot_key

if TYPE_CHECKING:
    from chalicelib.storage.repeats import Mark

SOON = timedelta(days=14)
_AT_ONCE = 90
"""Slots that one transaction adds; it takes 100 writes."""
_FIRST_CHUNK = 8
_GROWTH = 4
_AFTER_ANY_ID = "~"


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenTimes:
    """Which times up to `until` are taken, and by which posts."""

    until: datetime
    posts: Mapping[str, frozenset[str]]

    def is_free(self, at: datetime, *, besides: str | None) -> bool:
        """Tell whether no other post is scheduled at a time that is not after `until`."""
        return not self.posts.get(stamp(at), frozenset()) - {besides}


class QueueSlotRepository:
    """Queue times of all workspaces; every method names the workspace."""

    def __init__(self, directory: WorkspaceTable) -> None:
        self._directory = directory
        self._table = directory.table

    def list(self, workspace_id: str) -> list[QueueSlot]:
        """Return the workspace's queue times as they are now, oldest first."""
        rows = self._table.rows(partition(workspace_pk(workspace_id), "SLOT#"))
        return [slot_from(row) for row in rows]

    def add(
        self,
        workspace_id: str,
        slots: Sequence[QueueSlot],
        require_fit: Callable[[Sequence[QueueSlot]], None],
        mark: "Mark | None" = None,
    ) -> None:
        """Keep new queue times, the first of them together with their Idempotency-Key.

        Raises KeyTakenError, and what `require_fit` raises of all that there would be.
        """
        for start in range(0, len(slots), _AT_ONCE):
            some = slots[start : start + _AT_ONCE]
            own = mark if start == 0 else None
            add = partial(self._add, workspace_id, some, require_fit, own)
            self._directory.add(workspace_id, add)

    def _add(
        self,
        workspace_id: str,
        slots: Sequence[QueueSlot],
        require_fit: Callable[[Sequence[QueueSlot]], None],
        mark: "Mark | None",
        transaction: Transaction,
    ) -> None:
        require_fit([*self.list(workspace_id), *slots])
        for slot in slots:
            transaction.put(self._directory.tables.directory, slot_item(workspace_id, slot))
        if mark is not None:
            mark.write(transaction, self._directory.tables.directory)

    def remove(self, workspace_id: str, slot_id: str) -> bool:
        """Remove a queue time; tell whether there was one."""
        return self._table.take(slot_key(workspace_id, slot_id)) is not None

    def soon_taken(self, workspace_id: str, now: datetime) -> TakenTimes:
        """Return the times that are taken within the next two weeks.

        It needs no other read, so that it can run beside the one of the slots.
        """
        return self._taken_times(workspace_id, now, now + SOON)

    def all_free_from(
        self,
        workspace_id: str,
        candidates: Iterator[datetime],
        *,
        besides: str | None = None,
        known: TakenTimes | None = None,
    ) -> Iterator[datetime]:
        """Yield the candidates at which no post of the workspace is scheduled, lazily.

        Candidates come in order. The marks of the post `besides` do not count. The `known` marks
        are not read again; after them each query covers four times as many candidates as the one
        before, so a full queue costs few queries.
        """
        size = _FIRST_CHUNK
        for at in candidates:
            if known is not None and at <= known.until:
                chunk, taken = [at], known
            else:
                chunk = [at, *islice(candidates, size - 1)]
                taken = self._taken_times(workspace_id, chunk[0], chunk[-1])
                size *= _GROWTH
            yield from (one for one in chunk if taken.is_free(one, besides=besides))

    def _taken_times(self, workspace_id: str, first: datetime, last: datetime) -> TakenTimes:
        """Return the times that are taken between two times, both included."""
        begin, end = f"TAKEN#{stamp(first)}#", f"TAKEN#{stamp(last)}#{_AFTER_ANY_ID}"
        found: dict[str, set[str]] = defaultdict(set)
        for row in self._table.rows(between(workspace_pk(workspace_id), begin, end)):
            _, instant, post_id = str(row["sk"]).split("#")
            found[instant].add(post_id)
        posts = {instant: frozenset(post_ids) for instant, post_ids in found.items()}
        return TakenTimes(until=last, posts=posts)
