"""Records what the processes of a stack write and sync below one folder, and what was answered.

`recorder.c` is compiled once and loaded before libc into every process; no other seam is needed,
so that SQLite's own calls are noted too. The caller's marks go into the same log: what stands
before a mark happened before it.
"""

import json
import os
import struct
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

_SOURCE = Path(__file__).with_name("recorder.c")
_HEAD = struct.Struct("<BQQII")
_MARK = "a"


@dataclass(frozen=True, slots=True)
class Record:
    """One call: `kind` and what it says is in `recorder.c`; kind `a` is a mark of the caller."""

    kind: str
    inode: int
    offset: int
    name: str
    data: bytes


class Recording:
    """The log of everything below `root`."""

    def __init__(self, root: Path, folder: Path) -> None:
        if sys.platform != "linux":
            pytest.skip("a power cut is played on Linux")
        self._library = folder / "recorder.so"
        subprocess.run(
            ["cc", "-shared", "-fPIC", "-O1", "-o", self._library, _SOURCE, "-ldl"], check=True
        )
        Path(f"{self._library}.root").write_text(str(root))
        self._log = Path(f"{self._library}.log")
        self._marks = os.open(self._log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

    @property
    def environment(self) -> dict[str, str]:
        """Return what makes a process record itself."""
        return {"LD_PRELOAD": str(self._library)}

    @property
    def log(self) -> Path:
        """The file in which everything is noted."""
        return self._log

    def mark(self, *words: str) -> None:
        """Note that something was answered, or asked for."""
        mark_in(self._marks, json.dumps(words).encode())

    def records(self) -> Iterator[Record]:
        """Yield what was noted, in order."""
        return records_of(self._log)


def mark_in(log: int, data: bytes) -> None:
    """Note something in an open log."""
    os.write(log, _HEAD.pack(ord(_MARK), 0, 0, 0, len(data)) + data)


def records_of(path: Path) -> Iterator[Record]:
    """Yield what is noted in a log, in order."""
    with path.open("rb") as log:
        while len(head := log.read(_HEAD.size)) == _HEAD.size:
            kind, inode, offset, name, data = _HEAD.unpack(head)
            yield Record(chr(kind), inode, offset, log.read(name).decode(), log.read(data))
