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
