"""Wires the app, and puts it beside the API behind one door.

`app.py` mounts the door. The app answers `/`, `/app…`, `/connect…` and `/review…`; everything else
is the API's.
"""

from dataclasses import dataclass
from typing import ClassVar

from chalicelib.api.http.errors import status_of
from chalicelib.api.http.messages import Request, Response
from chalicelib.api.http.pipeline import Pipeline
from chalicelib.api.http.upload_form import UploadForm
from chalicelib.bootstrap.deployment import Deployment
from chalicelib.bootstrap.people import make_administration, make_connections
from chalicelib.domain.error_kinds import ServiceError
from chalicelib.domain.media.media import Media
from chalicelib.domain.workspace.access import Caller
from chalicelib.services.app.app_services import AppServices
from chalicelib.services.app.connecting import Connecting
from chalicelib.services.app.reviews import Reviews
from chalicelib.services.app.sessions import Sessions
from chalicelib.services.app.team import Team
from chalicelib.services.app.ways import Ways
from chalicelib.services.media.library import MediaLibrary
from chalicelib.services.operator.sign_ins import SignIns
from chalicelib.services.posts.approvals import Approvals
from chalicelib.storage.workspace.flows import ApplicationRepository, FlowRepository
from chalicelib.storage.workspace.members import MemberRepository
from chalicelib.storage.workspace.owner_index import OwnerIndex
from chalicelib.storage.workspace.sessions import LinkRepository, SessionRepository
from chalicelib.storage.workspace.workspaces import WorkspaceRepository
from chalicelib.web.messages import Answer
from chalicelib.web.routes import ROUTES
from chalicelib.web.site import Site, is_page


def app_services(deployment: Deployment) -> AppServices:
    """Return everything a page can call."""
    table, clock, sessions = deployment.directory_table, deployment.clock, make_sessions(deployment)
    return AppServices(
        api=deployment.services,
        sessions=sessions,
        team=Team(administration=make_administration(table, clock), sessions=sessions),
        connections=make_connections(table, clock, deployment.token_store),
        reviews=make_reviews(deployment),
        connecting=make_connecting(deployment),
        clock=clock,
    )


def make_connecting(deployment: Deployment) -> Connecting:
    """Return what connects accounts in a browser."""
    table, clock = deployment.directory_table, deployment.clock
    encryption = deployment.token_store.vault
    return Connecting(
        ways=Ways(
            sign_ins=SignIns(deployment.connectors, clock),
            applications=ApplicationRepository(table, encryption),
        ),
        flows=FlowRepository(table, encryption),
        links=LinkRepository(table),
        members=MemberRepository(table),
        connections=make_connections(table, clock, deployment.token_store),
        redirect_uri=f"{deployment.settings.outer_url}/connect/callback",
        clock=clock,
    )


def make_reviews(deployment: Deployment) -> Reviews:
    """Return what lets people approve and reject."""
    table, clock = deployment.directory_table, deployment.clock
    workspaces = WorkspaceRepository(table)
    return Reviews(
        reader=deployment.services.posts_reader,
        posts=deployment.posts,
        library=deployment.media_library,
        approvals=Approvals(workspaces=workspaces, updates=deployment.updates, clock=clock),
        workspaces=workspaces,
        links=LinkRepository(table),
        clock=clock,
    )


def make_sessions(deployment: Deployment) -> Sessions:
    """Return what signs members in and out."""
    table = deployment.directory_table
    return Sessions(
        sessions=SessionRepository(table),
        links=LinkRepository(table),
        members=MemberRepository(table),
        accounts=deployment.accounts,
        index=OwnerIndex(table),
        clock=deployment.clock,
    )


def make_site(deployment: Deployment) -> Site:
    """Return the app's pages."""
    services = app_services(deployment)
    settings = deployment.settings
    return Site(
        services,
        ROUTES,
        base_url=settings.base_url,
        public_url=settings.public_url,
        status_of=status_of,
    )


@dataclass(frozen=True, slots=True)
class Door:
    """Hands each request to the app or to the API."""

    pipeline: Pipeline
    site: Site

    library: MediaLibrary
    upload_path: ClassVar[str] = "/app/media"

    def answer(self, request: Request) -> Response:
        """Answer a request, whatever it is."""
        if not is_page(request.path):
            return self.pipeline.answer(request)
        if (request.method, request.path) == ("POST", self.upload_path):
            return self._upload(request)
        return _plain(self.site.answer(request))

    def admit_upload(self, request: Request) -> Caller:
        """Return who uploads a file by a page's form. Raises ServiceError."""
        return self.site.admit_upload(request)

    def uploaded(self, request: Request, media: Media) -> Response:
        """Answer an upload by a page's form."""
        return _plain(self.site.uploaded(request, media))

    def refused(self, request: Request, error: ServiceError) -> Response:
        """Answer an upload by a page's form that was refused."""
        return _plain(self.site.refused(request, error))

    def _upload(self, request: Request) -> Response:
        """Take a file that arrived whole: through API Gateway, as far as it passes any."""
        try:
            caller = self.admit_upload(request)
            form = UploadForm(request.headers.get("content-type"))
            data = b"".join(form.feed(request.body))
            form.close()
            media = self.library.upload(caller, form.filename, data)
            return self.uploaded(request, media)
        except ServiceError as error:
            return self.refused(request, error)


def _plain(answer: Answer) -> Response:
    return Response(status=answer.status, headers=answer.headers, body=answer.body)
