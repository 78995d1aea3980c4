"""A plan's files, each uploaded once however many lines name it."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from goldenhour.client import Client
from goldenhour.error_codes import FileRemoved, MediaNotFound
from goldenhour.plan.journal import Journal
from goldenhour.plan.rows import Row

Made = TypeVar("Made")
_PIECE = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanFiles:
    """Uploads what rows name, and knows from the journal what is there already."""

    client: Client
    journal: Journal

    def make(self, row: Row, make: Callable[[list[str]], Made]) -> Made:
        """Make something of a row's media ids; once more with a new upload if its file is gone."""
        try:
            return make(self._media_ids(row))
        except (MediaNotFound, FileRemoved):
            return make(self._media_ids(row, is_fresh=True))

    def _media_ids(self, row: Row, *, is_fresh: bool = False) -> list[str]:
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
