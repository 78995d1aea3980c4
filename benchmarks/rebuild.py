"""A start that rebuilds the indexes of a large directory: seconds, memory, size of the log.

A million targets of 200 workspaces, each with its post and an event, half of them still to come.
The index that finds what is due is missing, as where an upgrade was cut off.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

from benchmarks.figures import Figure
from chalicelib.kit.aws_on_sqlite.address import address_of
from chalicelib.settings import Settings
from tests.support.large_directory import fill

TARGETS = 1_000_000
_LOOK_EVERY_S = 0.2
_REBUILD = """
from chalicelib.local.embedded_resources import make_embedded
from chalicelib.settings import Settings
make_embedded(Settings.from_environment())
"""


def run(targets: int = TARGETS) -> list[Figure]:
    """Print seconds, peak memory and the largest log of a rebuild."""
    with tempfile.TemporaryDirectory(prefix="goldenhour-bench-") as folder:
        engine = Path(folder) / "engine"
        fill(_settings(engine), targets)
        size = (engine / "tables.db").stat().st_size
        print(f"{targets:,} targets, {size / 1e9:.1f} GB", flush=True)
        seconds, memory_mb, log_mb = _measure(engine)
    print(f"rebuilt in {seconds:.1f} s, {memory_mb:.0f} MB, a log of {log_mb:.0f} MB at most")
    name = f"a start that rebuilds the indexes of {targets:,} targets"
    return [
        Figure(f"{name}, s", seconds),
        Figure("the same, MB resident", memory_mb),
        Figure("the same, MB of log at most", log_mb),
    ]


def _settings(engine: Path) -> Settings:
    return Settings.from_environment(_environment(engine))


def _environment(engine: Path) -> dict[str, str]:
    address = address_of(engine, synced=True)
    return {"AWS_ENDPOINT_URL": address, "AWS_DEFAULT_REGION": "us-east-1"}


def _measure(engine: Path) -> tuple[float, float, float]:
    """Rebuild in a process of its own; return seconds, megabytes of memory and of the log."""
    began, log = time.monotonic(), engine / "tables.db-wal"
    environment = {**os.environ, **_environment(engine)}
    process = subprocess.Popen([sys.executable, "-c", _REBUILD], env=environment)
    watched, memory, largest = psutil.Process(process.pid), 0, 0
    while process.poll() is None:
        with watched.oneshot():
            memory = max(memory, watched.memory_info().rss)
        largest = max(largest, log.stat().st_size if log.exists() else 0)
        time.sleep(_LOOK_EVERY_S)
    if process.returncode != 0:
        sys.exit("The rebuild failed, so there is nothing to measure.")
    return time.monotonic() - began, memory / 1e6, largest / 1e6
