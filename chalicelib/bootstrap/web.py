"""Wires the app: its pages, what lets people in, and what changes workspaces, members and accounts.

`door` asks for the pages when the first request for one comes; the operator's commands and the demo
change people by the same services.
"""

from collections.abc import Callable

from chalicelib.api.http.errors import status_of
from chalicelib.bootstrap.deployment import Deployment
from chalicelib.domain.clock import Clock
from chalicelib.domain.workspace.accounts import Account
from chalicelib.services.app.connecting import Connecting
from chalicelib.services.app.reviews import Reviews
from chalicelib.services.app.sessions import Sessions
from chalicelib.services.app.team import Team
from chalicelib.services.operator.administration import Administration
from chalicelib.services.operator.connections import Connections
from chalicelib.services.operator.sign_ins import SignIns, Ways
from chalicelib.services.posts.approvals import Approvals
from chalicelib.storage.engine.armed_targets import ArmedTargets
from chalicelib.storage.workspace.accounts import AccountRepository
from chalicelib.storage.workspace.api_keys import ApiKeyRepository
from chalicelib.storage.workspace.changes import WorkspaceTable
from chalicelib.storage.workspace.flows import ApplicationRepository, FlowRepository
from chalicelib.storage.workspace.members import MemberRepository
from chalicelib.storage.workspace.owner_index import OwnerIndex
from chalicelib.storage.workspace.sessions import LinkRepository, SessionRepository
from chalicelib.storage.workspace.token_store import SealedTokenStore
from chalicelib.storage.workspace.workspaces import WorkspaceRepository
from chalicelib.web.routes import ROUTES
from chalicelib.web.routing import AppServices
from chalicelib.web.site import Site


def make_administration(table: WorkspaceTable, clock: Clock) -> Administration:
    """Return what changes workspaces, members and keys."""
    return Administration(
        workspaces=WorkspaceRepository(table),
        members=MemberRepository(table),
        keys=ApiKeyRepository(table),
        index=OwnerIndex(table),
        clock=clock,
    )


def make_connections(
    table: WorkspaceTable,
    clock: Clock,
    tokens: SealedTokenStore,
    broke: Callable[[Account], object] | None = None,
) -> Connections:
    """Return what connects and disconnects accounts; `broke` is told of one that was broken."""
    return Connections(
        workspaces=WorkspaceRepository(table),
        accounts=AccountRepository(table),
        tokens=tokens,
        index=OwnerIndex(table),
        armed=ArmedTargets(table.client, table.tables),
        clock=clock,
        broke=broke,
    )


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
