"""Signing in to Bluesky in a browser, on its own server: PAR, PKCE, DPoP, rotation, replay."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

import pytest

from chalicelib.connectors.bluesky.oauth import SCOPE
from chalicelib.connectors.shared.auth.oauth import Client, PendingSignIn
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.accounts import Account, Health
from chalicelib.domain.workspace.operator_errors import OperatorError
from tests.api.http_room import Document, House, Room
from tests.connectors.bluesky.browser import Page
from tests.connectors.bluesky.product import a_house
from tests.connectors.bluesky.server import (
    HANDLE,
    PASSWORD,
    BlueskyRelay,
    BlueskyServer,
)
from tests.support.emulator import EmulatorProcess
from tests.support.sample_media import samples

pytestmark = pytest.mark.node

REDIRECT = "http://127.0.0.1:8914/callback"


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A workspace with Alice's account, signed in by browser."""

    room: Room
    relay: BlueskyRelay
    account: Account

    def sent(self, caption: str, **more: object) -> Document:
        """Make a post, publish it now and let the engine work until it rests."""
        targets = [{"account_id": self.account.id}]
        body = {"caption": caption, "targets": targets, **more}
        made = self.room.post("/v1/posts", body).json
        self.room.act(made, "publish-now")
        self.room.pass_time(timedelta(minutes=3))
        return self.room.show(made)

    def now(self) -> Account:
        """Return the account as it is now."""
        return self.room.house.operator.people.connections.find(self.account.id)


@pytest.fixture
def house(emulator: EmulatorProcess, server: BlueskyServer) -> House:
    """Wire a deployment that talks to the server as itself: proofs name its real address."""
    return a_house(emulator, {"bluesky": server.issuer, "bluesky_directory": server.directory})


def _begin(house: House) -> PendingSignIn:
    sign_ins = house.operator.sign_in.sign_ins
    return sign_ins.begin(Platform.BLUESKY, Client("http://localhost"), REDIRECT, HANDLE)


@pytest.fixture
def signed_in(house: House, server: BlueskyServer) -> Iterator[SignedIn]:
    """Connect Alice's account in her browser."""
    pending = _begin(house)
    back = Page(pending.url).sign_in_and_allow(HANDLE, PASSWORD, SCOPE)
    (found,) = house.operator.sign_in.sign_ins.finish(Platform.BLUESKY, pending, back)
    room, relay = house.room(), BlueskyRelay(server)
    account = house.operator.people.connections.connect(room.workspace_id, found)
    yield SignedIn(room, relay, account)
    relay.close()


def test_an_account_that_signed_in_by_browser_publishes_and_unpublishes(
    signed_in: SignedIn,
) -> None:
    assert (signed_in.account.handle, signed_in.account.remote_identity) == (
        HANDLE,
        signed_in.relay.server.did,
    )
    media = signed_in.room.upload(samples()["plain.jpg"].data, "bread.jpg")

    post = signed_in.sent("By browser", media_ids=[media])

    assert post["status"] == "published", post
    assert "By browser" in [record["text"] for record in signed_in.relay.records()]
    assert signed_in.room.unpublish(post).status == 200
    assert "By browser" not in [record["text"] for record in signed_in.relay.records()]


def test_the_sign_in_is_renewed_ahead_of_its_end(signed_in: SignedIn) -> None:
    signed_in.room.house.clock.pass_time(timedelta(minutes=50))
    before = signed_in.now().token_version

    post = signed_in.sent("Renewed")

    assert post["status"] == "published", post
    assert signed_in.now().token_version == before + 1
    assert signed_in.now().health is Health.OK


def test_a_refresh_token_that_was_used_elsewhere_breaks_the_account(signed_in: SignedIn) -> None:
    """The server takes a replay for theft and ends the whole sign-in."""
    deployment = signed_in.room.house.deployment
    kept = deployment.stores.token_store.read(signed_in.account)
    assert kept is not None
    connector = deployment.connectors.real[Platform.BLUESKY]
    connector.oauth.refresh(kept.tokens)  # type: ignore[attr-defined]  # as a thief would
    signed_in.room.house.clock.pass_time(timedelta(minutes=70))

    post = signed_in.sent("Stolen")

    assert post["targets"][0]["error_code"] == "auth_expired"
    assert signed_in.now().health is Health.BROKEN


@pytest.mark.parametrize(
    "change",
    [("state=", "state=x"), ("iss=", "iss=https%3A%2F%2Fevil.example%2F"), ("code=", "kode=")],
    ids=["state", "issuer", "code"],
)
def test_an_answer_that_is_not_the_one_asked_for_is_refused(
    house: House, change: tuple[str, str]
) -> None:
    pending = _begin(house)
    back = Page(pending.url).sign_in_and_allow(HANDLE, PASSWORD, SCOPE)

    with pytest.raises(OperatorError):
        house.operator.sign_in.sign_ins.finish(Platform.BLUESKY, pending, back.replace(*change))
