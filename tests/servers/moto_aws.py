"""AWS played by moto inside the test's own process: one thread, no server."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from moto import mock_aws

from tests.support.emulator import CREDENTIALS, INSIDE_THIS_PROCESS, EmulatorProcess


@contextmanager
def playing_aws() -> Iterator[EmulatorProcess]:
    """Let moto answer every client of this process that names no endpoint."""
    os.environ.update(CREDENTIALS)
    with mock_aws():
        yield EmulatorProcess(INSIDE_THIS_PROCESS)
