"""Group commit: who is answered is on the disk, in order, and many share one sync."""

import asyncio
import json
import sqlite3
from contextlib import closing
from pathlib import Path

from chalicelib.local.emulator.state_file import Changes, GroupCommit, StateFile

ARN = "arn:aws:dynamodb:us-east-1:0:table/posts"


def a_change(key: str, value: int) -> Changes:
    return Changes(items={(ARN, key, "s"): json.dumps({"key": key, "value": value})})


def on_disk(path: Path) -> dict[str, int]:
    """Return what another reader of the file finds: only what was committed."""
    with closing(sqlite3.connect(path)) as reader:
        rows = [json.loads(body) for (body,) in reader.execute("SELECT body FROM item")]
    return {row["key"]: row["value"] for row in rows}


def test_whoever_is_answered_is_on_the_disk(tmp_path: Path) -> None:
    path = tmp_path / "state.db"

    async def write(group: GroupCommit, number: int) -> None:
        await group.written(a_change(f"k{number}", number))
        assert number == on_disk(path)[f"k{number}"]

    async def fifty() -> None:
        group = GroupCommit(StateFile(path, synced=True), asyncio.get_running_loop())
        await asyncio.gather(*(write(group, number) for number in range(50)))

    asyncio.run(fifty())

    assert {f"k{number}": number for number in range(50)} == on_disk(path)


class CountingFile(StateFile):
    """A state file that counts its transactions."""

    writes = 0

    def write(self, changes: Changes) -> None:
        self.writes += 1
        super().write(changes)


def test_many_writers_share_a_sync(tmp_path: Path) -> None:
    state = CountingFile(tmp_path / "state.db", synced=True)

    async def fifty() -> None:
        group = GroupCommit(state, asyncio.get_running_loop())
        await asyncio.gather(*(group.written(a_change(f"k{n}", n)) for n in range(50)))

    asyncio.run(fifty())

    assert state.writes == 2


def test_of_two_changes_of_one_row_the_later_stands(tmp_path: Path) -> None:
    path = tmp_path / "state.db"

    async def three() -> None:
        group = GroupCommit(StateFile(path, synced=True), asyncio.get_running_loop())
        await asyncio.gather(*(group.written(a_change("k", value)) for value in (1, 2, 3)))

    asyncio.run(three())

    assert {"k": 3} == on_disk(path)


def test_a_read_waits_for_what_it_may_have_seen(tmp_path: Path) -> None:
    path = tmp_path / "state.db"

    async def a_write_and_a_read() -> dict[str, int]:
        group = GroupCommit(StateFile(path, synced=True), asyncio.get_running_loop())
        group.add(a_change("k", 1))
        await group.written(Changes())
        return on_disk(path)

    assert {"k": 1} == asyncio.run(a_write_and_a_read())


def test_a_client_that_leaves_takes_nothing_back(tmp_path: Path) -> None:
    path = tmp_path / "state.db"

    async def leave() -> None:
        group = GroupCommit(StateFile(path, synced=True), asyncio.get_running_loop())
        leaving = asyncio.create_task(group.written(a_change("k", 1)))
        await asyncio.sleep(0)
        leaving.cancel()
        await group.written(a_change("l", 2))

    asyncio.run(leave())

    assert {"k": 1, "l": 2} == on_disk(path)
