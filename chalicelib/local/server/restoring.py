"""Makes a data directory from a backup, all of it or nothing.

The backup is unpacked into a folder of the directory, which may be a volume of its own; no service
starts on a directory with such a folder and without an engine. The engine is moved out of it last,
when everything is checked and `at_last` is done: until then the next restore begins again, and no
engine can send the backup's posts by itself.
"""

import errno
import json
import os
import shutil
import tarfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path, PurePosixPath

from chalicelib.kit.aws_on_sqlite.shared_sync import sync_all_of, sync_path
from chalicelib.local.data_directory import RESTORING
from chalicelib.local.private_files import keep_private
from chalicelib.local.server.backup import (
    DIGESTS,
    FORMAT,
    HEAD,
    OBJECTS,
    PIECE,
    Backup,
    UnusableBackup,
    digest_of,
)

_FORMER_OBJECTS = "emulator/objects"
_UNWRITABLE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS)
_CUT_OFF = frozenset(
    {RESTORING, "lock", "format", "demo.json.waiting", "commands.log", "emulator.before"}
)
"""What an interrupted restore may leave: all that is moved before the engine."""


def read_backup(
    source: Path,
    data_dir: Path,
    *,
    media: Path | None = None,
    at_last: Callable[[Path], None] = lambda _: None,
) -> Backup:
    """Make a data directory from a backup. Raises UnusableBackup, and what `at_last` raises.

    `at_last` does in the folder what must be done before the engine can be opened.
    """
    _require_free(data_dir)
    folder = data_dir / RESTORING
    was_there = data_dir.exists()
    try:
        _make_anew(folder)
        with _refuse_as_unusable(source, data_dir):
            backup = _unpack(source, folder, media)
            keep_private(folder)
        at_last(folder)
        with _refuse_as_unusable(source, data_dir):
            _bring_out(folder)
            if not was_there:
                sync_path(data_dir.parent)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if not was_there and data_dir.is_dir() and not any(data_dir.iterdir()):
            data_dir.rmdir()
    return backup


def _require_free(data_dir: Path) -> None:
    found = {path.name for path in data_dir.iterdir()} if data_dir.exists() else set()
    if found and not (RESTORING in found and found <= _CUT_OFF):
        raise UnusableBackup(f"{data_dir} is not empty: restore into a directory of its own.")


def _make_anew(folder: Path) -> None:
    """Make the folder, without the files of an interrupted restore."""
    data_dir = folder.parent
    try:
        data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        for left in data_dir.iterdir():
            shutil.rmtree(left) if left.is_dir() else left.unlink()
        folder.mkdir(mode=0o700)
    except OSError as failure:
        raise UnusableBackup(
            f"{folder} cannot be made ({failure.strerror}): restore as root, and give {data_dir} "
            "to the service's user afterwards."
        ) from failure


@contextmanager
def _refuse_as_unusable(source: Path, data_dir: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, tarfile.TarError, ValueError, KeyError) as failure:
        if isinstance(failure, OSError) and failure.errno in _UNWRITABLE:
            raise UnusableBackup(
                f"{data_dir} cannot be written ({failure.strerror}). Nothing was restored; make "
                "room there, and restore again."
            ) from failure
        raise UnusableBackup(
            f"{source} is no whole backup ({failure}). Nothing was restored; use another one."
        ) from failure


def _bring_out(folder: Path) -> None:
    """Move everything to its place, the engine last: without it no service starts.

    After a power cut either all of the engine is there, or nothing.
    """
    shutil.rmtree(folder / "tmp", ignore_errors=True)
    sync_all_of(folder)
    for path in sorted(folder.iterdir(), key=lambda one: (one.name == "engine", one.name)):
        path.replace(folder.parent / path.name)
    sync_path(folder.parent)


def _unpack(source: Path, folder: Path, media: Path | None) -> Backup:
    extract(source, folder)
    head = json.loads((folder / HEAD).read_text())
    digests: dict[str, str] = json.loads((folder / DIGESTS).read_text())
    if head["format"] not in (1, 2, FORMAT):
        raise UnusableBackup(f"{source} was made by another version; restore it with that one.")
    if not head["media"]:
        objects = OBJECTS if head["format"] != 1 else _FORMER_OBJECTS
        _fetch_media(digests, folder, objects, media)
    for name, digest in digests.items():
        if digest_of(_below(folder, name)) != digest:
            raise ValueError(f"{name} is damaged")
    for name in (HEAD, DIGESTS):
        (folder / name).unlink()
    size_bytes = sum((folder / name).stat().st_size for name in digests)
    taken_at = datetime.fromisoformat(head["taken_at"])
    return Backup(taken_at=taken_at, files=len(digests), size_bytes=size_bytes)


def extract(source: Path, folder: Path) -> None:
    """Write the members of a backup below a folder, and nothing but plain files.

    `TarFile.extractall` has no `filter` in the Python 3.11.2 of Debian 12.
    """
    with tarfile.open(source) as tar:
        for member in tar:
            target = _below(folder, member.name)
            content = tar.extractfile(member) if member.isreg() else None
            if content is None:
                raise ValueError(f"{member.name} is no file")
            target.parent.mkdir(parents=True, exist_ok=True)
            opened = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(opened, "wb") as file:
                shutil.copyfileobj(content, file, PIECE)


def _below(folder: Path, name: str) -> Path:
    """Return a backup member's path. Raises ValueError if it leads out of the folder."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts:
        raise ValueError(f"{name} leads out of the backup")
    return folder / path


def _fetch_media(digests: dict[str, str], folder: Path, objects: str, media: Path | None) -> None:
    if media is None:
        raise UnusableBackup("This backup has its media apart: name their folder with --media.")
    for name in digests:
        if name.startswith(f"{objects}/"):
            target = _below(folder, name)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(media / Path(name).relative_to(objects), target)
