"""Whose turn it is in a round of notices: where workspaces are many, not everybody's at once.

A workspace that was marked, since something just happened to it, is looked at in the next round.
The others take turns: what only time brings is told within CYCLE, and what a round costs does not
grow with all that exists.
"""

from bisect import bisect_right
from collections.abc import Sequence
from datetime import datetime, timedelta
from math import ceil

from chalicelib.kit.dataclass import dataclass

CYCLE = timedelta(minutes=5)
AT_LEAST = 50
"""So many are looked at in each round: a deployment with no more has no turns to wait for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stand:
    """When the last round was, and the last workspace that had its turn."""

    at: datetime
    last_id: str


def have_their_turn(ids: Sequence[str], stand: Stand | None, now: datetime) -> Sequence[str]:
    """Return which workspaces have their turn, in order; `ids` are all of them, sorted.

    They follow the last one that had its turn, and after the last of all comes the first.
    """
    if stand is None:
        return ids
    gone = max(timedelta(), now - stand.at)
    count = max(AT_LEAST, ceil(len(ids) * min(1.0, gone / CYCLE)))
    place = bisect_right(ids, stand.last_id)
    return [*ids[place:], *ids[:place]][:count]
