"""Two rows about the engine itself: the operator's switch, and the mark of the last tick.

The switch stops all sending, and starts it again. Workers read it with each batch of messages, so a
pause takes effect for everything that is not armed yet. Its row also has the applications that are
held up (`domain/engine/holds.py`) and the workspaces that are being deleted, for which nothing is
sent (`LastLook`): one read tells all of it. After a restore from a backup, `confirm_since` makes
workers look for every target of the backup on its platform, from that time on, before they send it.

The mark tells the next tick, perhaps in another process, what was sent. It only saves messages: if
it is missing, old or unreadable, everything near is sent.
"""

import logging
import threading
from collections.abc import Callable
from dataclasses import field, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from chalicelib.domain.clock import Clock
from chalicelib.domain.engine.holds import Hold, Holds, Whose
from chalicelib.domain.platforms.platform import Platform
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.dynamodb.failures import AwsFailure, Retrying
from chalicelib.kit.dynamodb.items import Item, instant, maybe_instant, maybe_stamp, stamp
from chalicelib.kit.dynamodb.table import Expression, Table, unless_changed
from chalicelib.storage.tables import SWITCH_KEY, TICK_KEY, Tables

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

_LASTS = timedelta(seconds=1)
_LOG = logging.getLogger(__name__)
_UNNUMBERED = Expression("attribute_not_exists(#version)")


@dataclass(frozen=True, slots=True, kw_only=True)
class SwitchState:
    """Whether the engine is paused, and since when posts of a restored backup are looked for.

    `confirm_until` is when the engine was resumed: what was made later is in no backup.
    """

    paused: bool = False
    confirm_since: datetime | None = None
    confirm_until: datetime | None = None
    holds: Holds = ()
    closed: frozenset[str] = frozenset()
    """Workspaces that are being deleted."""

    def stops(self, workspace_id: str) -> bool:
        """Tell whether nothing is sent for a workspace."""
        return self.paused or workspace_id in self.closed


class EngineSwitch:
    """The one row of the switch; without a row the engine runs."""

    def __init__(self, client: "DynamoDBClient", tables: Tables) -> None:
        self._table = Table(client, tables.directory)
        self._retrying = Retrying()

    def read(self) -> SwitchState:
        """Return the switch as it is now."""
        return _state(self._row())

    def _row(self) -> Item:
        return self._retrying(lambda: self._table.get(SWITCH_KEY)) or {}

    def pause(self) -> SwitchState:
        """Stop sending; calls that are under way finish."""
        return self._write(lambda state: replace(state, paused=True))

    def resume(self) -> SwitchState:
        """Resume sending."""
        return self._write(lambda state: replace(state, paused=False))

    def resume_confirming(self, since: datetime, *, now: datetime) -> SwitchState:
        """Resume after a restore: any target that exists now may have been sent already."""
        return self._write(
            lambda state: SwitchState(confirm_since=since, confirm_until=now, closed=state.closed)
        )

    def close(self, workspace_id: str) -> None:
        """Stop sending for a workspace, for good."""
        self._change(lambda state: replace(state, closed=state.closed | {workspace_id}))

    def forget(self, workspace_id: str) -> None:
        """Remove a workspace of which nothing is left."""
        self._change(lambda state: replace(state, closed=state.closed - {workspace_id}))

    def change_holds(self, change: Callable[[Holds], Holds]) -> Holds:
        """Change which applications wait, as they are now."""
        return self._change(lambda state: replace(state, holds=change(state.holds))).holds

    def _change(self, change: Callable[[SwitchState], SwitchState]) -> SwitchState:
        """Change the switch as it is now; nothing is written where all stays."""
        state = self.read()
        return state if change(state) == state else self._write(change)

    def _write(self, change: Callable[[SwitchState], SwitchState]) -> SwitchState:
        """Change the switch as it was read: a write that arrives after another one changes nothing.

        A pause that got no answer must not stop the engine after it was resumed.
        """
        while True:
            found = self._row()
            version, state = int(found.get("version", 0)), change(_state(found))
            row = {
                **SWITCH_KEY,
                "paused": state.paused,
                "confirm_since": maybe_stamp(state.confirm_since),
                "confirm_until": maybe_stamp(state.confirm_until),
                "holds": [_hold_row(hold) for hold in state.holds] or None,
                "closed": sorted(state.closed) or None,
                "version": version + 1,
            }
            if self._table.put(row, unless_changed(version) if version else _UNNUMBERED):
                return state


