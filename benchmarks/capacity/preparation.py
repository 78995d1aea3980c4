"""The prepare lane before nine: uploads in its places, and beside them what is tried again.

Messages are worked off in the order in which they come, by places that an idle queue takes on a few
a second. A target whose platform refuses it wakes again after the engine's own waits. Where retries
have places of their own, uploads never wait for them. A try that is near is sent by the one before
it, a later one by the tick; so each chain of functions that wake each other is counted, and stopped
by Lambda's guard as if nothing allowed it: the next tick sends what was stopped.
"""

import heapq
import random
from collections.abc import Sequence

from benchmarks.capacity import limits
from chalicelib.domain.engine.verdicts import WAITS
from chalicelib.storage.engine.wake_queue import NEAR
from chalicelib.workers.chains import MOST_HOPS

PREPARE_AHEAD_S = 600.0
_REFUSED_SINCE_S = 300.0
"""How long a platform has been refusing when preparation begins."""
_NEAR_S = NEAR.total_seconds()
_RESCUED_WITHIN_S = 60.0
_OWN_S = 0.5
"""Assumed: what a try takes besides the call, in reads, writes and signing in."""


class Places:
    """So many executions of one function: each piece of work takes the one that is free first."""

    def __init__(self, count: int, since: float) -> None:
        self._free = [
            since + max(place - limits.FIRST_BATCHES + 1, 0) / limits.BATCHES_A_SECOND
            for place in range(count)
        ]

    def work(self, comes: float, takes_s: float) -> float:
        """Return when work is done that comes then."""
        done = max(heapq.heappop(self._free), comes) + takes_s
        heapq.heappush(self._free, done)
        return done


class Lane:
    """What prepares, and what is tried again, apart from it or in the same places."""

    def __init__(self, places: int, retry_places: int, chance: random.Random) -> None:
        self._since = -PREPARE_AHEAD_S - _REFUSED_SINCE_S
        self._places = Places(places, self._since)
        self._retries = Places(retry_places, self._since) if retry_places else self._places
        self._chance = chance
        self._coming: list[tuple[float, int, int, int]] = []
        self._call_s = 0.0
        self.busy_s = 0.0
        self.longest_chain = 1
        self.stopped = 0

    def refuse(self, targets: int, call_s: float) -> None:
        """Let a platform refuse so many targets from some minutes before on, each time anew."""
        self._call_s = call_s
        self._coming = [(self._since + self._wait(0), 0, place, 1) for place in range(targets)]
        heapq.heapify(self._coming)

    def prepare(self, targets: int, upload_s: float) -> Sequence[float]:
        """Return when each target's file is uploaded; all ask for it at the same moment."""
        self._try_again(until=-PREPARE_AHEAD_S)
        ready = []
        for _ in range(targets):
            busy = upload_s * self._chance.uniform(0.5, 1.5)
            self.busy_s += busy
            ready.append(self._places.work(-PREPARE_AHEAD_S, busy))
        self._try_again(until=0.0)
        return ready

    def _wait(self, tries: int) -> float:
        wait = WAITS[min(tries, len(WAITS) - 1)].total_seconds()
        return wait * self._chance.uniform(0.8, 1.2)

    def _try_again(self, until: float) -> None:
        while self._coming and self._coming[0][0] < until:
            comes, tries, place, hop = heapq.heappop(self._coming)
            takes_s = _OWN_S + self._call_s * self._chance.uniform(0.5, 1.5)
            self.busy_s += takes_s
            done = self._retries.work(comes, takes_s)
            wait, next_hop = self.passed_on(self._wait(tries + 1), hop)
            heapq.heappush(self._coming, (done + wait, tries + 1, place, next_hop))

    def passed_on(self, wait: float, hop: int) -> tuple[float, int]:
        """Return when the next try comes, and which hop of its chain it is."""
        if wait > _NEAR_S:
            return wait, 1
        if hop == MOST_HOPS:
            self.stopped += 1
            return wait + self._chance.uniform(0, _RESCUED_WITHIN_S), 1
        self.longest_chain = max(self.longest_chain, hop + 1)
        return wait, hop + 1
