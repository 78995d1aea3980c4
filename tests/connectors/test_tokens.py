"""Who gets which token when: refreshed ahead, by one at a time, stored before use; and health."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import ClassVar

import boto3
import pytest

from chalicelib.bootstrap.connectors import make_token_store
from chalicelib.connectors.connector import ConnectedAccount, Connector
from chalicelib.connectors.replies import (
    NotSentError,
    RateLimitedError,
    RejectedError,
    TokenRejectedError,
    UnansweredError,
)
from chalicelib.connectors.tokens import TokenKeeper
from chalicelib.domain.accounts import Account, Health
from chalicelib.domain.outcome import FailureCode
from chalicelib.domain.platforms import Platform
from chalicelib.domain.tokens import Tokens
from chalicelib.storage.token_store import SealedTokenStore
from tests.emulator import EmulatorProcess, make_resources
from tests.frozen_clock import NOON, FrozenClock
from tests.people import PeopleStore, a_store, a_workspace, an_account


@dataclass(slots=True)
class Renewing:
    """A platform that does nothing but give out tokens, each refresh token once."""

    platform: ClassVar[Platform] = Platform.X
    good: str = "refresh-1"
    error: Exception | None = None
    asked: list[str] = field(default_factory=list)
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
        return Tokens(access=f"access-{number}", refresh=self.good, expires_at=ends)


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
    def connector(self) -> Connector:
        return self.platform  # type: ignore[return-value]  # it publishes nothing

    def signed(self) -> str | None:
        return self.keeper.signed(self.account, self.connector).token

    def health(self) -> Health:
        found = self.store.accounts.get(self.account.workspace_id, self.account.id)
        assert found is not None
        return found.health

    def kept(self) -> Tokens:
        found = self.tokens.read(self.account)
        assert found is not None
        return found.tokens


@pytest.fixture(scope="module")
def drawers(emulator: EmulatorProcess) -> tuple[PeopleStore, SealedTokenStore]:
    """Return real tables and a real key."""
    settings = make_resources(emulator.endpoint)
    store = a_store(settings)
    kms = boto3.client("kms", endpoint_url=settings.endpoint_url)
    return store, make_token_store(store.table, kms, settings.tokens_key)


@pytest.fixture
def desk(drawers: tuple[PeopleStore, SealedTokenStore]) -> Desk:
    """Sign one account in, for two hours from noon."""
    store, tokens = drawers
    store.clock.now = NOON
    workspace, _ = a_workspace(store)
    account = replace(an_account(store, workspace, remote_identity="42"), token_version=1)
    made = Tokens(access="access-1", refresh="refresh-1", expires_at=NOON + timedelta(hours=2))
    store.accounts.add(account, tokens.sealed(account.id, made))
    waits: list[float] = []
    keeper = TokenKeeper(tokens, store.clock, wait=waits.append)
    return Desk(
        keeper=keeper, tokens=tokens, store=store, account=account, platform=Renewing(), waits=waits
    )


def _clock(desk: Desk) -> FrozenClock:
    return desk.store.clock


def test_a_token_that_still_holds_is_handed_out_as_it_is(desk: Desk) -> None:
    _clock(desk).pass_time(timedelta(minutes=100))

    assert desk.signed() == "access-1"
    assert desk.platform.asked == []


def test_a_token_that_ends_soon_is_refreshed_and_stored_before_it_is_used(desk: Desk) -> None:
    _clock(desk).pass_time(timedelta(minutes=110))

    assert desk.signed() == "access-2"
    assert desk.kept().access == "access-2"
    assert desk.signed() == "access-2"
    assert desk.platform.asked == ["refresh-1"]


def test_a_refused_token_is_refreshed_once(desk: Desk) -> None:
    refused = desk.keeper.signed(desk.account, desk.connector)

    anew = desk.keeper.signed_anew(desk.account, desk.connector, refused)
    again = desk.keeper.signed_anew(desk.account, desk.connector, refused)

    assert (anew.token, again.token) == ("access-2", "access-2")
    assert desk.platform.asked == ["refresh-1"]


def test_a_call_is_made_again_with_the_next_token(desk: Desk) -> None:
    tokens: list[str | None] = []

    def call(account: ConnectedAccount) -> str:
        tokens.append(account.token)
        if account.token == "access-1":
            raise TokenRejectedError("old")
        return "done"

    assert desk.keeper.calling(desk.account, desk.connector, call) == "done"
    assert tokens == ["access-1", "access-2"]
    assert desk.health() is Health.OK


def test_a_token_refused_twice_breaks_the_account(desk: Desk) -> None:
    def call(account: ConnectedAccount) -> None:
        del account
        raise TokenRejectedError("never")

    with pytest.raises(TokenRejectedError):
        desk.keeper.calling(desk.account, desk.connector, call)

    assert desk.health() is Health.BROKEN


def test_a_refresh_token_that_will_never_work_again_breaks_the_account(desk: Desk) -> None:
    desk.platform.good = "another"
    _clock(desk).pass_time(timedelta(hours=3))

    with pytest.raises(TokenRejectedError):
        desk.signed()

    assert desk.health() is Health.BROKEN


@pytest.mark.parametrize(
    "error",
    [
        UnansweredError("lost"),
        NotSentError("down"),
        RateLimitedError(timedelta(seconds=9)),
        RejectedError(FailureCode.PERMISSION_MISSING, "Our client id is wrong."),
    ],
    ids=lambda error: type(error).__name__,
)
def test_a_refresh_that_fails_otherwise_breaks_nothing(desk: Desk, error: Exception) -> None:
    desk.platform.error = error
    _clock(desk).pass_time(timedelta(minutes=110))

    assert desk.signed() == "access-1"
    _clock(desk).pass_time(timedelta(hours=1))
    with pytest.raises((NotSentError, RejectedError)):
        desk.signed()

    desk.platform.error = None
    assert desk.signed() == "access-4"
    assert desk.health() is Health.OK


def test_of_many_at_once_one_refreshes_and_all_get_its_token(desk: Desk) -> None:
    _clock(desk).pass_time(timedelta(hours=3))
    started = threading.Barrier(8)
    keeper = TokenKeeper(desk.tokens, desk.store.clock)
    found: list[str | None] = []

    def run() -> None:
        started.wait()
        found.append(keeper.signed(desk.account, desk.connector).token)

    threads = [threading.Thread(target=run) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert found == ["access-2"] * 8
    assert desk.platform.asked == ["refresh-1"]


def test_a_holder_of_the_lock_that_died_holds_nobody_up_for_long(desk: Desk) -> None:
    _clock(desk).pass_time(timedelta(hours=3))
    assert desk.tokens.lock(desk.account, 1, now=desk.store.clock())

    with pytest.raises(NotSentError):
        desk.signed()
    _clock(desk).pass_time(timedelta(seconds=61))

    assert desk.signed() == "access-2"
    assert sum(desk.waits) == 10


def test_a_persons_new_sign_in_comes_before_a_refresh(desk: Desk) -> None:
    _clock(desk).pass_time(timedelta(hours=3))
    theirs = Tokens(access="theirs", refresh="theirs-too", expires_at=NOON + timedelta(hours=9))

    def reconnect() -> None:
        desk.tokens.renew(desk.account, theirs)

    desk.platform.meanwhile = reconnect

    assert desk.signed() == "theirs"
    assert desk.kept() == theirs


def test_a_late_refusal_of_old_tokens_does_not_break_a_new_sign_in(desk: Desk) -> None:
    _clock(desk).pass_time(timedelta(hours=3))
    desk.platform.good = "another"
    theirs = Tokens(access="theirs", refresh="theirs-too", expires_at=NOON + timedelta(hours=9))
    desk.platform.meanwhile = lambda: desk.tokens.renew(desk.account, theirs)

    with pytest.raises(TokenRejectedError):
        desk.signed()

    assert desk.health() is Health.OK


def _unrenewable(desk: Desk, ends_in: timedelta) -> None:
    tokens = Tokens(access="access-9", expires_at=_clock(desk)() + ends_in)
    desk.tokens.renew(desk.account, tokens)


def test_a_sign_in_that_ends_and_cannot_be_renewed_is_called_out_a_week_before(desk: Desk) -> None:
    _unrenewable(desk, timedelta(days=20))
    rows = desk.tokens.rows
    assert desk.account.id not in [account for _, account in rows.watched(_clock(desk)())]
    _clock(desk).pass_time(timedelta(days=14))
    assert desk.account.id in [account for _, account in rows.watched(_clock(desk)())]

    desk.keeper.look(desk.account, desk.connector)

    assert desk.health() is Health.WARN
    assert desk.account.id not in [account for _, account in rows.watched(_clock(desk)())]

    _clock(desk).pass_time(timedelta(days=7))
    assert desk.account.id in [account for _, account in rows.watched(_clock(desk)())]
    desk.keeper.look(desk.account, desk.connector)

    assert desk.health() is Health.BROKEN


def test_a_token_that_cannot_be_renewed_is_used_to_its_end(desk: Desk) -> None:
    _unrenewable(desk, timedelta(minutes=5))

    assert desk.signed() == "access-9"
    _clock(desk).pass_time(timedelta(minutes=5))
    with pytest.raises(TokenRejectedError):
        desk.signed()


def test_an_account_without_a_sign_in_is_refused(desk: Desk) -> None:
    nobody = replace(desk.account, id="0" * 32)

    with pytest.raises(TokenRejectedError):
        desk.keeper.signed(nobody, desk.connector)


def test_a_sign_in_that_would_lapse_from_disuse_is_renewed(desk: Desk) -> None:
    monthly = Tokens(
        access="access-1",
        refresh="refresh-1",
        expires_at=NOON + timedelta(days=60),
        renew_at=NOON + timedelta(days=30),
    )
    desk.tokens.renew(desk.account, monthly)
    _clock(desk).pass_time(timedelta(days=30))

    desk.keeper.look(desk.account, desk.connector)

    assert desk.kept().access == "access-2"
