"""S3 as the storage calls it: objects' bytes are files, and their names are in the engine.

A file is written completely before its name, so a reader sees the old object or the new one. Parts
of an upload are files, too; a completed object consists of them, in order. A copy is another name
of the same files. Objects have no addresses here: the front of the local stack serves them.
"""

import json
import uuid
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import md5
from io import BytesIO
from sqlite3 import Connection
from typing import Any, ClassVar

from chalicelib.kit.aws_on_sqlite import queues
from chalicelib.kit.aws_on_sqlite.base_client import Answer, Call, EmbeddedClient, Pages, operation
from chalicelib.kit.aws_on_sqlite.engine import FILES, Engine
from chalicelib.kit.aws_on_sqlite.failures import refusal
from chalicelib.kit.aws_on_sqlite.files import File, Files
from chalicelib.kit.aws_on_sqlite.steady_clock import machine_clock

_PAGE = 1000
_READ = 8 * 1024 * 1024
_PART = ("Bucket", "Key", "UploadId", "PartNumber")
_BINARY = "binary/octet-stream"
_NO_ADDRESS = "Files of this engine have no address: the front of the local stack serves them."


class EmbeddedS3(EmbeddedClient):
    """The buckets of an engine."""

    service: ClassVar[str] = "s3"
    pages: ClassVar[Mapping[str, Pages]] = {
        "list_objects_v2": Pages("ContinuationToken", "NextContinuationToken", "MaxKeys"),
        "list_multipart_uploads": Pages("KeyMarker", "NextKeyMarker", "MaxUploads"),
    }

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine)
        self._files = Files(engine.folder / FILES, synced=engine.synced)
        self._known: dict[str, tuple[int, Any]] = {}

    def _bucket(self, name: str, missing: str = "NoSuchBucket") -> tuple[int, Any]:
        found = self._known.get(name) or self._engine.find_made("bucket", name)
        if found is None:
            raise refusal(missing, f"The bucket {name} does not exist.")
        self._known[name] = found
        return found

    # Whole objects.

    @operation("PutObject", "Bucket", "Key", "Body", "ContentType")
    def put_object(self, call: Call) -> Answer:
        """Store an object."""
        body = call.get("Body", b"")
        file, etag = self._files.keep([body if isinstance(body, bytes) else bytes(body)])
        self._name(call, call.get("ContentType", _BINARY), [file], etag)
        return {"ETag": etag}

    def _name(self, call: Call, kind: str, files: Sequence[File], etag: str) -> None:
        """Name an object, end its multipart upload, and notify the bucket's queue."""
        number, about = self._bucket(call["Bucket"])
        size, now = sum(size for _, size in files), machine_clock()
        with self._engine.writing() as connection:
            old = _find_object(connection, number, call["Key"])
            row = (number, call["Key"], kind, size, etag, now, json.dumps(files))
            connection.execute("INSERT OR REPLACE INTO object VALUES (?, ?, ?, ?, ?, ?, ?)", row)
            _end_upload(connection, call.get("UploadId", ""))
            self._tell(connection, about, call, size)
        kept = {name for name, _ in files}  # completing an upload twice names its files twice
        self._files.drop(name for name, _ in (old.files if old else ()) if name not in kept)

    def _tell(self, connection: Connection, about: Any, call: Call, size: int) -> None:  # noqa: ANN401 - JSON
        told = {"bucket": {"name": call["Bucket"]}, "object": {"key": call["Key"], "size": size}}
        event = {"Records": [{"eventSource": "aws:s3", "eventName": "ObjectCreated", "s3": told}]}
        for wanted in about.get("Notifications", []):
            queue = self._engine.find_made("queue", wanted["Queue"])
            if call["Key"].startswith(wanted["Prefix"]) and queue is not None:
                entry = {"MessageBody": json.dumps(event)}
                queues.put(connection, [queues.message(queue[0], entry, machine_clock())])

    @operation("GetObject", "Bucket", "Key", "Range")
    def get_object(self, call: Call) -> Answer:
        """Return an object or a range of it. Raises NoSuchKey, InvalidRange."""
        found = self._object(call, "NoSuchKey")
        first, last = _range(call.get("Range"), found.size)
        body = BytesIO(self._files.read(found.files, first, last + 1 - first))
        return {**_about(found), "ContentLength": last + 1 - first, "Body": body}

    @operation("HeadObject", "Bucket", "Key")
    def head_object(self, call: Call) -> Answer:
        """Describe an object. Raises 404."""
        return _about(self._object(call, "404"))

    def _object(self, call: Call, missing: str) -> "_Object":
        number, _ = self._bucket(call["Bucket"], "404" if missing == "404" else "NoSuchBucket")
        with self._engine.reading() as connection:
            found = _find_object(connection, number, call["Key"])
        if found is None:
            raise refusal(missing, f"There is no object {call['Key']}.")
        return found

    @operation("CopyObject", "Bucket", "Key", "CopySource", "ContentType", "MetadataDirective")
    def copy_object(self, call: Call) -> Answer:
        """Give the files of an object a second name. Raises NoSuchKey."""
        found = self._object(call["CopySource"], "NoSuchKey")
        files = self._files.link(found.files)
        self._name(call, call.get("ContentType", found.kind), files, found.etag)
        return {"CopyObjectResult": {"ETag": found.etag}}

    @operation("DeleteObject", "Bucket", "Key")
    def delete_object(self, call: Call) -> Answer:
        """Delete an object if there is one."""
        number, _ = self._bucket(call["Bucket"])
        with self._engine.writing() as connection:
            old = _find_object(connection, number, call["Key"])
            connection.execute(
                "DELETE FROM object WHERE bucket = ? AND key = ?", (number, call["Key"])
            )
        self._files.drop(name for name, _ in (old.files if old else ()))
        return {}

    @operation("ListObjectsV2", "Bucket", "Prefix", "MaxKeys", "ContinuationToken")
    def list_objects_v2(self, call: Call) -> Answer:
        """List a page of the keys with a prefix."""
        number, _ = self._bucket(call["Bucket"])
        prefix, most = call.get("Prefix", ""), min(call.get("MaxKeys", _PAGE), _PAGE)
        after = call.get("ContinuationToken", "")
        with self._engine.reading() as connection:
            rows = connection.execute(
                "SELECT key, size, etag, modified FROM object WHERE bucket = ? AND key >= ?"
                " AND key < ? AND key > ? ORDER BY key LIMIT ?",
                (number, prefix, f"{prefix}\U0010ffff", after, most + 1),
            ).fetchall()
        contents = [
            {"Key": key, "Size": size, "ETag": etag, "LastModified": _instant(modified)}
            for key, size, etag, modified in rows[:most]
        ]
        going_on = {"NextContinuationToken": rows[most - 1][0]} if len(rows) > most else {}
        return {"KeyCount": len(contents), "Contents": contents, **going_on}

    # Objects in parts.

    @operation("CreateMultipartUpload", "Bucket", "Key", "ContentType")
    def create_multipart_upload(self, call: Call) -> Answer:
        """Begin a multipart upload."""
        (number, _), name = self._bucket(call["Bucket"]), uuid.uuid4().hex
        row = (name, number, call["Key"], call.get("ContentType", _BINARY), machine_clock())
        with self._engine.writing() as connection:
            connection.execute("INSERT INTO upload VALUES (?, ?, ?, ?, ?)", row)
        return {"UploadId": name}

    @operation("UploadPart", *_PART, "Body")
    def upload_part(self, call: Call) -> Answer:
        """Store a part: bytes, or pieces of bytes. Raises NoSuchUpload."""
        body = call["Body"]
        pieces = [body] if isinstance(body, bytes | bytearray) else body
        (name, size), etag = self._files.keep(pieces)
        old: list[tuple[str]] = []
        try:
            with self._engine.writing(lasting=False) as connection:
                _kind_of_upload(connection, call["UploadId"])
                place = (call["UploadId"], call["PartNumber"])
                text = "SELECT file FROM part WHERE upload = ? AND number = ?"
                old = connection.execute(text, place).fetchall()
                row = (*place, name, size, etag)
                connection.execute("INSERT OR REPLACE INTO part VALUES (?, ?, ?, ?, ?)", row)
        except BaseException:
            self._files.drop([name])
            raise
        self._files.drop(file for (file,) in old)
        return {"ETag": etag}

    @operation("UploadPartCopy", *_PART, "CopySource", "CopySourceRange")
    def upload_part_copy(self, call: Call) -> Answer:
        """Store a range of an object as a part. Raises NoSuchKey, NoSuchUpload."""
        found = self._object(call["CopySource"], "NoSuchKey")
        first, last = _range(call["CopySourceRange"], found.size)
        steps = range(first, last + 1, _READ)
        pieces = (self._files.read(found.files, at, min(_READ, last + 1 - at)) for at in steps)
        return {"CopyPartResult": {"ETag": self.send_part({n: call[n] for n in _PART}, pieces)}}

    def send_part(self, part: Call, pieces: Iterable[bytes | bytearray]) -> str:
        """Store a part that comes in pieces; return its ETag."""
        return str(self.upload_part(**part, Body=pieces)["ETag"])

    @operation("CompleteMultipartUpload", "Bucket", "Key", "UploadId", "MultipartUpload")
    def complete_multipart_upload(self, call: Call) -> Answer:
        """Make an object from its parts. Raises NoSuchUpload, InvalidPart."""
        with self._engine.reading() as connection:
            kind = _kind_of_upload(connection, call["UploadId"])
            text = "SELECT number, file, size, etag FROM part WHERE upload = ?"
            rows = connection.execute(text, (call["UploadId"],)).fetchall()
        parts = {number: (file, size, etag) for number, file, size, etag in rows}
        files: list[File] = []
        digest = md5(usedforsecurity=False)
        for said in call["MultipartUpload"]["Parts"]:
            file, size, etag = parts.get(said["PartNumber"], ("", 0, ""))
            if etag.strip('"') != said["ETag"].strip('"'):
                raise refusal("InvalidPart", f"Part {said['PartNumber']} is not as it is named.")
            files.append((file, size))
            digest.update(bytes.fromhex(etag.strip('"')))
        etag = f'"{digest.hexdigest()}-{len(files)}"'
        self._name(call, kind, files, etag)
        self._files.drop(
            {file for file, _, _ in parts.values()}.difference(file for file, _ in files)
        )
        return {"ETag": etag}

    @operation("AbortMultipartUpload", "Bucket", "Key", "UploadId")
    def abort_multipart_upload(self, call: Call) -> Answer:
        """Delete an upload and its parts. Raises NoSuchUpload."""
        with self._engine.writing(lasting=False) as connection:
            _kind_of_upload(connection, call["UploadId"])
            text = "SELECT file FROM part WHERE upload = ?"
            files = connection.execute(text, (call["UploadId"],)).fetchall()
            _end_upload(connection, call["UploadId"])
        self._files.drop(file for (file,) in files)
        return {}

    @operation("ListMultipartUploads", "Bucket", "Prefix", "MaxUploads", "KeyMarker")
    def list_multipart_uploads(self, call: Call) -> Answer:
        """List unfinished multipart uploads."""
        (number, _), prefix = self._bucket(call["Bucket"]), call.get("Prefix", "")
        with self._engine.reading() as connection:
            rows = connection.execute(
                "SELECT key, id FROM upload WHERE bucket = ? AND key >= ? AND key < ?",
                (number, prefix, f"{prefix}\U0010ffff"),
            ).fetchall()
        return {"Uploads": [{"Key": key, "UploadId": name} for key, name in rows]}

    # Buckets.

    @operation("HeadBucket", "Bucket")
    def head_bucket(self, call: Call) -> Answer:
        """Return normally if a bucket exists."""
        self._bucket(call["Bucket"])
        return {}

    @operation("GetBucketNotificationConfiguration", "Bucket")
    def get_bucket_notification_configuration(self, call: Call) -> Answer:
        """Return which queues are notified of new objects."""
        told = self._bucket(call["Bucket"])[1].get("Notifications", [])
        return {"QueueConfigurations": [{"QueueArn": f"arn:aws:sqs:::{t['Queue']}"} for t in told]}

    def generate_presigned_url(self, *_: object, **__: object) -> str:
        """Refuse: only the front of the stack has an address."""
        raise NotImplementedError(_NO_ADDRESS)


