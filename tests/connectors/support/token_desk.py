"""A keeper of tokens over real tables, with one account signed in.

desk = a_desk(drawers_of(emulator))
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import ClassVar

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.connectors.connector import ConnectedAccount, Connector
from chalicelib.connectors.shared.calls.failures import (
    TokenRejectedError,
)
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.accounts import Account, Health
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.services.workspace.token_keeper import TokenKeeper
from chalicelib.storage.workspace.token_store import SealedTokenStore
from tests.support.emulator import EmulatorProcess, make_resources
from tests.support.frozen_clock import NOON, FrozenClock
from tests.support.people import PeopleStore, a_store, a_workspace, an_account


@dataclass(slots=True)
class Renewing:
    """A platform that does nothing but give out tokens, each refresh token once."""

    platform: ClassVar[Platform] = Platform.X
    good: str = "refresh-1"
    error: Exception | None = None
    asked: list[str] = field(default_factory=list)
    ends_at: datetime | None = None
    meanwhile: Callable[[], object] = lambda: None

    def refresh(self, account: ConnectedAccount, tokens: Tokens, now: datetime) -> Tokens:
        self.asked.append(str(tokens.refresh))
        self.meanwhile()
        if self.error is not None:
            raise self.error
        if tokens.refresh != self.good or account.token != tokens.access:
            raise TokenRejectedError("spent")
        number = len(self.asked) + 1
        self.good = f"refresh-{number}"
        ends = now + timedelta(hours=2)
        return Tokens(
            access=f"access-{number}",
            refresh=self.good,
            expires_at=ends,
            ends_at=self.ends_at,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """The keeper over real tables, and one account."""

    keeper: TokenKeeper
    tokens: SealedTokenStore
    store: PeopleStore
    account: Account
    platform: Renewing
    waits: list[float] = field(default_factory=list)

    @property
    def clock(self) -> FrozenClock:
        return self.store.clock

    @property
    def connector(self) -> Connector:
        return self.platform  # type: ignore[return-value]  # it publishes nothing

    def signed(self) -> str | None:
        return self.keeper.sign_in(self.account, self.connector).token

    def health(self) -> Health:
        found = self.store.accounts.get(self.account.workspace_id, self.account.id)
        assert found is not None
        return found.health

    def kept(self) -> Tokens:
        found = self.tokens.read(self.account)
        assert found is not None
        return found.tokens


Drawers = tuple[PeopleStore, SealedTokenStore]


def drawers_of(emulator: EmulatorProcess) -> Drawers:
    """Return real tables and a real key."""
    settings = make_resources(emulator.endpoint)
    store = a_store(settings)
    return store, Deployment(settings, clock=store.clock).stores.token_store


def a_desk(drawers: Drawers) -> Desk:
    """Sign one account in, for two hours from noon."""
    store, tokens = drawers
    store.clock.now = NOON
    workspace, _ = a_workspace(store)
    account = replace(an_account(store, workspace, remote_identity="42"), token_version=1)
    made = Tokens(access="access-1", refresh="refresh-1", expires_at=NOON + timedelta(hours=2))
    store.accounts.add(account, tokens.seal(account.id, made))
    waits: list[float] = []
    keeper = TokenKeeper(store=tokens, clock=store.clock, wait=waits.append)
    return Desk(
        keeper=keeper, tokens=tokens, store=store, account=account, platform=Renewing(), waits=waits
    )
