"""A log file that begins anew when it is full; the processes of the local stack each have one."""

import logging
import os
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path


class RotatedLog(RotatingFileHandler):
    """Spells each record once, and counts what it writes instead of asking how large its file is.

    Python's own spells each twice and asks the system four times, under the lock that every thread
    with a line waits for.
    """

    def __init__(self, path: Path, *, most_bytes: int, kept_files: int) -> None:
        super().__init__(path, maxBytes=most_bytes, backupCount=kept_files, delay=True)
        self._size = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record, in a new file if this one has no room for it."""
        try:
            line = self.format(record) + self.terminator
            self._file_for(len(line.encode(errors="replace"))).write(line)
            self.flush()
        except Exception:  # noqa: BLE001 - what cannot be logged stops nothing
            self.handleError(record)

    def _file_for(self, more: int) -> TextIOWrapper:
        """Return the file that has room for so many bytes, which count as written."""
        file = self.stream or self._begin()
        if self._size + more > self.maxBytes:
            self._size = file.seek(0, os.SEEK_END)  # a full disk took less than was counted
        if self._size + more > self.maxBytes:
            self.doRollover()
            file = self._begin()
        self._size += more
        return file

    def _begin(self) -> TextIOWrapper:
        self.stream = file = self._open()
        self._size = file.tell()
        return file
