"""Where the harness lets something go wrong: calls of a whole publication, counted beforehand.

`make prove` strikes every call, `make test` a share of them.
"""

import functools
from collections.abc import Callable
from typing import Protocol

from tests.connectors.support.fake_platform import Fault
from tests.connectors.support.rig import Rig

CRASH_SHARE = 2
"""After one call in so many `make test` lets the worker crash, the last or the one before it on."""
FAULTS = tuple(fault for fault in Fault if fault is not Fault.TOKEN_REFUSED)
SHARE = len(FAULTS)
"""One place in so many is tried with each fault by `make test`, all of them by `make prove`."""


class MakesRigs(Protocol):
    """What makes fresh connectors over fresh platforms: a platform's checks."""

    def make_rig(self) -> Rig:
        """Return a fresh connector over a fresh platform."""
        ...


def calls_to_connector(rig: Rig, shape: str) -> int:
    """Return how many calls a worker makes to a connector until a post is out."""
    drive = rig.drive(shape)
    drive.run()
    return drive.calls


def places(rigs: Callable[[], Rig]) -> list[tuple[str, int]]:
    """Return every call to the platform of every shape."""
    return [
        (shape, place)
        for shape in rigs().shapes
        for place in range(_calls_to_platform(rigs(), shape))
    ]


def some_places(checks: Callable[[], MakesRigs], first: int) -> list[tuple[str, int]]:
    """Return a share of the calls; each `first` has others, so that faults share all of them."""
    return _counted_places(checks)[first % SHARE :: SHARE]


@functools.cache
def _counted_places(checks: Callable[[], MakesRigs]) -> list[tuple[str, int]]:
    """Return every call of every shape of a connector, counted once for all checks."""
    made: list[Rig] = []

    def make() -> Rig:
        made.append(checks().make_rig())
        return made[-1]

    found = places(make)
    for rig in made:
        rig.platform.close()
    return found


def _calls_to_platform(rig: Rig, shape: str) -> int:
    rig.drive(shape).run()
    return len(rig.platform.calls)
