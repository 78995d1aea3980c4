"""Sign-ins that end: renewed in time, called out before, broken after."""

from dataclasses import replace
from datetime import timedelta

import pytest

from chalicelib.connectors.shared.calls.failures import TokenRejectedError
from chalicelib.domain.workspace.accounts import Health
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit.transport.failures import UnansweredError
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


def _unrenewable(desk: Desk, ends_in: timedelta) -> None:
    tokens = Tokens(access="access-9", expires_at=desk.clock() + ends_in)
    desk.tokens.renew(desk.account, tokens)


def test_a_sign_in_that_ends_and_cannot_be_renewed_is_called_out_a_week_before(desk: Desk) -> None:
    _unrenewable(desk, timedelta(days=20))
    rows = desk.tokens.rows
    assert desk.account.id not in [account for _, account in rows.list_watched(desk.clock())]
    desk.clock.pass_time(timedelta(days=14))
    assert desk.account.id in [account for _, account in rows.list_watched(desk.clock())]

    desk.keeper.look(desk.account, desk.connector)

    assert desk.health() is Health.WARN
    assert desk.account.id not in [account for _, account in rows.list_watched(desk.clock())]

    desk.clock.pass_time(timedelta(days=7))
    assert desk.account.id in [account for _, account in rows.list_watched(desk.clock())]
    desk.keeper.look(desk.account, desk.connector)

    assert desk.health() is Health.BROKEN


def test_a_token_that_cannot_be_renewed_is_used_to_its_end(desk: Desk) -> None:
    _unrenewable(desk, timedelta(minutes=5))

    assert desk.signed() == "access-9"
    desk.clock.pass_time(timedelta(minutes=5))
    with pytest.raises(TokenRejectedError):
        desk.signed()


def test_an_account_without_a_sign_in_is_refused(desk: Desk) -> None:
    nobody = replace(desk.account, id="0" * 32)

    with pytest.raises(TokenRejectedError):
        desk.keeper.sign_in(nobody, desk.connector)


def test_a_sign_in_that_would_lapse_from_disuse_is_renewed(desk: Desk) -> None:
    monthly = Tokens(
        access="access-1",
        refresh="refresh-1",
        expires_at=NOON + timedelta(days=60),
        renew_at=NOON + timedelta(days=30),
    )
    desk.tokens.renew(desk.account, monthly)
    desk.clock.pass_time(timedelta(days=30))

    desk.keeper.look(desk.account, desk.connector)

    assert desk.kept().access == "access-2"


@pytest.mark.parametrize(
    ("refresh", "days_left", "health"),
    [("access-1", 6, Health.WARN), ("access-1", 20, Health.OK), ("refresh-1", 6, Health.OK)],
    ids=["ends soon", "ends later", "can be renewed after its end"],
)
def test_a_sign_in_that_lapses_unless_it_is_renewed_in_time_is_called_out(
    desk: Desk, refresh: str, days_left: int, health: Health
) -> None:
    now = desk.clock()
    ends_at = now + timedelta(days=days_left)
    tokens = Tokens(access="access-1", refresh=refresh, expires_at=ends_at, renew_at=now)
    desk.tokens.renew(desk.account, tokens)
    desk.platform.error = UnansweredError("lost")

    desk.keeper.look(desk.account, desk.connector)

    assert (desk.health(), desk.kept().access) == (health, "access-1")


def test_a_sign_in_that_was_renewed_in_the_end_is_healthy_again(desk: Desk) -> None:
    now = desk.clock()
    desk.platform.good = "access-1"
    ends_at = now + timedelta(days=3)
    tokens = Tokens(access="access-1", refresh="access-1", expires_at=ends_at, renew_at=now)
    account = desk.tokens.renew(desk.account, tokens)
    desk.platform.error = UnansweredError("lost")
    desk.keeper.look(account, desk.connector)
    assert desk.health() is Health.WARN

    desk.platform.error = None
    desk.keeper.look(replace(account, health=Health.WARN), desk.connector)

    assert desk.health() is Health.OK


def _ending(ends_in: timedelta, renew_in: timedelta | None = None) -> Tokens:
    """Return tokens that can be renewed until a day that the platform named at noon."""
    return Tokens(
        access="access-1",
        refresh="refresh-1",
        expires_at=NOON + timedelta(days=60),
        renew_at=None if renew_in is None else NOON + renew_in,
        ends_at=NOON + ends_in,
    )


def test_a_sign_in_that_no_renewal_lengthens_is_called_out_a_week_before(desk: Desk) -> None:
    """LinkedIn's end a year after the person signed in, however often it was renewed."""
    desk.tokens.renew(desk.account, _ending(timedelta(days=20)))
    rows = desk.tokens.rows
    desk.clock.pass_time(timedelta(days=12))
    assert desk.account.id not in [account for _, account in rows.list_watched(desk.clock())]
    desk.clock.pass_time(timedelta(days=1))
    assert desk.account.id in [account for _, account in rows.list_watched(desk.clock())]

    desk.keeper.look(desk.account, desk.connector)

    assert desk.health() is Health.WARN
    assert desk.kept().access == "access-1"
    assert desk.account.id not in [account for _, account in rows.list_watched(desk.clock())]


def test_a_sign_in_that_every_renewal_lengthens_is_not() -> None:
    """Pinterest and TikTok tell an end that the next renewal puts off."""
    tokens = _ending(timedelta(days=60), renew_in=timedelta(days=20))

    assert (tokens.ends_for_good_at, tokens.watch_at) == (None, NOON + timedelta(days=20))


def test_an_end_before_the_next_renewal_is_an_end() -> None:
    tokens = _ending(timedelta(days=15), renew_in=timedelta(days=20))

    assert tokens.ends_for_good_at == NOON + timedelta(days=15)
    assert tokens.watch_at == NOON + timedelta(days=8)


def test_a_renewal_close_to_the_end_leaves_the_warning(desk: Desk) -> None:
    now = desk.clock()
    desk.platform.ends_at = now + timedelta(days=5)
    tokens = Tokens(access="access-1", refresh="refresh-1", expires_at=now, ends_at=now)
    account = desk.tokens.renew(desk.account, tokens)

    desk.keeper.sign_in(replace(account, health=Health.WARN), desk.connector)

    assert desk.health() is Health.WARN
