"""Backup and restore: whole or nothing, under load, and never a second post."""

import contextlib
import json
import os
import shutil
import sqlite3
import tarfile
import threading
import time
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

from chalicelib.kit.folder_turn import alone_in
from chalicelib.local import data_directory
from chalicelib.local.data_directory import CannotStart
from chalicelib.local.server.backup import UnusableBackup, write_backup
from chalicelib.local.server.commands import restore
from chalicelib.local.server.pruning import prune_backups
from chalicelib.local.server.restoring import read_backup
from chalicelib.local.stack_modules import STACK_MODULES
from chalicelib.storage.row_kinds import ROW_KINDS, BackedUp, Store
from chalicelib.storage.sandbox_here import FOLDER
from tests.local.caller import Caller, command
from tests.local.running_stack import Stack, eventually, running

PLATFORMS = ("linkedin", "facebook", "threads", "bluesky")
"""Several accounts: what goes out late goes a minute apart on each."""

WHERE = {
    (BackedUp.IN_FILE, False): (True, False),
    (BackedUp.IN_FILE, True): (True, False),
    (BackedUp.IN_FILE_OR_BESIDE, False): (True, False),
    (BackedUp.IN_FILE_OR_BESIDE, True): (False, True),
    (BackedUp.NOT, False): (False, False),
    (BackedUp.NOT, True): (False, False),
}
"""Whether a kind is in the backup's file and beside it, by whether media is kept apart."""


def test_media_is_in_the_backup_or_apart(data_dir: Path, tmp_path: Path) -> None:
    write_backup(data_dir, tmp_path / "whole.tar")
    write_backup(data_dir, tmp_path / "apart.tar", media=tmp_path / "media")
    read_backup(tmp_path / "apart.tar", tmp_path / "other", media=tmp_path / "media")

    whole, apart = (tmp_path / name for name in ("whole.tar", "apart.tar"))
    assert whole.stat().st_size > 2_000_000 > apart.stat().st_size
    film = tmp_path / "other" / "engine" / "files" / "film"
    assert film.read_bytes() == b"x" * 2_000_000


@pytest.mark.parametrize("apart", [False, True])
def test_a_backup_holds_each_kind_where_the_list_of_kinds_says(
    data_dir: Path, tmp_path: Path, *, apart: bool
) -> None:
    (data_dir / FOLDER).mkdir()
    (data_dir / FOLDER / "tables.db").write_bytes(b"what a platform received")
    media = tmp_path / "media"
    write_backup(data_dir, tmp_path / "b.tar", media=media if apart else None)

    with tarfile.open(tmp_path / "b.tar") as tar:
        inside = set(tar.getnames())
    for name, kind in ROW_KINDS.items():
        file = {Store.BUCKET: "engine/files/film", Store.SANDBOX: f"{FOLDER}/tables.db"}
        in_file = file.get(kind.store, "engine/tables.db") in inside
        beside = kind.store is Store.BUCKET and (media / "film").exists()
        assert (in_file, beside) == WHERE[kind.backed_up, apart], name


def test_a_backup_whose_media_is_apart_asks_for_it(data_dir: Path, tmp_path: Path) -> None:
    write_backup(data_dir, tmp_path / "b.tar", media=tmp_path / "media")

    with pytest.raises(UnusableBackup, match="name their folder with --media"):
        read_backup(tmp_path / "b.tar", tmp_path / "other")


def test_media_is_copied_once(data_dir: Path, tmp_path: Path) -> None:
    write_backup(data_dir, tmp_path / "b.tar", media=tmp_path / "media")
    first = (tmp_path / "media" / "film").stat().st_ino

    write_backup(data_dir, tmp_path / "b.tar", media=tmp_path / "media")

    assert first == (tmp_path / "media" / "film").stat().st_ino


@pytest.mark.parametrize("kept", [0.0, 0.1, 0.5, 0.9, 0.999])
def test_a_backup_that_was_cut_off_is_refused_as_a_whole(
    data_dir: Path, tmp_path: Path, kept: float
) -> None:
    write_backup(data_dir, tmp_path / "b.tar")
    whole = (tmp_path / "b.tar").read_bytes()
    (tmp_path / "cut.tar").write_bytes(whole[: int(_last_member_ends(tmp_path / "b.tar") * kept)])

    with pytest.raises(UnusableBackup, match="no whole backup"):
        read_backup(tmp_path / "cut.tar", tmp_path / "other")

    assert not (tmp_path / "other").exists()


