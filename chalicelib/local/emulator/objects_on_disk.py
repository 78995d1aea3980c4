# ruff: noqa: SLF001 - ministack has no other seam, and its version is pinned exactly
"""Keeps big object bodies of the emulator's S3 out of its memory, coming in and going out.

ministack holds a body as one `bytes` object while it is put, completed and read. Here bodies
above 1 MiB go to disk as they arrive, multipart uploads are put together there, and reads of a
range touch that range only. A 1 GB object costs the emulator no memory.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

from ministack import app as ministack
from ministack.core.responses import StreamingResponse
from ministack.services import s3

from chalicelib.local.emulator import body_checksums
from chalicelib.local.emulator.body_file import BodyFile, FileSync, spool
from chalicelib.local.emulator.ministack_shapes import (
    Answer,
    Body,
    Headers,
    ObjectRecord,
    Query,
    Respond,
    Upload,
)
from chalicelib.local.emulator.multipart_on_disk import complete_on_disk, join_ahead
from chalicelib.local.stack_modules import Receive, Send

_TO_DISK = 1024 * 1024
_FAILED = (500, {"Content-Type": "application/xml"}, b"<Error><Code>InternalError</Code></Error>")

Read = Callable[[Receive, str, Headers], Awaitable[Body]]
Route = Callable[[str, str, Headers, Body, Query], Query]
Write = Callable[..., None]
Remove = Callable[[str | None], None]
Copy = Callable[[str, str, Query, Headers], Answer]
ReadBody = Callable[[str, str, ObjectRecord], Body]


class ObjectsOnDisk:
    """The bodies' folder and the wrappers around ministack's functions."""

    def __init__(self, folder: Path, *, synced: bool = False) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self._sync = FileSync(folder.parent) if synced else None
        self._failures: list[OSError] = []

    def install(self) -> None:
        """Put the wrappers in the place of ministack's own functions."""
        ministack._read_request_body = self._reading(ministack._read_request_body)
        ministack._routing_params = _routed_without_files(ministack._routing_params)
        ministack.SERVICE_HANDLERS["s3"] = self._streaming(ministack.SERVICE_HANDLERS["s3"])
        s3._atomic_write = self._writing(s3._atomic_write)
        s3._remove_key_files = self._removing(s3._remove_key_files)
        s3._read_body = _read_from_disk(s3._read_body)
        s3._upload_part_copy = self._own_copies(s3._upload_part_copy)
        s3._complete_multipart_upload = complete_on_disk(s3._complete_multipart_upload, self.folder)
        body_checksums.install()

    def _reading(self, read: Read) -> Read:
        async def read_to_disk(receive: Receive, method: str, headers: Headers) -> Body:
            length = headers.get("content-length", "")
            is_plain = "x-amz-decoded-content-length" not in headers
            if method != "PUT" or not length.isdecimal() or int(length) < _TO_DISK or not is_plain:
                return await read(receive, method, headers)
            body = await spool(_chunks(receive), self.folder)
            if self._sync is not None:
                await asyncio.to_thread(self._sync.sync, body.path)
            if len(body) != int(length):
                raise ministack._IncompleteRequestBody("Content-Length does not match the body")
            return body

        return read_to_disk

    def _streaming(self, respond: Respond) -> Respond:
        async def streamed(
            method: str, path: str, headers: Headers, body: Body, query: Query
        ) -> Answer:
            if method == "POST" and "uploadId" in query and isinstance(body, bytes):
                await asyncio.to_thread(join_ahead, path, body, query, headers, self.folder)
            self._failures.clear()
            status, fields, answer = await respond(method, path, headers, body, query)
            if self._failures:
                return _FAILED
            if isinstance(answer, BodyFile):
                return status, fields, StreamingResponse(_sender(answer))
            return status, fields, answer

        return streamed

    def _writing(self, write: Write) -> Write:
        def write_or_move(path: str, data: Body | str, *, text: bool = False) -> None:
            try:
                if isinstance(data, BodyFile):
                    data.move_to(Path(path))
                else:
                    write(path, data, text=text)
                if self._sync is not None:
                    self._sync.sync(Path(path))
            except OSError as failure:
                # ministack would only log it and answer 200.
                self._failures.append(failure)
                raise

        return write_or_move

    def _removing(self, remove: Remove) -> Remove:
        def remove_for_good(path: str | None) -> None:
            was_there = path is not None and Path(path).is_file()
            remove(path)
            if path is not None and was_there and self._sync is not None:
                self._sync.sync_folder(Path(path).parent)

        return remove_for_good

    def _own_copies(self, copy: Copy) -> Copy:
        def copy_and_own(bucket: str, key: str, query: Query, headers: Headers) -> Answer:
            answer = copy(bucket, key, query, headers)
            upload: Upload | None = s3._multipart_uploads.get(s3._qp(query, "uploadId"))
            for part in upload["parts"].values() if upload else ():
                body = part["body"]
                if isinstance(body, BodyFile) and not body.is_temporary:
                    body.move_to(self.folder / f"copy-{id(body):x}-{body.md5}")
                    body.make_temporary()
            return answer

        return copy_and_own


def _routed_without_files(route: Route) -> Route:
    def routed(method: str, path: str, headers: Headers, body: Body, query: Query) -> Query:
        # curl calls every upload a form; ministack would look for parameters in it.
        return query if isinstance(body, BodyFile) else route(method, path, headers, body, query)

    return routed


async def _chunks(receive: Receive) -> AsyncIterator[bytes]:
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ministack._RequestBodyDisconnected
        chunk = message.get("body")
        if isinstance(chunk, bytes) and chunk:
            yield chunk
        if not message.get("more_body"):
            return


def _sender(body: BodyFile) -> Callable[[Send, Receive], Awaitable[None]]:
    async def run(send: Send, _receive: Receive) -> None:
        for piece in body.chunks():
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b""})

    return run


def _read_from_disk(read: ReadBody) -> ReadBody:
    def body_of(bucket: str, key: str, record: ObjectRecord) -> Body:
        if record["body"] is not None or record["size"] <= _TO_DISK:
            return read(bucket, key, record)
        return BodyFile.whole(Path(s3._object_disk_path(bucket, key)))

    return body_of
