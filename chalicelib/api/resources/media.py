"""Endpoints of a workspace's files, and the bodies and answers of all of `/v1/media` (docs/api.md).

`POST /v1/media` here takes what API Gateway passes; `front` streams the same request up to 1 GB and
writes the same JSON, `media_uploads` has the uploads that do not pass through us. Answers are plain
dicts, the models say how they look.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Literal
from urllib.parse import urlsplit, urlunsplit

from pydantic import Field

from chalicelib.api.http.endpoint import AnyCall, Call, NoContent, Raw, endpoint
from chalicelib.api.http.fields import WHOLE, In, Line, Out
from chalicelib.api.http.messages import JsonObject, Response
from chalicelib.api.http.upload_form import UploadForm
from chalicelib.domain.errors import (
    Busy,
    FileMissing,
    FileRemoved,
    FileTooLarge,
    MediaNotFound,
    PlanLimit,
    UnsupportedMedia,
)
from chalicelib.domain.media.media import Media, UnfinishedUpload, too_long_for
from chalicelib.domain.platforms.platform import MediaKind, Platform
from chalicelib.domain.workspace.access import Scope
from chalicelib.services.media.direct_uploads import DirectUpload

MOST_FILENAME = 1_024
MOST_URL = 2_048


class MediaOut(Out):
    """An uploaded file."""

    id: str
    kind: MediaKind
    filename: str
    size_bytes: int
    duration_s: float | None = Field(description="Seconds of video; null for photos.")
    width: int = Field(description="As displayed, in pixels.")
    height: int = Field(description="As displayed, in pixels.")
    too_long_for: dict[Platform, int] = Field(
        description="Most seconds of each platform that the video is too long for."
    )
    url: str | None = Field(description="Relative path; null once the file is removed.")
    file_removed: bool
    created_at: datetime

    @staticmethod
    def of(result: Media, _call: AnyCall) -> JsonObject:
        """Write a file."""
        return media_json(result)


class MediaListOut(Out):
    """The newest files that can still be posted, newest first."""

    data: list[MediaOut]

    @staticmethod
    def of(result: Sequence[Media], _call: AnyCall) -> JsonObject:
        """Write a list of files."""
        return {"data": [media_json(media) for media in result]}


class DirectUploadIn(In):
    """A file that the client will send to the storage by itself."""

    filename: Annotated[Line, Field(max_length=MOST_FILENAME)]
    size_bytes: Annotated[int, Field(ge=1), WHOLE]


class DirectUploadOut(Out):
    """Where and how to send the file."""

    media_id: str
    method: Literal["PUT"]
    url: str
    headers: dict[str, str]
    expires_at: datetime

    @staticmethod
    def of(result: DirectUpload, call: AnyCall) -> JsonObject:
        """Write where the file goes."""
        return {
            "media_id": result.media_id,
            "method": "PUT",
            "url": call.absolute(result.url),
            "headers": {"Content-Length": str(result.size_bytes)},
            "expires_at": result.expires_at.isoformat(),
        }


class FromUrlIn(In):
    """An address whose file we fetch."""

    url: Annotated[
        str,
        Field(
            max_length=MOST_URL,
            description="Public and https.",
            examples=["https://example.com/bread.jpg"],
        ),
    ]


class FetchedUploadOut(Out):
    """An upload that we fetch; `/v1/media/uploads/{media_id}` tells how it stands."""

    media_id: str
    state: Literal["waiting"]

    @staticmethod
    def of(result: UnfinishedUpload, _call: AnyCall) -> JsonObject:
        """Write an upload that has begun."""
        return {"media_id": result.id, "state": result.state}


class UploadStateOut(Out):
    """How a direct upload stands; `code` and `message` say why it was refused."""

    state: Literal["waiting", "ready", "refused"]
    code: str | None
    message: str | None

    @staticmethod
    def of(result: UnfinishedUpload, _call: AnyCall) -> JsonObject:
        """Write how an upload stands."""
        return {"state": result.state, "code": result.code, "message": result.message}


def media_json(media: Media) -> JsonObject:
    """Return a file as docs/api.md writes it."""
    return {
        "id": media.id,
        "kind": media.kind,
        "filename": media.filename,
        "size_bytes": media.size_bytes,
        "duration_s": media.duration_s,
        "width": media.width,
        "height": media.height,
        "too_long_for": {name.value: most for name, most in too_long_for(media).items()},
        "url": media.url,
        "file_removed": media.file_removed,
        "created_at": media.created_at.isoformat(),
    }


LARGEST_THROUGH_GATEWAY = 10 * 1024 * 1024
_FOUND = 302
_OTHER_NAMES = {"127.0.0.1": "localhost", "localhost": "127.0.0.1"}


@endpoint(
    "POST",
    "/v1/media",
    summary="Upload a video or photo of up to 1 GB in the form field `file`",
    scope=Scope.WRITE,
    returns=MediaOut,
    status=201,
    raises=(UnsupportedMedia, FileTooLarge, FileMissing, PlanLimit, Busy),
    takes_file=True,
    max_body_bytes=LARGEST_THROUGH_GATEWAY,
)
def upload_media(call: Call) -> Media:
    """Take a file that arrived whole."""
    form = UploadForm(call.headers.get("content-type"))
    data = b"".join(form.feed(call.raw))
    form.close()
    return call.services.media_library.upload(call.caller, form.filename, data)


@endpoint(
    "GET",
    "/v1/media",
    summary="List the 200 newest files that can still be posted, newest first",
    scope=Scope.READ,
    returns=MediaListOut,
)
def list_media(call: Call) -> Sequence[Media]:
    """List the workspace's files."""
    return call.services.media_library.newest(call.caller)


@endpoint(
    "GET",
    "/v1/media/{media_id}",
    summary="Get a file's record",
    scope=Scope.READ,
    returns=MediaOut,
    raises=(MediaNotFound,),
)
def get_media(call: Call) -> Media:
    """Return one file, also after it was removed."""
    return call.services.media_library.get(call.caller, call.path["media_id"])


@endpoint(
    "DELETE",
    "/v1/media/{media_id}",
    summary="Delete a file; its record remains while posts use it",
    scope=Scope.WRITE,
    returns=NoContent,
    status=204,
    raises=(MediaNotFound,),
)
def remove_media(call: Call) -> None:
    """Remove a file."""
    call.services.media_library.remove(call.caller, call.path["media_id"])


@endpoint(
    "GET",
    "/v1/media/{media_id}/file",
    summary="Download a file through a redirect to a short-lived link",
    scope=Scope.READ,
    returns=Raw,
    status=302,
    raises=(MediaNotFound, FileRemoved),
)
def get_file(call: Call) -> Response:
    """Lead to the file, at the storage or our own door."""
    url = call.services.media_library.file_url(call.caller, call.path["media_id"])
    is_ours = url.startswith("/")
    location = _on_another_origin(call.absolute(url)) if is_ours else url
    return Response(status=_FOUND, headers={"Location": location})


def _on_another_origin(address: str) -> str:
    """Return an address of this machine by its other name: a browser keeps a stranger's file apart.

    By the name of a network there is one alone; the door's answers forbid a file to run anything.
    """
    parts = urlsplit(address)
    other = _OTHER_NAMES.get(parts.hostname or "")
    if other is None:
        return address
    port = "" if parts.port is None else f":{parts.port}"
    return urlunsplit(parts._replace(netloc=f"{other}{port}"))


ENDPOINTS = (upload_media, list_media, get_media, remove_media, get_file)
