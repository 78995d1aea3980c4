"""X's uploads on loopback: photos in one call, videos in segments, and what processing says.

It takes what OpenAPI 2.167 describes, multipart or JSON with base64, and refuses segments over
1 MiB, out of order or with gaps, and a second finalize.
"""

import base64
import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta

from tests.connectors.support.fake_platform import KEPT_BYTES, Answer, Received, Value, Wrong
from tests.support.frozen_clock import FrozenClock

LARGEST_SEGMENT = 1_048_576
_LIFE = timedelta(days=1)
_INVALID = "https://api.x.com/2/problems/invalid-request"
_ABOUT = {"media_type", "total_bytes", "media_category"}
_DISPOSITION = re.compile(r'form-data; name="(?P<name>\w+)"(?:; filename="(?P<filename>[^"]+)")?')
_PROGRESS = ("pending", "in_progress")


@dataclass(slots=True)
class Upload:
    """A file on its way."""

    key: str
    total_bytes: int
    until: Value
    segments: list[tuple[int, str]] = field(default_factory=list)
    alt: str | None = None
    warnings: list[str] = field(default_factory=list)
    finalized: bool = False
    ready: bool = False
    looks: int = 0

    @property
    def size_bytes(self) -> int:
        """Return how much has arrived."""
        return sum(size for size, _ in self.segments)


class XUploads:
    """Every upload of a fake; `failure` is the error with which processing ends."""

    def __init__(self, clock: FrozenClock) -> None:
        self.clock = clock
        self.kept: dict[str, Upload] = {}
        self.failure: dict[str, Value] | None = None
        self.bad_alt = ""
        self.largest_segment = LARGEST_SEGMENT
        self._next_id = 1_990_000_000_000_000_000

    def answer(self, call: Received) -> Answer:
        """Answer a call under /2/media/."""
        match call.method, call.path.removeprefix("/2/media/").split("/"):
            case "POST", ["upload"]:
                return self._photo(call)
            case "GET", ["upload"]:
                return self._status(call)
            case "POST", ["upload", "initialize"]:
                return self._initialize(call)
            case "POST", ["upload", media_id, "append"]:
                return self._append(call, self._upload(media_id))
            case "POST", ["upload", media_id, "finalize"]:
                return self._finalize(call, media_id)
            case "POST", ["metadata"]:
                return self._metadata(call)
            case _:
                raise Wrong(Answer(404, {"title": "Not Found", "status": 404}))

    def ready_key(self, media_id: str) -> str:
        """Return the key of a file that a post may name."""
        upload = self.kept.get(media_id)
        is_good = upload is not None and upload.ready and self.clock() < upload.until
        require(is_good, "media.media_ids", "Your media IDs are invalid.")
        return self.kept[media_id].key

    def _photo(self, call: Received) -> Answer:
        fields = _fields(call, "media_category")
        require(fields["media_category"] == "tweet_image", "media_category")
        size = len(fields["media"])
        if size > 5_242_880:
            raise Wrong(Answer(413, b""))
        media_id = self._open("3", size)
        self.kept[media_id].segments.append((size, _digest(fields["media"])))
        self.kept[media_id].ready = True
        image = {"w": 1200, "h": 800, "image_type": "image/jpeg"}
        return Answer(200, {"data": {**self._about(media_id), "size": size, "image": image}})

    def _initialize(self, call: Received) -> Answer:
        require(call.headers["content-type"] == "application/json")
        require(set(call.json) == _ABOUT, "$")
        require(call.json["media_category"] == "tweet_video", "media_category")
        require(call.json["media_type"] in {"video/mp4", "video/quicktime"}, "media_type")
        require(0 < call.json["total_bytes"] <= 536_870_912, "total_bytes")
        return Answer(200, {"data": self._about(self._open("7", call.json["total_bytes"]))})

    def _append(self, call: Received, upload: Upload) -> Answer:
        fields = _fields(call, "segment_index", file_first=False)
        index, media = int(fields["segment_index"]), fields["media"]
        if len(media) > self.largest_segment:
            raise Wrong(Answer(413, b""))
        require(not upload.finalized and 0 <= index <= min(len(upload.segments), 999))
        upload.segments[index : index + 1] = [(len(media), _digest(media))]
        require(upload.size_bytes <= upload.total_bytes, "media")
        return Answer(200, {"data": {"expires_at": int(upload.until.timestamp())}})

    def _finalize(self, call: Received, media_id: str) -> Answer:
        upload = self._upload(media_id)
        require(call.size == 0)
        require(upload.size_bytes == upload.total_bytes, "media_id", "Segments do not add up.")
        require(not upload.finalized, "media_id", "The upload is finalized.")
        upload.finalized = True
        info = {"state": "pending", "check_after_secs": 1}
        about = {**self._about(media_id), "size": upload.size_bytes}
        return Answer(200, {"data": {**about, "processing_info": info}})

    def _status(self, call: Received) -> Answer:
        require(set(call.query) == {"command", "media_id"} and call.query["command"] == "STATUS")
        upload = self._upload(call.query["media_id"])
        require(upload.finalized, "media_id")
        upload.looks += 1
        info: dict[str, Value] = {"state": "succeeded", "progress_percent": 100}
        if self.failure is not None:
            info = {"state": "failed", "error": self.failure}
        elif upload.looks < len(_PROGRESS):
            info = {"state": _PROGRESS[upload.looks], "check_after_secs": 2}
        upload.ready = info["state"] == "succeeded"
        return Answer(200, {"data": {"id": call.query["media_id"], "processing_info": info}})

    def _metadata(self, call: Received) -> Answer:
        told = call.json["metadata"]
        require(set(call.json) == {"id", "metadata"})
        require(set(told) <= {"alt_text", "sensitive_media_warning"} and bool(told))
        upload = self._upload(call.json["id"])
        upload.warnings = list(told.get("sensitive_media_warning", {}))
        if "alt_text" not in told:
            return Answer(200, {"data": {"id": call.json["id"]}})
        alt = told["alt_text"]
        require(set(alt) == {"text"} and 0 < len(alt["text"]) <= 1000, "metadata.alt_text.text")
        require(upload.ready and not upload.key.startswith("7_"), "id")  # pictures alone
        require(alt["text"] != self.bad_alt, "metadata.alt_text.text")
        upload.alt = alt["text"]
        return Answer(200, {"data": {"id": call.json["id"]}})

    def _open(self, kind: str, size_bytes: int) -> str:
        self._next_id += 7
        media_id = str(self._next_id)
        self.kept[media_id] = Upload(f"{kind}_{media_id}", size_bytes, self.clock() + _LIFE)
        return media_id

    def _about(self, media_id: str) -> dict[str, Value]:
        life_s = int(_LIFE.total_seconds())
        return {"id": media_id, "media_key": self.kept[media_id].key, "expires_after_secs": life_s}

    def _upload(self, media_id: str) -> Upload:
        upload = self.kept.get(media_id)
        if upload is None or self.clock() >= upload.until:
            raise wrong("media_id", "No such upload.")
        return upload


