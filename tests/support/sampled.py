"""The part of many files or slow tests that runs in the gate, picked by a seed."""

import os
import random
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path


def a_quarter_of(names: Iterable[str]) -> list[str]:
    """Return the quarter that SEED picks, as `.ci/run` sets it; all of them without one.

    `make prove` and `make test-oracles` by hand have none.
    """
    seed, every = os.environ.get("SEED"), sorted(names)
    return every if not seed else random.Random(seed).sample(every, -(-len(every) // 4))


def runs_by(seed: str, test: str) -> bool:
    """Tell whether a costly test is in the quarter that a seed picks; `all` picks every one."""
    return seed == "all" or random.Random(f"{seed} {test}").randrange(4) == 0


@cache
def a_twelfth_of(rooms: tuple[str, ...], seed: str) -> frozenset[Path]:
    """Return a twelfth of the files, and those that the gate runs nowhere else: that compile C."""
    places = [Path(room.partition("::")[0]).absolute() for room in rooms]
    files = sorted({file for place in places for file in _test_files(place)})
    compile_c = [file for file in files if "mark.compiler" in file.read_text(encoding="utf-8")]
    return frozenset([*random.Random(seed).sample(files, -(-len(files) // 12)), *compile_c])


def _test_files(place: Path) -> Iterator[Path]:
    return iter([place]) if place.is_file() else place.rglob("test_*.py")
