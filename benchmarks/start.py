"""From `make run` to an answering API, first and later, and what an idle stack weighs."""

import tempfile
import time
from pathlib import Path

import psutil

from benchmarks.figures import Figure
from benchmarks.stack import running

_IDLE_S = 20


def run() -> list[Figure]:
    """Print start times, resident memory and the idle share of one core."""
    with tempfile.TemporaryDirectory(prefix="goldenhour-bench-") as folder:
        with running(Path(folder)) as first:
            print(f"first start: the API answers after {first.started_in_s:.1f} s")
        with running(Path(folder)) as later:
            print(f"later start: the API answers after {later.started_in_s:.1f} s")
            whole = psutil.Process(later.process.pid)
            family = [whole, *whole.children(recursive=True)]
            time.sleep(3)
            before = _cpu_s(family)
            time.sleep(_IDLE_S)
            share = (_cpu_s(family) - before) / _IDLE_S
            resident, proportional = later.memory_mb()
            print(f"idle: {share:.1%} of a core, {resident:.0f} MB resident in all,", end=" ")
            print(f"{proportional:.0f} MB if shared pages count once")
            for name, kilobytes in later.resident_kb().items():
                print(f"  {name}: {kilobytes / 1024:.0f} MB")
    return [
        Figure("the API answers after a first start, s", first.started_in_s),
        Figure("the API answers after a later start, s", later.started_in_s),
        Figure("an idle stack, MB resident", resident),
        Figure("the same, shared pages counted once, MB", proportional),
    ]


def _cpu_s(family: list[psutil.Process]) -> float:
    return sum(sum(one.cpu_times()[:2]) for one in family)
