"""Endpoints of uploads that are no form: sent by themselves to an address, or fetched by us.

Direct uploads are for clients behind API Gateway's 10 MB and go to the storage, on one machine to
the front; `from-url` is for those that have a link and no file. Either can be posted once its state
is `ready`.
"""

from chalicelib.api.http.endpoint import Call, Reply, endpoint
from chalicelib.api.http.making_once import make_once
from chalicelib.api.resources.media import (
    DirectUploadIn,
    DirectUploadOut,
    FetchedUploadOut,
    FromUrlIn,
    UploadStateOut,
)
from chalicelib.domain.errors import AddressRefused, FileTooLarge, MediaNotFound, PlanLimit
from chalicelib.domain.media.media import UnfinishedUpload
from chalicelib.domain.workspace.access import Scope
from chalicelib.services.media.direct_uploads import DirectUpload


@endpoint(
    summary="Start a direct upload: one PUT to the address returned",
    scope=Scope.WRITE,
    body=DirectUploadIn,
    example={"filename": "spring.mp4", "size_bytes": 734003},
    returns=DirectUploadOut,
    status=201,
    shown_at="/v1/media/uploads/{media_id}",
    takes_idempotency_key=True,
    raises=(FileTooLarge, PlanLimit),
)
def begin_upload(call: Call[DirectUploadIn]) -> Reply[DirectUpload]:
    """Return where the file goes."""
    uploads, body = call.services.media.direct_uploads, call.body
    return make_once(
        call,
        lambda mark: uploads.begin(
            call.caller, filename=body.filename, size_bytes=body.size_bytes, mark=mark
        ),
        verb="begin-upload",
        find=lambda media_id: uploads.find_begun(call.caller, media_id),
        made_of=f"{body.size_bytes}/{body.filename}",
    )


@endpoint(
    summary="Fetch a file from a public https address",
    scope=Scope.WRITE,
    body=FromUrlIn,
    example={"url": "https://media.example.com/spring.mp4"},
    returns=FetchedUploadOut,
    status=202,
    takes_idempotency_key=True,
    raises=(AddressRefused,),
)
def upload_from_url(call: Call[FromUrlIn]) -> Reply[UnfinishedUpload]:
    """Begin to fetch a file."""
    uploads = call.services.media.fetched_uploads
    return make_once(
        call,
        lambda mark: uploads.begin(call.caller, call.body.url, mark),
        verb="from-url",
        find=lambda media_id: uploads.find_begun(call.caller, media_id),
        made_of=call.body.url,
    )


@endpoint(
    summary="Get the state of an upload: waiting, ready or refused",
    scope=Scope.READ,
    returns=UploadStateOut,
    raises=(MediaNotFound,),
)
def upload_state(call: Call) -> UnfinishedUpload:
    """Return how an upload stands."""
    return call.services.media.direct_uploads.state(call.caller, call.path["media_id"])
