"""A workspace's files: upload, list, look at, remove, and what platforms fetch of them.

`api/resources/media.py` and `front` call it; `direct_uploads` is the way around both. Removing a
file that posts use keeps its record, because the posts tell their history by it (docs/api.md
"Media"). Platforms fetch by an address: one that is unknown, over or without its file is the same
as none, so that nobody learns anything by trying.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import timedelta

from chalicelib.domain.clock import Clock
from chalicelib.domain.error_kinds import InvalidInput
from chalicelib.domain.errors import FileRemoved
from chalicelib.domain.ids import new_id
from chalicelib.domain.media.media import (
    LARGEST_FILE_BYTES,
    FileState,
    Media,
    UnfinishedUpload,
    tidy_filename,
)
from chalicelib.domain.media.query import MediaPage, MediaQuery
from chalicelib.domain.platforms.platform import MediaKind
from chalicelib.domain.workspace.access import Caller
from chalicelib.domain.workspace.plans import storage_limit
from chalicelib.kit.dataclass import dataclass
from chalicelib.services.media.upload import Upload
from chalicelib.services.repeats import Marking, Repeatable, no_mark
from chalicelib.storage.media.prepared_copies import PreparedCopies
from chalicelib.storage.media.records import MediaRepository
from chalicelib.storage.media.store import S3MediaStore, file_key
from chalicelib.storage.media.stored_file import Addresses, StoredFile
from chalicelib.storage.media.uploads import MediaUploads

LINK_LIFETIME = timedelta(minutes=15)
_REMOVAL_IS_SURE_WITHIN = timedelta(hours=1)
_LARGEST_READ_BYTES = 32 * 1024 * 1024
_NOT_READ = f"Choose a photo of at most {_LARGEST_READ_BYTES // 1024**2} MB."


@dataclass(frozen=True, slots=True, kw_only=True)
class MediaLibrary:
    """What a caller may do with the files of its workspace.

    `addresses` are those under which people get a file itself; `file_went` is told the posts whose
    file a client removed.
    """

    files: MediaRepository
    uploads: MediaUploads
    store: S3MediaStore
    copies: PreparedCopies
    clock: Clock
    addresses: Addresses
    file_went: Callable[[Iterable[str]], object] | None = None

    def open_upload(
        self, caller: Caller, filename: str | None, announced_bytes: int | None = None
    ) -> Upload:
        """Begin to take a file. Nothing is stored before its first bytes show what it is.

        What is announced is reserved of the workspace's storage until the file is in.
        """
        now = self.clock()
        upload = UnfinishedUpload(
            id=new_id(now),
            workspace_id=caller.workspace_id,
            filename=tidy_filename(filename),
            state=FileState.UPLOADING,
            created_at=now,
            reserved_bytes=min(announced_bytes or 0, LARGEST_FILE_BYTES),
            storage_limit=storage_limit(caller.plan, caller.raised_storage),
        )
        return Upload(upload, uploads=self.uploads, store=self.store, clock=self.clock)

    def upload(
        self,
        caller: Caller,
        filename: str | None,
        data: bytes,
        mark: Marking = no_mark,
    ) -> Media:
        """Take a file that is all there. Raises KeyTakenError of the mark."""
        upload = self.open_upload(caller, filename, len(data))
        try:
            upload.write(data)
            return upload.finish(mark)
        except BaseException:
            upload.abort()
            raise

    def repeatable(self, caller: Caller, key: str | None, made_of: str = "") -> Repeatable[Media]:
        """Return an upload as one that its Idempotency-Key makes once.

        `made_of` is the mark of its form, empty as long as that was not read.
        """
        return Repeatable(
            verb="upload",
            key=key,
            find=lambda media_id: self.get(caller, media_id),
            made_of=made_of,
        )

    def list_newest(self, caller: Caller) -> Sequence[Media]:
        """Return the 200 newest files that can still be posted, newest first."""
        return self.files.list_newest(caller.workspace_id)

    def find(self, caller: Caller, query: MediaQuery) -> MediaPage:
        """Return a page of the files that can still be posted, newest first."""
        return self.files.find_page(caller.workspace_id, query)

    def get(self, caller: Caller, media_id: str) -> Media:
        """Return one file, also after it was removed. Raises MediaNotFound."""
        return self.files.get(caller.workspace_id, media_id)

    def file_url(self, caller: Caller, media_id: str) -> str:
        """Return a link to the file itself, outside of the API. Raises FileRemoved."""
        media = self.get(caller, media_id)
        if media.file_removed:
            raise FileRemoved
        stored = StoredFile.of(media, self.store)
        return self.addresses.address_of(stored, LINK_LIFETIME)

    def find_photo(self, caller: Caller, media_id: str) -> StoredFile:
        """Return a photo's file. Raises MediaNotFound, FileRemoved, InvalidInput."""
        media = self.get(caller, media_id)
        if media.file_removed:
            raise FileRemoved
        if media.kind is not MediaKind.IMAGE or media.size_bytes > _LARGEST_READ_BYTES:
            raise InvalidInput(_NOT_READ, loc=("body", "media"))
        return StoredFile.of(media, self.store)

    def remove(self, caller: Caller, media_id: str) -> None:
        """Remove a file now; its record stays while posts use it. Raises MediaNotFound."""
        media = self.get(caller, media_id)
        self.take_away(media)
        if self.file_went is not None and not media.file_removed:
            self.file_went(self.files.users(media.id))

    def take_away(self, media: Media) -> None:
        """Remove a file's bytes and copies, and its record unless posts use it; safe to run twice.

        First no post can begin to use it, then its uses are counted: no post made meanwhile
        loses its file's record.
        """
        self.files.mark_removed(media.id, review_at=self.clock() + _REMOVAL_IS_SURE_WITHIN)
        self.store.delete(file_key(media.workspace_id, media.id))
        self.copies.drop_all(media)
        self.uploads.give_back(media)
        if self.files.users(media.id):
            self.files.keep_as_removed(media.id)
        else:
            self.files.forget(media.id)
