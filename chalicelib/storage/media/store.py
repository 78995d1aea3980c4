"""The bytes of uploaded files, in one private S3 bucket.

Files are at `media/<workspace>/<id>`, direct uploads arrive at `incoming/<workspace>/<id>`, copies
for platforms are under `prepared/<workspace>/<id>/`, exports under `exports/<workspace>/`. Nobody
reads them through the API: people and platforms get presigned links whose type is ours, not the
uploader's. `writer.py` writes large ones.
"""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import islice
from typing import TYPE_CHECKING, Literal
from urllib.parse import quote, urlsplit

from botocore.config import Config
from botocore.exceptions import ClientError

from chalicelib.domain.media.cleaning.patches import Patch
from chalicelib.domain.media.types import MediaType
from chalicelib.kit.limits.thread_pool import HelpedPool
from chalicelib.storage.media.part_sender import PartSender, SendPart
from chalicelib.storage.media.patched_copy import PatchedCopy
from chalicelib.storage.media.writer import ObjectWriter

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

PART_THREADS = 8
_MISSING = frozenset({"404", "NoSuchKey", "NotFound", "NoSuchUpload"})
_A_PAGE_OF_KEYS = 1_000
_A_MINUTE = timedelta(minutes=1)
_BEYOND_THE_END = "InvalidRange"


def media_client_config(endpoint_url: str | None) -> Config:
    """Return the S3 client settings that keep a 1 GB upload cheap and its links valid.

    Over HTTPS the payload is protected anyway, so hashing it too would only double the CPU time. In
    AWS a link names the bucket's own region: the worldwide name redirects for a new bucket's first
    hours, and after a redirect the signature is no longer valid.
    """
    style: Literal["auto", "virtual"] = "virtual" if endpoint_url is None else "auto"
    return Config(
        signature_version="s3v4",
        request_checksum_calculation="when_required",
        response_checksum_validation="when_required",
        max_pool_connections=2 * PART_THREADS,
        retries={"mode": "standard", "total_max_attempts": 4},
        s3={"payload_signing_enabled": False, "addressing_style": style},
    )


def file_key(workspace_id: str, media_id: str) -> str:
    """Key of a file."""
    return f"media/{workspace_id}/{media_id}"


def owner_of(key: str) -> str:
    """Return the workspace that a file, or a copy of one, is of."""
    return key.split("/")[1]


def incoming_key(workspace_id: str, media_id: str) -> str:
    """Key that a client uploads to by itself."""
    return f"incoming/{workspace_id}/{media_id}"


def prepared_key(workspace_id: str, media_id: str, recipe: str) -> str:
    """Key of a copy made for platforms."""
    return f"prepared/{workspace_id}/{media_id}/{recipe}"


def prepared_prefix(workspace_id: str) -> str:
    """Prefix of the keys of a workspace's copies."""
    return f"prepared/{workspace_id}/"


def export_key(workspace_id: str, name: str) -> str:
    """Key of a part of an export."""
    return f"exports/{workspace_id}/{name}"


