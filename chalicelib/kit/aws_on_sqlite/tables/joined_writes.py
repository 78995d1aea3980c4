"""Writes that wait for one another anyway, joined into one transaction of SQLite.

A process has one writer at a time. Whoever comes while another writes waits for its end, and one of
those who wait then writes for all: each call is still decided for itself, in the order in which
they came, on the rows as those before it left them, and answered for itself. Nobody waits to be
joined: a call that comes alone is written at once. What joining saves is statements: at each of
them a thread lets others run, and of these a busy process has many.
"""

import copy
import sqlite3
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence

from botocore.exceptions import ClientError, EndpointConnectionError

from chalicelib.kit.aws_on_sqlite.engine import Engine
from chalicelib.kit.aws_on_sqlite.failures import refusal
from chalicelib.kit.aws_on_sqlite.steady_clock import machine_clock
from chalicelib.kit.aws_on_sqlite.tables.rows import Row
from chalicelib.kit.aws_on_sqlite.tables.writes import (
    Changes,
    ConditionRefused,
    Place,
    Write,
    for_all,
    read_rows,
)

MOST_JOINED = 48
"""So many rows are written together; one call may have more."""
_FIND_TOKENS = "SELECT token, digest FROM token WHERE {}"
_KEEP_TOKENS = "INSERT INTO token VALUES {}"
_ANOTHERS = "The token was used for another call"
Found = Sequence[tuple[Write, Row | None]]
"""Each write with its row as it is before."""


class Joined:
    """One call's writes. `decide` returns what they change, or raises why they do not."""

    def __init__(
        self,
        writes: Sequence[Write],
        decide: Callable[[Found], Changes],
        token: str | None = None,
        digest: bytes = b"",
    ) -> None:
        self.writes = writes
        self.decide = decide
        self.token = token
        self.digest = digest
        self.error: Exception | None = None
        self.is_done = False
        self.is_repeated = False
        """Whether its token says that it was carried out before."""
        self.is_next = False
        """Whether it is to write for those who wait, itself among them."""
        self.told = threading.Lock()
        self.told.acquire()

    def end(self, error: Exception | None) -> None:
        """Tell whoever waits for it that it is done, or why it is not."""
        if not self.is_done:
            self.error, self.is_done = error, True
            self.told.release()


class JoinedWrites:
    """The writes of an engine's rows."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._guard = threading.Lock()
        self._waiting: deque[Joined] = deque()
        self._is_busy = False

    def carry_out(self, one: Joined) -> None:
        """Make a call's writes. Raises what refuses them, and what `Engine.writing` raises."""
        with self._guard:
            self._waiting.append(one)
            is_first, self._is_busy = not self._is_busy, True
        if not is_first:
            try:
                one.told.acquire()
            except BaseException:  # whoever is interrupted stands in nobody's way
                self._leave(one)
                raise
        if not one.is_done:
            self._write_for_all()
        if one.error is not None:
            raise one.error
        self._engine.settle()

    def _leave(self, one: Joined) -> None:
        with self._guard:
            if one in self._waiting:
                self._waiting.remove(one)
        if one.is_next:
            self._hand_on()

    def _write_for_all(self) -> None:
        """Write for whoever waits first and those behind it; the next who waits writes then."""
        batch: list[Joined] = []
        try:
            batch += self._take()
            self._carry_out(batch)
        except BaseException:  # interrupted: whether it was written nobody knows
            for one in batch:
                one.end(EndpointConnectionError(endpoint_url=self._engine.address))
            raise
        finally:
            self._hand_on()

    def _take(self) -> Iterator[Joined]:
        rows = 0
        with self._guard:
            while self._waiting:
                rows += len(self._waiting[0].writes)
                if rows > MOST_JOINED and rows > len(self._waiting[0].writes):
                    return
                yield self._waiting.popleft()

    def _hand_on(self) -> None:
        with self._guard:
            self._is_busy = bool(self._waiting)
            if self._waiting:
                self._waiting[0].is_next = True
                self._waiting[0].told.release()

    def _carry_out(self, batch: Sequence[Joined]) -> None:
        """Write a batch; what breaks it is found by writing each of it for itself."""
        try:
            with self._engine.transaction() as connection:
                refused = _write(batch, connection)
        except EndpointConnectionError as failure:
            for one in batch:
                one.end(copy.copy(failure))
        except Exception as failure:  # noqa: BLE001 - whoever waits gets it
            if len(batch) == 1:
                batch[0].end(failure)
            else:
                for one in batch:
                    self._carry_out([one])
        else:
            for one in batch:
                one.end(refused.get(one))


def _write(batch: Sequence[Joined], connection: sqlite3.Connection) -> dict[Joined, Exception]:
    """Write what is not refused of a batch; return why the others are."""
    places = dict.fromkeys(write.place for one in batch for write in one.writes)
    rows: dict[Place, Row | None] = {
        place: row for place, (row, _) in read_rows(connection, [*places]).items()
    }
    digests = _digests(batch, connection)
    refused: dict[Joined, Exception] = {}
    tokens: list[tuple[object, ...]] = []
    changes, changed = Changes(), set[Place]()
    for one in batch:
        if one.token is not None and one.token in digests:
            if digests[one.token] != one.digest:
                refused[one] = refusal("IdempotentParameterMismatchException", _ANOTHERS)
            one.is_repeated = True
            continue
        own = [write.place for write in one.writes]
        if not changed.isdisjoint(own):  # what is listed and unlisted again keeps its order
            changes.carry_out(connection)
            changes, changed = Changes(), set()
        try:
            wanted = one.decide([(write, rows.get(write.place)) for write in one.writes])
        except (ConditionRefused, ClientError) as error:
            refused[one] = error
            continue
        changes.join(wanted)
        changed.update(own)
        rows |= {write.place: write.after for write in one.writes}
        if one.token is not None:
            digests[one.token] = one.digest
            tokens.append((one.token, one.digest, machine_clock()))
    changes.carry_out(connection)
    if tokens:
        connection.execute(*for_all(_KEEP_TOKENS, tokens))
    return refused


def _digests(batch: Sequence[Joined], connection: sqlite3.Connection) -> dict[str, bytes]:
    """Return those tokens of a batch that are known, and of which call each is."""
    asked = [(one.token,) for one in batch if one.token is not None]
    if not asked:
        return {}
    return dict(connection.execute(*for_all(_FIND_TOKENS, asked, "token = ?")).fetchall())
