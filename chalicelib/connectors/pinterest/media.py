"""Pinterest's videos: developers.pinterest.com/docs/api/v5/media-create.

An upload is registered, goes to S3 and is processed; nobody sees it until a pin names it. The form
that S3 wants is signed and soon ends, so it is filled in the step that gets it: no checkpoint holds
it, and when the step is made again there is simply another upload.
"""

from collections.abc import Mapping

from chalicelib.connectors.connector import Data, MediaFile, Publication, ask_again
from chalicelib.connectors.pinterest.api import PinterestApi
from chalicelib.connectors.pinterest.refusals import PinterestRefusal
from chalicelib.connectors.shared.calls.http import UPLOAD_DEADLINE, Call
from chalicelib.domain.outcome import Checkpoint, Wait
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.bodies import (
    FileBody,
    FilePart,
    JsonBody,
    MultipartBody,
)
from chalicelib.kit.transport.failures import UnansweredError
from chalicelib.kit.transport.responses import PlatformResponse, count

_PACE = (2, 4, 8, 16, 20)
_ARRIVED_WITHIN_POLLS = 10
"""About two minutes: what is still only `registered` then never reached Pinterest."""

_NOT_FOUND = 404


class PinterestVideos:
    """Makes the steps between a video and a media id that a pin can name."""

    def __init__(self, api: PinterestApi) -> None:
        self._api = api

    def upload(self, publication: Publication, data: Data) -> Wait:
        """Register an upload and fill its form."""
        media = publication.require_media()
        token = publication.account.token
        opened = self._api.post("media", token, JsonBody({"media_type": "video"}))
        media_id = opened.text("media_id")
        # No token: S3 refuses a call that is signed in two ways.
        self._api.http.send(
            Call(
                method="POST",
                url=opened.text("upload_url"),
                body=_form(opened, media),
                deadline=UPLOAD_DEADLINE,
            )
        )
        return ask_again("processing", {**data, "media_id": media_id}, _PACE)

    def processing(self, publication: Publication, data: Data) -> Wait:
        """Ask how far Pinterest is. Raises RejectedError when it cannot use the video."""
        media_id = data["media_id"]
        response = self._api.get(
            f"media/{media_id}", publication.account.token, takes=frozenset({200, _NOT_FOUND})
        )
        if response.status == _NOT_FOUND:
            return _anew(data)
        match response.find("status"):
            case "succeeded":
                return Wait(Checkpoint("pin", {"media_id": media_id}))
            case "failed":
                raise self._api.http.read_error(response)
            case "registered" if count(data, "polls") >= _ARRIVED_WITHIN_POLLS:
                return _anew(data)
            case _:
                response.text("media_id")
                return ask_again("processing", data, _PACE)


def _form(opened: PlatformResponse, media: MediaFile) -> MultipartBody:
    """Return the form that S3 wants: whatever fields Pinterest names, and the file last."""
    named = opened.find("upload_parameters")
    if not isinstance(named, dict) or not named:
        raise UnansweredError("The upload's answer lacks its form.")
    fields = tuple((name, str(value)) for name, value in named.items() if value is not None)
    file = FilePart("file", FileBody(file=media, mime=media.mime), media.filename)
    return MultipartBody((*fields, file))


def _anew(data: Mapping[str, Json]) -> Wait:
    """Upload once more. Raises RejectedError when that was done already."""
    if "again" in data:
        raise PinterestRefusal.LOST.error()
    return Wait(Checkpoint("upload", {"again": True}))
