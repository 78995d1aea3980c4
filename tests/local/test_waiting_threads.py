"""The process that sends has the kernel find one of its thousands of waiting threads at once."""

import subprocess
import sys

import pytest

_SLOTS_OF = "import ctypes; print(ctypes.CDLL(None).prctl(78, 2, 0, 0, 0))"
_APART = (
    "from chalicelib.local.processes.process import keep_waiting_threads_apart as apart; apart()"
)


def _printed(code: str) -> int:
    command = [sys.executable, "-c", code]
    return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def test_waiting_threads_are_kept_in_thousands_of_lists() -> None:
    """PR_FUTEX_HASH_GET_SLOTS tells in how many; -1 where the kernel does not know the question."""
    if _printed(_SLOTS_OF) < 0:
        pytest.skip("Linux before 6.16, or another system")

    assert _printed(f"{_APART}; {_SLOTS_OF}") == 4_096


def test_a_kernel_that_knows_no_such_lists_is_asked_in_vain() -> None:
    code = (
        "import ctypes; from types import SimpleNamespace as Of; asked = [];"
        "ctypes.CDLL = lambda _: Of(prctl=lambda *call: asked.append(call) or -1);"
        f"{_APART}; print(len(asked))"
    )

    assert _printed(code) == (1 if sys.platform == "linux" else 0)
