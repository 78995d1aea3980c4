"""Backup and restore: whole or nothing, under load, and never a second post."""

import json
import tarfile
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from chalicelib.local.server.backup import UnusableBackup, read_backup, write_backup
from chalicelib.local.stack_modules import STACK_MODULES
from tests.local.caller import Caller, command
from tests.local.running_stack import Stack, eventually, running

WRITERS = 4


@pytest.fixture
def stack(tmp_path: Path) -> Iterator[Stack]:
    with running(Stack(tmp_path / "live", STACK_MODULES, GOLDENHOUR_SYNC="full")) as started:
        yield started


def test_what_was_acknowledged_before_a_backup_is_in_it(stack: Stack, tmp_path: Path) -> None:
    client, acknowledged, stopping = Caller(stack.data_dir), [], threading.Event()

    def write() -> None:
        while not stopping.is_set():
            post_id = client.draft("under load")
            acknowledged.append((datetime.now(UTC), post_id))

    writers = [threading.Thread(target=write) for _ in range(WRITERS)]
    for writer in writers:
        writer.start()
    eventually(lambda: len(acknowledged) > 20, within_s=60)
    made = json.loads(command(stack.data_dir, "backup", f"{tmp_path}/b.tar", "--json").stdout)
    stopping.set()
    for writer in writers:
        writer.join()
    restored = command(tmp_path / "other", "restore", f"{tmp_path}/b.tar", "--json")

    assert 0 == restored.returncode
    taken_at = datetime.fromisoformat(made["taken_at"])
    before = {post_id for at, post_id in acknowledged if at < taken_at}
    with running(Stack(tmp_path / "other", STACK_MODULES)) as other:
        copy = Caller(other.data_dir)
        found = {post_id for post_id in before if copy.call("GET", f"/v1/posts/{post_id}")}
    assert len(before) > 0
    assert before == found


def test_a_restored_service_starts_paused_and_sends_nothing(stack: Stack, tmp_path: Path) -> None:
    client = Caller(stack.data_dir)
    client.scheduled("later", in_s=3_600)
    command(stack.data_dir, "backup", f"{tmp_path}/b.tar")

    told = command(tmp_path / "other", "restore", f"{tmp_path}/b.tar")
    status = json.loads(command(tmp_path / "other", "engine", "status", "--json").stdout)

    assert "engine resume --confirm-since" in told.stdout
    assert status["paused"]


def test_media_is_in_the_backup_or_apart(stack: Stack, tmp_path: Path) -> None:
    stack.s3.put_object(Bucket=stack.settings.media_bucket, Key="media/w/m", Body=b"x" * 2_000_000)

    write_backup(stack.data_dir, tmp_path / "whole.tar")
    write_backup(stack.data_dir, tmp_path / "apart.tar", media=tmp_path / "media")
    read_backup(tmp_path / "apart.tar", tmp_path / "other", media=tmp_path / "media")

    whole, apart = (tmp_path / name for name in ("whole.tar", "apart.tar"))
    assert whole.stat().st_size > 2_000_000 > apart.stat().st_size
    bodies = [f for f in (tmp_path / "other").rglob("*") if f.is_file()]
    assert 2_000_000 in {file.stat().st_size for file in bodies}


@pytest.mark.parametrize("kept", [0.1, 0.5, 0.9, 0.999])
def test_a_backup_that_was_cut_off_is_refused_as_a_whole(
    stack: Stack, tmp_path: Path, kept: float
) -> None:
    write_backup(stack.data_dir, tmp_path / "b.tar")
    whole = (tmp_path / "b.tar").read_bytes()
    end = _last_member_ends(tmp_path / "b.tar")
    (tmp_path / "cut.tar").write_bytes(whole[: int(end * kept)])

    with pytest.raises(UnusableBackup, match="no whole backup"):
        read_backup(tmp_path / "cut.tar", tmp_path / "other")

    assert not (tmp_path / "other").exists()


def _last_member_ends(path: Path) -> int:
    with tarfile.open(path) as tar:
        last = tar.getmembers()[-1]
        return last.offset_data + last.size


def test_a_changed_backup_is_refused(stack: Stack, tmp_path: Path) -> None:
    write_backup(stack.data_dir, tmp_path / "b.tar")
    changed = bytearray((tmp_path / "b.tar").read_bytes())
    changed[100_000] ^= 0xFF
    (tmp_path / "b.tar").write_bytes(changed)

    with pytest.raises(UnusableBackup, match="damaged"):
        read_backup(tmp_path / "b.tar", tmp_path / "other")


def test_nothing_is_restored_over_what_is_there(stack: Stack, tmp_path: Path) -> None:
    write_backup(stack.data_dir, tmp_path / "b.tar")

    told = command(stack.data_dir, "restore", f"{tmp_path}/b.tar")

    assert 1 == told.returncode
    assert "is not empty" in told.stderr
