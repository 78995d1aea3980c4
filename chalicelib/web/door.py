"""Puts the app beside the API behind one door: `app.py` mounts it.

The app answers `/`, `/app…`, `/connect…` and `/review…`; everything else is the API's. The pages
are imported when the first request for one comes: most of a stage's requests ask for none.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from chalicelib.api.http.messages import Request, Response
from chalicelib.domain.error_kinds import ServiceError
from chalicelib.domain.errors import Unwritable
from chalicelib.storage.dynamodb.failures import STORE_SILENT
from chalicelib.web.messages import is_page

if TYPE_CHECKING:
    from chalicelib.api.http.pipeline import Pipeline
    from chalicelib.bootstrap.deployment import Deployment
    from chalicelib.web.site import Site
    from chalicelib.web.uploads import PageUpload

_UPLOAD_PATH = "/app/media"


class Door:
    """Hands each request to the app or to the API."""

    def __init__(
        self, pipeline: Pipeline, deployment: Deployment, site: Site | None = None
    ) -> None:
        """Make the door of a deployment; `site` is in place of its own pages."""
        self._pipeline = pipeline
        self._deployment = deployment
        self._other_site = site

    @cached_property
    def _site(self) -> Site:
        if self._other_site is not None:
            return self._other_site
        from chalicelib.api.http.errors import status_of  # noqa: PLC0415 - most requests ask
        from chalicelib.web.routes import ROUTES  # noqa: PLC0415 - for none
        from chalicelib.web.site import Site  # noqa: PLC0415 - of them

        return Site(
            self._deployment,
            ROUTES,
            base_url=self._deployment.settings.base_url,
            public_url=self._deployment.settings.public_url,
            status_of=status_of,
        )

    def answer(self, request: Request) -> Response:
        """Answer a request, whatever it is."""
        if not is_page(request.path):
            return self._pipeline.answer(request)
        upload = self.page_upload(request)
        return self._site.answer(request) if upload is None else self._take_whole(upload, request)

    def is_for_anybody(self, request: Request) -> bool:
        """Tell whether the answer needs neither key nor session."""
        if not is_page(request.path):
            return self._pipeline.is_for_anybody(request)
        return self._site.is_for_anybody(request)

    def admit_unread(self, request: Request) -> str | Response:
        """Return whose request it is, or the refusal of one that needs no body to be refused."""
        if not is_page(request.path):
            return self._pipeline.admit_unread(request)
        return self._site.admit_unread(request)

    def page_upload(self, request: Request) -> PageUpload | None:
        """Return the upload that a page's form begins; None for every other request."""
        if (request.method, request.path) != ("POST", _UPLOAD_PATH):
            return None
        from chalicelib.web.uploads import PageUpload  # noqa: PLC0415 - as `_site`

        return PageUpload(self._site, request)

    def _take_whole(self, upload: PageUpload, request: Request) -> Response:
        """Take a file that arrived whole: through API Gateway, as far as it passes any."""
        from chalicelib.api.http.upload_form import read_upload  # noqa: PLC0415 - as `_site`

        try:
            caller = upload.admit()
            filename, data = read_upload(request.headers.get("content-type"), request.body)
            media = self._deployment.media_library.upload(caller, filename, data)
            return upload.stored(media)
        except ServiceError as error:
            return upload.refused(error)
        except STORE_SILENT:
            return upload.refused(Unwritable())
