"""Endpoints of direct uploads: the client sends its file to the storage by itself.

For clients behind API Gateway's 10 MB. The file can be posted once its state is `ready`.
"""

from chalicelib.api.http.endpoint import Call, endpoint
from chalicelib.api.resources.media_schemas import DirectUploadIn, DirectUploadOut, UploadStateOut
from chalicelib.domain.errors import FileTooLarge, MediaNotFound
from chalicelib.domain.media.media import UnfinishedUpload
from chalicelib.domain.workspace.access import Scope
from chalicelib.services.media.direct_uploads import DirectUpload


@endpoint(
    "POST",
    "/v1/media/uploads",
    summary="Begin an upload that goes straight to the storage, with one PUT",
    scope=Scope.WRITE,
    body=DirectUploadIn,
    returns=DirectUploadOut,
    status=201,
    raises=(FileTooLarge,),
)
def begin_upload(call: Call[DirectUploadIn]) -> DirectUpload:
    """Return where the file goes."""
    return call.services.direct_uploads.begin(
        call.caller, filename=call.body.filename, size_bytes=call.body.size_bytes
    )


@endpoint(
    "GET",
    "/v1/media/uploads/{media_id}",
    summary="How a direct upload stands: waiting, ready or refused",
    scope=Scope.READ,
    returns=UploadStateOut,
    raises=(MediaNotFound,),
)
def upload_state(call: Call) -> UnfinishedUpload:
    """Return how an upload stands."""
    return call.services.direct_uploads.state(call.caller, call.path["media_id"])
