"""X's uploads: docs.x.com/x-api/media. A photo goes up in one call, a video in segments of 1 MiB.

Nobody sees an upload until a post names it, and X forgets it after a day. Every step can be made
again: a segment under the same number replaces the earlier one. Only pictures can be described
(docs.x.com/x-api/media/create-media-metadata); a post goes out without a description that X does
not take.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta

from chalicelib.connectors.connector import Data, MediaFile, Publication, Step
from chalicelib.connectors.shared.calls.failures import RejectedError, UnlistedError
from chalicelib.connectors.shared.calls.http import UPLOAD_DEADLINE, Call, PlatformHttp
from chalicelib.connectors.shared.calls.waits import span
from chalicelib.domain.outcome import Checkpoint, FailureCode, Wait
from chalicelib.domain.platforms.platform import MediaKind
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.bodies import (
    FileBody,
    FilePart,
    JsonBody,
    MultipartBody,
)
from chalicelib.kit.transport.responses import PlatformResponse, count

SEGMENT = 1_048_576
"""X answered 413 to 5 MB, whatever its pages say (docs.x.com/x-api/media)."""

UNDESCRIBED = "It went out without the alt text, which X refused."

_SMALLEST_SEGMENT = 262_144
_MOST_SEGMENTS = 1_000
_LIFE = timedelta(days=1)
_MARGIN = timedelta(minutes=10)
_SOONEST_S, _LATEST_S = 1, 10


class XMedia:
    """Makes the steps between a file and a media id that a post can name."""

    def __init__(self, http: PlatformHttp, host: str) -> None:
        self._http = http
        self._uploads = f"{host}/2/media/upload"
        self._metadata = f"{host}/2/media/metadata"

    @property
    def steps(self) -> Mapping[str, Step]:
        """The steps of an upload by their names; each raises RejectedError for an unusable file."""
        return {
            "photo": self._photo,
            "initialize": self._initialize,
            "append": self._append,
            "finalize": self._finalize,
            "processing": self._processing,
            "describe": self._describe,
        }

    def _photo(self, publication: Publication, data: Data) -> Wait:
        """Send a photo; it is ready at once."""
        del data
        media = publication.require_media()
        file = FilePart("media", FileBody(file=media, mime=media.mime), media.filename)
        body = MultipartBody((file, ("media_category", "tweet_image")))
        response = self._http.send(
            Call(
                method="POST",
                url=self._uploads,
                token=publication.account.token,
                body=body,
                deadline=UPLOAD_DEADLINE,
            )
        )
        return after_upload(publication, _media_data(response, publication.now))

    def _initialize(self, publication: Publication, data: Data) -> Wait:
        """Open a place for a video."""
        del data
        media = publication.require_media()
        about: Json = {
            "media_type": media.mime,
            "total_bytes": media.size_bytes,
            "media_category": "tweet_video",
        }
        response = self._post(publication, f"{self._uploads}/initialize", JsonBody(about))
        begun = {"offset": 0, "segment": 0, "segment_bytes": SEGMENT}
        return Wait(Checkpoint("append", {**_media_data(response, publication.now), **begun}))

    def _append(self, publication: Publication, data: Data) -> Wait:
        """Send the next segment; one that X finds too large goes in halves."""
        media, size = publication.require_media(), count(data, "segment_bytes")
        offset, segment = count(data, "offset"), count(data, "segment")
        piece = FileBody(file=media, mime="application/octet-stream", offset=offset, length=size)
        parts = (("segment_index", str(segment)), FilePart("media", piece, media.filename))
        try:
            self._post(publication, self._address(data, "append"), MultipartBody(parts))
        except RejectedError as error:
            is_too_large = error.code is FailureCode.MEDIA_TOO_LARGE
            if not (is_too_large and _can_halve(media, offset, segment, size)):
                raise
            return Wait(Checkpoint("append", {**data, "segment_bytes": size // 2}))
        sent = offset + size
        if sent >= media.size_bytes:
            return Wait(Checkpoint("finalize", data))
        return Wait(Checkpoint("append", {**data, "offset": sent, "segment": segment + 1}))

    def _finalize(self, publication: Publication, data: Data) -> Wait:
        """Say that all segments are there."""
        try:
            response = self._post(publication, self._address(data, "finalize"), None)
        except (RejectedError, UnlistedError):
            # An earlier call whose answer was lost may have done it: the status tells.
            return Wait(Checkpoint("processing", data))
        return self._after_processing(publication, data, response)

    def _processing(self, publication: Publication, data: Data) -> Wait:
        """Ask how far X is with the video. Raises RejectedError when it cannot use it."""
        response = self._http.send(
            Call(
                method="GET",
                url=self._uploads,
                token=publication.account.token,
                params={"command": "STATUS", "media_id": str(data["media_id"])},
            )
        )
        return self._after_processing(publication, data, response)

    def _describe(self, publication: Publication, data: Data) -> Wait:
        """Attach the description for people who do not see the file."""
        told = metadata_of(publication)
        about: Json = {"id": data["media_id"], "metadata": told}
        try:
            self._post(publication, self._metadata, JsonBody(about))
        except RejectedError:
            if "sensitive_media_warning" in told:
                raise  # nobody wants it out without its warning
            return Wait(Checkpoint("publish", {**data, "undescribed": True}))
        return Wait(Checkpoint("publish", data))

    def _after_processing(
        self, publication: Publication, data: Mapping[str, Json], response: PlatformResponse
    ) -> Wait:
        match response.find("data", "processing_info", "state"):
            case None | "succeeded":
                response.text("data", "id")
                return after_upload(publication, data)
            case "failed":
                raise self._http.read_error(response)
            case _:
                asked_s = count(response.find("data", "processing_info"), "check_after_secs")
                delay = timedelta(seconds=min(max(asked_s, _SOONEST_S), _LATEST_S))
                return Wait(Checkpoint("processing", data), delay)

    def _post(
        self, publication: Publication, url: str, body: JsonBody | MultipartBody | None
    ) -> PlatformResponse:
        return self._http.send(
            Call(method="POST", url=url, token=publication.account.token, body=body)
        )

    def _address(self, data: Mapping[str, Json], step: str) -> str:
        return f"{self._uploads}/{data['media_id']}/{step}"


def first_step(media: MediaFile | None) -> Checkpoint:
    """Return where publishing begins."""
    if media is None:
        return Checkpoint("publish")
    return Checkpoint("initialize" if media.kind is MediaKind.VIDEO else "photo")


def is_forgotten(data: Mapping[str, Json], now: datetime) -> bool:
    """Tell whether X no longer has what was uploaded."""
    until = data.get("good_until")
    return isinstance(until, str) and now >= datetime.fromisoformat(until)


def metadata_of(publication: Publication) -> dict[str, Json]:
    """Return what is told of the file: only pictures are described, anything may be warned of."""
    options, told = publication.options, dict[str, Json]()
    if publication.alt:
        told["alt_text"] = {"text": publication.alt}
    if options.get("sensitive"):
        told["sensitive_media_warning"] = {str(options["sensitive"]): True}
    return told


def after_upload(publication: Publication, data: Mapping[str, Json]) -> Wait:
    """Go on with a file that is ready."""
    step = "describe" if metadata_of(publication) else "publish"
    return Wait(Checkpoint(step, _media_ids(data)))


def _media_data(response: PlatformResponse, now: datetime) -> dict[str, Json]:
    life = span(response.find("data", "expires_after_secs")) or _LIFE
    until = now + life - _MARGIN
    return {
        "media_id": response.text("data", "id"),
        "media_key": response.text("data", "media_key"),
        "good_until": until.isoformat(),
    }


def _media_ids(data: Mapping[str, Json]) -> dict[str, Json]:
    return {name: data[name] for name in ("media_id", "media_key", "good_until")}


def _can_halve(media: MediaFile, offset: int, segment: int, size: int) -> bool:
    halves = -(-(media.size_bytes - offset) // (size // 2))
    return size // 2 >= _SMALLEST_SEGMENT and segment + halves <= _MOST_SEGMENTS
