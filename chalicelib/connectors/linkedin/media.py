"""LinkedIn's uploads: learn.microsoft.com/linkedin, "Images API" and "Videos API".

A photo goes up in one call, a video in parts of 4 MiB, each to an address of its own that LinkedIn
signed. The addresses are told once, so they are kept between steps, packed: a video of 500 MB has
125 of them, more than a checkpoint should hold as they are.
"""

import base64
import json
import zlib
from collections.abc import Mapping
from datetime import datetime, timedelta

from chalicelib.connectors.connector import (
    ConnectedAccount,
    Data,
    MediaFile,
    Publication,
    Step,
    ask_again,
)
from chalicelib.connectors.linkedin.api import LinkedInRest, encode_urn
from chalicelib.connectors.linkedin.refusals import LinkedInRefusal
from chalicelib.connectors.shared.calls.failures import RejectedError, UnlistedError
from chalicelib.connectors.shared.calls.http import UPLOAD_DEADLINE, Call, PlatformHttp
from chalicelib.domain.outcome import Checkpoint, FailureCode, Wait
from chalicelib.domain.platforms.platform import MediaKind
from chalicelib.kit.json_value import Json, whole_number
from chalicelib.kit.transport.bodies import BytesBody, FileBody
from chalicelib.kit.transport.failures import UnansweredError
from chalicelib.kit.transport.responses import PlatformResponse, count, find, of_epoch, token_of

_MARGIN = timedelta(minutes=5)
_PACE = (5,) * 6 + (15,)
_UNREADABLE = timedelta(seconds=15)
"""How long LinkedIn gets for a file whose state it does not let us read."""

_UPLOAD_ENDED = frozenset({FailureCode.PERMISSION_MISSING, FailureCode.MEDIA_UNAVAILABLE})


class LinkedInMedia:
    """Makes the steps between a file and an asset that a post can name."""

    def __init__(self, http: PlatformHttp, rest: LinkedInRest) -> None:
        self._http = http
        self._rest = rest

    @property
    def steps(self) -> Mapping[str, Step]:
        """The steps of an upload by their names; each raises RejectedError for an unusable file."""
        return {
            "photo": self._photo,
            "video": self._video,
            "part": self._part,
            "finalize": self._finalize,
            "processing": self._processing,
        }

    def _photo(self, publication: Publication, data: Data) -> Wait:
        """Open a place and fill it in one step: its address is signed and not worth keeping."""
        del data
        media = publication.require_media()
        body = FileBody(file=media, mime=media.mime)
        asset = self.upload_picture(publication.account, body)
        return Wait(Checkpoint("processing", {"asset": asset}))

    def upload_picture(self, account: ConnectedAccount, body: FileBody | BytesBody) -> str:
        """Open a place, fill it and return the picture's id."""
        request: Json = {"initializeUploadRequest": {"owner": account.remote_id}}
        opened = self._rest.post("images?action=initializeUpload", account.token, request)
        self._http.send(
            Call(
                method="PUT",
                url=opened.text("value", "uploadUrl"),
                token=account.token,
                body=body,
                deadline=UPLOAD_DEADLINE,
            )
        )
        return opened.text("value", "image")

    def _video(self, publication: Publication, data: Data) -> Wait:
        account, media = publication.account, publication.require_media()
        request: Json = {
            "initializeUploadRequest": {
                "owner": account.remote_id,
                "fileSizeBytes": media.size_bytes,
                "uploadCaptions": False,
                "uploadThumbnail": publication.own_cover is not None,
            }
        }
        opened = self._rest.post("videos?action=initializeUpload", account.token, request)
        parts = _instructions(opened)
        self._send_cover(publication, opened)
        until = count(opened.find("value"), "uploadUrlsExpireAt")
        kept: dict[str, Json] = {
            "asset": opened.text("value", "video"),
            "upload_token": token_of(opened.find("value", "uploadToken")) or "",
            "until_ms": until,
            "parts": _pack(parts),
            "done": 0,
        }
        return Wait(Checkpoint("part", {**kept, **_times(data)}))

    def _send_cover(self, publication: Publication, opened: PlatformResponse) -> None:
        """Send the cover before the video is finished; its signed address is not worth keeping."""
        cover = publication.own_cover
        if cover is None:
            return
        address = opened.text("value", "thumbnailUploadUrl")
        body = FileBody(file=cover, mime=cover.mime)
        self._http.send(Call(method="PUT", url=address, body=body, deadline=UPLOAD_DEADLINE))

    def _part(self, publication: Publication, data: Data) -> Wait:
        """Send one part to its address, and keep the tag that LinkedIn gives it."""
        if _is_over(data, publication.now):
            return _anew(data)
        parts, done = _unpack(data["parts"]), count(data, "done")
        url, first, last = parts[done][:3]
        piece = FileBody(
            file=publication.require_media(),
            mime="application/octet-stream",
            offset=int(str(first)),
            length=int(str(last)) - int(str(first)) + 1,
        )
        try:
            # No token: the address itself is signed.
            response = self._http.send(
                Call(method="PUT", url=str(url), body=piece, deadline=UPLOAD_DEADLINE)
            )
        except RejectedError as error:
            if error.code in _UPLOAD_ENDED:
                return _anew(data)
            raise
        tag = str(response.headers.get("ETag") or "").strip('"')
        if not tag:
            raise UnansweredError("The upload's answer has no ETag.")
        parts[done] = [tag]
        known: dict[str, Json] = {**data, "parts": _pack(parts), "done": done + 1}
        return Wait(Checkpoint("part" if done + 1 < len(parts) else "finalize", known))

    def _finalize(self, publication: Publication, data: Data) -> Wait:
        tags: list[Json] = [part[0] for part in _unpack(data["parts"])]
        request: Json = {
            "finalizeUploadRequest": {
                "video": data["asset"],
                "uploadToken": data["upload_token"],
                "uploadedPartIds": tags,
            }
        }
        known: dict[str, Json] = {"asset": data["asset"]}
        try:
            self._rest.post("videos?action=finalizeUpload", publication.account.token, request)
        except (RejectedError, UnlistedError):
            # An earlier call whose answer was lost may have done it: the status tells.
            known["refused"] = True
        return Wait(Checkpoint("processing", known))

    def _processing(self, publication: Publication, data: Data) -> Wait:
        """Ask how far LinkedIn is, where it lets us. Raises RejectedError for an unusable file."""
        kind = "videos" if publication.require_media().kind is MediaKind.VIDEO else "images"
        named = {"asset": data["asset"]}
        try:
            path = f"{kind}/{encode_urn(str(data['asset']))}"
            response = self._rest.get(path, publication.account.token)
        except RejectedError as error:
            if error.code is not FailureCode.PERMISSION_MISSING:
                raise
            return Wait(Checkpoint("post", named), _UNREADABLE)
        status = response.text("status")
        if status == "AVAILABLE":
            return Wait(Checkpoint("post", named))
        if status == "PROCESSING_FAILED" or (status == "WAITING_UPLOAD" and "refused" in data):
            raise self._http.read_error(response)
        return ask_again("processing", data, _PACE)


