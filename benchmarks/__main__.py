"""`make bench`: measures speed, memory and cost on this machine and prints the figures.

    python -m benchmarks [NAME ...] [--dynamodb-local]      # those named, or all that are not long

With --dynamodb-local the tables are in Amazon's own engine for tests (needs Maven and a JDK).

Every benchmark starts a stack of its own in a temporary folder; wall times are noisy on shared
machines, so figures that matter are ratios within one run. After the last one a table has all of
them beside what cannot be beaten and what others do.
"""

import argparse
from collections.abc import Callable, Sequence
from contextlib import nullcontext

from benchmarks import cold, cost, pages, preparation, rebuild, start, upload
from benchmarks.capacity import cells, report
from benchmarks.figures import Figure, table
from benchmarks.publishing import (
    burst,
    day,
    lateness,
    near,
    restart,
    slow_platforms,
    soak,
    sync,
    throughput,
    tick,
)
from tests.support.engines import tables_in_dynamodb_local

BENCHMARKS: dict[str, Callable[[], Sequence[Figure] | None]] = {
    "start": start.run,
    "rebuild": rebuild.run,
    "lateness": lateness.run,
    "near": near.run,
    "burst": burst.run,
    "slow": slow_platforms.run,
    "restart": restart.run,
    "throughput": throughput.run,
    "soak": soak.run,
    "tick": tick.run,
    "cold": cold.run,
    "sync": sync.run,
    "day": day.run,
    "upload": upload.run,
    "pages": pages.run,
    "preparation": preparation.run,
    "cost": cost.run,
    "capacity": report.run,
    "cells": cells.run,
}

TOO_LONG = ("day", "rebuild", "cells")
"""They take half an hour, or gigabytes: only who names them waits for them."""


def main() -> None:
    """Run the benchmarks that are named, or all that do not take too long."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks")
    parser.add_argument("names", nargs="*", choices=[*BENCHMARKS, []], metavar="NAME")
    parser.add_argument("--dynamodb-local", action="store_true")
    arguments = parser.parse_args()
    figures: list[Figure] = []
    with tables_in_dynamodb_local() if arguments.dynamodb_local else nullcontext():
        for name in arguments.names or [one for one in BENCHMARKS if one not in TOO_LONG]:
            print(f"== {name}", flush=True)
            figures += BENCHMARKS[name]() or ()
    if figures:
        print(f"== all figures\n{table(figures)}", flush=True)


if __name__ == "__main__":
    main()
