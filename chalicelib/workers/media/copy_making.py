"""Carries out a recipe: reads the stored file in ranges, writes the copy straight into S3.

The convert worker calls it for one copy at a time. Neither /tmp nor the whole file in memory is
needed; pictures that must be made anew are kept piece by piece, so that the next run goes on after
a crash. FFmpeg and Pillow run in a child for each file (`isolated`), never in the worker itself; a
deployment without them still posts files as they are.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from chalicelib.domain.errors import UnsupportedMedia
from chalicelib.domain.media.media import Media
from chalicelib.domain.media.probing import probe
from chalicelib.domain.media.recipes import Recipe, VideoRecipe
from chalicelib.domain.outcome import FailureCode
from chalicelib.storage.media.copy_files import CopyPlaces
from chalicelib.storage.media.prepared_copies import PreparedCopy, copy_of
from chalicelib.storage.media.store import S3MediaStore
from chalicelib.workers.media.isolated.converter import Ended, convert

Alive = Callable[[], None]
"""Called again and again while a copy is made; raises to stop it."""


@dataclass(frozen=True, slots=True)
class CopyMaker:
    """Makes copies of stored files."""

    store: S3MediaStore

    def make(self, media: Media, recipe: Recipe, alive: Alive, now: datetime) -> PreparedCopy:
        """Make the copy and return what became of it: the copy, the file itself, or a refusal.

        Raises MediaUnreadableError, CopyUnwritableError, LibraryMissingError.
        """
        places = CopyPlaces(self.store, media, recipe.name)
        size = self._written(media, recipe, places, alive)
        match size:
            case FailureCode():
                return PreparedCopy(recipe=recipe.name, made_at=now, refused=size)
            case None:
                return PreparedCopy(recipe=recipe.name, made_at=now, same=True)
        try:
            probed = probe(places.read_copy, size)
        except UnsupportedMedia:
            return PreparedCopy(
                recipe=recipe.name, made_at=now, refused=FailureCode.PROCESSING_FAILED
            )
        copy = copy_of(recipe.name, probed, size_bytes=size, now=now)
        return _never_longer(copy, recipe)

    def _written(
        self, media: Media, recipe: Recipe, places: CopyPlaces, alive: Alive
    ) -> int | FailureCode | None:
        """Return the copy's size, None where the file is as it should be, or why it cannot be."""
        match convert(media, recipe, places, alive):
            case Ended.SAME:
                return None
            case Ended.UNREADABLE:
                return FailureCode.MEDIA_REJECTED
            case size:
                return size


def _never_longer(copy: PreparedCopy, recipe: Recipe) -> PreparedCopy:
    """Refuse a copy that is longer than asked: better not sent than refused by the platform."""
    longest_ms = recipe.longest_ms if isinstance(recipe, VideoRecipe) else None
    if longest_ms is None or (copy.duration_s or 0) * 1000 <= longest_ms:
        return copy
    return PreparedCopy(
        recipe=copy.recipe, made_at=copy.made_at, refused=FailureCode.PROCESSING_FAILED
    )
