"""A folder that one process at a time writes into; the kernel frees it however the process ends."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


class FolderTakenError(Exception):
    """Another process writes into the folder."""


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Have a folder for oneself. Raises FolderTakenError.

    Nothing is left in the folder. A disk that knows no such locks (some network disks) gives none.
    """
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as taken:
                raise FolderTakenError from taken
        yield
    finally:
        os.close(descriptor)
