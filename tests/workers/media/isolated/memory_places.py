"""Where a copy is read from and written to, in memory; and the file that a recipe is for."""

import io
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import cast

from chalicelib.domain.errors import UnsupportedMedia
from chalicelib.domain.media.media import FileState, Media, UnfinishedUpload
from chalicelib.domain.media.probing import probe
from chalicelib.domain.media.recipes import PhotoRecipe, PosterRecipe, Recipe, VideoRecipe
from chalicelib.domain.media.types import MediaType
from chalicelib.domain.platforms.platform import MediaKind
from chalicelib.services.media.upload import as_media
from chalicelib.storage.media.copy_files import CopyPlaces
from chalicelib.workers.media.isolated.converter import Ended, MemoryShortError, convert
from chalicelib.workers.media.isolated.process import Start

READS = """
import sys
lengths = sys.stdin.buffer.read(8)
sys.stdin.buffer.read(int.from_bytes(lengths[:4], "big") + int.from_bytes(lengths[4:], "big"))
asked = b'{"do":"read","offset":0,"length":9}'
sys.stdout.buffer.write(len(asked).to_bytes(4, "big") + bytes(4) + asked)
sys.stdout.buffer.flush()
"""
"""The beginning of a program that was told its job and has read of the file."""
SMALL = PhotoRecipe(most_bytes=1_000_000, most_width=1440, most_height=1800)


class _Sink(io.BytesIO):
    def hold(self, head_bytes: int) -> None:
        """Everything can be changed."""


class _Pieces:
    def __init__(self) -> None:
        self._kept: dict[int, bytes] = {}

    def count(self) -> int:
        return len(self._kept)

    def keep(self, place: int, piece: bytes) -> None:
        self._kept[place] = piece

    def read(self, place: int) -> bytes:
        return self._kept[place]

    def drop(self) -> None:
        self._kept.clear()


@dataclass
class MemoryPlaces:
    """A file and its copy."""

    data: bytes
    copy: bytes | None = None
    pieces: _Pieces = field(default_factory=_Pieces)

    def read(self, offset: int, length: int) -> bytes:
        return self.data[offset : offset + length]

    def put(self, data: bytes, mime: MediaType) -> None:
        del mime
        self.copy = data

    def write_copy(self, write: Callable[[_Sink], None]) -> int:
        sink = _Sink()
        write(sink)
        self.copy = sink.getvalue()
        return len(self.copy)

    def as_copy_places(self) -> CopyPlaces:
        return cast("CopyPlaces", self)


def probed(data: bytes) -> Media:
    """Return the file as an upload of it would be recorded. Raises UnsupportedMedia."""
    upload = UnfinishedUpload(
        id="m1",
        workspace_id="w1",
        filename="file",
        state=FileState.UPLOADING,
        created_at=datetime(2026, 11, 19, tzinfo=UTC),
    )
    found = probe(lambda offset, length: data[offset : offset + length], len(data))
    return as_media(upload, found, len(data))


def recipes(media: Media) -> tuple[Recipe, ...]:
    """Return what a file of this kind may be asked to become."""
    if media.kind is MediaKind.IMAGE:
        return (SMALL,)
    return (VideoRecipe(), VideoRecipe(encode=True), PosterRecipe())


def ends(data: bytes, *, start: Start | None = None) -> list[str]:
    """Return how uploading and converting a file ends: `415`, or one word for each recipe.

    `short` is of a file that needs more memory than the child may take.
    """
    try:
        media = probed(data)
    except UnsupportedMedia:
        return ["415"]
    return [_word(media, recipe, data, start) for recipe in recipes(media)]


def _word(media: Media, recipe: Recipe, data: bytes, start: Start | None) -> str:
    places = MemoryPlaces(data).as_copy_places()
    try:
        ended = convert(media, recipe, places, _alive, start=start)
    except MemoryShortError:
        return "short"
    return ended.value if isinstance(ended, Ended) else "done"


def _alive() -> None:
    """Go on."""