def wrong(field: str, message: str = "Not taken.") -> Wrong:
    """Return X's refusal of a parameter."""
    errors = [{"message": message, "parameters": {field: ["it"]}}]
    said = {"errors": errors, "title": "Invalid Request", "detail": message, "type": _INVALID}
    return Wrong(Answer(400, {**said, "status": 400}))


def require(holds: bool, field: str = "$", message: str = "Not taken.") -> None:  # noqa: FBT001
    """Refuse the call unless it is right."""
    if not holds:
        raise wrong(field, message)


def _fields(call: Received, name: str, *, file_first: bool = True) -> dict[str, Value]:
    """Return `media` and the other field; JSON has the bytes as base64."""
    if call.headers["content-type"] == "application/json":
        require(set(call.json) == {"media", name})
        return {**call.json, "media": base64.b64decode(call.json["media"])}
    parts = dict(_parts(call))
    require(list(parts) == (["media", name] if file_first else [name, "media"]))
    return {"media": parts["media"], name: parts[name].decode()}


def _parts(call: Received) -> Iterator[tuple[str, bytes]]:
    """Yield names and contents; the library's parser takes a second for a segment."""
    kind, _, boundary = call.headers["content-type"].partition("; boundary=")
    require(kind == "multipart/form-data" and call.size <= KEPT_BYTES)
    for part in call.body.split(f"--{boundary}".encode())[1:-1]:
        head, _, content = part.partition(b"\r\n\r\n")
        found = _DISPOSITION.search(head.decode())
        require(found is not None)
        assert found is not None
        require((found["name"] == "media") == (found["filename"] is not None))
        yield found["name"], content.removesuffix(b"\r\n")


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
