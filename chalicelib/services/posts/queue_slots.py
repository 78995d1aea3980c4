"""The weekly times at which queued posts go out: listed, added, removed and rearranged.

Removing one moves no post that is already scheduled.
"""

import builtins
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from functools import partial
from itertools import takewhile
from typing import NamedTuple

from chalicelib.domain.clock import Clock
from chalicelib.domain.error_kinds import InvalidInput
from chalicelib.domain.errors import QueueSlotNotFound
from chalicelib.domain.ids import is_id, new_id
from chalicelib.domain.times.queue_slots import (
    MOST_SLOTS,
    Moment,
    QueueSlot,
    Rearranged,
    rearrange,
    upcoming,
)
from chalicelib.domain.workspace.access import Caller
from chalicelib.kit.dataclass import dataclass
from chalicelib.services.in_parallel import in_parallel
from chalicelib.services.repeats import Marking, no_mark
from chalicelib.storage.posts.queue_slots import QueueSlotRepository


class SlotList(NamedTuple):
    """A workspace's queue times, oldest first, and the next instant that is free, if any is."""

    slots: list[QueueSlot]
    next_free: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueSlots:
    """The queue times of the caller's workspace."""

    slots: QueueSlotRepository
    clock: Clock

    def list(self, caller: Caller) -> SlotList:
        """Return the queue times and the next one that is free within the next 60 days."""
        slots, free = self._read(caller)
        return SlotList(slots, next(free, None))

    def free_until(self, caller: Caller, until: datetime) -> tuple[SlotList, Sequence[datetime]]:
        """Return the queue times, and the free ones up to an instant."""
        slots, free = self._read(caller)
        first = next(free, None)
        if first is None or first >= until:
            return SlotList(slots, first), []
        return SlotList(slots, first), [first, *takewhile(lambda at: at < until, free)]

    def free(self, caller: Caller, *, besides: str) -> Iterator[datetime]:
        """Yield the free queue times within the next 60 days, soonest first.

        Those that the post `besides` holds count as free.
        """
        _, free = self._read(caller, besides=besides)
        return free

    def _read(
        self, caller: Caller, *, besides: str | None = None
    ) -> tuple[builtins.list[QueueSlot], Iterator[datetime]]:
        workspace_id, now = caller.workspace_id, self.clock()
        slots, taken = in_parallel(
            lambda: self.slots.list(workspace_id),
            lambda: self.slots.soon_taken(workspace_id, now),
        )
        candidates = upcoming(slots, caller.timezone, now)
        return slots, self.slots.all_free_from(
            workspace_id, candidates, besides=besides, known=taken
        )

    def add(
        self,
        caller: Caller,
        *,
        weekdays: Iterable[int],
        time: str,
        label: str = "",
        mark: Marking = no_mark,
    ) -> QueueSlot:
        """Add a queue time; each weekday counts once.

        Raises InvalidInput when the workspace has the most that it may have: the limit keeps lists
        short. Raises KeyTakenError of the mark.
        """
        slot = QueueSlot(
            id=new_id(self.clock()), weekdays=tuple(sorted(set(weekdays))), time=time, label=label
        )
        self.slots.add(caller.workspace_id, [slot], _require_fit, mark(slot.id))
        return slot

    def find(self, caller: Caller, slot_id: str) -> QueueSlot:
        """Return a queue time. Raises QueueSlotNotFound."""
        slots = self.slots.list(caller.workspace_id)
        found = next((slot for slot in slots if slot.id == slot_id), None)
        if found is None:
            raise QueueSlotNotFound
        return found

    def rearrange(
        self,
        caller: Caller,
        *,
        added: Collection[Moment],
        removed: Collection[Moment],
        label: str = "",
    ) -> Rearranged:
        """Add some times of the week and remove others; return the slots added and removed.

        New slots are written first: an interruption leaves both times, never none. Raises
        InvalidInput when the workspace would have more than it may have.
        """
        slots = self.slots.list(caller.workspace_id)
        change = rearrange(slots, self.clock(), added=added, removed=removed, label=label)
        self.slots.add(
            caller.workspace_id, change.new, partial(_require_fit, leaving=len(change.gone))
        )
        for slot in change.gone:
            self.slots.remove(caller.workspace_id, slot.id)
        return change

    def remove(self, caller: Caller, slot_id: str) -> None:
        """Remove a queue time. Raises QueueSlotNotFound."""
        if not is_id(slot_id) or not self.slots.remove(caller.workspace_id, slot_id):
            raise QueueSlotNotFound


def _require_fit(slots: Sequence[QueueSlot], leaving: int = 0) -> None:
    if len(slots) - leaving > MOST_SLOTS:
        message = f"A workspace has at most {MOST_SLOTS} queue times. Remove one first."
        raise InvalidInput(message, loc=("body",))
