"""Holds a workspace's scheduled targets and token refreshes during a move, and releases them.

A held target wakes 400 years later, after which the calendar repeats: no claim takes it, no tick
finds it, and rewriting its row keeps the time. Its version rises by two, so that a worker that has
read or armed it can no longer claim it. Sign-ins are held by the lock of refreshing, so that the
side that is left gets no new tokens.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

from chalicelib.domain.posts.progress import TAKEOVER_GRACE
from chalicelib.domain.posts.target import TargetStatus
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.dynamodb.items import Item, instant, stamp
from chalicelib.kit.dynamodb.table import Expression
from chalicelib.kit.dynamodb.transaction import StaleWriteError
from chalicelib.storage.engine.claims import TargetRef
from chalicelib.storage.moving.marks import Mark, Marks
from chalicelib.storage.moving.rows import KeptRow, WorkspaceRows

_LATER: Final = timedelta(days=146_097)
_HELD_FROM: Final = "2300"
_NO_END: Final = "9999"


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """How many targets and sign-ins of a workspace were held.

    `busy` are those that a worker has claimed, `under_way` those that have begun to post and wait
    for a platform.
    """

    held: int = 0
    busy: int = 0
    under_way: int = 0

    def __add__(self, other: "Held") -> "Held":
        return Held(
            held=self.held + other.held,
            busy=self.busy + other.busy,
            under_way=self.under_way + other.under_way,
        )


class Holds:
    """Holds and releases the workspaces of one deployment."""

    def __init__(self, marks: Marks, rows: WorkspaceRows) -> None:
        self._marks = marks
        self._rows = rows

    def hold(self, mark: Mark, *, now: datetime, patient: bool) -> Held:
        """Hold all that no worker has claimed; with patience, what is under way is left to it.

        Raises MoveTakenOverError.
        """
        done = Held()
        for kept in self._waiting(mark.workspace_id):
            if kept.name == "tokens":
                done += self._lock(mark, kept, now)
            else:
                done += self._hold(mark, kept, now=now, patient=patient)
        return done

    def _waiting(self, workspace_id: str) -> Iterator[KeptRow]:
        """Yield targets that wake, and sign-ins, unless they are held."""
        for kept in self._rows.of(workspace_id):
            wakes_at = kept.row.get("wake_at", _NO_END)
            is_target = kept.name == "target" and wakes_at < _HELD_FROM
            locked_until = kept.row.get("refreshing_until", "")
            if is_target or (kept.name == "tokens" and locked_until < _HELD_FROM):
                yield kept

    def _hold(self, mark: Mark, kept: KeptRow, *, now: datetime, patient: bool) -> Held:
        row = kept.row
        if _is_leased(row, now):
            return Held(busy=1)
        if patient and row["status"] == TargetStatus.PUBLISHING:
            return Held(under_way=1)
        later = stamp(instant(row["wake_at"]) + _LATER)
        is_held = self._change(mark, kept, _waking(later), _as_seen(row))
        return Held(held=1) if is_held else Held(busy=1)

    def _lock(self, mark: Mark, kept: KeptRow, now: datetime) -> Held:
        free = Expression(
            "attribute_not_exists(#refreshing_until) OR #refreshing_until < :now",
            {"now": stamp(now)},
        )
        forever = Expression("SET #refreshing_until = :end", {"end": stamp(now + _LATER)})
        return Held(held=1) if self._change(mark, kept, forever, free) else Held(busy=1)

    def release(self, mark: Mark) -> Iterator[TargetRef]:
        """Release everything that is held; yield each target that wakes from now on.

        Raises MoveTakenOverError.
        """
        for kept in self._rows.of(mark.workspace_id):
            row = kept.row
            if kept.name == "tokens" and row.get("refreshing_until", "") >= _HELD_FROM:
                self._change(mark, kept, Expression("REMOVE #refreshing_until"), None)
            if kept.name == "target" and row.get("wake_at", "") >= _HELD_FROM:
                at = instant(row["wake_at"]) - _LATER
                if self._change(mark, kept, _waking(stamp(at)), _as_seen(row)):
                    target_id = row["sk"].removeprefix("TARGET#")
                    yield TargetRef(row["pk"], target_id, row["workspace_id"], at)

    def _change(
        self, mark: Mark, kept: KeptRow, change: Expression, when: Expression | None
    ) -> bool:
        tables = self._marks.tables
        table = tables.directory if kept.name == "tokens" else tables.posts
        transaction = self._marks.writes(mark)
        transaction.update(table, kept.key, change, when)
        try:
            transaction.commit()
        except StaleWriteError:
            return False
        return True


def _is_leased(row: Item, now: datetime) -> bool:
    until = row.get("lease_until")
    return until is not None and instant(until) + TAKEOVER_GRACE > now


def _waking(at: str) -> Expression:
    return Expression("SET #wake_at = :at ADD #version :two", {"at": at, "two": 2})


def _as_seen(row: Item) -> Expression:
    return Expression(
        "#version = :seen AND #wake_at = :woke", {"seen": row["version"], "woke": row["wake_at"]}
    )
