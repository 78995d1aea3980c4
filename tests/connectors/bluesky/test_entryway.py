"""Accounts that Bluesky hosts: their entryway signs in, their own server takes every call."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest

from chalicelib.connectors.bluesky.account import BlueskyHosts
from chalicelib.connectors.bluesky.connector import BlueskyConnector
from chalicelib.connectors.bluesky.oauth import SCOPE
from chalicelib.connectors.shared.auth.oauth import Client
from chalicelib.domain.outcome import Done
from chalicelib.domain.platforms.platform import Platform
from tests.connectors.bluesky.browser import Page
from tests.connectors.bluesky.entryway import Entryway
from tests.connectors.bluesky.fake import DID, FakeBluesky
from tests.connectors.bluesky.product import Bluesky, a_connected_account, a_house
from tests.connectors.bluesky.rig import a_rig
from tests.connectors.bluesky.server import (
    HANDLE,
    PASSWORD,
    BlueskyRelay,
    BlueskyServer,
)
from tests.connectors.support.fake_platform import Answer, Received
from tests.support.emulator import EmulatorProcess
from tests.support.frozen_clock import FrozenClock
from tests.support.sample_media import samples

HOSTED = "https://stropharia.us-west.host.bsky.network"
REDIRECT = "http://127.0.0.1:8914/callback"


class Directory(FakeBluesky):
    """Names one of Bluesky's own hosts as the account's server."""

    def answer(self, call: Received) -> Answer:
        if call.path == f"/{DID}":
            service = {"id": "#atproto_pds", "serviceEndpoint": HOSTED}
            return Answer(200, {"id": DID, "service": [service]})
        return super().answer(call)


def test_a_host_of_bluesky_is_the_server_of_its_accounts() -> None:
    """Live answers: the upload token's audience "should be the user's PDS DID"."""
    fake = Directory(FrozenClock())
    connector = BlueskyConnector(BlueskyHosts(bluesky=fake.url, bluesky_directory=fake.url))

    server = connector._sessions.server_of(DID)

    fake.close()
    assert server == HOSTED


def test_an_account_connected_at_the_entryway_finds_its_own_server_without_reconnecting() -> None:
    """What was connected earlier has the entryway for its server: `did:web:127.0.0.1` here."""
    rig = a_rig()
    wrong = {"pds": "http://127.0.0.1:9", "pds_did": "did:web:127.0.0.1"}
    rig.account = replace(rig.account, settings=wrong)

    end = rig.drive("video").run()

    rig.platform.close()
    assert isinstance(end, Done)
    assert len(rig.platform.posts) == 1


@pytest.fixture
def entryway(server: BlueskyServer) -> Iterator[Entryway]:
    """Play the entryway in front of it, at a host of its own."""
    made = Entryway(server)
    yield made
    made.close()


@pytest.fixture
def bluesky(
    emulator: EmulatorProcess, server: BlueskyServer, entryway: Entryway
) -> Iterator[Bluesky]:
    """Connect Alice's account with an app password, typed in where Bluesky's people do."""
    relay = BlueskyRelay(server)
    yield a_connected_account(emulator, relay, entryway=entryway.url)
    relay.close()


@pytest.mark.node
def test_text_and_video_go_to_the_account_s_own_server(
    bluesky: Bluesky, entryway: Entryway
) -> None:
    media = bluesky.room.upload(samples()["index_last.mp4"].data, "oven.mp4")

    video = bluesky.sent("Behind the entryway", media_ids=[media])

    assert video["status"] == "published", video
    assert {call.name.rpartition(".")[2] for call in entryway.calls} == {"resolveHandle"}


@pytest.mark.node
def test_a_browser_s_sign_in_publishes_on_the_account_s_own_server(
    emulator: EmulatorProcess, server: BlueskyServer, entryway: Entryway
) -> None:
    # The real server is on loopback: only a host that the settings name may be.
    addresses = {
        "bluesky": entryway.url,
        "bluesky_directory": server.directory,
        "bluesky_appview": server.issuer,
    }
    house = a_house(emulator, addresses)
    sign_ins = house.operator.sign_in.sign_ins
    pending = sign_ins.begin(Platform.BLUESKY, Client("http://localhost"), REDIRECT, HANDLE)
    back = Page(pending.url).sign_in_and_allow(HANDLE, PASSWORD, SCOPE)
    (found,) = sign_ins.finish(Platform.BLUESKY, pending, back)
    room = house.room()
    account = house.operator.people.connections.connect(room.workspace_id, found)

    post = room.post(
        "/v1/posts", {"caption": "By entryway", "targets": [{"account_id": account.id}]}
    ).json
    room.act(post, "publish-now")
    room.pass_time(timedelta(minutes=3))

    assert room.show(post)["status"] == "published", room.show(post)
    assert {call.name.rpartition(".")[2] for call in entryway.calls} == {"resolveHandle"}
