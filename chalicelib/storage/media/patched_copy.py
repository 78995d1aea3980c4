"""Copies a large object with a few changed pieces: S3 copies the rest by itself.

Parts with a change are read and sent; what lies between is copied inside the bucket, unread. The
copy is as long as its source, and becomes visible whole or not at all.
"""

import logging
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from botocore.exceptions import BotoCoreError, ClientError

from chalicelib.domain.media.cleaning.patches import Patch
from chalicelib.kit.dataclass import dataclass
from chalicelib.storage.media.part_sender import SendPart
from chalicelib.storage.media.writer import PART_BYTES

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_s3.type_defs import CompletedPartTypeDef

_COPIED_PARTS: Final = 16
"""How many parts are copied as one: S3 copies 128 MB in a second or two."""

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class PatchedCopy:
    """One object to be copied with patches, which are in order and do not overlap."""

    client: "S3Client"
    send_part: SendPart
    bucket: str
    source: str
    key: str
    mime: str
    size: int
    patches: Sequence[Patch]

    def write(self, read: Callable[[int, int], bytes], alive: Callable[[], None]) -> None:
        """Make the copy; `alive` is called before each part."""
        about = {"Bucket": self.bucket, "Key": self.key}
        made = self.client.create_multipart_upload(**about, ContentType=self.mime)  # type: ignore[arg-type]
        upload = {**about, "UploadId": made["UploadId"]}
        try:
            done: list[CompletedPartTypeDef] = []
            for number, (start, end, copied) in enumerate(self._parts(), start=1):
                alive()
                part = {**upload, "PartNumber": number}
                if copied:
                    etag = self._copy_part(part, start, end)
                else:
                    piece = patch_piece(read(start, end - start), start, self.patches)
                    etag = self.send_part(part, [piece])
                done.append({"PartNumber": number, "ETag": etag})
            self.client.complete_multipart_upload(**upload, MultipartUpload={"Parts": done})  # type: ignore[arg-type]
        except BaseException:
            self._abort(upload)
            raise

    def _parts(self) -> Iterator[tuple[int, int, bool]]:
        """Yield (begin, end, whether S3 copies it) of each part."""
        count = -(-self.size // PART_BYTES)
        changed = {
            number
            for patch in self.patches
            for number in range(
                patch.at // PART_BYTES, (patch.at + patch.length - 1) // PART_BYTES + 1
            )
        }
        number = 0
        while number < count:
            first, copied = number, number not in changed
            number += 1
            while copied and number < min(count, first + _COPIED_PARTS) and number not in changed:
                number += 1
            yield first * PART_BYTES, min(number * PART_BYTES, self.size), copied

    def _copy_part(self, part: dict[str, object], start: int, end: int) -> str:
        answer = self.client.upload_part_copy(
            **part,  # type: ignore[arg-type]
            CopySource={"Bucket": self.bucket, "Key": self.source},
            CopySourceRange=f"bytes={start}-{end - 1}",
        )
        return str(answer["CopyPartResult"]["ETag"])

    def _abort(self, upload: dict[str, str]) -> None:
        """Drop what was sent. Should S3 not answer, the bucket's lifecycle rule drops it."""
        try:
            self.client.abort_multipart_upload(**upload)  # type: ignore[arg-type]
        except (ClientError, BotoCoreError):
            _LOG.warning("A copy could not be aborted.", extra={"action": "media.abort"})


def patch_piece(piece: bytes, start: int, patches: Sequence[Patch]) -> bytes:
    """Return what stands in a piece of a file that begins at `start`, once it is patched."""
    new, end = bytearray(piece), start + len(piece)
    at = bisect_left(patches, start, key=lambda patch: patch.at + patch.length)
    for patch in patches[at:]:
        if patch.at >= end:
            break
        begin, until = max(patch.at, start), min(patch.at + patch.length, end)
        data = (
            patch.data[begin - patch.at : until - patch.at] if patch.data else bytes(until - begin)
        )
        new[begin - start : until - start] = data
    return bytes(new)
