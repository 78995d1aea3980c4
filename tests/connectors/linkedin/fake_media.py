"""LinkedIn's uploads on loopback: images in one call, videos in parts of 4 MiB.

Each part goes to an address of its own, without a token and with exactly its bytes; the tags come
back in order, and once. What a member uploaded as an image only LinkedIn can read.
"""

from dataclasses import dataclass, field
from datetime import timedelta
from urllib.parse import unquote

from tests.connectors.support.fake_platform import Answer, Received, Value, Wrong
from tests.support.frozen_clock import FrozenClock

PART = 4_194_304
_LIFE = timedelta(hours=24)
_VIDEO = {"owner", "fileSizeBytes", "uploadCaptions", "uploadThumbnail"}
_LOOKS = 2


@dataclass(slots=True)
class Asset:
    """A file on its way; `parts` are the first and last byte of each, `tags` what came in."""

    owner: str
    until: Value
    parts: list[tuple[int, int]]
    tags: dict[int, str] = field(default_factory=dict)
    digests: dict[int, str] = field(default_factory=dict)
    finalized: bool = False
    looks: int = 0
    failed: bool = False


class LinkedInUploads:
    """Every asset of a fake; `failure` makes processing fail."""

    def __init__(self, url: str, clock: FrozenClock) -> None:
        self.url = url
        self.clock = clock
        self.kept: dict[str, Asset] = {}
        self.covers: dict[str, str] = {}
        self.failure: str | None = None
        self.expired_urls = 0
        self.wordy_places = False

    def answer(self, call: Received, *, is_member_barred: str) -> Answer:
        """Answer a call to /rest/images or /rest/videos."""
        kind = "video" if call.path.startswith("/rest/videos") else "image"
        if call.method == "GET":
            urn = unquote(call.path.rpartition("/")[2])
            return self._status(kind, urn, is_member_barred)
        match call.query.get("action"):
            case "initializeUpload":
                return self._open(kind, call.json)
            case "finalizeUpload":
                require(kind == "video")
                return self._finalize(call.json)
            case _:
                raise wrong("ILLEGAL_ARGUMENT")

    def put(self, call: Received, access: str) -> Answer:
        """Take the bytes of an image or of one part of a video."""
        _, _, name, number = call.path.split("/")
        if number == "cover":
            require("authorization" not in call.headers)
            require(call.headers["content-type"] in {"image/jpeg", "image/png"})
            self.covers[name] = call.digest
            return Answer(201, b"")
        kind, place = ("video" if name.startswith("V") else "image"), int(number)
        asset = self.kept[f"urn:li:{kind}:{name}"]
        if self.expired_urls > 0 or self.clock() >= asset.until or call.query != {"sau": name}:
            self.expired_urls -= 1
            raise Wrong(Answer(403, b""))
        sent = call.headers.get("authorization")
        if kind == "image":
            require(sent == f"Bearer {access}")
            require(call.headers["content-type"] in {"image/jpeg", "image/png"})
            asset.tags[0] = "done"
            return Answer(201, b"")
        first, last = asset.parts[place]
        require(sent is None and call.headers["content-type"] == "application/octet-stream")
        require(call.size == last - first + 1)
        tag = f"/ambry-video/signed/{name}-{place}-{call.digest[:40]}.bin"
        asset.tags[place], asset.digests[place] = tag, call.digest
        return Answer(200, b"", {"ETag": f'"{tag}"' if place % 2 == 0 else tag})

    def require_ready(self, urn: str, author: str) -> None:
        """Refuse a post that names a file too early, or somebody else's."""
        asset = self.kept.get(urn)
        if asset is None:
            raise wrong("INVALID_VIDEO_ID" if ":video:" in urn else "INVALID_IMAGE_ID")
        require(asset.owner == author, "INVALID_CONTENT_OWNERSHIP")
        is_in = len(asset.tags) == len(asset.parts)
        is_seen = ":image:" in urn or (asset.finalized and asset.looks >= _LOOKS)
        require(is_in and is_seen, "MEDIA_ASSET_WAITING_UPLOAD")
        require(not asset.failed, "MEDIA_ASSET_PROCESSING_FAILED")

    def _open(self, kind: str, body: Value) -> Answer:
        require(set(body) == {"initializeUploadRequest"})
        request, until = body["initializeUploadRequest"], self.clock() + _LIFE
        size = request.get("fileSizeBytes", 1)
        require(set(request) == ({"owner"} if kind == "image" else _VIDEO))
        require(kind == "image" or 75_000 <= size <= 524_288_000)
        name = f"{kind[0].upper()}{len(self.kept):04}FAKE"
        ranges = [(first, min(first + PART, size) - 1) for first in range(0, size, PART)]
        urn = f"urn:li:{kind}:{name}"
        self.kept[urn] = Asset(request["owner"], until, ranges)
        urls = [f"{self.url}/dms-uploads/{name}/{n}?sau={name}" for n in range(len(ranges))]
        self.wordy_places, is_wordy = False, self.wordy_places
        until_ms = int(until.timestamp() * 1000)
        if kind == "image":
            told = {"uploadUrl": urls[0], "uploadUrlExpiresAt": until_ms, "image": urn}
            return Answer(200, {"value": told})
        parts = [
            {"uploadUrl": url, "firstByte": "the first" if is_wordy else first, "lastByte": last}
            for url, (first, last) in zip(urls, ranges, strict=True)
        ]
        told = {"video": urn, "uploadToken": "", "uploadUrlsExpireAt": until_ms}
        if request["uploadThumbnail"]:
            told["thumbnailUploadUrl"] = f"{self.url}/dms-uploads/{name}/cover?sau={name}"
        return Answer(200, {"value": {**told, "uploadInstructions": parts}})

    def _finalize(self, body: Value) -> Answer:
        require(set(body) == {"finalizeUploadRequest"})
        request = body["finalizeUploadRequest"]
        require(set(request) == {"video", "uploadToken", "uploadedPartIds"})
        asset = self.kept[request["video"]]
        tags = [asset.tags.get(number) for number in range(len(asset.parts))]
        require(request["uploadToken"] == "" and request["uploadedPartIds"] == tags)
        require(not asset.finalized)
        asset.finalized, asset.failed = True, self.failure is not None
        return Answer(200, b"")

    def _status(self, kind: str, urn: str, barred: str) -> Answer:
        asset = self.kept[urn]
        if kind == "image" and asset.owner == barred:
            said = "Accessing this image resource is forbidden."
            raise Wrong(Answer(403, {"status": 403, "message": said}))
        asset.looks += 1
        status: dict[str, Value] = {"status": "AVAILABLE"}
        if kind == "video" and not asset.finalized:
            status = {"status": "WAITING_UPLOAD"}
        elif asset.failed:
            status = {"status": "PROCESSING_FAILED", "processingFailureReason": self.failure}
        elif asset.looks < _LOOKS:
            status = {"status": "PROCESSING"}
        return Answer(200, {"id": urn, "owner": asset.owner, **status})


def wrong(code: str) -> Wrong:
    """Return LinkedIn's refusal with a code."""
    return Wrong(Answer(400, {"status": 400, "code": code, "message": "Not taken."}))


def require(holds: bool, code: str = "ILLEGAL_ARGUMENT") -> None:  # noqa: FBT001
    """Refuse the call unless it is right."""
    if not holds:
        raise wrong(code)
