"""Sign-ins nobody uses, looked after in rounds: one that hangs or fails keeps no other."""

import threading
from dataclasses import dataclass
from datetime import timedelta

import pytest

from chalicelib.connectors.connector import ConnectedAccount
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit.transport.failures import UnansweredError
from chalicelib.workers.token_renewal import LOOKED_AGAIN, ROUND, TokenRenewal
from tests.connectors.support.token_desk import Desk, Drawers, Renewing, a_desk, drawers_of
from tests.support.emulator import EmulatorProcess


@dataclass(frozen=True, slots=True)
class Serving:
    """Each account's own platform."""

    desks: dict[str, Desk]

    def serving(self, account: ConnectedAccount) -> Renewing:
        return self.desks[account.id].platform


@pytest.fixture
def drawers(emulator: EmulatorProcess) -> Drawers:
    return drawers_of(emulator)


def due_for_renewal(drawers: Drawers) -> Desk:
    """Sign an account in whose tokens lapse in two months unless they are renewed, from now on."""
    desk = a_desk(drawers)
    now = desk.clock()
    tokens = Tokens(
        access="access-1",
        refresh="refresh-1",
        expires_at=now + timedelta(days=60),
        renew_at=now,
    )
    desk.tokens.renew(desk.account, tokens)
    return desk


def renewal(*desks: Desk) -> TokenRenewal:
    one = desks[0]
    return TokenRenewal(
        rows=one.tokens.rows,
        accounts=one.store.accounts,
        connectors=Serving({desk.account.id: desk for desk in desks}),  # type: ignore[arg-type]
        keeper=one.keeper,
        clock=one.clock,
    )


def watched(desk: Desk) -> bool:
    return desk.account.id in [
        account for _, account in desk.tokens.rows.list_watched(desk.clock())
    ]


def test_one_that_hangs_keeps_no_other_waiting(drawers: Drawers) -> None:
    hanging, other = due_for_renewal(drawers), due_for_renewal(drawers)
    other_is_done = threading.Event()
    hanging.platform.meanwhile = lambda: other_is_done.wait(240)
    other.platform.meanwhile = other_is_done.set

    renewal(hanging, other).run()

    assert other_is_done.is_set()
    assert ["access-2", "access-2"] == [hanging.kept().access, other.kept().access]


@pytest.mark.parametrize("failure", [UnansweredError("lost"), ValueError("unheard of")])
def test_one_that_fails_keeps_no_other_and_is_looked_at_again_in_an_hour(
    drawers: Drawers, failure: Exception
) -> None:
    failing, other = due_for_renewal(drawers), due_for_renewal(drawers)
    failing.platform.error = failure

    renewal(failing, other).run()

    assert ["access-1", "access-2"] == [failing.kept().access, other.kept().access]
    assert not watched(failing)
    failing.clock.pass_time(LOOKED_AGAIN)
    assert watched(failing)


def test_what_a_round_has_no_time_for_comes_first_in_the_next(drawers: Drawers) -> None:
    desks = [due_for_renewal(drawers) for _ in range(12)]
    begun = threading.Barrier(8, action=lambda: desks[0].clock.pass_time(2 * ROUND))
    for desk in desks:
        desk.platform.meanwhile = lambda: begun.wait(240) and None

    renewal(*desks).run()

    left = [desk for desk in desks if desk.kept().access == "access-1"]
    assert [4, True] == [len(left), all(map(watched, left))]
