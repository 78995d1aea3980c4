"""A process in which a thread never begins does not go on with a part of it stuck."""

import subprocess
import sys

import pytest

from chalicelib.local.processes.process import NO_THREADS

_STARTS = """
import threading, time
from chalicelib.local.processes.process import end_if_a_thread_never_begins

class Short(threading.Thread):
    def _bootstrap(self):
        {first}
        super()._bootstrap()

threading.Thread(target=Short(target=lambda: None, daemon=True).start, daemon=True).start()
end_if_a_thread_never_begins(0.05)
time.sleep({waits_s})
"""


@pytest.mark.parametrize(
    ("first", "waits_s", "status"),
    [("raise MemoryError", 240, NO_THREADS), ("pass", 0.5, 0)],
    ids=["without memory", "ordinarily"],
)
def test_a_process_ends_if_a_thread_finds_no_memory_to_begin_with(
    first: str, waits_s: float, status: int
) -> None:
    """CPython clears what is raised there, and `start` waits for a word that never comes."""
    code = _STARTS.format(first=first, waits_s=waits_s)

    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)

    assert ended.returncode == status
