"""Uploads that are not files yet: their rows let interrupted ones be cleaned up.

A row is written before the first byte is stored; one conditional write makes it the file's record,
or it is deleted. Rows of dead uploads are found by their review time (`MediaRepository`). What an
upload reserves of its workspace's storage is counted in the transaction that changes its row.
"""

from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from chalicelib.domain.errors import MediaNotFound
from chalicelib.domain.ids import is_id
from chalicelib.domain.media.media import FileState, Media, UnfinishedUpload
from chalicelib.kit.dynamodb.items import Item, stamp
from chalicelib.kit.dynamodb.table import ABSENT, Expression, Table, setting
from chalicelib.kit.dynamodb.transaction import StaleWriteError, Transaction, as_if_alone
from chalicelib.storage.media.items import NO_REVIEW, media_item, review, upload_from, upload_item
from chalicelib.storage.tables import Tables, media_key, storage_key

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

    from chalicelib.storage.repeats import Mark

_TRIES = 20
_EXPECTED = frozenset({FileState.UPLOADING, FileState.WAITING})
_UNFINISHED = Expression(
    "#state IN (:uploading, :waiting)",
    {"uploading": FileState.UPLOADING.value, "waiting": FileState.WAITING.value},
)
_REFUSED = Expression("#state = :refused", {"refused": FileState.REFUSED.value})


class UploadLostError(Exception):
    """The upload's row is gone: it was given up, by its client or as too old."""


class StorageFullError(Exception):
    """The workspace keeps, or has reserved, too much to take so many bytes more."""

    def __init__(self, more: int) -> None:
        super().__init__(more)
        self.more = more


