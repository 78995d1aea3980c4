"""Writes one S3 object from a stream: parts of 8 MB, one in flight, constant memory.

An object that fits into one part becomes one put. Until `finish` nothing is visible, and `abort`
leaves neither object nor parts. One caller at a time; the parts themselves are sent from a shared
pool (`part_sender`).
"""

import logging
from collections import deque
from concurrent.futures import Executor, Future, wait
from typing import TYPE_CHECKING

from botocore.exceptions import BotoCoreError, ClientError

from chalicelib.storage.media.part_sender import Pieces, SendPart

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

SMALL_BYTES = 64 * 1024


class Gathered:
    """Bytes kept in the pieces in which they came; small pieces are joined.

    So large pieces are never copied, and a million tiny ones take no more memory than their bytes.
    """

    def __init__(self) -> None:
        self._pieces: list[bytes | bytearray] = []
        self.size_bytes = 0

    def add(self, piece: bytes) -> None:
        """Take a piece."""
        self.size_bytes += len(piece)
        last = self._pieces[-1] if self._pieces else b""
        if isinstance(last, bytearray) and len(last) + len(piece) <= SMALL_BYTES:
            last += piece
        else:
            self._pieces.append(bytearray(piece) if len(piece) < SMALL_BYTES else piece)

    def take(self) -> Pieces:
        """Return all pieces, and empty it."""
        pieces, self._pieces, self.size_bytes = self._pieces, [], 0
        return pieces


PART_BYTES = 8 * 1024 * 1024
"""All parts except the last have at least 5 MB (S3 guide, "Amazon S3 multipart upload limits")."""
PARTS_IN_FLIGHT = 1

logger = logging.getLogger(__name__)


class ObjectWriter:
    """Takes bytes until `finish` or `abort`."""

    def __init__(
        self,
        client: "S3Client",
        target: tuple[str, str, str],
        parts: Executor,
        send_part: SendPart,
    ) -> None:
        self._client = client
        self._bucket, self._key, self._content_type = target
        self._pool = parts
        self._send = send_part
        self._gathered = Gathered()
        self._upload_id: str | None = None
        self._in_flight: deque[Future[str]] = deque()
        self._etags: list[str] = []
        self._first_part = 1

    def leave_room_for_head(self) -> None:
        """Begin with the second part: `finish` gets the first one, at least 5 MB."""
        self._first_part = 2

    def has_room(self, size_bytes: int) -> bool:
        """Tell whether a part has room for this many more bytes."""
        return self._gathered.size_bytes + size_bytes < PART_BYTES

    def write(self, data: bytes | bytearray) -> None:
        """Write more of the object; waits while a part is being sent."""
        data = bytes(data)  # which copies nothing but a buffer that its owner may use again
        left = memoryview(data)
        while left:
            piece = left[: PART_BYTES - self._gathered.size_bytes]
            self._gathered.add(data if len(piece) == len(data) else bytes(piece))
            left = left[len(piece) :]
            if self._gathered.size_bytes == PART_BYTES:
                self._send_part()

    def finish(self, head: bytes = b"") -> None:
        """Make the object visible, whole, with the head before everything that was written."""
        if self._upload_id is None:
            self._client.put_object(
                Bucket=self._bucket,
                Key=self._key,
                Body=b"".join([head, *self._gathered.take()]),
                ContentType=self._content_type,
            )
            return
        if self._gathered.size_bytes:
            self._send_part()
        while self._in_flight:
            self._await_part()
        if self._first_part > 1:
            self._etags.insert(0, self._upload_part(1, [head]))
        numbered = enumerate(self._etags, start=1)
        self._client.complete_multipart_upload(
            Bucket=self._bucket,
            Key=self._key,
            UploadId=self._upload_id,
            MultipartUpload={"Parts": [{"PartNumber": n, "ETag": etag} for n, etag in numbered]},
        )

    def abort(self) -> None:
        """Delete what was written; if S3 does not answer, the bucket's lifecycle rule does."""
        if self._upload_id is None:
            return
        sending = [future for future in self._in_flight if not future.cancel()]
        # A part that arrives after the abort would stay, so first wait for those being sent.
        wait(sending)
        try:
            self._client.abort_multipart_upload(
                Bucket=self._bucket, Key=self._key, UploadId=self._upload_id
            )
        except (ClientError, BotoCoreError):
            logger.warning("An upload could not be aborted.", extra={"action": "media.abort"})

    def _send_part(self) -> None:
        if self._upload_id is None:
            self._upload_id = self._client.create_multipart_upload(
                Bucket=self._bucket, Key=self._key, ContentType=self._content_type
            )["UploadId"]
        while len(self._in_flight) >= PARTS_IN_FLIGHT:
            self._await_part()
        number = self._first_part + len(self._etags) + len(self._in_flight)
        pieces = self._gathered.take()
        self._in_flight.append(self._pool.submit(self._upload_part, number, pieces))

    def _await_part(self) -> None:
        self._etags.append(self._in_flight.popleft().result())

    def _upload_part(self, number: int, pieces: Pieces) -> str:
        part = {
            "Bucket": self._bucket,
            "Key": self._key,
            "UploadId": self._upload_id or "",
            "PartNumber": number,
        }
        return self._send(part, pieces)
