"""Uploads by one PUT of the bare file: an address to send it to, and a record once it has arrived.

The address is one of S3, for clients that cannot reach the streaming front; on one machine, whose
storage cannot be reached from outside, it is the front's own. `api/resources/media_uploads.py`
begins uploads; the S3 event (`workers/uploads`) or the sweep finishes them. Both may come twice.
"""

import hmac
import secrets
from dataclasses import replace
from datetime import datetime, timedelta

from chalicelib.domain.clock import Clock
from chalicelib.domain.error_kinds import ServiceError
from chalicelib.domain.errors import (
    FileMissing,
    FileTooLarge,
    MediaNotFound,
    PathNotFound,
    PlanLimit,
    UnsupportedMedia,
)
from chalicelib.domain.ids import is_id, new_id
from chalicelib.domain.media.media import (
    LARGEST_FILE_BYTES,
    FileState,
    Media,
    UnfinishedUpload,
    tidy_filename,
)
from chalicelib.domain.media.probing import probe
from chalicelib.domain.media.types import SNIFF_BYTES, MediaType, refusal_sentence, sniff
from chalicelib.domain.workspace.access import Caller
from chalicelib.domain.workspace.plans import storage_limit
from chalicelib.kit.dataclass import dataclass
from chalicelib.services.media.upload import (
    GIVEN_UP_AFTER,
    ArrivingFile,
    as_media,
    first_review,
    storage_told,
)
from chalicelib.services.repeats import Marking, no_mark
from chalicelib.storage.media.store import S3MediaStore, file_key, incoming_key
from chalicelib.storage.media.uploads import MediaUploads

LINK_LIFETIME = timedelta(hours=1)
LOOKED_FOR_EVERY = timedelta(minutes=5)
"""How soon a file is found whose S3 event was lost."""

REFUSAL_KEPT = timedelta(days=7)