def _last_member_ends(path: Path) -> int:
    with tarfile.open(path) as tar:
        last = tar.getmembers()[-1]
        return last.offset_data + last.size


def test_a_changed_backup_is_refused(data_dir: Path, tmp_path: Path) -> None:
    write_backup(data_dir, tmp_path / "b.tar")
    changed = bytearray((tmp_path / "b.tar").read_bytes())
    changed[100_000] ^= 0xFF
    (tmp_path / "b.tar").write_bytes(changed)

    with pytest.raises(UnusableBackup, match="damaged"):
        read_backup(tmp_path / "b.tar", tmp_path / "other")


@pytest.mark.parametrize("name", ["../outside", "/outside/b", "engine/link"])
def test_a_backup_writes_nothing_but_files_below_the_directory(
    data_dir: Path, tmp_path: Path, name: str
) -> None:
    write_backup(data_dir, tmp_path / "b.tar")
    stray = tarfile.TarInfo(name)
    stray.type = tarfile.SYMTYPE if name.endswith("link") else tarfile.REGTYPE
    stray.linkname = "/etc"
    with tarfile.open(tmp_path / "b.tar", "a") as tar:
        tar.addfile(stray)

    with pytest.raises(UnusableBackup, match="no whole backup"):
        read_backup(tmp_path / "b.tar", tmp_path / "other")

    assert ["b.tar", "live"] == sorted(path.name for path in tmp_path.iterdir())


def test_media_that_no_kept_backup_names_is_deleted_with_the_old_backups(
    data_dir: Path, tmp_path: Path
) -> None:
    kept, media = tmp_path / "kept", tmp_path / "kept" / "media"
    kept.mkdir()
    film = next(path for path in (data_dir / "engine").rglob("film"))
    write_backup(data_dir, kept / "old.tar", media=media)
    film.rename(film.with_name("other"))
    write_backup(data_dir, kept / "new.tar", media=media)
    later, keep = datetime.now(UTC) + timedelta(days=3), timedelta(days=14)

    held = prune_backups(kept, media, keep=keep, now=later)
    (kept / "old.tar").unlink()
    freed = prune_backups(kept, media, keep=keep, now=later)
    read_backup(kept / "new.tar", tmp_path / "restored", media=media)
    gone = prune_backups(kept, media, keep=timedelta(days=1), now=later)

    assert (0, 0) == (held.backups, held.files)
    assert (0, 1) == (freed.backups, freed.files)
    assert (1, 0) == (gone.backups, gone.files)
    assert ["other"] == [path.name for path in media.rglob("*") if path.is_file()]


def test_a_backup_that_cannot_be_read_keeps_its_media(data_dir: Path, tmp_path: Path) -> None:
    write_backup(data_dir, tmp_path / "whole.tar", media=tmp_path / "media")
    (tmp_path / "cut.tar").write_bytes(b"cut")
    (tmp_path / "media" / "unknown").write_bytes(b"x")

    pruned = prune_backups(
        tmp_path,
        tmp_path / "media",
        keep=timedelta(days=14),
        now=datetime.now(UTC) + timedelta(days=1),
    )

    assert (0, 0) == (pruned.backups, pruned.files)


def test_what_is_left_of_a_backup_that_was_cut_off_goes_with_a_later_one(
    data_dir: Path, tmp_path: Path
) -> None:
    now = datetime.now(UTC)
    cut_off, being_written = (tmp_path / f"2026-11-{day}.tar.part" for day in (21, 23))
    for part in (cut_off, being_written):
        part.write_bytes(b"half of everything")
    hours_ago = (now - timedelta(hours=2)).timestamp()
    os.utime(cut_off, (hours_ago, hours_ago))
    write_backup(data_dir, tmp_path / "2026-11-22.tar")

    prune_backups(tmp_path, None, keep=timedelta(days=14), now=now)

    assert [False, True] == [cut_off.exists(), being_written.exists()]
    assert (tmp_path / "2026-11-22.tar").exists()


def test_two_at_once_do_not_take_each_others_copy_away(data_dir: Path, tmp_path: Path) -> None:
    with (
        alone_in(data_dir),
        pytest.raises(UnusableBackup, match=r"Another backup of .* run this again"),
    ):
        write_backup(data_dir, tmp_path / "b.tar")

    write_backup(data_dir, tmp_path / "b.tar")
    assert [one.name for one in tmp_path.glob("*.tar*")] == ["b.tar"]


