"""Files in pages, and uploads: with a form, or by a script that sends them to the storage."""

from http import HTTPStatus

from chalicelib.domain.error_kinds import InvalidInput
from chalicelib.domain.ids import is_id
from chalicelib.domain.media.media import FileState, Media
from chalicelib.domain.workspace.access import Scope
from chalicelib.kit.asgi.messages import Response
from chalicelib.kit.json_value import whole_number
from chalicelib.web.messages import json_answer, read_file, redirect
from chalicelib.web.routing import Visit, page

_MOST_DIGITS = 12


@page("GET", "/app/media/{media_id}")
def file(visit: Visit) -> Response:
    """Redirect to the file itself, in the storage or at this service."""
    url = visit.services.media.library.file_url(visit.caller, visit.path["media_id"])
    return redirect(url, status=HTTPStatus.FOUND)


def _stored_response(visit: Visit, media: Media) -> Response:
    """Answer a script with the file's id; redirect a plain form to its post, the file chosen."""
    if "application/json" not in visit.request.headers.get("accept", ""):
        post_id = visit.query["post"]
        return redirect(f"/app/posts/{post_id if is_id(post_id) else 'new'}?media={media.id}")
    found = {"id": media.id, "filename": media.filename, "kind": media.kind}
    return json_answer(found, status=HTTPStatus.CREATED)


@page("POST", "/app/media", scope=Scope.WRITE, pays=True, stored=_stored_response)
def upload(visit: Visit) -> Response:
    """Store a file that arrived in one piece, as through API Gateway (at most about 4.5 MB)."""
    name, data = read_file(visit.request)
    return _stored_response(visit, visit.services.media.library.upload(visit.caller, name, data))


@page("POST", "/app/media/uploads", scope=Scope.WRITE, pays=True)
def begin_upload(visit: Visit) -> Response:
    """Answer a script with the address to which it can upload a file. Raises InvalidInput."""
    size = whole_number(visit.form["size_bytes"], _MOST_DIGITS)
    if not size:
        raise InvalidInput("Choose a file that is not empty.", loc=("body", "size_bytes"))
    begun = visit.services.media.direct_uploads.begin(
        visit.caller, filename=visit.form["filename"], size_bytes=size
    )
    return json_answer({"media_id": begun.id, "url": begun.url}, status=HTTPStatus.CREATED)


@page("GET", "/app/media/uploads/{media_id}", scope=Scope.WRITE)
def upload_state(visit: Visit) -> Response:
    """Answer with the state of such an upload, and why it was refused if it was."""
    upload = visit.services.media.direct_uploads.state(visit.caller, visit.path["media_id"])
    refused = upload.message if upload.state is FileState.REFUSED else None
    return json_answer(
        {"id": upload.id, "filename": upload.filename, "state": upload.state, "message": refused}
    )
