"""The sandbox's file: what it took is on the disk before anybody hears so."""

import time
from concurrent.futures import ThreadPoolExecutor
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
