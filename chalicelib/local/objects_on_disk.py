"""Keeps big object bodies of the emulator's S3 out of its memory, coming in and going out.

ministack holds a body as one `bytes` object while it is put, completed and read. Here bodies
above 1 MiB go to disk as they arrive, multipart uploads are put together there, and reads of a
range touch that range only. Private names of ministack are used: its version is pinned exactly.
"""

import asyncio
import base64
import hashlib
import zlib
from collections.abc import AsyncIterator
from pathlib import Path

from ministack import app as ministack
from ministack.core.responses import StreamingResponse
from ministack.services import s3

from chalicelib.local.body_file import BodyFile, spool
from chalicelib.local.multipart_on_disk import complete_on_disk, join_ahead

_TO_DISK = 1024 * 1024
_DIGESTS = {"SHA256": hashlib.sha256, "SHA1": hashlib.sha1}
_SERVER_ERROR = (500, {"Content-Type": "application/xml"}, b"<Error><Code>InternalError</Code></Error>")


class WriteFailed(Exception):
    """An object's body could not be written; ministack itself would only log it."""


class ObjectsOnDisk:
    """The bodies' folder and the wrappers around ministack's functions."""

    def __init__(self, spool_folder: Path) -> None:
        spool_folder.mkdir(parents=True, exist_ok=True)
        self.folder = spool_folder
        self._failure: OSError | None = None

    def install(self) -> None:
        """Put the wrappers in the place of ministack's own functions."""
        ministack._read_request_body = self._reading(ministack._read_request_body)
        ministack.SERVICE_HANDLERS["s3"] = self._streaming(ministack.SERVICE_HANDLERS["s3"])
        s3.md5_hash = _md5_of(s3.md5_hash)
        s3._validate_content_md5 = _content_md5(s3._validate_content_md5)
        s3._compute_s3_checksum = _checksum(s3._compute_s3_checksum)
        s3._atomic_write = self._writing(s3._atomic_write)
        s3._read_body = _body(s3._read_body)
        s3._upload_part_copy = self._own_copies(s3._upload_part_copy)
        s3._complete_multipart_upload = complete_on_disk(
            s3._complete_multipart_upload, self.folder
        )

    def _reading(self, read):
        async def read_to_disk(receive, method, headers):
            length = headers.get("content-length", "")
            is_plain = "x-amz-decoded-content-length" not in headers
            if method != "PUT" or not length.isdecimal() or int(length) < _TO_DISK or not is_plain:
                return await read(receive, method, headers)
            body = await spool(_chunks(receive), self.folder)
            if len(body) != int(length):
                raise ministack._IncompleteRequestBody("Content-Length does not match the body")
            return body

        return read_to_disk

    def _streaming(self, respond):
        async def streamed(method, path, headers, body, query):
            if method == "POST" and "uploadId" in query:
                await asyncio.to_thread(join_ahead, path, body, query, headers, self.folder)
            self._failure = None
            status, fields, answer = await respond(method, path, headers, body, query)
            if self._failure is not None:
                return _SERVER_ERROR
            if isinstance(answer, BodyFile):
                return status, fields, StreamingResponse(_sender(answer))
            return status, fields, answer

        return streamed

    def _writing(self, write):
        def write_or_move(path, data, *, text=False):
            try:
                if isinstance(data, BodyFile):
                    data.move_to(Path(path))
                else:
                    write(path, data, text=text)
            except OSError as failure:
                self._failure = failure
                raise

        return write_or_move

    def _own_copies(self, copy):
        def copy_and_own(bucket, key, query, headers):
            answer = copy(bucket, key, query, headers)
            upload = s3._multipart_uploads.get(s3._qp(query, "uploadId"))
            for part in upload["parts"].values() if upload else ():
                body = part["body"]
                if isinstance(body, BodyFile) and not body.is_temporary:
                    body.move_to(self.folder / f"copy-{id(body):x}-{body.md5}")
                    body.make_temporary()
            return answer

        return copy_and_own


async def _chunks(receive) -> AsyncIterator[bytes]:
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ministack._RequestBodyDisconnected
        if message.get("body"):
            yield message["body"]
        if not message.get("more_body"):
            return


def _sender(body: BodyFile):
    pieces = body.chunks()

    async def run(send, _receive):
        for piece in pieces:
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b""})

    return run


def _body(read):
    def body_of(bucket, key, record):
        if record.get("body") is not None or record["size"] <= _TO_DISK:
            return read(bucket, key, record)
        return BodyFile.whole(Path(s3._object_disk_path(bucket, key)))

    return body_of


def _md5_of(md5):
    return lambda data: data.md5 if isinstance(data, BodyFile) else md5(data)


def _content_md5(validate):
    def validated(headers, body):
        if not isinstance(body, BodyFile):
            return validate(headers, body)
        sent = headers.get("content-md5")
        if not sent or base64.b64decode(sent) == bytes.fromhex(body.md5):
            return None
        return s3._error("BadDigest", "The Content-MD5 did not match what we received.", 400)

    return validated


def _checksum(compute):
    def computed(algorithm, body):
        name = (algorithm or "").upper().replace("_", "")
        if not isinstance(body, BodyFile):
            return compute(algorithm, body)
        if name == "CRC32":
            crc = 0
            for chunk in body.chunks():
                crc = zlib.crc32(chunk, crc)
            return base64.b64encode(crc.to_bytes(4, "big")).decode()
        if name in _DIGESTS:
            digest = _DIGESTS[name]()
            for chunk in body.chunks():
                digest.update(chunk)
            return base64.b64encode(digest.digest()).decode()
        return compute(algorithm, b"".join(body.chunks()))

    return computed
