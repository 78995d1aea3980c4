"""Nothing that the engine acknowledged is lost, whatever is killed and whenever."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from chalicelib.kit.aws_on_sqlite.address import address_of
from chalicelib.kit.aws_on_sqlite.engine import open_engine
from chalicelib.local.embedded_resources import make_embedded
from tests.kit.aws_on_sqlite.answers import Answers
from tests.kit.aws_on_sqlite.settings_of import settings_of
from tests.local.power_cuts.recording import records_of
from tests.local.running_stack import eventually
from tests.support.clients import a_client
from tests.support.emulator import PROJECT

SECONDS = 60


def load(address: str, log: Path) -> "subprocess.Popen[bytes]":
    """Start a process that writes until it is killed."""
    words = [
        sys.executable,
        "-m",
        "tests.kit.aws_on_sqlite.load",
        address,
        str(log),
        str(SECONDS),
        "3",
    ]
    return subprocess.Popen(words, cwd=PROJECT)


@pytest.mark.costly
@pytest.mark.parametrize("synced", [False, True], ids=["normal", "synced"])
def test_what_was_answered_survives_the_kill_of_any_process(
    tmp_path: Path, *, synced: bool
) -> None:
    address = address_of(tmp_path / "engine", synced=synced)
    make_embedded(settings_of(address))
    logs = [tmp_path / f"log{number}" for number in range(2)]
    processes = [load(address, log) for log in logs]
    eventually(lambda: all(log.exists() and log.stat().st_size > 20_000 for log in logs))

    processes[0].send_signal(signal.SIGKILL)
    before = logs[1].stat().st_size
    eventually(lambda: logs[1].stat().st_size > before + 5_000)
    processes[1].send_signal(signal.SIGKILL)
    for process in processes:
        process.wait()

    answers = Answers()
    for log in logs:
        for record in records_of(log):
            answers.take(record.data)
    assert answers.missing(tmp_path / "engine") == []
    a_client("dynamodb", address).put_item(
        TableName=settings_of(address).posts_table, Item={"pk": {"S": "a"}, "sk": {"S": "b"}}
    )
    open_engine(address).close()


@pytest.mark.prove
def test_ten_minutes_of_kills_lose_nothing(tmp_path: Path) -> None:
    address = address_of(tmp_path / "engine", synced=True)
    make_embedded(settings_of(address))
    ends_at, kills, answers = time.monotonic() + 600, 0, Answers()
    while time.monotonic() < ends_at:
        logs = [tmp_path / f"log{kills}.{number}" for number in range(2)]
        processes = [load(address, log) for log in logs]
        time.sleep(1 + os.urandom(1)[0] / 100)
        for process in processes:
            process.kill()
            process.wait()
            kills += 1
        for log in logs:
            for record in records_of(log) if log.exists() else ():
                answers.take(record.data)
        assert answers.missing(tmp_path / "engine") == []

    print(f"\n{kills} kills under {sum(answers.rows.values())} answered writes: nothing lost")  # noqa: T201
