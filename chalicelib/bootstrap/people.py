"""Wires what changes workspaces, members, keys and accounts: for the app, operators, the demo."""

from collections.abc import Callable

from chalicelib.domain.clock import Clock
from chalicelib.domain.workspace.accounts import Account
from chalicelib.services.operator.administration import Administration
from chalicelib.services.operator.connections import Connections
from chalicelib.storage.engine.armed_targets import ArmedTargets
from chalicelib.storage.workspace.accounts import AccountRepository
from chalicelib.storage.workspace.api_keys import ApiKeyRepository
from chalicelib.storage.workspace.changes import WorkspaceTable
from chalicelib.storage.workspace.members import MemberRepository
from chalicelib.storage.workspace.owner_index import OwnerIndex
from chalicelib.storage.workspace.token_store import SealedTokenStore
from chalicelib.storage.workspace.workspaces import WorkspaceRepository


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
