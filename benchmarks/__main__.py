"""`make bench`: measures speed, memory and cost on this machine and prints the figures.

    python -m benchmarks [NAME ...]      # all, or those named

Every benchmark starts a stack of its own in a temporary folder; wall times are noisy on shared
machines, so figures that matter are ratios within one run.
"""

import sys
from collections.abc import Callable

from benchmarks import cost, lateness, preparation, start, throughput, tick, upload

BENCHMARKS: dict[str, Callable[[], None]] = {
    "start": start.run,
    "lateness": lateness.run,
    "throughput": throughput.run,
    "tick": tick.run,
    "upload": upload.run,
    "preparation": preparation.run,
    "cost": cost.run,
}


def main() -> None:
    """Run the benchmarks that are named, or all of them."""
    for name in sys.argv[1:] or list(BENCHMARKS):
        print(f"== {name}", flush=True)
        BENCHMARKS[name]()


if __name__ == "__main__":
    main()