_NEVER_CAME = "The file did not arrive in time. Start a new upload."
_TOKEN_BYTES = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectUpload:
    """Where and how a client sends its file; `url` may be a path of this service."""

    id: str
    url: str
    size_bytes: int
    expires_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectUploads:
    """Begins, reports and finishes uploads of a file by itself.

    `door` stands before the paths of our own door where files go there.
    """

    uploads: MediaUploads
    store: S3MediaStore
    clock: Clock
    door: str | None = None

    def begin(
        self,
        caller: Caller,
        *,
        filename: str,
        size_bytes: int,
        mark: Marking = no_mark,
    ) -> DirectUpload:
        """Return an address that takes the file.

        Raises FileTooLarge beyond 1 GB, PlanLimit, KeyTakenError of the mark.
        """
        if size_bytes > LARGEST_FILE_BYTES:
            raise FileTooLarge(field="size_bytes")
        now = self.clock()
        upload = UnfinishedUpload(
            id=new_id(now),
            workspace_id=caller.workspace_id,
            filename=tidy_filename(filename),
            state=FileState.WAITING,
            created_at=now,
            size_bytes=size_bytes,
            reserved_bytes=size_bytes,
            storage_limit=storage_limit(caller.plan, caller.raised_storage),
            token=None if self.door is None else secrets.token_hex(_TOKEN_BYTES),
        )
        with storage_told(self.uploads, upload):
            self.uploads.begin(upload, review_at=now + LOOKED_FOR_EVERY, mark=mark(upload.id))
        return self._upload_of(upload)

    def find_begun(self, caller: Caller, media_id: str) -> DirectUpload:
        """Return what was answered when an upload was begun. Raises MediaNotFound."""
        return self._upload_of(self.state(caller, media_id))

    def _upload_of(self, upload: UnfinishedUpload) -> DirectUpload:
        size_bytes = upload.size_bytes or 0
        return DirectUpload(
            id=upload.id,
            url=self._address(upload, size_bytes),
            size_bytes=size_bytes,
            expires_at=upload.created_at + LINK_LIFETIME,
        )

    def _address(self, upload: UnfinishedUpload, size_bytes: int) -> str:
        if self.door is not None:  # what has arrived has no token left: its address is over
            return f"{self.door}/v1/uploads/{upload.id}/{upload.token or 'over'}"
        key = incoming_key(upload.workspace_id, upload.id)
        return self.store.upload_link(key, size_bytes=size_bytes, lifetime=LINK_LIFETIME)

    def find_expected(self, media_id: str, token: str) -> UnfinishedUpload:
        """Return the upload whose file is sent to an address of our own.

        An unknown, expired or used address is not found. Raises PathNotFound.
        """
        upload = self.uploads.find(media_id) if is_id(media_id) else None
        if upload is None or upload.token is None or upload.state is not FileState.WAITING:
            raise PathNotFound
        is_known = token.isascii() and hmac.compare_digest(token, upload.token)
        if not is_known or self.clock() >= upload.created_at + LINK_LIFETIME:
            raise PathNotFound
        return upload

    def open_arriving(self, upload: UnfinishedUpload) -> ArrivingFile:
        """Return what receives the file of an upload that waits for it."""
        key = incoming_key(upload.workspace_id, upload.id)
        return ArrivingFile(self.store.untyped_writer(key), upload.size_bytes or 0)

    def browsers_origin(self) -> str | None:
        """Return where browsers send files to by themselves; None where they cannot reach it."""
        return self.store.upload_origin() if self.door is None else None

    def state(self, caller: Caller, media_id: str) -> UnfinishedUpload:
        """Return how an upload stands: waiting, ready or refused. Raises MediaNotFound."""
        upload = self.uploads.get(caller.workspace_id, media_id)
        if upload.state is FileState.UPLOADING:
            raise MediaNotFound
        return upload

    def finish(self, media_id: str) -> None:
        """Make a file of what arrived, or store why not; safe to run twice and at any time."""
        upload = self.uploads.find(media_id)
        if upload is None or upload.state is FileState.UPLOADING:
            return
        arrived = incoming_key(upload.workspace_id, upload.id)
        if upload.state is FileState.WAITING and not self._take_in(upload, arrived):
            return
        self.store.delete(arrived)

    def look_for(self, upload: UnfinishedUpload) -> None:
        """Finish an upload whose event was lost, or end one whose time is over."""
        if upload.state is FileState.WAITING:
            self.finish(upload.id)
        if upload.state is FileState.REFUSED:
            self._clear_away(upload)
        elif self.clock() >= upload.created_at + GIVEN_UP_AFTER:
            self._give_up(upload)
        else:
            self.uploads.look_again(upload.id, self.clock() + LOOKED_FOR_EVERY)

    def _give_up(self, upload: UnfinishedUpload) -> None:
        """Refuse an upload that never arrived, and then delete whatever it left."""
        refused = replace(
            upload, state=FileState.REFUSED, code=FileMissing.code, message=_NEVER_CAME
        )
        now = self.clock()
        if self.uploads.refuse(refused, forget_at=now + REFUSAL_KEPT, review_at=now):
            self._clear_away(refused)

    def _clear_away(self, upload: UnfinishedUpload) -> None:
        self.store.abandon(incoming_key(upload.workspace_id, upload.id))
        self.store.abandon(file_key(upload.workspace_id, upload.id))
        self.uploads.end_review(upload.id)

    def _take_in(self, upload: UnfinishedUpload, arrived: str) -> bool:
        """Return whether the upload has ended, as a file or refused."""
        size_bytes = self.store.size(arrived)
        if size_bytes is None:
            return False
        try:
            media = self._check_file(upload, arrived, size_bytes)
        except ServiceError as refusal:
            self.refuse(upload, refusal)
        else:
            self._complete(media, upload)
        return True

    def _complete(self, media: Media, upload: UnfinishedUpload) -> None:
        """Make the upload a file, or store that there is no room for it."""
        try:
            with storage_told(self.uploads, upload):
                self.uploads.complete(media, upload, review_at=first_review(media))
        except PlanLimit as refusal:
            self.refuse(upload, refusal)

    def _check_file(self, upload: UnfinishedUpload, arrived: str, size_bytes: int) -> Media:
        """Copy the file to its place and probe it there, where its sender cannot change it."""
        if size_bytes > LARGEST_FILE_BYTES:
            raise FileTooLarge
        mime = self._sniff(arrived)
        key = file_key(upload.workspace_id, upload.id)
        self.store.copy(arrived, key, mime)
        kept_bytes = self.store.size(key) or 0
        if kept_bytes > LARGEST_FILE_BYTES:
            raise FileTooLarge
        probed = probe(lambda offset, length: self.store.read(key, offset, length), kept_bytes)
        if probed.mime is not mime:
            raise UnsupportedMedia
        return as_media(upload, probed, kept_bytes)

    def _sniff(self, key: str) -> MediaType:
        head = self.store.read(key, 0, SNIFF_BYTES)
        mime = sniff(head)
        if mime is None:
            raise UnsupportedMedia(refusal_sentence(head))
        return mime

    def refuse(self, upload: UnfinishedUpload, refusal: ServiceError) -> None:
        """Store why an upload was refused, and delete everything else of it."""
        refused = replace(
            upload, state=FileState.REFUSED, code=refusal.code, message=refusal.message
        )
        if self.uploads.refuse(refused, forget_at=self.clock() + REFUSAL_KEPT):
            self.store.delete(file_key(upload.workspace_id, upload.id))
