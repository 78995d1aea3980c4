# ruff: noqa: SLF001 - ministack has no other seam, and its version is pinned exactly
"""Keeps S3 multipart uploads over a crash of the emulator: an acknowledged part stays uploaded.

Big parts are files already (`objects_on_disk`); here the upload's record is written down, small
parts inside it, whenever a request has changed it. Part files that no record names are removed
at start.
"""

import json
from pathlib import Path

from ministack import app as ministack
from ministack.core.persistence import _json_default, _json_object_hook
from ministack.services import s3

from chalicelib.local.emulator.body_file import BodyFile
from chalicelib.local.emulator.ministack_shapes import (
    Answer,
    Body,
    Headers,
    Part,
    Query,
    ScopedId,
    Upload,
)
from chalicelib.local.emulator.state_file import Changes, StateFile

_PREFIX = "upload:"


class DurableUploads:
    """Writes the records of unfinished uploads to the state file."""

    def __init__(self, state: StateFile, folder: Path) -> None:
        self._state = state
        self._folder = folder

    def restore(self) -> None:
        """Take up the uploads of the last run."""
        used: set[str] = set()
        for body in self._state.documents(_PREFIX).values():
            scoped_id, upload = json.loads(body, object_hook=_json_object_hook)
            upload["parts"] = {
                int(number): part for number, part in upload["parts"].items() if self._open(part)
            }
            used.update(
                part["body"].path.name
                for part in upload["parts"].values()
                if isinstance(part["body"], BodyFile)
            )
            s3._multipart_uploads._data[tuple(scoped_id)] = upload
        for file in self._folder.iterdir():
            if file.name not in used:
                file.unlink()

    def _open(self, part: Part) -> bool:
        """Turn the name of a part's file into the file; False when it is gone."""
        name = part.pop("file", None)
        if name is None:
            return True
        path = self._folder / name
        if not path.exists() or path.stat().st_size != part["size"]:
            return False
        body = BodyFile(path, size=part["size"], md5=part["etag"].strip('"'))
        part["body"] = body.make_temporary()
        return True

    def install(self) -> None:
        """Save after each request that belongs to a multipart upload."""
        respond = ministack.SERVICE_HANDLERS["s3"]

        async def saved(
            method: str, path: str, headers: Headers, body: Body, query: Query
        ) -> Answer:
            answer: Answer = await respond(method, path, headers, body, query)
            if method == "POST" and "uploads" in query:
                self._save_all()
            elif method != "GET" and "uploadId" in query:
                self._save(s3._multipart_uploads._scoped(s3._qp(query, "uploadId")))
            return answer

        ministack.SERVICE_HANDLERS["s3"] = saved

    def _save_all(self) -> None:
        for scoped_id in list(s3._multipart_uploads._data):
            if _name(scoped_id) not in self._state.documents(_name(scoped_id)):
                self._save(scoped_id)

    def _save(self, scoped_id: ScopedId) -> None:
        upload: Upload | None = s3._multipart_uploads._data.get(scoped_id)
        text = None
        if upload is not None:
            parts = {number: _described(part) for number, part in upload["parts"].items()}
            record = {name: value for name, value in upload.items() if name != "joined"}
            text = json.dumps([scoped_id, {**record, "parts": parts}], default=_json_default)
        self._state.write(Changes(documents={_name(scoped_id): text}))


def _name(scoped_id: ScopedId) -> str:
    return _PREFIX + ":".join(scoped_id)


def _described(part: Part) -> dict[str, object]:
    body = part["body"]
    if not isinstance(body, BodyFile):
        return dict(part)
    rest = {name: value for name, value in part.items() if name != "body"}
    return {**rest, "file": body.path.name}
