"""Which messages of a queue are delivered next: a large group does not delay a small one.

As in SQS's fair queues, messages come first whose group has the fewest in flight, so that one
group's 10,000 messages do not delay another's one. The choice goes from group to group through an
index, without reading the messages in between: its cost does not depend on how many wait. Of very
many groups it considers some, and the next ones the next time.
"""

from collections.abc import Iterator
from heapq import heapify, heappop, heapreplace
from sqlite3 import Connection
from threading import Lock
from typing import Any

_GROUPS = 32
"""At most this many groups with a visible message are compared, and as many others skipped."""
_PASSED = 96
_FOLLOWING = """
WITH RECURSIVE following (team) AS (
    SELECT min(team) FROM message WHERE queue = :queue AND team >= :begin
    UNION ALL
    SELECT (SELECT min(team) FROM message WHERE queue = :queue AND team > following.team)
    FROM following WHERE following.team IS NOT NULL)
SELECT team, (
    SELECT visible_at FROM message INDEXED BY message_team
    WHERE queue = :queue AND message.team = following.team
    AND visible_at <= :now ORDER BY visible_at LIMIT 1)
FROM following WHERE team IS NOT NULL
"""
_VISIBLE = """
SELECT id FROM message INDEXED BY message_team
WHERE queue = :queue AND team = :team AND visible_at <= :now
ORDER BY visible_at LIMIT :most
"""
_OLDEST = """
SELECT team, visible_at FROM message INDEXED BY message_visible
WHERE queue = :queue AND visible_at <= :now ORDER BY visible_at LIMIT 10
"""
_IN_FLIGHT = """
SELECT count(*) FROM (
    SELECT 1 FROM message INDEXED BY message_held
    WHERE queue = :queue AND team = :team AND visible_at > :now AND receipts > 0 LIMIT 1000)
"""

_About = dict[str, Any]
"""The values of those statements: the queue, the moment and how many are wanted."""


class FairTurns:
    """The groups' turns at one queue; it remembers where it left off."""

    def __init__(self, queue: int) -> None:
        self._queue = queue
        self._begin = ""
        self.choosing = Lock()
        """Held while choosing and taking: two threads would choose the same messages."""

    def choose(self, connection: Connection, now: float, most: int) -> list[int]:
        """Return visible messages, at most as many as wanted."""
        about = {"queue": self._queue, "now": now, "most": most}
        groups = self._groups(connection, about)
        if len(groups) == 1:
            (team,) = groups
            return list(_waiting(connection, team, about))
        load = [(_in_flight(connection, team, about), at, team) for team, at in groups.items()]
        heapify(load)
        waiting: dict[str, Iterator[int]] = {}
        chosen: list[int] = []
        while load and len(chosen) < most:
            held, at, team = load[0]
            if team not in waiting:
                waiting[team] = _waiting(connection, team, about)
            message = next(waiting[team], None)
            if message is None:
                heappop(load)
            else:
                chosen.append(message)
                heapreplace(load, (held + 1, at, team))
        return chosen

    def _groups(self, connection: Connection, about: _About) -> dict[str, float]:
        """Return groups, and since when each has a visible message.

        The oldest message's group is among them, and the others in turn.
        """
        found: dict[str, float] = {}
        for team, at in connection.execute(_OLDEST, about):
            found.setdefault(team, at)
        begin, passed, seen = self._begin, 0, 0
        self._begin = ""
        for start, end in ((begin, None), ("", begin)) if begin else (("", None),):
            rows = connection.execute(_FOLLOWING, {**about, "begin": start})
            for team, at in rows:
                if end is not None and team >= end:
                    break
                if seen == _GROUPS or passed == _PASSED:
                    self._begin = team
                    break
                passed += 1
                if at is not None:
                    seen += 1
                    found.setdefault(team, at)
            rows.close()
            if self._begin:
                break
        return found


def _waiting(connection: Connection, team: str, about: _About) -> Iterator[int]:
    rows = connection.execute(_VISIBLE, {**about, "team": team}).fetchall()
    return (number for (number,) in rows)


def _in_flight(connection: Connection, team: str, about: _About) -> int:
    return int(connection.execute(_IN_FLIGHT, {**about, "team": team}).fetchone()[0])
