"""The one thing that rooms' tests share: an emulator for the whole run, started on first use."""

from collections.abc import Iterator

import pytest

from tests.support.emulator import EmulatorProcess, start_emulator


@pytest.fixture(scope="session")
def emulator() -> Iterator[EmulatorProcess]:
    """Start an emulator in memory; make resources in it under a prefix of your own."""
    process = start_emulator()
    yield process
    process.stop()
