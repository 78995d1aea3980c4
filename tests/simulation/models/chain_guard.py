"""A model of Lambda's guard on chains: functions that wake each other through queues without end.

Lambda guide, "Use Lambda recursive loop detection to prevent infinite loops": a function that was
woken about sixteen times in one chain of requests is not woken again by it, unless its
`RecursiveLoop` is `Allow`. AWS counts each function by itself; here all hops of a chain count,
which is stricter. What is stopped counts as received: it comes again after the queue's visibility
timeout, is stopped again, and ends among the dead messages.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self

from chalicelib.workers.chains import MAY_WAKE_THEMSELVES, MOST_HOPS
from tests.simulation.models.queue_model import Message
from tests.simulation.world import World


@dataclass(slots=True)
class ChainGuard:
    """What a run's guard stopped, and how long the longest chain was."""

    world: World
    allowed: frozenset[str]
    """The functions that may wake themselves, as `app.py` names them."""
    stopped: list[tuple[float, Message]] = field(default_factory=list)
    longest: int = 0
    _woken: dict[str, list[float]] = field(default_factory=dict)

    @classmethod
    def of(cls, world: World) -> Self:
        """Return the guard as the template sets it, or as it is without that."""
        return cls(world, frozenset() if world.plan.guards_chains else MAY_WAKE_THEMSELVES)

    def let_through(self, function: str, batch: list[Message]) -> list[Message]:
        """Return what of a batch wakes its function."""
        through = [one for one in batch if one.hop <= MOST_HOPS or function in self.allowed]
        self.stopped += [(self.world.now, one) for one in batch if one not in through]
        self.longest = max([self.longest, *(one.hop for one in through)])
        for one in through:
            self._woken.setdefault(str(json.loads(one.body).get("target_id")), []).append(
                self.world.now
            )
        return through

    def woken(self) -> Mapping[str, tuple[float, ...]]:
        """Return when messages woke a function for each target."""
        return {name: tuple(times) for name, times in self._woken.items()}
