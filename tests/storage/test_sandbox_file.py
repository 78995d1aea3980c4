"""The sandbox's file: what it took is on the disk before anybody hears so."""

import sqlite3
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.platforms.sandbox import SandboxEntry
from chalicelib.kit.aws_on_sqlite import shared_sync
from chalicelib.storage.sandbox_file import SqliteSandboxStore
from tests.support.closed_at_end import closed_at_end

NOON = datetime(2031, 3, 4, 12, tzinfo=UTC)
MANY = 40


def an_entry(number: int) -> SandboxEntry:
    return SandboxEntry(
        remote_id=f"r{number}",
        account_id="a",
        platform=Platform.X,
        handle="@ada",
        caption="Bread",
        media_id=None,
        media_kind=None,
        target_id=f"t{number}",
        created_at=NOON,
        visible_at=NOON,
    )


def test_many_posts_of_one_moment_share_a_sync(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, made = closed_at_end(SqliteSandboxStore(tmp_path / "sandbox.db")), list[int]()

    def until_all_others_wait(_descriptor: int) -> None:
        made.append(1)
        waiters = store._sync._changed._waiters  # type: ignore[attr-defined]
        while len(made) == 1 and len(waiters) < MANY - 1:
            time.sleep(0.001)

    monkeypatch.setattr(shared_sync, "_sync", until_all_others_wait)
    with ThreadPoolExecutor(MANY) as threads:
        list(threads.map(lambda number: store.take(an_entry(number)), range(MANY)))

    assert len(store.newest()) == MANY
    assert len(made) == 2


def test_a_post_is_synced_before_it_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, kept = closed_at_end(SqliteSandboxStore(tmp_path / "sandbox.db")), list[int]()
    monkeypatch.setattr(shared_sync, "_sync", lambda _: kept.append(len(store.newest())))

    store.take(an_entry(1))
    store.remove(Platform.X, "r1")
    store.bump("calls")

    assert kept == [1, 1, 1]


def test_another_process_finds_what_was_taken(tmp_path: Path) -> None:
    store = closed_at_end(SqliteSandboxStore(tmp_path / "sandbox.db"))

    store.take(an_entry(1))

    other = closed_at_end(SqliteSandboxStore(tmp_path / "sandbox.db"))
    assert other.find("a", "t1") == [an_entry(1)]
    assert [other.bump("calls"), store.bump("calls")] == [1, 2]


def test_a_file_of_an_earlier_version_is_read_and_written(tmp_path: Path) -> None:
    """Version 2.3 kept neither what was sent nor its files."""
    path = tmp_path / "sandbox.db"
    with closing(sqlite3.connect(path)) as old:
        old.executescript(
            "CREATE TABLE post (place INTEGER PRIMARY KEY AUTOINCREMENT, remote_id TEXT NOT NULL,"
            " account_id TEXT NOT NULL, platform TEXT NOT NULL, handle TEXT NOT NULL,"
            " caption TEXT NOT NULL, media_id TEXT, media_kind TEXT, options TEXT NOT NULL,"
            " target_id TEXT NOT NULL, created_at TEXT NOT NULL, visible_at TEXT NOT NULL,"
            " removed INTEGER NOT NULL, UNIQUE (platform, remote_id));"
            "INSERT INTO post VALUES (1, 'r1', 'a', 'x', '@ada', 'Bread', NULL, NULL, '{}', 't1',"
            " '2031-03-04T12:00:00+00:00', '2031-03-04T12:00:00+00:00', 0);"
        )
        old.commit()

    store = closed_at_end(SqliteSandboxStore(path))
    newer = replace(an_entry(2), sent={"text": "Rye"}, files={"file": "f" * 64})
    store.take(newer)

    assert store.newest() == [newer, an_entry(1)]


def test_a_files_bytes_are_kept_once_and_whole(tmp_path: Path) -> None:
    store = closed_at_end(SqliteSandboxStore(tmp_path / "sandbox.db"))

    def broken() -> Iterator[bytes]:
        yield b"half"
        raise OSError("gone")

    with pytest.raises(OSError, match="gone"):
        store.keep_file("a" * 64, broken())
    store.keep_file("a" * 64, iter([b"who", b"le"]))
    store.keep_file("a" * 64, iter([b"another"]))
    store.keep_file("../escape", iter([b"outside"]))

    place = store.files.place_of("a" * 64)
    assert place is not None
    assert place.read_bytes() == b"whole"
    assert list(place.parent.iterdir()) == [place]