def first_step(media: MediaFile | None) -> Checkpoint:
    """Return where publishing begins."""
    if media is None:
        return Checkpoint("post")
    return Checkpoint("video" if media.kind is MediaKind.VIDEO else "photo")


def _instructions(opened: PlatformResponse) -> list[list[Json]]:
    """Return address, first and last byte of each part, in order."""
    found = opened.items("value", "uploadInstructions")
    parts = [
        [find(part, "uploadUrl"), find(part, "firstByte"), find(part, "lastByte")] for part in found
    ]
    if not parts or not all(_is_whole(part) for part in parts):
        raise UnansweredError("The upload's answer lacks instructions.")
    return parts


def _is_whole(part: list[Json]) -> bool:
    url, *places = part
    first, last = map(whole_number, places)
    return isinstance(url, str) and first is not None and last is not None and first <= last


def _is_over(data: Mapping[str, Json], now: datetime) -> bool:
    until_ms = count(dict(data), "until_ms")
    until = of_epoch(until_ms // 1000)
    return until_ms > 0 and until is not None and now >= until - _MARGIN


def _anew(data: Mapping[str, Json]) -> Wait:
    """Open another place, once. Raises RejectedError when that was another."""
    if "again" in data:
        raise LinkedInRefusal.NOT_TAKEN.error()
    return Wait(Checkpoint("video", {"again": True}))


def _times(data: Mapping[str, Json]) -> dict[str, Json]:
    return {"again": True} if "again" in data else {}


def _pack(parts: list[list[Json]]) -> str:
    return base64.b85encode(zlib.compress(json.dumps(parts).encode(), 9)).decode()


def _unpack(packed: Json) -> list[list[Json]]:
    parts: list[list[Json]] = json.loads(zlib.decompress(base64.b85decode(str(packed))))
    return parts
