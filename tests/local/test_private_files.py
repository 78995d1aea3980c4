"""What is in a data directory is its owner's alone, whatever the umask was."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from chalicelib.local import data_directory
from chalicelib.local.data_directory import CannotStart
from chalicelib.local.private_files import keep_owner, keep_private
from chalicelib.local.server.backup import write_backup
from chalicelib.local.server.restoring import read_backup
from tests.local.caller import command
from tests.local.running_stack import Stack, running

_SOMEBODY = 12_345


@pytest.fixture(autouse=True)
def careless() -> Iterator[None]:
    """Have a umask that lets everybody read, as most shells do."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def open_to_others(folder: Path) -> list[str]:
    """Return what others have any right to."""
    return sorted(
        str(path.relative_to(folder))
        for path in (folder, *folder.rglob("*"))
        if path.lstat().st_mode & 0o077
    )


def filled(tmp_path: Path) -> Path:
    """Run a stack, leave a file in its directory, and return the directory."""
    stack = Stack(tmp_path / "data")
    with running(stack):
        bucket = stack.settings.media_bucket
        stack.s3.put_object(Bucket=bucket, Key="media/w/a", Body=b"x")
        assert open_to_others(stack.data_dir) == [], "while it runs, too"
    return stack.data_dir


def test_a_directory_that_is_made_is_private_and_so_is_what_a_restore_makes(
    tmp_path: Path,
) -> None:
    made = filled(tmp_path)

    write_backup(made, tmp_path / "backup.tar")
    write_backup(made, tmp_path / "apart.tar", media=tmp_path / "media")
    read_backup(tmp_path / "backup.tar", tmp_path / "whole")
    read_backup(tmp_path / "apart.tar", tmp_path / "joined", media=tmp_path / "media")

    assert open_to_others(made) == []
    assert open_to_others(tmp_path / "whole") == []
    assert open_to_others(tmp_path / "joined") == []
    assert len(list((tmp_path / "joined" / "engine" / "files").iterdir())) == 1


def test_who_owns_an_open_directory_may_do_there_what_he_could_before(tmp_path: Path) -> None:
    media = tmp_path / "engine" / "files"
    media.mkdir(parents=True)
    kept = media / "a"
    kept.write_bytes(b"x")
    kept.chmod(0o744)

    keep_private(tmp_path)

    modes = [path.stat().st_mode & 0o777 for path in (tmp_path, media.parent, media, kept)]
    assert modes == [0o700, 0o700, 0o700, 0o700]


def test_what_an_earlier_version_left_open_is_closed_at_the_start(tmp_path: Path) -> None:
    made = filled(tmp_path)
    for path in (made, *made.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    outside = tmp_path / "outside"
    outside.write_text("somebody else's")
    outside.chmod(0o644)
    (made / "engine" / "files" / "link").symlink_to(outside)

    data_directory.take(made).close()

    assert [name for name in open_to_others(made) if not (made / name).is_symlink()] == []
    assert outside.stat().st_mode & 0o777 == 0o644
    shutil.rmtree(made)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read and write everything")
@pytest.mark.parametrize("name", ["lock", "format", "engine/tables.db", "engine/keys.json"])
def test_a_file_that_the_user_may_not_open_is_named_at_the_start(tmp_path: Path, name: str) -> None:
    (tmp_path / "engine").mkdir()
    (tmp_path / name).touch()
    (tmp_path / name).chmod(0)

    with pytest.raises(CannotStart) as told:
        data_directory.take(tmp_path)

    assert str(told.value).startswith(f"{tmp_path / name} is not for this user to read and write")
    assert f"chown -R USER: {tmp_path}" in str(told.value)


_as_root = pytest.mark.skipif(
    os.geteuid() != 0, reason="only root can make files that others cannot open"
)


@_as_root
@pytest.mark.parametrize(
    "words", [("engine", "pause"), ("doctor",), ("backup", "../b.tar")], ids=str
)
def test_a_command_that_root_carries_out_leaves_the_owner_every_file(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    data_dir = tmp_path / "data"
    data_dir.mkdir()
    command(data_dir, "engine", "status")
    for path in (data_dir, *data_dir.rglob("*")):
        os.chown(path, _SOMEBODY, _SOMEBODY)

    done = command(data_dir, *(word.replace("..", str(tmp_path)) for word in words))

    assert "Traceback" not in done.stderr
    owners = {path.lstat().st_uid for path in (data_dir, *data_dir.rglob("*"))}
    assert owners == {_SOMEBODY}


@_as_root
def test_root_gives_away_nothing_that_the_owner_only_leads_to(tmp_path: Path) -> None:
    """Whoever writes into the directory must not get what is root's elsewhere."""
    data_dir, elsewhere = tmp_path / "data", tmp_path / "elsewhere"
    data_dir.mkdir()
    elsewhere.mkdir()
    secret = elsewhere / "secret"
    secret.write_text("root's")
    (data_dir / "folder").symlink_to(elsewhere)
    (data_dir / "file").symlink_to(secret)
    (data_dir / "second-name").hardlink_to(secret)
    os.chown(data_dir, _SOMEBODY, _SOMEBODY)

    with keep_owner(data_dir):
        (data_dir / "new").touch()
        (data_dir / "copy").hardlink_to(data_dir / "new")

    assert (data_dir / "copy").stat().st_uid == _SOMEBODY
    assert {path.lstat().st_uid for path in (elsewhere, secret)} == {0}
