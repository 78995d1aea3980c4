"""One copy of a video: cut by copying its packets where that works, else encoded again.

`isolated/child` loads this file, and with it FFmpeg, only when a video has to be changed.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Protocol

from chalicelib.domain.media.media import Media
from chalicelib.domain.media.recipes import Keep, VideoRecipe
from chalicelib.domain.media.requirements import COPIED_PICTURES
from chalicelib.storage.media.seekable import SeekableObject
from chalicelib.workers.media.encoding import Pieces, Wanted, encode_span
from chalicelib.workers.media.pacing import Pace
from chalicelib.workers.media.trimming import NoKeyframeError, copy_span
from chalicelib.workers.media.video_file import (
    SeekableSink,
    Span,
    UnreadableVideoError,
)

__all__ = ["UnreadableVideoError", "VideoPlaces", "write_copy"]


class VideoPlaces(Protocol):
    """Where a copy is read from and written to."""

    def source(self) -> SeekableObject:
        """Return the file, from its beginning."""
        ...

    def write_copy(self, write: Callable[[SeekableSink], None]) -> int:
        """Write a new object, whole or not at all; return its size."""
        ...

    @property
    def pieces(self) -> Pieces:
        """Return where finished pieces are stored."""
        ...


def write_copy(
    media: Media, recipe: VideoRecipe, places: VideoPlaces, alive: Callable[[], None]
) -> int:
    """Write the copy; return its size. Raises UnreadableVideoError."""
    span = _span(media, recipe)
    if not recipe.encode and media.video_codec in COPIED_PICTURES:
        try:
            return places.write_copy(lambda sink: copy_span(places.source(), sink, span, alive))
        except NoKeyframeError:
            pass
    pieces = places.pieces
    wanted = Wanted(
        span=span,
        pace=Pace(fewest=recipe.least_rate, most=recipe.most_rate),
        least_side=recipe.least_side or 0,
    )
    size = places.write_copy(lambda sink: encode_span(places.source, sink, wanted, pieces, alive))
    pieces.drop()
    return size


def _span(media: Media, recipe: VideoRecipe) -> Span:
    """Return which part the recipe keeps."""
    if recipe.keep is None or recipe.longest_ms is None:
        return Span()
    longest = Fraction(recipe.longest_ms, 1000)
    if recipe.keep is Keep.START:
        return Span(longest=longest)
    duration = Fraction(round((media.duration_s or 0) * 1000), 1000)
    return Span(start=max(duration - longest, Fraction(0)), longest=longest)
