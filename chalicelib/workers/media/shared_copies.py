"""Copies of files that targets and posts share: each is made once for a file and a recipe.

`Preparation` asks for them. Whoever claims a copy makes it; others come back in a moment.
"""

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from chalicelib.domain.clock import Clock
from chalicelib.domain.media.media import Media
from chalicelib.domain.media.recipes import Recipe
from chalicelib.domain.outcome import Failed, FailureCode
from chalicelib.storage.media.copy_files import CopyUnwritableError
from chalicelib.storage.media.prepared_copies import Claim, PreparedCopies, PreparedCopy
from chalicelib.storage.media.records import MediaRepository
from chalicelib.storage.media.source import MediaUnreadableError
from chalicelib.workers.media.copy_making import Alive, CopyMaker

AT_ONCE = 2
"""Copies made in parallel in one process: each may take a quarter of a gigabyte."""

_SENTENCES: Final[Mapping[FailureCode, str]] = {
    FailureCode.FILE_REMOVED: "The file was removed before the post went out.",
    FailureCode.VIDEO_TOO_LONG: (
        'The video is longer than the platform takes. Set options.trim to "start" or "end".'
    ),
    FailureCode.MEDIA_REJECTED: (
        "The file is damaged or of a kind that cannot be converted. Upload another one."
    ),
    FailureCode.PROCESSING_FAILED: (
        "The service could not convert the file for the platform. Upload another one."
    ),
    FailureCode.MEDIA_UNAVAILABLE: (
        "The file could not be read from storage. The service tries again by itself."
    ),
    FailureCode.PLATFORM_UNAVAILABLE: (
        "TikTok did not say how long a video may be. The service tries again by itself."
    ),
}


class NotPreparedError(Exception):
    """There is no file to send; `failed` says why, and whether it is worth trying again."""

    def __init__(self, code: FailureCode) -> None:
        super().__init__(code)
        self.failed = Failed(code=code, message=_SENTENCES[code])


class BeingMadeError(Exception):
    """Somebody else is making the copy: come back in a moment."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedCopies:
    """Finds or makes copies; safe to run twice, anywhere."""

    files: MediaRepository
    rows: PreparedCopies
    maker: CopyMaker
    clock: Clock
    turns: threading.BoundedSemaphore = field(
        default_factory=lambda: threading.BoundedSemaphore(AT_ONCE)
    )

    def find(self, media_id: str, recipe: str) -> PreparedCopy | None:
        """Return what became of a recipe, None while it was not tried or is too long ago."""
        return self.rows.find(media_id, recipe, now=self.clock())

    def made(self, media: Media, recipe: Recipe, maker: str, alive: Alive) -> PreparedCopy:
        """Return what became of a recipe, after carrying it out if nobody did.

        `maker` names who asks; `alive` is called again and again meanwhile. Raises
        NotPreparedError, BeingMadeError.
        """
        return self.find(media.id, recipe.name) or self._made_in_turn(media, recipe, maker, alive)

    def _made_in_turn(self, media: Media, recipe: Recipe, maker: str, alive: Alive) -> PreparedCopy:
        """Make the copy, unless somebody else does or did while this waited for its turn."""
        with self.turns:
            alive()
            copy = self.find(media.id, recipe.name)
            if copy is not None:
                return copy
            if not self.rows.claim(media.id, recipe.name, maker, now=self.clock()):
                raise BeingMadeError
            try:
                copy = self._make(media, recipe, maker, alive)
            except BaseException:
                self.rows.give_up(media.id, recipe.name, maker, now=self.clock())
                raise
        now = self.files.find(media.id)
        if now is None or now.file_removed:
            self.rows.drop(media, recipe.name)
            raise NotPreparedError(FailureCode.FILE_REMOVED)
        return copy

    def _make(self, media: Media, recipe: Recipe, maker: str, alive: Alive) -> PreparedCopy:
        claim = Claim(self.rows, media.id, recipe.name, maker)

        def still_mine() -> None:
            alive()
            claim.alive(self.clock())

        try:
            copy = self.maker.make(media, recipe, still_mine, self.clock())
        except (MediaUnreadableError, CopyUnwritableError) as error:
            raise NotPreparedError(FailureCode.MEDIA_UNAVAILABLE) from error
        self.rows.keep(media.id, copy)
        return copy
