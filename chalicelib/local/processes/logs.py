"""Where a process of the local stack logs: its own file, or standard output for a server's system.

`serve` sets GOLDENHOUR_LOGS=stdout and leaves keeping and rotation to what runs it.
"""

import os
import sys
from pathlib import Path

from chalicelib.json_log import log_as_json, log_to_file


def logs_to_stdout() -> bool:
    """Tell whether standard output is the log."""
    return os.environ.get("GOLDENHOUR_LOGS") == "stdout"


def start_logging(name: str) -> None:
    """Log as JSON from now on, to `<data directory>/<name>.log` or to standard output."""
    if logs_to_stdout():
        log_as_json(sys.stdout)
    else:
        log_to_file(Path(os.environ.get("GOLDENHOUR_DATA_DIR", ".")) / f"{name}.log")
