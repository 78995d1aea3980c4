"""What is over is removed by a thread that lives as long as its process."""

import sqlite3
from pathlib import Path

import pytest

from chalicelib.kit.aws_on_sqlite.address import address_of
from chalicelib.kit.aws_on_sqlite.engine import open_engine
from chalicelib.kit.aws_on_sqlite.expiry import Sweeper
from chalicelib.kit.aws_on_sqlite.failures import refusal
from chalicelib.local.triggers import sweeps as sweeping


@pytest.mark.parametrize(
    "failure",
    [
        sqlite3.DatabaseError("database disk image is malformed"),
        OSError("Input/output error"),
        refusal("NoSuchUpload", "The upload does not exist, or has ended."),
    ],
    ids=repr,
)
def test_a_sweep_that_fails_is_told_and_the_next_one_comes(
    tmp_path: Path,
    failure: Exception,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def sweep(_self: Sweeper) -> None:
        raise failure

    monkeypatch.setattr(Sweeper, "sweep", sweep)
    monkeypatch.setattr(sweeping, "_UNDISTURBED_S", 0.0)
    address = address_of(tmp_path / "engine", synced=False)

    waits_s = sweeping.sweeps(address)._work()

    open_engine(address).close()
    assert waits_s == sweeping._EVERY_S
    assert f"What is over could not be removed: {failure}" in caplog.text
