"""Whose turn it is in a round over all workspaces: where they are many, not everybody's at once.

Rounds of notices look at once at a workspace that was marked, since something just happened to it.
The others take turns: what only time brings is told within CYCLE, and what a round costs does not
grow with all that exists.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import zip_longest
from math import ceil

from chalicelib.kit.dataclass import dataclass

CYCLE = timedelta(minutes=5)
AT_LEAST = 50
"""So many are looked at in each round: a deployment with no more has no turns to wait for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stand:
    """When the last round was, and the last workspace that had its turn.

    A row of the release before has the time alone.
    """

    at: datetime
    last_id: str = ""


def in_turn(ids: Sequence[str], stand: Stand | None) -> Sequence[str]:
    """Return all workspaces from the one after the last that had its turn; `ids` are sorted."""
    left = ids if stand is None else after_last(ids, stand)
    return [*left, *ids[: len(ids) - len(left)]]


def after_last(ids: Sequence[str], stand: Stand) -> Sequence[str]:
    """Return the workspaces after the last that had its turn; `ids` are sorted."""
    return ids[bisect_right(ids, stand.last_id) :]


def have_their_turn(ids: Sequence[str], stand: Stand | None, now: datetime) -> Sequence[str]:
    """Return the workspaces that a round of notices looks at, in turn; `ids` are all of them."""
    if stand is None:
        return ids
    gone = max(timedelta(), now - stand.at)
    count = max(AT_LEAST, ceil(len(ids) * min(1.0, gone / CYCLE)))
    return in_turn(ids, stand)[:count]


def longest_marked(marks: Mapping[str, str | None]) -> Sequence[str]:
    """Return the marked workspaces, those that have waited longest first."""
    since = {workspace_id: at for workspace_id, at in marks.items() if at is not None}
    return sorted(since, key=lambda workspace_id: since[workspace_id])


def alternating(first: Sequence[str], second: Sequence[str]) -> Iterator[str]:
    """Yield one of each in turn: a round that ends early has come to some of both."""
    pairs = zip_longest(first, second)
    return (one for pair in pairs for one in pair if one is not None)
