"""A plan's files: found beside it, each uploaded once however many lines name it."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias, TypeVar
from unicodedata import normalize

from goldenhour.client import Client
from goldenhour.error_codes import FileRemoved, MediaNotFound
from goldenhour.models.answers import Account
from goldenhour.plan.journal import Journal
from goldenhour.spoken.rows import Row
from goldenhour.spoken.unclear import UnclearError

Made = TypeVar("Made")
PlanRow: TypeAlias = Row[Account, Path]
LARGEST_FILE_BYTES = 1024**3
_PIECE = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanFiles:
    """Uploads what rows name, and knows from the journal what is there already."""

    client: Client
    journal: Journal

    def make(self, row: PlanRow, make: Callable[[list[str]], Made]) -> Made:
        """Make something of a row's media ids; once more with a new upload if its file is gone."""
        try:
            return make(self._media_ids(row))
        except (MediaNotFound, FileRemoved):
            return make(self._media_ids(row, is_fresh=True))

    def _media_ids(self, row: PlanRow, *, is_fresh: bool = False) -> list[str]:
        if row.file is None:
            return []
        content = hashlib.sha256()
        with row.file.open("rb") as file:
            while chunk := file.read(_PIECE):
                content.update(chunk)
        known = None if is_fresh else self.journal.files.get(content.hexdigest())
        if known is None:
            known = self.client.media.upload(row.file).id
            self.journal.uploaded(content.hexdigest(), known)
        return [known]


def find_file(folder: Path, name: str) -> Path:
    """Return a file that a plan names. Raises UnclearError."""
    path = _on_disk(folder / name)
    if not path.is_file():
        raise UnclearError(f"There is no file {path}.")
    if not 0 < path.stat().st_size <= LARGEST_FILE_BYTES:
        raise UnclearError(f"{path} is empty or larger than 1 GB.")
    return path


def _on_disk(path: Path) -> Path:
    """Return a file whose letters may be composed otherwise than in the sheet, as Macs do it."""
    if path.exists() or not path.parent.is_dir():
        return path
    wanted = normalize("NFC", path.name)
    alike = (each for each in path.parent.iterdir() if normalize("NFC", each.name) == wanted)
    return next(alike, path)
