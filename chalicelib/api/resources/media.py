"""Endpoints of a workspace's files (docs/api.md "Media").

`POST /v1/media` here takes what API Gateway passes; `front` streams the same request up to 1 GB.
"""

from collections.abc import Sequence

from chalicelib.api.http.endpoint import Call, NoContent, Raw, endpoint
from chalicelib.api.http.messages import Response
from chalicelib.api.http.upload_form import UploadForm
from chalicelib.api.resources.media_schemas import MediaListOut, MediaOut
from chalicelib.domain.errors import (
    Busy,
    FileMissing,
    FileRemoved,
    FileTooLarge,
    MediaNotFound,
    PlanLimit,
    UnsupportedMedia,
)
from chalicelib.domain.media.media import Media
from chalicelib.domain.workspace.access import Scope

LARGEST_THROUGH_GATEWAY = 10 * 1024 * 1024
_FOUND = 302


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
    summary="The 200 newest files that can still be posted, newest first",
    scope=Scope.READ,
    returns=MediaListOut,
)
def list_media(call: Call) -> Sequence[Media]:
    """List the workspace's files."""
    return call.services.media_library.newest(call.caller)


@endpoint(
    "GET",
    "/v1/media/{media_id}",
    summary="One file",
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
    summary="Remove a file; its record stays while posts use it",
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
    summary="The file itself, by a redirect to a short-lived link",
    scope=Scope.READ,
    returns=Raw,
    status=302,
    raises=(MediaNotFound, FileRemoved),
)
def get_file(call: Call) -> Response:
    """Lead to the file, which lies outside of this origin."""
    url = call.services.media_library.file_url(call.caller, call.path["media_id"])
    return Response(status=_FOUND, headers={"Location": url})
