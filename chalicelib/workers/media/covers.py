"""The photo that somebody chose as a video's cover, in the form that the platform demands.

`Preparation` asks for it together with the video. The convert lane makes a copy once for a photo
and a shape; if the photo was removed, the target fails as it does without its file.
"""

from chalicelib.connectors.connector import MediaFile
from chalicelib.domain.media.media import Media
from chalicelib.domain.media.requirements import cover_for
from chalicelib.domain.media.types import MediaType
from chalicelib.domain.outcome import FailureCode
from chalicelib.domain.platforms.platform import MediaKind
from chalicelib.domain.posts.covers import cover_of
from chalicelib.domain.posts.post import Attachment, Post
from chalicelib.domain.posts.target import Target
from chalicelib.kit.dataclass import dataclass
from chalicelib.storage.media.prepared_copies import PreparedCopy
from chalicelib.storage.media.records import MediaRepository
from chalicelib.storage.media.store import S3MediaStore, file_key, prepared_key
from chalicelib.storage.media.stored_file import Addresses, StoredFile
from chalicelib.workers.media.shared_copies import NotPreparedError, SharedCopies

_GONE = "The cover was removed before the post went out. Choose another one and retry."
_NO_PHOTO = "A cover must be a photo. Choose another one and retry."


@dataclass(frozen=True, slots=True)
class PreparedCovers:
    """Finds or makes covers; safe to run twice, anywhere."""

    files: MediaRepository
    copies: SharedCopies
    store: S3MediaStore
    addresses: Addresses | None

    def cover(self, post: Post, video: Attachment, target: Target) -> MediaFile | None:
        """Return the cover that a target's video goes out with, None where none was chosen.

        Raises NotPreparedError, BeingMadeError.
        """
        photo_id = cover_of(target)
        recipe = cover_for(target.platform, video.width, video.height)
        if photo_id is None or recipe is None or video.kind is not MediaKind.VIDEO:
            return None
        copy = self.copies.find(photo_id, recipe.name)
        if copy is not None and not copy.same and copy.refused is None:
            return self._copy(post.workspace_id, photo_id, copy)
        if target.is_in_doubt:  # it is only looked for
            return None
        photo = self._photo(post.workspace_id, photo_id)
        copy = self.copies.find_or_request(photo, recipe)
        if copy.refused is not None:
            raise NotPreparedError(FailureCode(copy.refused), copy.detail)
        return self._itself(photo) if copy.same else self._copy(post.workspace_id, photo_id, copy)

    def _photo(self, workspace_id: str, photo_id: str) -> Media:
        photo = self.files.find(photo_id)
        if photo is None or photo.workspace_id != workspace_id or photo.file_removed:
            raise NotPreparedError(FailureCode.FILE_REMOVED, _GONE)
        if photo.kind is not MediaKind.IMAGE:
            raise NotPreparedError(FailureCode.MEDIA_REJECTED, _NO_PHOTO)
        return photo

    def _itself(self, photo: Media) -> MediaFile:
        key = file_key(photo.workspace_id, photo.id)
        return MediaFile.of(
            photo, self._stored_file(key, photo.mime, photo.filename, photo.size_bytes)
        )

    def _copy(self, workspace_id: str, photo_id: str, copy: PreparedCopy) -> MediaFile:
        name, key = "cover.jpg", prepared_key(workspace_id, photo_id, copy.recipe)
        return MediaFile(
            id=photo_id,
            kind=MediaKind.IMAGE,
            mime=copy.mime,
            filename=name,
            size_bytes=copy.size_bytes,
            width=copy.width,
            height=copy.height,
            duration_s=None,
            source=self._stored_file(key, MediaType(copy.mime), name, copy.size_bytes),
        )

    def _stored_file(self, key: str, mime: MediaType, filename: str, size_bytes: int) -> StoredFile:
        return StoredFile(
            store=self.store,
            key=key,
            mime=mime,
            filename=filename,
            size_bytes=size_bytes,
            addresses=self.addresses,
        )
