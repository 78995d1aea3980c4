"""What a refused sign-in does to an account, and what it does not."""

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
from chalicelib.domain.outcome import Done, Outcome
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.accounts import Account, Health
from chalicelib.workers.publishing.signed_connector import SignedConnector
from tests.connectors.support.rig import a_publication, an_account
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


class Tokens:
    """Stands where tokens are kept: gives out one after the other, and notes what is refused."""

    def __init__(self) -> None:
        self.given = 1
        self.refusals: list[str] = []

    def sign_in(self, account: Account, connector: Connector) -> ConnectedAccount:
        del connector
        return replace(as_connected(account), token=f"AT{self.given}")

    def signed_anew(
        self, account: Account, connector: Connector, refused: ConnectedAccount
    ) -> ConnectedAccount:
        del refused
        self.given += 1
        return self.sign_in(account, connector)

    def note_refusal(self, account: Account, refused: ConnectedAccount, reason: str) -> None:
        del account, refused
        self.refusals.append(reason)


class TakesOnly:
    """Stands where a platform stands that takes no token but one."""

    irreversible: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, token: str) -> None:
        self.token = token

    def start(self, publication: Publication) -> Outcome:
        if publication.account.token != self.token:
            raise TokenRejectedError("The token has ended.")
        return Done(remote_id="1", url=None)


@pytest.mark.parametrize(
    ("token", "refusals"), [("AT3", []), ("AT4", ["The token has ended."])], ids=["live", "dead"]
)
def test_a_token_that_another_has_spent_breaks_no_account(token: str, refusals: list[str]) -> None:
    """Found by simulation (seed 27): a process that stood still refreshed beside another."""
    account = an_account(Platform.X, "@bakery", "44")
    keeper = Tokens()
    signed = SignedConnector(TakesOnly(token), account, keeper)  # type: ignore[arg-type]  # stand-ins

    with suppress(TokenRejectedError):
        signed.start(a_publication(account, "Bread"))

    assert refusals == keeper.refusals
