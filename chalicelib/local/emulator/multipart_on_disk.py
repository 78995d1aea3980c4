# ruff: noqa: SLF001 - ministack has no other seam, and its version is pinned exactly
"""Completes an S3 multipart upload on disk: part files are joined by the kernel, not in memory.

Only uploads whose parts are all there and as named are completed here; whatever is to be refused,
and anything unusual, is left to ministack's own function.
"""

import hashlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from xml.etree.ElementTree import (
    Element,
    ParseError,
    SubElement,
)

from ministack.services import s3

from chalicelib.local.emulator.body_file import BodyFile, append
from chalicelib.local.emulator.ministack_shapes import (
    Answer,
    Body,
    Headers,
    ObjectRecord,
    Query,
    Upload,
)

Complete = Callable[[str, str, bytes, Query, Headers | None], Answer]

_WITH_CONDITIONS = ("if-", "x-amz-checksum-", "x-amz-mp-object-size")


def complete_on_disk(complete: Complete, folder: Path) -> Complete:
    """Wrap ministack's CompleteMultipartUpload."""

    def completed(
        bucket_name: str, key: str, body: bytes, query: Query, headers: Headers | None = None
    ) -> Answer:
        upload_id = s3._qp(query, "uploadId")
        upload: Upload | None = s3._multipart_uploads.get(upload_id)
        if upload is None:
            return complete(bucket_name, key, body, query, headers)
        numbers = _usual(upload, bucket_name, key, body, headers or {})
        if not numbers:
            _take_into_memory(upload)
            return complete(bucket_name, key, body, query, headers)
        joined = upload.pop("joined", None)
        if joined is None or joined[0] != _bodies(upload, numbers):
            joined = _bodies(upload, numbers), _join(_bodies(upload, numbers), folder)
        record = _record(upload, numbers, joined[1])
        s3._buckets[bucket_name]["objects"][key] = record
        s3._persist_object(bucket_name, key, record)
        del s3._multipart_uploads[upload_id]
        event = "s3:ObjectCreated:CompleteMultipartUpload"
        s3._fire_s3_event_async(bucket_name, key, event, size=record["size"], etag=record["etag"])
        response = _response(bucket_name, key, record, headers or {})
        s3._completed_multipart_uploads[upload_id] = {"key": key, "response": response}
        return response

    return completed


def join_ahead(path: str, body: bytes, query: Query, headers: Headers, folder: Path) -> None:
    """Join the parts of a CompleteMultipartUpload that is about to be answered.

    Runs in a thread: 1 GB takes a second or more, and all other requests would wait for it.
    """
    upload: Upload | None = s3._multipart_uploads.get(s3._qp(query, "uploadId"))
    bucket_name, key = s3._parse_bucket_key(path, headers)
    numbers = _usual(upload, bucket_name, key, body, headers) if upload else []
    if upload and numbers:
        bodies = _bodies(upload, numbers)
        upload["joined"] = bodies, _join(bodies, folder)


def _bodies(upload: Upload, numbers: list[int]) -> list[Body]:
    return [upload["parts"][number]["body"] for number in numbers]


def _usual(upload: Upload, bucket_name: str, key: str, body: bytes, headers: Headers) -> list[int]:
    """Return the numbers of the parts to join; none when ministack shall see to it itself."""
    bucket = s3._buckets.get(bucket_name)
    is_usual = (
        bucket is not None
        and (upload["bucket"], upload["key"]) == (bucket_name, key)
        and not s3._bucket_versioning.get(bucket_name)
        and not any(name.startswith(_WITH_CONDITIONS) for name in headers)
    )
    return _wanted(body, upload) if is_usual else []


def _take_into_memory(upload: Upload) -> None:
    for part in upload["parts"].values():
        body = part["body"]
        if isinstance(body, BodyFile):
            part["body"] = b"".join(body.chunks())


def _wanted(body: bytes, upload: Upload) -> list[int]:
    """Return the part numbers that the request names, in order; none if any does not fit."""
    try:
        named = s3.fromstring(bytes(body))
    except ParseError:
        return []
    numbers = []
    for part in named.findall("{*}Part"):
        number, etag = part.findtext("{*}PartNumber"), part.findtext("{*}ETag") or ""
        stored = upload["parts"].get(int(number)) if number and number.isdecimal() else None
        if stored is None or etag.strip('"') != stored["etag"].strip('"'):
            return []
        numbers.append(int(number))
    return sorted(numbers)


def _join(bodies: list[Body], folder: Path) -> BodyFile:
    descriptor, name = tempfile.mkstemp(dir=folder)
    with os.fdopen(descriptor, "wb") as file:
        for body in bodies:
            if isinstance(body, BodyFile):
                append(file.fileno(), body)
            else:
                os.write(file.fileno(), body)
    return BodyFile.whole(Path(name)).make_temporary()


def _record(upload: Upload, numbers: list[int], body: BodyFile) -> ObjectRecord:
    algorithm = upload.get("checksum_algorithm")
    digests = [upload["parts"][n].get("checksums", {}).get(algorithm or "") for n in numbers]
    composite = s3._composite_checksum(algorithm, digests)
    etags = [upload["parts"][number]["etag"].strip('"') for number in numbers]
    digest = hashlib.md5(b"".join(map(bytes.fromhex, etags)), usedforsecurity=False).hexdigest()
    return {
        "body": body,
        "content_type": upload["content_type"],
        "content_encoding": upload.get("content_encoding"),
        "etag": f'"{digest}-{len(numbers)}"',
        "last_modified": s3.now_iso(),
        "size": len(body),
        "metadata": upload["metadata"],
        "preserved_headers": upload.get("preserved_headers", {}),
        "storage_class": upload.get("storage_class") or "STANDARD",
        "parts": [
            {"PartNumber": number, "Size": upload["parts"][number]["size"]} for number in numbers
        ],
        "checksums": {algorithm: composite} if algorithm and composite else {},
        "checksum_type": "COMPOSITE" if composite else None,
    }


def _response(bucket: str, key: str, record: ObjectRecord, headers: Headers) -> Answer:
    root = Element("CompleteMultipartUploadResult", xmlns=s3.S3_NS)
    SubElement(root, "Location").text = f"http://{headers.get('host', 'localhost')}/{bucket}/{key}"
    SubElement(root, "Bucket").text = bucket
    SubElement(root, "Key").text = key
    SubElement(root, "ETag").text = record["etag"]
    fields = {"Content-Type": "application/xml", **s3._stored_sse_headers(record)}
    return 200, fields, s3._xml_body(root)