class S3MediaStore:
    """Objects of the media bucket."""

    def __init__(
        self, client: "S3Client", bucket: str, *, send_part: SendPart | None = None
    ) -> None:
        """Make the store; `send_part` sends parts where S3 has no address for links."""
        self._client = client
        self._bucket = bucket
        self._parts = HelpedPool(PART_THREADS, name="media-part")
        self._send_part = send_part or PartSender(client, PART_THREADS)

    def writer(self, key: str, mime: MediaType) -> ObjectWriter:
        """Return a writer of a new object; nothing is visible before it finishes."""
        target = (self._bucket, key, mime.value)
        return ObjectWriter(self._client, target, self._parts, self._send_part)

    def untyped_writer(self, key: str) -> ObjectWriter:
        """Return a writer of an object whose type is not known yet."""
        target = (self._bucket, key, "application/octet-stream")
        return ObjectWriter(self._client, target, self._parts, self._send_part)

    def read(self, key: str, offset: int, length: int) -> bytes:
        """Return a range of an object; shorter, or empty, where the object ends."""
        if length <= 0:
            return b""
        try:
            found = self._client.get_object(
                Bucket=self._bucket, Key=key, Range=f"bytes={offset}-{offset + length - 1}"
            )
        except ClientError as error:
            if error.response["Error"]["Code"] == _BEYOND_THE_END:
                return b""
            raise
        return found["Body"].read()

    def size(self, key: str) -> int | None:
        """Return an object's size in bytes, or None when there is none."""
        try:
            return self._client.head_object(Bucket=self._bucket, Key=key)["ContentLength"]
        except ClientError as error:
            if error.response["Error"]["Code"] in _MISSING:
                return None
            raise

    def copy(self, source: str, key: str, mime: MediaType) -> None:
        """Copy an object inside the bucket, with our type instead of the uploader's."""
        self._client.copy_object(
            Bucket=self._bucket,
            Key=key,
            CopySource={"Bucket": self._bucket, "Key": source},
            ContentType=mime.value,
            MetadataDirective="REPLACE",
        )

    def patched_copy(
        self, source: str, key: str, mime: MediaType, size: int, patches: Sequence[Patch]
    ) -> PatchedCopy:
        """Return a copier of an object inside the bucket, with a few pieces changed."""
        return PatchedCopy(
            client=self._client,
            send_part=self._send_part,
            bucket=self._bucket,
            source=source,
            key=key,
            mime=mime.value,
            size=size,
            patches=patches,
        )

    def delete(self, key: str) -> None:
        """Delete an object if there is one."""
        self._client.delete_object(Bucket=self._bucket, Key=key)

    def put(self, key: str, data: bytes, mime: MediaType) -> None:
        """Store a small object at once."""
        self._client.put_object(Bucket=self._bucket, Key=key, Body=data, ContentType=mime.value)

    def whole(self, key: str) -> bytes:
        """Return a small object."""
        return self._client.get_object(Bucket=self._bucket, Key=key)["Body"].read()

    def keys(self, prefix: str) -> Iterator[str]:
        """Yield the keys that begin like this."""
        pages = self._client.get_paginator("list_objects_v2")
        for page in pages.paginate(Bucket=self._bucket, Prefix=prefix):
            yield from (found["Key"] for found in page.get("Contents", []))

    def delete_all(self, prefix: str) -> None:
        """Delete every object whose key begins like this."""
        for key in list(self.keys(prefix)):
            self.delete(key)

    def link(self, key: str, *, mime: str, filename: str, lifetime: timedelta) -> str:
        """Return a URL that shows the file for a while to everybody who has it."""
        return self._client.generate_presigned_url(
            "get_object",
            Params={
                "Bucket": self._bucket,
                "Key": key,
                "ResponseContentType": str(mime),
                "ResponseContentDisposition": disposition(filename),
            },
            ExpiresIn=int(lifetime.total_seconds()),
        )

    def upload_link(self, key: str, *, size_bytes: int, lifetime: timedelta) -> str:
        """Return a URL that takes one PUT of exactly this many bytes."""
        return self._client.generate_presigned_url(
            "put_object",
            Params={"Bucket": self._bucket, "Key": key, "ContentLength": size_bytes},
            ExpiresIn=int(lifetime.total_seconds()),
        )

    def upload_origin(self) -> str | None:
        """Return the origin of upload links; None where only this machine may reach it."""
        link = urlsplit(self.upload_link("incoming/", size_bytes=1, lifetime=_A_MINUTE))
        return f"https://{link.netloc}" if link.scheme == "https" else None

    def abandon(self, key: str) -> None:
        """Remove what an aborted upload left under a key, parts included."""
        for upload_id in self._open_uploads(key):
            self._client.abort_multipart_upload(Bucket=self._bucket, Key=key, UploadId=upload_id)
        self.delete(key)

    def empty(self, prefix: str) -> None:
        """Delete every object whose key begins like this, and end every upload of one."""
        for key, upload_id in list(self._uploads_under(prefix)):
            self._client.abort_multipart_upload(Bucket=self._bucket, Key=key, UploadId=upload_id)
        with HelpedPool(PART_THREADS, name="empty") as threads:
            while keys := list(islice(self.keys(prefix), _A_PAGE_OF_KEYS)):
                list(threads.map(self.delete, keys))

    def _open_uploads(self, key: str) -> Iterator[str]:
        return (upload_id for named, upload_id in self._uploads_under(key) if named == key)

    def _uploads_under(self, prefix: str) -> Iterator[tuple[str, str]]:
        pages = self._client.get_paginator("list_multipart_uploads")
        for page in pages.paginate(Bucket=self._bucket, Prefix=prefix):
            yield from ((one["Key"], one["UploadId"]) for one in page.get("Uploads", []))


def disposition(filename: str) -> str:
    """Return a Content-Disposition that names a file in any script (RFC 6266, RFC 8187)."""
    plain = "".join(c if c.isascii() and (c.isalnum() or c in "._- ") else "_" for c in filename)
    return f"inline; filename=\"{plain}\"; filename*=UTF-8''{quote(filename, safe='')}"
