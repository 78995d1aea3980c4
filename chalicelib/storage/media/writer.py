"""One S3 object being written from a stream: parts of 8 MB, one in flight, constant memory.

What fits into one part becomes one put. Until `finish` nothing is visible, and `abort` leaves
neither object nor parts. One caller at a time; the parts themselves go up from a shared pool.
"""

import logging
from collections import deque
from concurrent.futures import Executor, Future, wait
from typing import TYPE_CHECKING

from botocore.exceptions import BotoCoreError, ClientError

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

PART_BYTES = 8 * 1024 * 1024
PARTS_IN_FLIGHT = 1

logger = logging.getLogger(__name__)


class ObjectWriter:
    """Takes bytes until `finish` or `abort`."""

    def __init__(
        self, client: "S3Client", bucket: str, key: str, content_type: str, parts: Executor
    ) -> None:
        self._client = client
        self._bucket = bucket
        self._key = key
        self._content_type = content_type
        self._pool = parts
        self._buffer = bytearray(PART_BYTES)
        self._filled = 0
        self._free: list[bytearray] = []
        self._upload_id: str | None = None
        self._in_flight: deque[tuple[Future[str], bytearray]] = deque()
        self._etags: list[str] = []
        self._first_part = 1

    def leave_room_for_head(self) -> None:
        """Begin with the second part: `finish` gets the first one, 5 MB at least."""
        self._first_part = 2

    def write(self, data: bytes) -> None:
        """Take more of the object; waits while a part is on its way."""
        left = memoryview(data)
        while left:
            piece = left[: PART_BYTES - self._filled]
            self._buffer[self._filled : self._filled + len(piece)] = piece
            self._filled += len(piece)
            left = left[len(piece) :]
            if self._filled == PART_BYTES:
                self._send_part(self._buffer)
                # Buffers are used again: growing and freeing them would fragment the heap.
                self._buffer = self._free.pop() if self._free else bytearray(PART_BYTES)
                self._filled = 0

    def finish(self, head: bytes = b"") -> None:
        """Make the object visible, whole, with the head before everything that was written."""
        rest = self._buffer[: self._filled]
        if self._upload_id is None:
            self._client.put_object(
                Bucket=self._bucket,
                Key=self._key,
                Body=head + bytes(rest),
                ContentType=self._content_type,
            )
            return
        if rest:
            self._send_part(rest)
        while self._in_flight:
            self._await_part()
        if self._first_part > 1:
            self._etags.insert(0, self._upload_part(1, head))
        numbered = enumerate(self._etags, start=1)
        self._client.complete_multipart_upload(
            Bucket=self._bucket,
            Key=self._key,
            UploadId=self._upload_id,
            MultipartUpload={"Parts": [{"PartNumber": n, "ETag": etag} for n, etag in numbered]},
        )

    def abort(self) -> None:
        """Drop what was written. Should S3 not answer, the bucket's lifecycle rule drops it."""
        if self._upload_id is None:
            return
        sending = [future for future, _ in self._in_flight if not future.cancel()]
        # A part that arrives after the abort would stay, so those on their way come first.
        wait(sending)
        try:
            self._client.abort_multipart_upload(
                Bucket=self._bucket, Key=self._key, UploadId=self._upload_id
            )
        except (ClientError, BotoCoreError):
            logger.warning("An upload could not be aborted.", extra={"action": "media.abort"})

    def _send_part(self, part: bytearray) -> None:
        if self._upload_id is None:
            self._upload_id = self._client.create_multipart_upload(
                Bucket=self._bucket, Key=self._key, ContentType=self._content_type
            )["UploadId"]
        while len(self._in_flight) >= PARTS_IN_FLIGHT:
            self._await_part()
        number = self._first_part + len(self._etags) + len(self._in_flight)
        self._in_flight.append((self._pool.submit(self._upload_part, number, part), part))

    def _await_part(self) -> None:
        future, part = self._in_flight.popleft()
        self._etags.append(future.result())
        self._free.append(part)

    def _upload_part(self, number: int, part: bytes | bytearray) -> str:
        return self._client.upload_part(
            Bucket=self._bucket,
            Key=self._key,
            UploadId=self._upload_id or "",
            PartNumber=number,
            Body=part,  # type: ignore[arg-type]  # botocore takes it; bytes would be a copy
        )["ETag"]