@dataclass(slots=True, eq=False)
class LastLook:
    """Whether a workspace is being deleted, as it is right before a visible call.

    It may be deleted between the reading of the switch and the second of a post that was armed by
    it. Calls that are due at one second share a reading: one that began after they asked.
    """

    _read: Callable[[], SwitchState]
    _guard: threading.Lock = field(default_factory=threading.Lock)
    _begun: int = 0
    _state: SwitchState | None = None

    def is_closed(self, workspace_id: str) -> bool:
        """Tell whether a workspace is being deleted, by a read that begins now."""
        asked = self._begun
        with self._guard:
            if self._begun <= asked or self._state is None:
                self._begun += 1
                self._state = None  # a reading that fails tells nobody anything
                self._state = self._read()
            return workspace_id in self._state.closed


@dataclass(frozen=True, slots=True)
class SeenSwitch:
    """The switch, and when it began to be read."""

    state: SwitchState
    at: datetime


@dataclass(slots=True, eq=False)
class RecentSwitch:
    """The switch for late calls: during a long burst it is read once a second.

    A call's time counts from that read, so that a pause takes effect no later than if each call had
    read it. A read that fails is not shared.
    """

    _read: Callable[[], SwitchState]
    _clock: Clock
    _seen: SeenSwitch | None = None

    def read(self) -> SeenSwitch:
        """Return the switch as it was within the last second. Raises what a reading raises."""
        now, seen = self._clock(), self._seen
        if seen is None or not seen.at <= now < seen.at + _LASTS:
            seen = self._seen = SeenSwitch(self._read(), now)
        return seen


def _state(row: Item) -> SwitchState:
    return SwitchState(
        paused=row.get("paused", False),
        confirm_since=maybe_instant(row.get("confirm_since")),
        confirm_until=maybe_instant(row.get("confirm_until")),
        holds=tuple(_hold(each) for each in row.get("holds", ())),
        closed=frozenset(row.get("closed", ())),
    )


def _hold_row(hold: Hold) -> Item:
    return {
        "platform": str(hold.whose.platform),
        "application": hold.whose.application,
        "workspace_id": hold.whose.workspace_id or "",
        "code": hold.code,
        "message": hold.message,
        "words": hold.words or "",
        "since": stamp(hold.since),
        "until": stamp(hold.until),
        "is_named": hold.is_named,
        "tries": hold.tries,
    }


def _hold(row: Item) -> Hold:
    return Hold(
        whose=Whose(
            platform=Platform(row["platform"]),
            application=row["application"],
            workspace_id=row["workspace_id"] or None,
        ),
        code=row["code"],
        message=row["message"],
        words=row["words"] or None,
        since=instant(row["since"]),
        until=instant(row["until"]),
        is_named=row["is_named"],
        tries=row["tries"],
    )


class TickMark:
    """The one row of the mark, in the directory."""

    def __init__(self, client: "DynamoDBClient", tables: Tables) -> None:
        self._table = Table(client, tables.directory)

    def read(self) -> datetime | None:
        """Return when the last whole tick began, None if nobody knows."""
        try:
            row = self._table.get(TICK_KEY)
        except AwsFailure:
            _LOG.exception("The last tick is not known.", extra={"action": "tick.mark"})
            return None
        return None if row is None else instant(row["at"])

    def write(self, at: datetime) -> None:
        """Note a tick that sent everything; without the note the next sends it again."""
        try:
            self._table.put({**TICK_KEY, "at": stamp(at)})
        except AwsFailure:
            _LOG.exception("A tick could not be noted.", extra={"action": "tick.mark"})

    def forget(self) -> None:
        """Make the next tick send everything near again."""
        self._table.delete(TICK_KEY)