class _Object:
    """An object as the engine stores it."""

    def __init__(self, row: Sequence[Any]) -> None:
        self.kind, self.size, self.etag, self.modified, files = row
        self.files: list[File] = [(name, size) for name, size in json.loads(files)]


def _find_object(connection: Connection, bucket: int, key: str) -> _Object | None:
    text = "SELECT type, size, etag, modified, files FROM object WHERE bucket = ? AND key = ?"
    row = connection.execute(text, (bucket, key)).fetchone()
    return None if row is None else _Object(row)


def _kind_of_upload(connection: Connection, upload: str) -> str:
    found = connection.execute("SELECT type FROM upload WHERE id = ?", (upload,)).fetchone()
    if found is None:
        raise refusal("NoSuchUpload", "The upload does not exist, or has ended.")
    return str(found[0])


def _end_upload(connection: Connection, upload: str) -> None:
    connection.execute("DELETE FROM upload WHERE id = ?", (upload,))
    connection.execute("DELETE FROM part WHERE upload = ?", (upload,))


def _about(found: _Object) -> Answer:
    return {
        "ContentLength": found.size,
        "ContentType": found.kind,
        "ETag": found.etag,
        "LastModified": _instant(found.modified),
    }


def _instant(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


def _range(text: str | None, size: int) -> tuple[int, int]:
    """Return the first and last byte of `bytes=0-9` or `bytes=5-`. Raises InvalidRange."""
    if text is None:
        return 0, size - 1
    first, _, last = text.removeprefix("bytes=").partition("-")
    if int(first) >= size:
        raise refusal("InvalidRange", "The requested range is not satisfiable")
    return int(first), min(int(last) if last else size - 1, size - 1)
