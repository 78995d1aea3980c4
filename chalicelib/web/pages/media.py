"""Files as pages show them, and uploads: by a form, or by scripts straight to the storage."""

from chalicelib.domain.error_kinds import InvalidInput
from chalicelib.domain.ids import is_id
from chalicelib.domain.media.media import FileState, Media
from chalicelib.domain.workspace.access import Scope
from chalicelib.http.upload_form import UploadForm
from chalicelib.kit.asgi.messages import Response
from chalicelib.kit.json_value import whole_number
from chalicelib.web.messages import json_answer, redirect
from chalicelib.web.routing import Visit, page

_FOUND = 302
_CREATED = 201
_MOST_DIGITS = 12


@page("GET", "/app/media/{media_id}")
def file(visit: Visit) -> Response:
    """Lead to the file itself, at the storage or our own door."""
    url = visit.services.media.library.file_url(visit.caller, visit.path["media_id"])
    return Response(status=_FOUND, headers={"Location": url})


def _stored_response(visit: Visit, media: Media) -> Response:
    """Answer a script the file's id, a plain form the page of the post with the file chosen."""
    if "application/json" not in visit.request.headers.get("accept", ""):
        post_id = visit.query["post"]
        return redirect(f"/app/posts/{post_id if is_id(post_id) else 'new'}?media={media.id}")
    found = {"id": media.id, "filename": media.filename, "kind": media.kind}
    return json_answer(found, status=_CREATED)


@page("POST", "/app/media", scope=Scope.WRITE, pays=True, stored=_stored_response)
def upload(visit: Visit) -> Response:
    """Take a file that arrived whole: through API Gateway, as far as it passes any."""
    content_type = visit.request.headers.get("content-type")
    form = UploadForm(content_type)
    data = form.read(visit.request.body)
    return _stored_response(
        visit, visit.services.media.library.upload(visit.caller, form.filename, data)
    )


@page("POST", "/app/media/uploads", scope=Scope.WRITE, pays=True)
def begin_upload(visit: Visit) -> Response:
    """Answer a script where a file goes that does not pass through us."""
    size = whole_number(visit.form["size_bytes"], _MOST_DIGITS)
    if not size:
        raise InvalidInput("Choose a file that is not empty.", loc=("body", "size_bytes"))
    begun = visit.services.media.direct_uploads.begin(
        visit.caller, filename=visit.form["filename"], size_bytes=size
    )
    return json_answer({"media_id": begun.id, "url": begun.url}, status=_CREATED)


@page("GET", "/app/media/uploads/{media_id}", scope=Scope.WRITE)
def upload_state(visit: Visit) -> Response:
    """Answer how such an upload stands: waiting, ready or refused, and why."""
    upload = visit.services.media.direct_uploads.state(visit.caller, visit.path["media_id"])
    refused = upload.message if upload.state is FileState.REFUSED else None
    return json_answer(
        {"id": upload.id, "filename": upload.filename, "state": upload.state, "message": refused}
    )
