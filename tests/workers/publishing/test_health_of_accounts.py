"""What a refused sign-in does to an account, and what it does not."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import pytest

from chalicelib.connectors.connector import (
    ConnectedAccount,
    Connector,
    Publication,
    as_connected,
)
from chalicelib.connectors.shared.calls.failures import TokenRejectedError
from chalicelib.domain.outcome import Done, Failed, FailureCode, Outcome
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.accounts import Account, Health
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.workers.publishing.error_mapping import answer_of
from chalicelib.workers.publishing.signed_connector import SignedConnector
from tests.connectors.support.rig import a_publication, an_account
from tests.connectors.support.token_desk import a_desk, drawers_of
from tests.support.emulator import EmulatorProcess
from tests.support.engine_room import EngineRoom, an_engine_room


def _health(room: EngineRoom) -> tuple[Health, str | None]:
    account_id = room.account_id(Platform.LINKEDIN)
    account = room.deployment.stores.account_repository.get(room.caller.workspace_id, account_id)
    assert account is not None
    return account.health, account.health_reason


def test_a_refused_sign_in_breaks_the_account_and_says_why(
    emulator: EmulatorProcess, tmp_path: Path
) -> None:
    room = an_engine_room(emulator, tmp_path)
    post = room.draft("sandbox:expired")
    room.deployment.posting.scheduling.publish_now(room.caller, post.id)

    room.run_due()

    assert room.target(post).error_code == "auth_expired"
    health, reason = _health(room)
    assert health is Health.BROKEN
    assert reason is not None
    assert reason.endswith(".")


def test_any_other_refusal_leaves_the_account_as_it_is(
    emulator: EmulatorProcess, tmp_path: Path
) -> None:
    room = an_engine_room(emulator, tmp_path)
    post = room.draft("sandbox:fail:caption_rejected")
    room.deployment.posting.scheduling.publish_now(room.caller, post.id)

    room.run_due()

    assert room.target(post).error_code == "caption_rejected"
    assert _health(room) == (Health.OK, None)


class GivenTokens:
    """Stands where tokens are kept: gives out one after the other, and notes what is refused."""

    def __init__(self) -> None:
        self.given = 1
        self.refusals: list[str] = []

    def sign_in(self, account: Account, connector: Connector) -> ConnectedAccount:
        del connector
        return replace(as_connected(account), token=f"AT{self.given}")

    def sign_in_anew(
        self, account: Account, connector: Connector, refused: ConnectedAccount
    ) -> ConnectedAccount:
        del refused
        self.given += 1
        return self.sign_in(account, connector)

    def require_over(self, account: Account, refused: ConnectedAccount, reason: str) -> None:
        del account, refused
        self.refusals.append(reason)


class TakesOnly:
    """Stands where a platform stands that takes no token but one."""

    platform: ClassVar[Platform] = Platform.X
    irreversible: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, token: str) -> None:
        self.token = token
        self.asked: list[str | None] = []
        self.meanwhile: Callable[[Publication], None] = lambda _: None
        self.refresh: Callable[..., Tokens] | None = None

    def start(self, publication: Publication) -> Outcome:
        self.asked.append(publication.account.token)
        self.meanwhile(publication)
        if publication.account.token != self.token:
            raise TokenRejectedError("The token has ended.")
        return Done(remote_id="1", url=None)


@pytest.mark.parametrize(
    ("token", "refusals"), [("AT3", []), ("AT4", ["The token has ended."])], ids=["live", "dead"]
)
def test_a_token_that_another_has_spent_breaks_no_account(token: str, refusals: list[str]) -> None:
    """Found by simulation (seed 27): a process that stood still refreshed beside another."""
    account = an_account(Platform.X, "@bakery", "44")
    keeper = GivenTokens()
    signed = SignedConnector(TakesOnly(token), account, keeper)  # type: ignore[arg-type]  # stand-ins

    with suppress(TokenRejectedError):
        signed.start(a_publication(account, "Bread"))

    assert refusals == keeper.refusals


def test_a_sign_in_that_others_replaced_three_times_in_one_start_ends_no_target(
    emulator: EmulatorProcess,
) -> None:
    """Each token was another process's by the time its call came: the step is tried again."""
    desk = a_desk(drawers_of(emulator))
    platform = TakesOnly("nothing so far")

    def replace_it(publication: Publication) -> None:
        number = len(platform.asked)
        theirs = Tokens(access=f"theirs-{number}", refresh="refresh", expires_at=None)
        kept = desk.tokens.read(desk.account)
        assert kept is not None
        assert kept.tokens.access == publication.account.token
        assert desk.tokens.keep(desk.account, kept.version, theirs)
        platform.token = theirs.access

    platform.meanwhile = replace_it
    signed = SignedConnector(platform, desk.account, desk.keeper)  # type: ignore[arg-type]  # a stand-in
    bread = a_publication(desk.account, "Bread")

    tried = answer_of(lambda: signed.start(bread))
    platform.meanwhile = lambda _: None
    again = SignedConnector(platform, desk.account, desk.keeper).start(bread)  # type: ignore[arg-type]

    assert platform.asked == ["access-1", "theirs-1", "theirs-2", "theirs-3"]
    assert isinstance(tried, Failed)
    assert tried.code is FailureCode.PLATFORM_UNAVAILABLE
    assert desk.health() is Health.OK
    assert isinstance(again, Done)


def test_a_sign_in_whose_own_new_tokens_are_refused_is_over(emulator: EmulatorProcess) -> None:
    desk = a_desk(drawers_of(emulator))
    platform = TakesOnly("nothing")
    platform.refresh = desk.platform.refresh
    signed = SignedConnector(platform, desk.account, desk.keeper)  # type: ignore[arg-type]  # a stand-in

    tried = answer_of(lambda: signed.start(a_publication(desk.account, "Bread")))

    assert platform.asked == ["access-1", "access-2", "access-3"]
    assert isinstance(tried, Failed)
    assert tried.code is FailureCode.AUTH_EXPIRED
    assert desk.health() is Health.BROKEN
