"""A file that comes by a page's form, for a session in the place of a key.

The form token stands in the address, since the body is a file. `door` hands it to the front, and
has one that arrived whole, through API Gateway, taken itself.
"""

import json
import secrets
from typing import Final

from chalicelib.api.http.messages import Request, Response
from chalicelib.domain.error_kinds import ServiceError, Unauthenticated
from chalicelib.domain.errors import RoleForbids
from chalicelib.domain.ids import is_id
from chalicelib.domain.media.media import Media
from chalicelib.domain.workspace.access import Caller, Scope
from chalicelib.web.messages import read_cookie, redirect
from chalicelib.web.protection import FORM_TOKEN, check_form, origin_of
from chalicelib.web.site import SESSION_COOKIE, Site, require_plan

_CREATED: Final = 201
_ERROR: Final = 500


class NotSignedIn(Unauthenticated):
    """You are not signed in any more. Ask for a new sign-in link."""

    code = "not_signed_in"


class PageUpload:
    """`POST /app/media`."""

    def __init__(self, site: Site, request: Request) -> None:
        self._site = site
        self._request = request
        self._visit = site.visit(request, None)

    def admit(self) -> Caller:
        """Return who is signed in. Raises ServiceError."""
        visit, request = self._visit, self._request
        session = read_cookie(request, SESSION_COOKIE)
        visit.signed_in = visit.services.sessions.read(session)
        if visit.signed_in is None:
            raise NotSignedIn
        token, origin = visit.who.form_token, origin_of(visit.base_url)
        check_form(request, visit.query[FORM_TOKEN], token, origin=origin)
        if not visit.may(Scope.WRITE):
            raise RoleForbids
        require_plan(visit)
        return visit.caller

    def stored(self, media: Media) -> Response:
        """Answer a script the file's id, a plain form the page of the post with the file chosen."""
        if "application/json" not in self._request.headers.get("accept", ""):
            post_id = self._visit.query["post"]
            page = f"/app/posts/{post_id if is_id(post_id) else 'new'}?media={media.id}"
            return self._site.safe(self._request, redirect(page))
        found = {"id": media.id, "filename": media.filename, "kind": media.kind}
        headers = {"Content-Type": "application/json"}
        body = json.dumps(found).encode()
        answer = Response(status=_CREATED, headers=headers, body=body)
        return self._site.safe(self._request, answer)

    def refused(self, error: ServiceError | None) -> Response:
        """Answer why the file was not taken; None stands for a failure of ours."""
        if error is None:
            request_id = secrets.token_hex(16)
            answer = self._visit.show("failure.html", status=_ERROR, request_id=request_id)
        else:
            answer = self._site.refusal(self._visit, error)
        return self._site.safe(self._request, answer)
