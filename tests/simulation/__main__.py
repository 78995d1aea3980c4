"""`make simulate [SEEDS=n]`: runs many seeds, prints what was struck and found, and shrinks.

    python -m tests.simulation --seeds 200 [--first 1] [--targets 20] [--hours 1] [--jobs 2]

Ends with status 1 when a promise was broken; the smallest plan that breaks it is printed as a line
for `tests/simulation/test_found_by_simulation.py`.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from tests.simulation.faults import Fault, a_plan
from tests.simulation.run import Report, run
from tests.simulation.shrinking import Shrinking, as_code

_SHRUNK = 5
"""How many failing seeds are made smaller; the others are only named."""


def simulate(seeds: Iterable[int], *, targets: int, hours: float, jobs: int) -> list[Report]:
    """Run seeds, several side by side, and return what each came to."""
    one = partial(_run_seed, targets=targets, hours=hours)
    if jobs == 1:
        return [one(seed) for seed in seeds]
    with ProcessPoolExecutor(jobs) as processes:
        return list(processes.map(one, seeds))


def _run_seed(seed: int, *, targets: int, hours: float) -> Report:
    return run(a_plan(seed, targets=targets, hours=hours))


def summary(reports: list[Report], took_s: float) -> str:
    """Return the figures of many runs."""
    struck: Counter[Fault] = Counter()
    statuses: Counter[str] = Counter()
    for report in reports:
        struck.update(strike.kind for strike in report.struck)
        statuses.update(report.statuses)
    quiet = [one for one in reports if one.plan.is_undisturbed]
    whole = [late for one in quiet if not one.plan.lacks for late in one.late_s]
    lacking = [late for one in quiet if one.plan.lacks for late in one.late_s]
    lines = [
        f"{len(reports)} seeds in {took_s:.0f} s, {len(reports) / took_s:.2f} a second",
        f"{sum(report.targets for report in reports)} targets, {struck.total()} faults",
        *(f"  {count:7d}  {kind}" for kind, count in sorted(struck.items())),
        "ended: " + ", ".join(f"{count} {status}" for status, count in statuses.most_common()),
    ]
    if whole:
        lines.append(f"without faults, the latest plain post was {max(whole):.2f} s late")
    if lacking:
        lines.append(f"on a machine that lacked something, {max(lacking):.2f} s")
    return "\n".join(lines)


def told(report: Report) -> str:
    """Say what a run broke, and the command that makes it again."""
    plan, broken = report.plan, "; ".join(map(str, report.broken))
    size = f"--targets {plan.targets} --hours {plan.hours:g}"
    command = f"python -m tests.simulation --first {plan.seed} --seeds 1 {size}"
    return f"seed {plan.seed}: {broken} (again: .venv/bin/{command})"


def main() -> None:
    """Run the seeds that are asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation")
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--targets", type=int, default=20)
    parser.add_argument("--hours", type=float, default=1.0)
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args()
    began = time.monotonic()
    seeds = range(asked.first, asked.first + asked.seeds)
    reports = simulate(seeds, targets=asked.targets, hours=asked.hours, jobs=asked.jobs)
    print(summary(reports, time.monotonic() - began))  # noqa: T201 - a program
    failing = [report for report in reports if report.broken]
    for place, report in enumerate(failing):
        print(told(report), flush=True)  # noqa: T201 - a program
        if place < _SHRUNK:
            print(f"  {as_code(Shrinking(report).go())}", flush=True)  # noqa: T201 - a program
    print(f"{len(failing)} of {len(reports)} seeds broke a promise")  # noqa: T201 - a program
    sys.exit(1 if failing else 0)


if __name__ == "__main__":
    main()