def test_the_next_start_removes_the_copy_of_a_backup_that_was_killed_and_no_other(
    data_dir: Path,
) -> None:
    (data_dir / "backup.tmp" / "engine").mkdir(parents=True)
    left: list[bool] = []

    with alone_in(data_dir):
        data_directory.take(data_dir).close()
        left.append((data_dir / "backup.tmp").exists())
    data_directory.take(data_dir).close()
    left.append((data_dir / "backup.tmp").exists())

    assert left == [True, False]


@pytest.mark.parametrize("place", ["today.tar", "engine/today.tar"])
def test_a_backup_is_not_written_into_what_it_protects(data_dir: Path, place: str) -> None:
    with pytest.raises(UnusableBackup, match="write it somewhere else"):
        write_backup(data_dir, data_dir / place)


def test_a_folder_that_is_not_there_is_named(data_dir: Path, tmp_path: Path) -> None:
    with pytest.raises(UnusableBackup, match=r"There is no folder .*: make it"):
        write_backup(data_dir, tmp_path / "missing" / "today.tar")


def test_nothing_is_restored_over_what_is_there(
    data_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_backup(data_dir, tmp_path / "b.tar")
    monkeypatch.setenv("GOLDENHOUR_DATA_DIR", str(data_dir))

    told = CliRunner().invoke(restore, [f"{tmp_path}/b.tar"])

    assert 1 == told.exit_code
    assert "is not empty" in told.output


def test_a_restore_where_no_directory_can_be_made_says_what_to_do(
    data_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_backup(data_dir, tmp_path / "b.tar")
    (tmp_path / "a file").touch()
    monkeypatch.setenv("GOLDENHOUR_DATA_DIR", str(tmp_path / "a file" / "other"))

    told = CliRunner().invoke(restore, [f"{tmp_path}/b.tar"])

    assert 1 == told.exit_code
    assert "restore as root" in told.output


def test_a_restored_service_starts_paused(data_dir: Path, tmp_path: Path) -> None:
    write_backup(data_dir, tmp_path / "b.tar")

    told = command(tmp_path / "other", "restore", f"{tmp_path}/b.tar")

    assert "engine resume --confirm-since" in told.stdout
    assert _engine_is_paused(tmp_path / "other")


def _engine_is_paused(folder: Path) -> bool:
    with closing(sqlite3.connect(folder / "engine" / "tables.db")) as state:
        (body,) = state.execute("SELECT body FROM item WHERE pk = 'ENGINE'").fetchone()
    return bool(json.loads(body)["paused"]["BOOL"])


class _CutOffError(Exception):
    """What stands in for the kill of a restore."""


def _cut_off(_: Path) -> None:
    raise _CutOffError


def test_no_service_starts_on_half_a_restore_and_the_next_restore_begins_anew(
    data_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_backup(data_dir, tmp_path / "b.tar")
    other = tmp_path / "other"
    other.mkdir()
    monkeypatch.setattr(shutil, "rmtree", lambda *_, **__: None)  # as a kill leaves it
    with pytest.raises(_CutOffError):
        read_backup(tmp_path / "b.tar", other, at_last=_cut_off)
    monkeypatch.undo()

    with pytest.raises(CannotStart, match="was cut off: run the same `restore` again"):
        data_directory.take(other)
    read_backup(tmp_path / "b.tar", other)

    assert (other / "engine" / "files" / "film").stat().st_size == 2_000_000
    assert not (other / "restoring").exists()


def test_nobody_finds_the_engine_before_all_that_was_asked_for_is_done(
    data_dir: Path, tmp_path: Path
) -> None:
    write_backup(data_dir, tmp_path / "b.tar")
    found: list[tuple[bool, bool]] = []

    def look(folder: Path) -> None:
        engines = (folder / "engine" / "tables.db", tmp_path / "other" / "engine")
        found.append((engines[0].exists(), engines[1].exists()))

    read_backup(tmp_path / "b.tar", tmp_path / "other", at_last=look)

    assert found == [(True, False)]
    assert (tmp_path / "other" / "engine" / "tables.db").exists()


def test_a_directory_that_is_a_volume_of_its_own_stays_the_same(
    data_dir: Path, tmp_path: Path
) -> None:
    write_backup(data_dir, tmp_path / "b.tar")
    (tmp_path / "other").mkdir()
    volume = (tmp_path / "other").stat().st_ino

    read_backup(tmp_path / "b.tar", tmp_path / "other")

    assert (tmp_path / "other").stat().st_ino == volume, "a mounted volume cannot be renamed"


@dataclass(slots=True)
class Writers:
    """Threads that write posts, each at its own pace, and what was acknowledged when."""

    caller: Caller
    acknowledged: list[tuple[datetime, str, str]] = field(default_factory=list)
    stopping: threading.Event = field(default_factory=threading.Event)

    def start(self) -> list[threading.Thread]:
        """Start five writers, four posts a second each."""
        threads = [
            threading.Thread(target=self._write, args=(number,), daemon=True) for number in range(5)
        ]
        for thread in threads:
            thread.start()
        return threads

    def _write(self, writer: int) -> None:
        number = 0
        while not self.stopping.wait(0.25):
            number += 1
            self.post(f"steady {writer}/{number}", in_s=4 + number % 30, account=writer)

    def post(self, caption: str, in_s: float, *, account: int) -> None:
        """Schedule a post and note it; what is not answered well was not acknowledged."""
        with contextlib.suppress(OSError):
            chosen = self.caller.accounts[PLATFORMS[account % len(PLATFORMS)]]
            post_id = self.caller.scheduled(caption, in_s, chosen)
            self.acknowledged.append((datetime.now(UTC), post_id, caption))


@pytest.mark.prove
@pytest.mark.parametrize("media", [(), ("--media", "media")], ids=["whole", "media apart"])
def test_backups_under_load_lose_nothing_and_send_nothing_twice(
    tmp_path: Path, media: tuple[str, ...]
) -> None:
    """Three backups under 20 writes a second and a burst; the last one goes on elsewhere.

    The service dies for good some seconds after it: what it sent meanwhile is on the platform.
    """
    apart = (media[0], str(tmp_path / media[1])) if media else ()
    live = Stack(tmp_path / "live", STACK_MODULES, GOLDENHOUR_SYNC="full")
    with running(live):
        writers = Writers(Caller(live.data_dir))
        _upload_a_photo(live)
        threads = writers.start()
        for number in range(3):
            burst = threading.Thread(target=_burst, args=(writers, number))
            burst.start()
            made = command(live.data_dir, "backup", *apart, f"{tmp_path}/b.tar", "--json")
            assert made.returncode == 0, made.stderr
            burst.join()
        time.sleep(3)
        writers.stopping.set()
        for thread in threads:
            thread.join()
        live.end(9)
    taken_at = datetime.fromisoformat(json.loads(made.stdout)["taken_at"])

    restored = command(tmp_path / "other", "restore", *apart, f"{tmp_path}/b.tar", "--json")
    assert restored.returncode == 0, restored.stderr
    shutil.copytree(live.data_dir / FOLDER, tmp_path / "other" / FOLDER)
    taken = _run_on(tmp_path / "other", since=taken_at)

    before = [caption for at, _, caption in writers.acknowledged if at < taken_at]
    assert [caption for caption in before if taken[caption] != 1] == []
    assert [caption for caption, count in taken.items() if count > 1] == []
    print(f"\n{len(writers.acknowledged)} posts, {len(before)} before the backup, each out once")  # noqa: T201


def _burst(writers: Writers, number: int) -> None:
    for place in range(30):
        writers.post(f"burst {number}/{place}", in_s=6, account=place)


def _upload_a_photo(stack: Stack) -> None:
    bucket = stack.settings.media_bucket
    stack.s3.put_object(Bucket=bucket, Key="media/w/photo", Body=os.urandom(3_000_000))


def _run_on(folder: Path, *, since: datetime) -> Counter[str]:
    """Resume a restored service as docs/server.md says, and wait until nothing is left to send."""
    stack = Stack(folder, STACK_MODULES, GOLDENHOUR_SYNC="full")
    with running(stack):
        caller = Caller(folder)
        resume = ("engine", "resume", "--confirm-since", since.isoformat(timespec="seconds"))
        told = command(folder, *resume)
        assert told.returncode == 0, told.stderr
        eventually(
            lambda: not caller.listed("scheduled") + caller.listed("publishing"), within_s=400
        )
        return caller.sandbox()
