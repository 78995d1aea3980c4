"""The directory that holds all state of the local stack: one stack at a time may have it.

format          which form the rest has, a number
lock            held while a stack runs; the kernel frees it however the stack ends
sync            how the stack keeps things: full or normal
emulator/       state.db (tables, settings, keys), objects/ (the bucket's files)
emulator.port   the emulator's loopback port, kept so that the operator's commands find it
sandbox.db      what the sandbox platform received
demo.json       base URL and key of the demo workspace; there while the API answers
tmp/            emptied at each start
"""

import errno
import fcntl
import os
import shutil
import socket
import time
from pathlib import Path
from typing import IO
from urllib.parse import urlsplit

_BACKLOG = 512
_PORT_FREE_WITHIN_S, _PORT_RETRY_S = 3.0, 0.2
_LOCALSTACK_S = 5.0


FORMAT = 1
"""The form of a data directory that this version writes; what has no mark has the first form."""

_MARK = "format"


_PROBE_BYTES = 262_144


class CannotStart(Exception):
    """The stack cannot start; the message is one sentence for the person who started it."""


def take(data_dir: Path) -> IO[str]:
    """Make the directory if need be and lock it; keep the answer open as long as it is needed."""
    try:
        data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = (data_dir / "lock").open("a+", encoding="utf-8")
    except OSError as failure:
        raise CannotStart(
            f"The data directory {data_dir} is not writable: {failure.strerror}."
        ) from failure
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as taken:
        lock.close()
        raise CannotStart(
            f"Another stack already runs on the data directory {data_dir}."
        ) from taken
    try:
        _check_writable(data_dir)
        _check_format(data_dir)
    except CannotStart:
        lock.close()
        raise
    return lock


def _check_format(data_dir: Path) -> None:
    """Mark a fresh directory, and refuse one that another version must open."""
    mark = data_dir / _MARK
    if not mark.exists():
        _write_safely(mark, f"{FORMAT}\n")
        return
    found = mark.read_text(encoding="ascii", errors="replace").strip()
    if found == str(FORMAT):
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


def _write_safely(path: Path, text: str) -> None:
    """Write a small file so that a power cut leaves the old one or the new one."""
    fresh = path.with_suffix(".new")
    with fresh.open("w", encoding="ascii") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
    sync_folder(path.parent)


def _check_writable(data_dir: Path) -> None:
    temporary = data_dir / "tmp"
    try:
        shutil.rmtree(temporary, ignore_errors=True)
        temporary.mkdir(exist_ok=True, mode=0o700)
        (temporary / "probe").write_bytes(b"")
        (data_dir / "emulator").mkdir(exist_ok=True, mode=0o700)
        for folder in (data_dir, data_dir.parent):
            sync_folder(folder)
    except OSError as failure:
        raise CannotStart(
            f"The data directory {data_dir} is not writable: {failure.strerror}."
        ) from failure


def note_sync(data_dir: Path, *, synced: bool) -> None:
    """Say in the directory how its stack keeps things, for `doctor`."""
    _write_safely(data_dir / "sync", "full\n" if synced else "normal\n")


def sync_folder(folder: Path) -> None:
    """Return once the names in a folder would outlive a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


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
            raise CannotStart(
                f"Port {port} on {host} cannot be opened ({failure.strerror}): "
                "set GOLDENHOUR_PORT to a free one."
            ) from failure


def check_answers(localstack_url: str) -> None:
    """Make sure that somebody listens at LocalStack's address."""
    address = urlsplit(localstack_url)
    try:
        port = address.port or (443 if address.scheme == "https" else 80)
        socket.create_connection((address.hostname, port), timeout=_LOCALSTACK_S).close()
    except (OSError, ValueError) as failure:
        raise CannotStart(f"LocalStack does not answer at {localstack_url}.") from failure


def listen_for_emulator(data_dir: Path) -> socket.socket:
    """Open the emulator's socket, on the port of the last run if that is free."""
    note = data_dir / "emulator.port"
    try:
        last = int(note.read_text(encoding="ascii"))
    except (OSError, ValueError):
        last = 0
    try:
        listener = socket.create_server(("127.0.0.1", last), backlog=_BACKLOG)
    except (OSError, OverflowError):
        listener = socket.create_server(("127.0.0.1", 0), backlog=_BACKLOG)
    _write_safely(note, str(listener.getsockname()[1]))
    return listener


def why_unwritable(folder: Path) -> str:
    """Return why a file of some size cannot be written, as the end of a sentence; or nothing."""
    probe = folder / "write-probe"
    try:
        probe.write_bytes(bytes(_PROBE_BYTES))
    except OSError as failure:
        return f": {failure.strerror}"
    finally:
        probe.unlink(missing_ok=True)
    return ""
