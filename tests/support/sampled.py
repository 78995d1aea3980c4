"""A third of many slow cases where the gate runs, all of them where nobody picked a seed."""

import os
import random
from collections.abc import Iterable


def a_third_of(names: Iterable[str]) -> list[str]:
    """Return the third that SEED picks, as `.ci/run` sets it; all of them without one.

    `make prove` and `make test-oracles` by hand have none.
    """
    seed, every = os.environ.get("SEED"), sorted(names)
    return every if not seed else random.Random(seed).sample(every, -(-len(every) // 3))


def runs_by(seed: str, test: str) -> bool:
    """Tell whether a costly test is in the third that a seed picks; `all` picks every one."""
    return seed == "all" or random.Random(f"{seed} {test}").randrange(3) == 0
