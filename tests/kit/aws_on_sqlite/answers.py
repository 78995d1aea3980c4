"""What a load was answered, and what of it an engine's folder lacks."""

import hashlib
import json
import sqlite3
from collections import Counter
from contextlib import closing, suppress
from pathlib import Path


class Answers:
    """What was answered so far."""

    def __init__(self) -> None:
        self.rows: Counter[str] = Counter()
        self.files: dict[str, str] = {}

    def take(self, mark: bytes) -> None:
        """Take up one answer."""
        kind, name, value = json.loads(mark)
        if kind == "row":
            self.rows[name] = int(value)
        else:
            self.files[name] = value

    def missing(self, folder: Path) -> list[str]:
        """Return what was answered and is not there, or not as it was answered."""
        found, files = _kept(folder)
        rows = (
            f"row {number} of writer {writer}"
            for writer, count in self.rows.items()
            for number in range(1, count + 1)
            if (f"W{writer}", f"ROW#{number}") not in found
        )
        lost = (
            key
            for key, digest in self.files.items()
            if key not in files or _digest(folder, files[key]) != digest
        )
        return [*rows, *lost]


def _kept(folder: Path) -> tuple[set[tuple[str, str]], dict[str, str]]:
    """Return the rows and objects that there are: none in a file that was never synced."""
    with (
        closing(sqlite3.connect(folder / "tables.db")) as state,
        suppress(sqlite3.OperationalError),
    ):
        rows = set(state.execute("SELECT pk, sk FROM item"))
        return rows, dict(state.execute("SELECT key, files FROM object"))
    return set(), {}


def _digest(folder: Path, named: str) -> str:
    paths = [folder / "files" / name for name, _ in json.loads(named)]
    body = b"".join(path.read_bytes() for path in paths if path.exists())
    return hashlib.sha256(body).hexdigest()
