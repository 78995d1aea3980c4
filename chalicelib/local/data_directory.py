"""The directory that holds all state of the local stack: one stack at a time may have it.

format          which form the rest has, a number
lock            held while a stack runs; the kernel frees it however the stack ends
sync            how the stack keeps things: full or normal
address         host and port of the API while a stack runs
engine/         tables.db (rows, messages, names of files), files/, keys.json
emulator.before what the first form had in the place of engine/, until the next clean stop
sandbox/        tables.db: what the sandbox platform received
sandbox-files/  the files that it received, each once
backup.tmp/     what a backup holds, while it is written
restoring/      what a backup holds, until it is whole and the engine is paused
demo.json       base URL and key of the demo workspace; there while the API answers
tmp/            emptied at each start
"""

import errno
import fcntl
import shutil
import socket
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import IO
from urllib.parse import urlsplit

from chalicelib.kit.aws_on_sqlite.shared_sync import sync_path, write_safely
from chalicelib.kit.folder_turn import FolderTakenError, alone_in
from chalicelib.local.private_files import keep_private, not_ours

PROJECT = Path(__file__).parents[2]
_BACKLOG = 512
_PORT_FREE_WITHIN_S, _PORT_RETRY_S = 3.0, 0.2
_LOCALSTACK_S = 5.0


FORMAT = 3
"""The data directory's format that this version writes; it converts earlier formats.

3: sessions and passkeys are their persons', whom members of before become at their next visit.
"""

RESTORING, BACKING_UP = "restoring", "backup.tmp"
_MARK, _ASIDE = "format", "emulator.before"
_TAKEN = ("1", "2", str(FORMAT))


_PROBE_BYTES = 262_144


class CannotStart(Exception):
    """The stack cannot start; the message is one sentence for the person who started it."""


class Taken(CannotStart):
    """A stack runs on the data directory already."""


def take(data_dir: Path) -> IO[str]:
    """Make the directory if need be and lock it, as long as the returned file is open."""
    try:
        data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
        _require_ours(data_dir)
        lock = (data_dir / "lock").open("a+", encoding="utf-8")
    except OSError as failure:
        raise _unwritable(data_dir, failure) from failure
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as failure:
        lock.close()
        if not isinstance(failure, BlockingIOError):
            raise _unwritable(data_dir, failure) from failure
        raise Taken(f"Another stack already runs on the data directory {data_dir}.") from failure
    try:
        _require_restored(data_dir)
        _forget_cut_off_backup(data_dir)
        _check_writable(data_dir)
        keep_private(data_dir)
        _check_format(data_dir)
        _check_readable(data_dir)
        _take_over(data_dir)
    except CannotStart:
        lock.close()
        raise
    except OSError as failure:
        lock.close()
        raise _unwritable(data_dir, failure) from failure
    return lock


def _require_ours(data_dir: Path) -> None:
    file = not_ours(data_dir)
    if file is not None:
        raise CannotStart(
            f"{file} is not for this user to read and write: give the whole directory to the "
            f"service's user (chown -R USER: {data_dir}), or be that user."
        )


def _require_restored(data_dir: Path) -> None:
    """Refuse a directory with an interrupted restore; remove what a finished one left."""
    folder = data_dir / RESTORING
    if folder.exists() and not (data_dir / "engine").exists():
        raise CannotStart(
            f"A restore into the data directory {data_dir} was cut off: run the same `restore` "
            f"again, or remove {folder} to begin without the backup."
        )
    shutil.rmtree(folder, ignore_errors=True)


def _forget_cut_off_backup(data_dir: Path) -> None:
    """Remove the files of a killed backup: they copy everything, deleted media too."""
    if (data_dir / BACKING_UP).exists():
        with suppress(FolderTakenError), alone_in(data_dir):
            shutil.rmtree(data_dir / BACKING_UP, ignore_errors=True)


def _unwritable(data_dir: Path, failure: OSError) -> CannotStart:
    return CannotStart(f"The data directory {data_dir} is not writable: {failure.strerror}.")


def _check_format(data_dir: Path) -> None:
    """Refuse a directory that another version must open."""
    mark = data_dir / _MARK
    if not mark.exists():
        return
    found = mark.read_text(encoding="ascii", errors="replace").strip()
    if found in _TAKEN:
        return
    if found.isdecimal() and int(found) > FORMAT:
        raise CannotStart(
            f"The data directory {data_dir} was written by a newer goldenhour (form {found}; this "
            f"version knows form {FORMAT}): start that version again, or restore a backup that "
            "this version made."
        )
    raise CannotStart(
        f"The data directory {data_dir} has a form that this version does not know ({found!r}; it "
        f"knows {FORMAT}): start the version that wrote it, make a backup there, and look into "
        "docs/server.md for the versions to upgrade by."
    )


def _check_readable(data_dir: Path) -> None:
    """Refuse a directory whose data is damaged: no start mends that, as it may a full disk."""
    for file in _databases(data_dir):
        try:
            with suppress(sqlite3.OperationalError), closing(sqlite3.connect(file)) as connection:
                connection.execute("SELECT count(*) FROM sqlite_master")
        except sqlite3.DatabaseError as failure:
            raise CannotStart(
                f"The data in {file} cannot be read ({failure}). If that does not pass, restore a "
                "backup into another directory (docs/server.md)."
            ) from failure


