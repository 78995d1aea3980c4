"""Copies of files as the convert lane makes them, its child process and all, without a workspace.

sent = copies.sent(Platform.X, film(...))    # what X would receive; None where it is refused
"""

import functools
import io
from collections.abc import Mapping
from dataclasses import dataclass

from PIL import Image

from chalicelib.domain.ids import new_id
from chalicelib.domain.media.decoding import unconvertible
from chalicelib.domain.media.media import FileState, Media, UnfinishedUpload
from chalicelib.domain.media.probing import probe
from chalicelib.domain.media.recipes import PosterRecipe, Recipe
from chalicelib.domain.media.requirements import TooLongError, recipe_for
from chalicelib.domain.platforms.platform import Platform
from chalicelib.kit.json_value import Json
from chalicelib.services.media.upload import as_media
from chalicelib.storage.media.store import S3MediaStore, file_key, prepared_key
from chalicelib.workers.media.converting import CopyMaker
from tests.support.frozen_clock import NOON
from tests.support.media_rooms import WORKSPACE


@dataclass(frozen=True, slots=True)
class Sent:
    """What would go out: the file, and how it was made ("" where it is the one uploaded)."""

    data: bytes
    recipe: str


class Copies:
    """Makes copies; equal recipes of one file are made once."""

    def __init__(self, store: S3MediaStore) -> None:
        self._store = store
        self._made: dict[tuple[str, str], bytes | None] = {}

    def sent(
        self, platform: Platform, data: bytes, options: Mapping[str, Json] | None = None
    ) -> Sent | None:
        """Return what a platform would receive, None where the file is refused ahead."""
        media = probed(data)
        try:
            recipe = recipe_for(media, platform, options or {})
        except TooLongError:
            return None
        if unconvertible(media, recipe) is not None:
            return None
        if recipe is None:
            return Sent(data, "")
        key = (media.id, recipe.name)
        if key not in self._made:
            self._made[key] = self._make(media, data, recipe)
        made = self._made[key]
        return None if made is None else Sent(made, recipe.name)

    def poster(self, data: bytes) -> Image.Image:
        """Return the still that goes along with a video."""
        made = self._make(probed(data), data, PosterRecipe())
        return Image.open(io.BytesIO(made or b""))

    def _make(self, media: Media, data: bytes, recipe: Recipe) -> bytes | None:
        self._store.put(file_key(media.workspace_id, media.id), data, media.mime)
        copy = CopyMaker(self._store).make(media, recipe, lambda: None, NOON)
        if copy.refused is not None:
            return None
        if copy.same:
            return data
        return self._store.whole(prepared_key(media.workspace_id, media.id, recipe.name))


@functools.lru_cache(maxsize=256)
def probed(data: bytes) -> Media:
    """Return a file as it is known once it was uploaded."""
    found = probe(lambda at, length: data[at : at + length], len(data))
    upload = UnfinishedUpload(
        id=new_id(NOON),
        workspace_id=WORKSPACE,
        filename="file",
        state=FileState.UPLOADING,
        created_at=NOON,
    )
    return as_media(upload, found, len(data))
