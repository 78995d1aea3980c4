"""The sandbox's file: what it took is on the disk before anybody hears so."""

import json
import sqlite3
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.platforms.sandbox import SandboxEntry
from chalicelib.kit.aws_on_sqlite import shared_sync
from chalicelib.storage.sandbox_former import FORMER
from chalicelib.storage.sandbox_here import SandboxHere
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
    store, made = closed_at_end(SandboxHere(tmp_path)), list[int]()

    def until_all_others_wait(_descriptor: int) -> None:
        made.append(1)
        waiters = store._engine._sync._changed._waiters  # type: ignore[union-attr]  # it is synced
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
    store, kept = closed_at_end(SandboxHere(tmp_path)), list[int]()
    monkeypatch.setattr(shared_sync, "_sync", lambda _: kept.append(len(store.newest())))

    store.take(an_entry(1))
    store.remove(Platform.X, "r1")
    store.bump("calls")

    assert kept == [1, 1, 1]


def test_another_process_finds_what_was_taken(tmp_path: Path) -> None:
    store = closed_at_end(SandboxHere(tmp_path))

    store.take(an_entry(1))

    other = closed_at_end(SandboxHere(tmp_path))
    assert other.find("a", "t1") == [an_entry(1)]
    assert [other.bump("calls"), store.bump("calls")] == [1, 2]


def test_a_file_of_an_earlier_version_is_read_and_written(tmp_path: Path) -> None:
    """The oldest kept neither what was sent nor its files."""
    path = tmp_path / FORMER
    with closing(sqlite3.connect(path)) as old:
        old.executescript(
            "CREATE TABLE post (place INTEGER PRIMARY KEY AUTOINCREMENT, remote_id TEXT NOT NULL,"
            " account_id TEXT NOT NULL, platform TEXT NOT NULL, handle TEXT NOT NULL,"
            " caption TEXT NOT NULL, media_id TEXT, media_kind TEXT, options TEXT NOT NULL,"
            " target_id TEXT NOT NULL, created_at TEXT NOT NULL, visible_at TEXT NOT NULL,"
            " removed INTEGER NOT NULL, UNIQUE (platform, remote_id));"
            "INSERT INTO post VALUES (1, 'r1', 'a', 'x', '@ada', 'Bread', NULL, NULL, '{}', 't1',"
            " '2031-03-04T12:00:00+00:00', '2031-03-04T12:00:00+00:00', 0);"
            "CREATE TABLE counter (key TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;"
            "INSERT INTO counter VALUES ('calls', 4);"
        )
        old.commit()

    store = closed_at_end(SandboxHere(tmp_path))

    assert store.find("a", "t1") == [an_entry(1)]
    assert store.bump("calls") == 5
    assert not path.exists()


def test_what_the_release_before_took_is_all_taken_over(tmp_path: Path) -> None:
    """It had each value of a post in a column, with JSON in three of them."""
    taken = [_a_full_entry(number) for number in range(60)]
    _write_former(tmp_path / FORMER, taken)

    with ThreadPoolExecutor(3) as processes:
        stores = list(processes.map(lambda _: SandboxHere(tmp_path), range(3)))

    for store in map(closed_at_end, stores):
        assert sorted(store.newest(), key=lambda one: one.created_at) == taken
    assert [path.name for path in tmp_path.glob("sandbox.*")] == []


def test_who_is_cut_off_in_taking_over_leaves_all_for_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = [_a_full_entry(number) for number in range(60)]
    _write_former(tmp_path / FORMER, taken)

    def cut_off(_store: SandboxHere, _key: str, _value: int) -> None:
        raise OSError("cut off")

    with monkeypatch.context() as cut:
        cut.setattr(SandboxHere, "count_from", cut_off)
        with pytest.raises(OSError, match="cut off"):
            SandboxHere(tmp_path)
    store = closed_at_end(SandboxHere(tmp_path))

    assert sorted(store.newest(), key=lambda one: one.created_at) == taken
    assert store.bump("calls") == 8


def _a_full_entry(number: int) -> SandboxEntry:
    return replace(
        an_entry(number),
        media_id="m1",
        media_kind="video",
        options={"privacy": "public", "tags": ["rye", "wheat"]},
        created_at=NOON + timedelta(microseconds=number),
        removed=number % 2 == 1,
        sent={"text": "Bröd", "file": {"mime": "video/mp4"}},
        files={"file": "f" * 64},
    )


def _write_former(path: Path, entries: list[SandboxEntry]) -> None:
    """Write the file as the release before did."""
    names = [field.name for field in fields(SandboxEntry)]
    with closing(sqlite3.connect(path)) as old:
        old.execute("PRAGMA journal_mode=WAL")
        old.execute(f"CREATE TABLE post (place INTEGER PRIMARY KEY, {', '.join(names)})")
        old.execute("CREATE TABLE counter (key TEXT PRIMARY KEY, value INTEGER NOT NULL)")
        old.execute("INSERT INTO counter VALUES ('calls', 7)")
        for entry in entries:
            values = {name: getattr(entry, name) for name in names}
            values |= {name: values[name].isoformat() for name in ("created_at", "visible_at")}
            values |= {name: json.dumps(values[name]) for name in ("options", "sent", "files")}
            marks = ", ".join("?" * len(names))
            old.execute(
                f"INSERT INTO post ({', '.join(names)}) VALUES ({marks})",  # noqa: S608 - our names
                [*values.values()],
            )
        old.commit()


def test_the_longest_caption_fits_into_a_row_beside_what_was_sent(tmp_path: Path) -> None:
    store, text = (
        closed_at_end(SandboxHere(tmp_path)),
        "🥐" * FACTS[Platform.FACEBOOK].limits.caption,
    )
    entry = replace(
        an_entry(1), platform=Platform.FACEBOOK, caption=text, sent={"message": text, "link": None}
    )

    store.take(entry)

    assert store.get(Platform.FACEBOOK, "r1") == entry


def test_of_two_posts_the_newer_comes_first(tmp_path: Path) -> None:
    store = closed_at_end(SandboxHere(tmp_path))
    newer = replace(an_entry(2), created_at=NOON + timedelta(seconds=1), account_id="b")

    store.take_all([newer, an_entry(1)])

    assert store.newest() == [newer, an_entry(1)]
    assert store.newest("a") == [an_entry(1)]


def test_a_files_bytes_are_kept_once_and_whole(tmp_path: Path) -> None:
    store = closed_at_end(SandboxHere(tmp_path))

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