class MediaUploads:
    """Unfinished uploads of all workspaces, in the table of the files they may become."""

    def __init__(self, client: "DynamoDBClient", tables: Tables) -> None:
        self._client = client
        self._table = tables.media
        self._directory = tables.directory
        self._rows = Table(client, tables.media)

    def begin(
        self, upload: UnfinishedUpload, *, review_at: datetime, mark: "Mark | None" = None
    ) -> None:
        """Keep an upload before its first byte is stored, and reserve the announced size.

        Raises StorageFullError, and KeyTakenError of the mark.
        """
        item = {**upload_item(upload), **review(upload.id, review_at)}
        transaction = Transaction(self._client)
        transaction.put(self._table, item, ABSENT)
        self._count(transaction, upload, upload.reserved_bytes)
        if mark is not None:
            mark.write(transaction, self._directory)
        transaction.commit()

    def get(self, workspace_id: str, media_id: str) -> UnfinishedUpload:
        """Return an upload's state, ready ones included. Raises MediaNotFound."""
        upload = self.find(media_id) if is_id(media_id) else None
        if upload is None or upload.workspace_id != workspace_id:
            raise MediaNotFound
        return upload

    def find(self, media_id: str) -> UnfinishedUpload | None:
        """Return an upload of any workspace as it is now."""
        row = self._rows.get(media_key(media_id))
        return None if row is None else upload_from(row)

    def complete(
        self,
        media: Media,
        upload: UnfinishedUpload,
        *,
        review_at: datetime | None,
        mark: "Mark | None" = None,
    ) -> None:
        """Turn the upload into a file that can be posted; safe to run twice.

        Raises UploadLostError when the upload was given up meanwhile, StorageFullError, and
        KeyTakenError of the mark.
        """
        later = {} if review_at is None else review(media.id, review_at)
        item = {**media_item(media), **later, "counted_bytes": media.size_bytes}
        if self._change(upload, item, media.size_bytes, mark):
            return
        found = self._rows.get(media_key(media.id))
        if found is None or found["state"] != FileState.READY:
            raise UploadLostError

    def refuse(
        self, upload: UnfinishedUpload, *, forget_at: datetime, review_at: datetime | None = None
    ) -> bool:
        """Keep why an upload was refused for as long as its client may ask.

        Returns False if it had ended before. With a review, its remains are cleaned up later if
        this stops half way.
        """
        later = {} if review_at is None else review(upload.id, review_at)
        item = upload_item(replace(upload, reserved_bytes=0))
        return self._change(upload, {**item, **later, "expires_at": int(forget_at.timestamp())}, 0)

    def reserve(
        self, upload: UnfinishedUpload, size_bytes: int, *, review_at: datetime
    ) -> UnfinishedUpload:
        """Reserve this many bytes in all for an upload that is still expected; return it changed.

        Raises StorageFullError, UploadLostError.
        """
        reserving = replace(upload, reserved_bytes=size_bytes)
        item = {**upload_item(reserving), **review(upload.id, review_at)}
        if not self._change(upload, item, size_bytes):
            raise UploadLostError
        return reserving

    def give_back(self, media: Media) -> None:
        """Stop counting a file's bytes; safe to run twice."""
        counted = Expression("attribute_exists(#counted_bytes)")
        transaction = Transaction(self._client)
        transaction.update(
            self._table, media_key(media.id), Expression("REMOVE #counted_bytes"), counted
        )
        less = Expression("ADD #used_bytes :more", {"more": -media.size_bytes})
        transaction.update(self._table, storage_key(media.workspace_id), less)
        _is_committed(transaction)

    def used_bytes(self, workspace_id: str) -> int:
        """Return how many bytes a workspace keeps or has reserved."""
        found = self._rows.get(storage_key(workspace_id))
        return 0 if found is None else int(found["used_bytes"])

    def _count(self, transaction: Transaction, upload: UnfinishedUpload, more: int) -> None:
        """Add bytes to the workspace's total, within its limit."""
        if more == 0:
            return
        change = Expression("ADD #used_bytes :more", {"more": more})
        room = None if more < 0 or upload.storage_limit is None else upload.storage_limit - more
        if room is not None and room < 0:
            raise StorageFullError(more)
        fits = None
        if room is not None:
            fits = Expression(
                "attribute_not_exists(#used_bytes) OR #used_bytes <= :room", {"room": room}
            )
        key = storage_key(upload.workspace_id)
        transaction.update(self._table, key, change, fits, StorageFullError(more))

    def end_review(self, media_id: str) -> None:
        """Take a refused upload off the review index: nothing of it is left."""
        self._rows.update(media_key(media_id), setting(NO_REVIEW), _REFUSED)

    def look_again(self, media_id: str, at: datetime) -> None:
        """Postpone the next review of an upload that is still expected."""
        self._rows.update(media_key(media_id), setting({"review_at": stamp(at)}), _UNFINISHED)

    def forget(self, upload: UnfinishedUpload) -> None:
        """Drop an unfinished upload; a finished one stays. Safe to run twice."""
        self._change(upload, None, 0)

    def _change(
        self,
        upload: UnfinishedUpload,
        row: Item | None,
        counts: int,
        mark: "Mark | None" = None,
    ) -> bool:
        """Replace an upload's row, or delete it, and count this many bytes instead of its own.

        Its reservation may have grown since the caller read it. Returns False if the upload had
        ended before.
        """
        reserving = upload

        def write() -> bool:
            nonlocal reserving
            transaction = Transaction(self._client)
            if row is None:
                transaction.delete(self._table, media_key(upload.id), _as_read(reserving))
            else:
                transaction.put(self._table, row, _as_read(reserving))
            self._count(transaction, reserving, counts - reserving.reserved_bytes)
            if mark is not None:
                mark.write(transaction, self._directory)
            if _is_committed(transaction):
                return True
            found = self.find(upload.id)
            if found is None or found.state not in _EXPECTED:
                return False
            reserving = replace(upload, reserved_bytes=found.reserved_bytes)
            raise StaleWriteError

        return as_if_alone(write, tries=_TRIES)


def _as_read(upload: UnfinishedUpload) -> Expression:
    """Name the condition that an upload is unfinished and reserves what was read."""
    reserves = "(attribute_not_exists(#reserved_bytes) OR #reserved_bytes = :reserved)"
    values = {**_UNFINISHED.values, "reserved": upload.reserved_bytes}
    return Expression(f"{_UNFINISHED.text} AND {reserves}", values)


def _is_committed(transaction: Transaction) -> bool:
    """Tell whether the transaction was carried out; False when its row had changed before."""
    try:
        transaction.commit()
    except StaleWriteError:
        return False
    return True
