"""Writes one file with everything in a data directory: posts, keys, sealed tokens, media.

Taken while the service runs: the state file by SQLite's own online backup, files by hard links,
which are exact because files are only ever replaced, never changed. The last member lists the
digests of all others, so that a truncated or changed file is refused as a whole. The sandbox
platform is outside the service and never part of a backup. The file holds the key that opens the
sealed tokens: keep it as you keep a password.
"""

import hashlib
import io
import json
import os
import shutil
import sqlite3
import tarfile
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from chalicelib.doctor.server_checks import LAST_BACKUP
from chalicelib.kit.aws_on_sqlite.shared_sync import sync_path, write_safely
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.folder_turn import FolderTakenError, alone_in
from chalicelib.local.data_directory import BACKING_UP

FORMAT = 2
HEAD = "goldenhour.json"
DIGESTS = "digests.json"
_STATE = "engine/tables.db"
OBJECTS = "engine/files"
_KEYS = "engine/keys.json"
_NOTES = ("demo.json", "demo.json.waiting")
PIECE = 1_048_576


class UnusableBackup(Exception):
    """The backup cannot be used; the message says why and what to do, in one sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Backup:
    """A backup's description of itself; `taken_at` is the time of the state in it, UTC."""

    taken_at: datetime
    files: int
    size_bytes: int


def write_backup(data_dir: Path, target: Path, *, media: Path | None = None) -> Backup:
    """Write a backup of a data directory, whether its stack runs or not.

    With `media` files are copied to that folder, unless they are there already, and the backup only
    names them. Raises UnusableBackup.
    """
    if not (data_dir / _STATE).is_file():
        raise UnusableBackup(f"There is no service in {data_dir}: set GOLDENHOUR_DATA_DIR.")
    _require_outside(data_dir, target, media)
    try:
        with alone_in(data_dir):
            return _write_alone(data_dir, target, media)
    except FolderTakenError as taken:
        raise UnusableBackup(
            f"Another backup of {data_dir} is being written: run this again when it has ended."
        ) from taken


def _write_alone(data_dir: Path, target: Path, media: Path | None) -> Backup:
    folder = data_dir / BACKING_UP
    shutil.rmtree(folder, ignore_errors=True)
    fresh = target.with_name(f"{target.name}.part")
    try:
        taken_at = _hold_still(data_dir, folder)
        if media is not None:
            _copy_media(folder / OBJECTS, media)
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            backup = _pack(folder, file, taken_at, by_reference=media is not None)
            file.flush()
            os.fsync(file.fileno())
        _read_back(fresh)
        fresh.replace(target)
        sync_path(target.parent)
        write_safely(data_dir / LAST_BACKUP, json.dumps({"taken_at": taken_at.isoformat()}))
    except FileNotFoundError as failure:
        raise UnusableBackup(_no_folder(target, failure)) from failure
    except sqlite3.Error as failure:
        raise UnusableBackup(f"The data cannot be copied to {folder}: {failure}.") from failure
    except (OSError, tarfile.TarError) as failure:
        raise UnusableBackup(f"The backup cannot be written: {failure}.") from failure
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        fresh.unlink(missing_ok=True)
    return backup


def _require_outside(data_dir: Path, *places: Path | None) -> None:
    for place in places:
        if place is not None and place.resolve().is_relative_to(data_dir.resolve()):
            raise UnusableBackup(
                f"{place} is in {data_dir}, which it is the backup of: write it somewhere else,"
                " best on another disk."
            )


def _no_folder(target: Path, failure: OSError) -> str:
    if target.parent.is_dir():
        return f"The backup cannot be written: {failure}."
    return f"There is no folder {target.parent}: make it, and give it to the service's user."


def _read_back(written: Path) -> None:
    """Raise OSError unless every member of a backup reads as it was written."""
    with tarfile.open(written) as tar:
        found = {member.name: _digest_of(tar, member) for member in tar if member.name != DIGESTS}
        digests = json_in(tar, DIGESTS)
    damaged = [name for name, digest in found.items() if digests.get(name, digest) != digest]
    if damaged or _STATE not in found:
        raise OSError(f"what was written of {', '.join(damaged) or _STATE} reads otherwise")


