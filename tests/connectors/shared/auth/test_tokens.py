"""Who gets which token when: refreshed ahead, by one at a time, stored before use; and health."""

import threading
from datetime import datetime, timedelta
from unittest.mock import Mock

import pytest
from botocore.exceptions import ClientError

from chalicelib.connectors.connector import ConnectedAccount
from chalicelib.connectors.shared.calls.failures import (
    RateLimitedError,
    RejectedError,
    TokenRejectedError,
)
from chalicelib.domain.outcome import FailureCode
from chalicelib.domain.workspace.accounts import Account, Health
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit.transport.failures import NotSentError, UnansweredError
from chalicelib.services.workspace.token_keeper import TokenKeeper
from chalicelib.storage.workspace.token_rows import TokenRows
from chalicelib.storage.workspace.token_store import SealedTokenStore
from tests.connectors.support.token_desk import Desk, Drawers, a_desk, drawers_of
from tests.support.emulator import EmulatorProcess
from tests.support.frozen_clock import NOON


@pytest.fixture(scope="module")
def drawers(emulator: EmulatorProcess) -> Drawers:
    """Return real tables and a real key."""
    return drawers_of(emulator)


@pytest.fixture
def desk(drawers: Drawers) -> Desk:
    """Sign one account in, for two hours from noon."""
    return a_desk(drawers)


def test_a_token_that_still_holds_is_handed_out_as_it_is(desk: Desk) -> None:
    desk.clock.pass_time(timedelta(minutes=100))

    assert desk.signed() == "access-1"
    assert desk.platform.asked == []


def test_a_token_that_ends_soon_is_refreshed_and_stored_before_it_is_used(desk: Desk) -> None:
    desk.clock.pass_time(timedelta(minutes=110))

    assert desk.signed() == "access-2"
    assert desk.kept().access == "access-2"
    assert desk.signed() == "access-2"
    assert desk.platform.asked == ["refresh-1"]


def test_new_tokens_are_kept_although_the_table_is_busy(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The platform takes the old refresh token no more."""
    desk.clock.pass_time(timedelta(minutes=110))
    answer = {"Error": {"Code": "ThrottlingException", "Message": "busy"}}
    busy = ClientError(answer, "TransactWriteItems")  # type: ignore[arg-type]  # the stubs want all
    keep = TokenRows.replace
    kept = Mock(side_effect=[busy, busy, None])
    monkeypatch.setattr(
        TokenRows, "replace", lambda *given: keep(*given) if kept() is None else None
    )

    assert desk.signed() == "access-2"
    assert desk.kept().access == "access-2"


def test_a_refused_token_is_refreshed_once(desk: Desk) -> None:
    refused = desk.keeper.sign_in(desk.account, desk.connector)

    anew = desk.keeper.sign_in_anew(desk.account, desk.connector, refused)
    again = desk.keeper.sign_in_anew(desk.account, desk.connector, refused)

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
    desk.clock.pass_time(timedelta(hours=3))

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
    desk.clock.pass_time(timedelta(minutes=110))

    assert desk.signed() == "access-1"
    desk.clock.pass_time(timedelta(hours=1))
    with pytest.raises((NotSentError, RejectedError)):
        desk.signed()

    desk.platform.error = None
    assert desk.signed() == "access-4"
    assert desk.health() is Health.OK


def test_of_many_at_once_one_refreshes_and_all_get_its_token(desk: Desk) -> None:
    desk.clock.pass_time(timedelta(hours=3))
    started = threading.Barrier(8)
    keeper = TokenKeeper(store=desk.tokens, clock=desk.store.clock)
    found: list[str | None] = []

    def run() -> None:
        started.wait()
        found.append(keeper.sign_in(desk.account, desk.connector).token)

    threads = [threading.Thread(target=run) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert found == ["access-2"] * 8
    assert desk.platform.asked == ["refresh-1"]


def test_a_holder_of_the_lock_that_died_holds_nobody_up_for_long(desk: Desk) -> None:
    desk.clock.pass_time(timedelta(hours=3))
    assert desk.tokens.lock(desk.account, 1, now=desk.store.clock())

    with pytest.raises(NotSentError):
        desk.signed()
    desk.clock.pass_time(timedelta(seconds=61))

    assert desk.signed() == "access-2"
    assert sum(desk.waits) == 10


def test_who_stood_still_while_it_took_the_lock_asks_for_nothing(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another may have the lock by then, and a platform takes some refresh tokens only once."""
    desk.clock.pass_time(timedelta(hours=3))
    honest = SealedTokenStore.lock

    def slow(self: SealedTokenStore, account: Account, version: int, *, now: datetime) -> bool:
        is_ours = honest(self, account, version, now=now)
        desk.clock.pass_time(timedelta(seconds=31))
        return is_ours

    monkeypatch.setattr(SealedTokenStore, "lock", slow)
    with pytest.raises(NotSentError):
        desk.signed()

    assert desk.platform.asked == []


def test_who_is_refused_late_leaves_the_lock_of_whoever_has_it_since(desk: Desk) -> None:
    desk.clock.pass_time(timedelta(hours=3))
    desk.platform.error = UnansweredError()

    def stand_still() -> None:
        desk.clock.pass_time(timedelta(seconds=61))
        assert desk.tokens.lock(desk.account, 1, now=desk.store.clock())

    desk.platform.meanwhile = stand_still
    with pytest.raises(NotSentError):
        desk.signed()

    assert not desk.tokens.lock(desk.account, 1, now=desk.store.clock())


def test_a_persons_new_sign_in_comes_before_a_refresh(desk: Desk) -> None:
    desk.clock.pass_time(timedelta(hours=3))
    theirs = Tokens(access="theirs", refresh="theirs-too", expires_at=NOON + timedelta(hours=9))

    def reconnect() -> None:
        desk.tokens.renew(desk.account, theirs)

    desk.platform.meanwhile = reconnect

    assert desk.signed() == "theirs"
    assert desk.kept() == theirs


def test_a_late_refusal_of_old_tokens_does_not_break_a_new_sign_in(desk: Desk) -> None:
    desk.clock.pass_time(timedelta(hours=3))
    desk.platform.good = "another"
    theirs = Tokens(access="theirs", refresh="theirs-too", expires_at=NOON + timedelta(hours=9))
    desk.platform.meanwhile = lambda: desk.tokens.renew(desk.account, theirs)

    assert desk.signed() == theirs.access
    assert desk.health() is Health.OK


def test_a_call_refused_with_tokens_that_others_replaced_breaks_nothing(desk: Desk) -> None:
    """Found by simulation: of two that refreshed in turn, the slower one had the account broken."""

    def call(account: ConnectedAccount) -> None:
        if account.token == "access-2":
            theirs = Tokens(access="access-3", refresh="refresh-3", expires_at=None)
            assert desk.tokens.keep(desk.account, 2, theirs)
        raise TokenRejectedError("ended")

    with pytest.raises(NotSentError):
        desk.keeper.calling(desk.account, desk.connector, call)

    assert (desk.kept().access, desk.health()) == ("access-3", Health.OK)


def test_a_sign_in_that_is_over_and_has_nothing_to_renew_it_breaks_the_account(desk: Desk) -> None:
    over = Tokens(access="last", refresh=None, expires_at=NOON + timedelta(hours=1))
    assert desk.tokens.keep(desk.account, 1, over)
    desk.clock.pass_time(timedelta(hours=2))

    with pytest.raises(TokenRejectedError):
        desk.signed()

    assert desk.health() is Health.BROKEN