def _databases(data_dir: Path) -> list[Path]:
    files = [data_dir / folder / "tables.db" for folder in ("engine", "sandbox")]
    return [file for file in files if file.exists()]


def _take_over(data_dir: Path) -> None:
    """Convert a directory of the first format to this one, once, and mark it."""
    if (data_dir / "emulator" / "state.db").exists():
        if not (data_dir / "engine").exists():
            sys.stderr.write(f"{_take_over_apart(data_dir)}\n")
        shutil.rmtree(data_dir / _ASIDE, ignore_errors=True)
        (data_dir / "emulator").replace(data_dir / _ASIDE)
    write_safely(data_dir / _MARK, f"{FORMAT}\n")


def _take_over_apart(data_dir: Path) -> str:
    """Convert it in a process of its own, whose memory is then free; return the message."""
    command = [sys.executable, "-m", "chalicelib.local.former_directory", str(data_dir)]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)  # noqa: S603 - our own module
    if done.returncode != 0:
        raise CannotStart(
            f"The data directory {data_dir} has the first form, and could not be taken over "
            f"({done.stderr.strip()}). It is as it was: the version that wrote it opens it."
        )
    return (
        f"Took over {done.stdout} of an earlier version; its files stay in {data_dir / _ASIDE} "
        "until the next clean stop."
    )


def forget_former(data_dir: Path) -> None:
    """Remove the old files of the first format: a start and a stop succeeded without them."""
    shutil.rmtree(data_dir / _ASIDE, ignore_errors=True)


def empty_logs(data_dir: Path) -> None:
    """Empty the database logs, which may hold deleted texts, once all processes have ended."""
    for file in _databases(data_dir):
        with suppress(sqlite3.Error), closing(sqlite3.connect(file, timeout=1)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _check_writable(data_dir: Path) -> None:
    temporary = data_dir / "tmp"
    try:
        shutil.rmtree(temporary, ignore_errors=True)
        temporary.mkdir(exist_ok=True, mode=0o700)
        (temporary / "probe").touch(mode=0o600)
        for folder in (data_dir, data_dir.parent):
            sync_path(folder)
    except OSError as failure:
        raise _unwritable(data_dir, failure) from failure


def note_sync(data_dir: Path, *, synced: bool) -> None:
    """Note the stack's sync mode in the directory, for `doctor`."""
    write_safely(data_dir / "sync", "full\n" if synced else "normal\n")


def is_synced(data_dir: Path) -> bool:
    """Tell whether the directory's last stack ran with full sync."""
    try:
        return (data_dir / "sync").read_text(encoding="ascii").strip() == "full"
    except OSError:
        return False


def note_address(data_dir: Path, host: str, port: int) -> None:
    """Note in the directory where its stack listens, for commands without a port."""
    write_safely(data_dir / "address", f"{host} {port}\n")


def note_deaths(data_dir: Path, name: str) -> None:
    """Note in the directory that a process of its stack dies repeatedly, for `doctor`."""
    with suppress(OSError):
        write_safely(data_dir / "deaths", f"{datetime.now(UTC).isoformat()} {name}\n")


def noted_address(data_dir: Path) -> tuple[str, int] | None:
    """Return host and port of the directory's last stack; None where it noted none."""
    try:
        host, port = (data_dir / "address").read_text(encoding="ascii").split()
        return host, int(port)
    except (OSError, ValueError):
        return None


def listen(host: str, port: int) -> socket.socket:
    """Open the API's listening socket.

    The front of a stack that was just killed may hold the port a moment longer.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    deadline = time.monotonic() + _PORT_FREE_WITHIN_S
    while True:
        try:
            return socket.create_server((host, port), family=family, backlog=_BACKLOG)
        except OSError as failure:
            if failure.errno == errno.EADDRINUSE and time.monotonic() < deadline:
                time.sleep(_PORT_RETRY_S)
                continue
            raise CannotStart(_why_closed(host, port, failure)) from failure


def _why_closed(host: str, port: int, failure: OSError) -> str:
    """Say why no socket listens there, and which setting to change."""
    if failure.errno == errno.EADDRINUSE:
        return f"Port {port} on {host} is taken: set GOLDENHOUR_PORT to a free one."
    if failure.errno == errno.EACCES:
        return (
            f"Port {port} on {host} is not for this user: set GOLDENHOUR_PORT to one from 1024 on."
        )
    why = (failure.strerror or "").partition(" (while")[0]
    return (
        f"This machine has no address {host} to listen on ({why}): set GOLDENHOUR_HOST to one that "
        "it has, or to 0.0.0.0 for all of them."
    )


def check_answers(localstack_url: str) -> None:
    """Make sure that somebody listens at LocalStack's address."""
    address = urlsplit(localstack_url)
    try:
        port = address.port or (443 if address.scheme == "https" else 80)
        socket.create_connection((address.hostname, port), timeout=_LOCALSTACK_S).close()
    except (OSError, ValueError) as failure:
        raise CannotStart(f"LocalStack does not answer at {localstack_url}.") from failure


def why_unwritable(folder: Path) -> str:
    """Return why a file of some size cannot be written, as the end of a sentence, or ""."""
    probe = folder / "write-probe"
    try:
        probe.write_bytes(bytes(_PROBE_BYTES))
    except OSError as failure:
        return f": {failure.strerror}"
    finally:
        probe.unlink(missing_ok=True)
    return ""