def _digest_of(tar: tarfile.TarFile, member: tarfile.TarInfo) -> str:
    content = hashlib.sha256()
    with closing(tar.extractfile(member) or io.BytesIO()) as file:
        while piece := file.read(PIECE):
            content.update(piece)
    return content.hexdigest()


def json_in(tar: tarfile.TarFile, name: str) -> dict[str, str]:
    """Return a backup member's JSON. Raises KeyError without it."""
    with closing(tar.extractfile(name) or io.BytesIO(b"{}")) as file:
        found: dict[str, str] = json.load(file)
        return found


def _hold_still(data_dir: Path, folder: Path) -> datetime:
    """Copy the directory's state at one moment into a folder; return the moment.

    Files are linked before and after the state is read: those that it names existed by one of both
    times. An extra file does no harm.
    """
    (folder / _STATE).parent.mkdir(parents=True, mode=0o700)
    _link_all(data_dir / OBJECTS, folder / OBJECTS)
    taken_at = datetime.now(UTC)
    with (
        closing(sqlite3.connect(data_dir / _STATE)) as source,
        closing(sqlite3.connect(folder / _STATE)) as copy,
    ):
        source.backup(copy)
    _link_all(data_dir / OBJECTS, folder / OBJECTS)
    shutil.copyfile(data_dir / _KEYS, folder / _KEYS)
    for note in _NOTES:
        if (data_dir / note).exists():
            shutil.copyfile(data_dir / note, folder / "demo.json.waiting")
    return taken_at


def _link_all(source: Path, folder: Path) -> None:
    for file in files_in(source):
        linked = folder / file.relative_to(source)
        linked.parent.mkdir(parents=True, exist_ok=True)
        linked.unlink(missing_ok=True)
        try:
            linked.hardlink_to(file)
        except FileNotFoundError:
            continue  # removed meanwhile: the state that is read later does not name it


def files_in(folder: Path) -> Iterator[Path]:
    """Yield every file below a folder, in order."""
    return (path for path in sorted(folder.rglob("*")) if path.is_file())


def _copy_media(source: Path, media: Path) -> None:
    """Copy missing files; an interrupted copy is made again.

    Files are synced to the disk before the backup that names them exists.
    """
    changed: set[Path] = set()
    for file in files_in(source):
        copy = media / file.relative_to(source)
        if copy.exists() and copy.stat().st_size == file.stat().st_size:
            continue
        copy.parent.mkdir(parents=True, exist_ok=True)
        part = copy.with_name(f"{copy.name}.part")
        shutil.copyfile(file, part)
        sync_path(part)
        part.replace(copy)
        changed |= {media.parent, *(one for one in copy.parents if one.is_relative_to(media))}
    for folder in changed:
        sync_path(folder)


def _pack(folder: Path, file: IO[bytes], taken_at: datetime, *, by_reference: bool) -> Backup:
    digests: dict[str, str] = {}
    size_bytes = 0
    with tarfile.open(fileobj=file, mode="w|") as tar:
        head = {"format": FORMAT, "taken_at": taken_at.isoformat(), "media": not by_reference}
        _add_text(tar, HEAD, head)
        for path in files_in(folder):
            name = path.relative_to(folder).as_posix()
            digests[name] = digest_of(path)
            size_bytes += path.stat().st_size
            if not (by_reference and name.startswith(f"{OBJECTS}/")):
                tar.add(path, name, recursive=False)
        _add_text(tar, DIGESTS, digests)
    return Backup(taken_at=taken_at, files=len(digests), size_bytes=size_bytes)


def _add_text(tar: tarfile.TarFile, name: str, value: object) -> None:
    text = json.dumps(value).encode()
    member = tarfile.TarInfo(name)
    member.size = len(text)
    tar.addfile(member, io.BytesIO(text))


def digest_of(path: Path) -> str:
    """Return a file's digest, as a backup lists it."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
