"""Carries out a recipe: reads the stored file in ranges, writes the copy straight into S3.

`Preparation` calls it for one copy at a time. Neither /tmp nor the whole file in memory is needed;
pictures that must be made anew are kept piece by piece, so that the next run goes on after a crash.
FFmpeg and Pillow are loaded only here: a deployment without them still posts files as they are.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import assert_never

from chalicelib.domain.errors import UnsupportedMedia
from chalicelib.domain.media.media import Media
from chalicelib.domain.media.probing import probe
from chalicelib.domain.media.recipes import PhotoRecipe, PosterRecipe, Recipe, VideoRecipe
from chalicelib.domain.media.types import MediaType
from chalicelib.domain.outcome import FailureCode
from chalicelib.storage.media.copy_files import CopyPlaces
from chalicelib.storage.media.prepared_copies import PreparedCopy, copy_of
from chalicelib.storage.media.store import S3MediaStore

_LOADING = threading.Lock()
"""FFmpeg's modules import each other: loaded by two threads at once, they find halves."""

Alive = Callable[[], None]
"""Called again and again while a copy is made; raises to stop it."""


@dataclass(frozen=True, slots=True)
class CopyMaker:
    """Makes copies of stored files."""

    store: S3MediaStore

    def make(self, media: Media, recipe: Recipe, alive: Alive, now: datetime) -> PreparedCopy:
        """Make the copy and return what became of it: the copy, the file itself, or a refusal.

        Raises MediaUnreadableError, CopyUnwritableError.
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
        try:
            match recipe:
                case VideoRecipe():
                    return _video(media, recipe, places, alive)
                case PhotoRecipe():
                    return _photo(media, recipe, places)
                case PosterRecipe():
                    return _poster(places, alive)
                case _:
                    assert_never(recipe)
        except ModuleNotFoundError:
            return FailureCode.PROCESSING_FAILED


def _video(
    media: Media, recipe: VideoRecipe, places: CopyPlaces, alive: Alive
) -> int | FailureCode:
    with _LOADING:
        from chalicelib.workers.media import video_copy  # noqa: PLC0415 - FFmpeg: 100 MB

    try:
        return video_copy.write_copy(media, recipe, places, alive)
    except video_copy.UnreadableVideoError:
        return FailureCode.MEDIA_REJECTED


def _photo(media: Media, recipe: PhotoRecipe, places: CopyPlaces) -> int | FailureCode | None:
    with _LOADING:
        from chalicelib.workers.media import photo_fitting  # noqa: PLC0415 - Pillow: 20 MB

    try:
        fitted = photo_fitting.fit_photo(places.source(), media.size_bytes, recipe)
    except photo_fitting.UnreadablePhotoError:
        return FailureCode.MEDIA_REJECTED
    if fitted is None:
        return None
    places.put(fitted, MediaType.JPEG)
    return len(fitted)


def _poster(places: CopyPlaces, alive: Alive) -> int | FailureCode:
    with _LOADING:
        from chalicelib.workers.media import pictures, video_file  # noqa: PLC0415 - both

    try:
        still = pictures.cut_poster(places.source(), alive)
    except video_file.UnreadableVideoError:
        return FailureCode.MEDIA_REJECTED
    places.put(still, MediaType.JPEG)
    return len(still)


def _never_longer(copy: PreparedCopy, recipe: Recipe) -> PreparedCopy:
    """Refuse a copy that is longer than asked: better not sent than refused by the platform."""
    longest_ms = recipe.longest_ms if isinstance(recipe, VideoRecipe) else None
    if longest_ms is None or (copy.duration_s or 0) * 1000 <= longest_ms:
        return copy
    return PreparedCopy(
        recipe=copy.recipe, made_at=copy.made_at, refused=FailureCode.PROCESSING_FAILED
    )
