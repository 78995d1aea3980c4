"""Chosen covers: the photo of a target's `cover_media_id`, and what is wrong with it.

A cover is a file of the post like its video: it counts as used, is kept, and can be missing.
"""

from collections.abc import Mapping

from chalicelib.domain.error_kinds import ServiceError
from chalicelib.domain.errors import FileRemoved, MediaNotFound, MediaRequired
from chalicelib.domain.media.media import Media
from chalicelib.domain.platforms.option import COVER
from chalicelib.domain.platforms.platform import MediaKind
from chalicelib.domain.posts.target import Target

_NO_PHOTO = "A cover must be a photo: {0} is a video."
_NOT_FOUND = "There is no such photo in this workspace. GET /v1/media lists those there are."


def cover_of(target: Target) -> str | None:
    """Return the id of the photo that a target has for a cover, None for none."""
    named = target.options.get(COVER)
    return named if isinstance(named, str) and named else None


def unfit_cover(target: Target, media: Mapping[str, Media], *, field: str) -> ServiceError | None:
    """Return why a target's cover cannot be, None if it can; `media` are the files that are there.

    `field` is where the target stands.
    """
    named, place = cover_of(target), f"{field}.options.{COVER}"
    if named is None:
        return None
    if named not in media:
        return MediaNotFound(_NOT_FOUND, field=place)
    if media[named].kind is not MediaKind.IMAGE:
        return MediaRequired(_NO_PHOTO.format(media[named].filename), field=place)
    return None


def lost_cover(target: Target, media: Mapping[str, Media], *, field: str) -> ServiceError | None:
    """Return what a check says of a cover: one that is gone was removed since it was chosen."""
    problem = unfit_cover(target, media, field=field)
    if isinstance(problem, MediaNotFound):
        return FileRemoved("The cover was removed. Choose another one.", field=problem.field)
    return problem
