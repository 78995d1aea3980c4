"""A copy of a file without private metadata: only its head is rewritten.

The convert lane calls it for a file that fits a platform as it is. Nothing is decoded, so it runs
in the worker itself. A photo that must be rotated, and a file whose parts cannot be told apart, are
written again in a child process (`isolated`).
"""

from collections.abc import Callable

from chalicelib.domain.media.cleaning.movies import movie_patches
from chalicelib.domain.media.cleaning.outcome import UncleanableError
from chalicelib.domain.media.cleaning.photos import MOST_BYTES, clean_photo
from chalicelib.domain.media.media import Media
from chalicelib.domain.media.recipes import CleanRecipe, Recipe, VideoRecipe
from chalicelib.domain.outcome import FailureCode
from chalicelib.domain.platforms.platform import MediaKind
from chalicelib.kit.media_headers.ranged_file import RangedFile, UnreadableError
from chalicelib.storage.media.copy_files import CopyPlaces
from chalicelib.workers.media.isolated.converter import Ended, convert

_MOST_READS, _MOST_READ_BYTES = 20_000, 2 * 1024 * 1024 * 1024
"""Of a video of many fragments a block is read for each; others take a few."""


def clean_copy(
    media: Media, places: CopyPlaces, alive: Callable[[], None]
) -> int | FailureCode | None:
    """Return the size of the copy, None if the file has nothing to remove, or why it failed."""
    if media.kind is MediaKind.IMAGE:
        return _clean_photo(media, places, alive)
    return _clean_video(media, places, alive)


def _clean_photo(
    media: Media, places: CopyPlaces, alive: Callable[[], None]
) -> int | FailureCode | None:
    data = places.read(0, min(media.size_bytes, MOST_BYTES))
    try:
        cleaned = clean_photo(media.mime, data)
    except UncleanableError:
        cleaned = None
    if cleaned is None or cleaned.turn != 1:
        return _make_anew(media, CleanRecipe(), places, alive)
    if len(data) == media.size_bytes and cleaned.data == data:
        return None
    places.put(cleaned.data, media.mime)
    return len(cleaned.data)


def _clean_video(
    media: Media, places: CopyPlaces, alive: Callable[[], None]
) -> int | FailureCode | None:
    size = media.size_bytes

    def read(offset: int, length: int) -> bytes:
        alive()
        return places.read(offset, length)

    file = RangedFile(read, size, most_reads=_MOST_READS, most_bytes=_MOST_READ_BYTES)
    try:
        patches = movie_patches(file)
    except (UncleanableError, UnreadableError):
        return _make_anew(media, VideoRecipe(), places, alive)
    if not patches:
        return None
    places.write_patched(patches, alive)
    return size


def _make_anew(
    media: Media, recipe: Recipe, places: CopyPlaces, alive: Callable[[], None]
) -> int | FailureCode:
    made = convert(media, recipe, places, alive)
    return FailureCode.MEDIA_REJECTED if isinstance(made, Ended) else made
