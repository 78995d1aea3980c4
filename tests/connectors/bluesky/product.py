"""A workspace with Alice's account on Bluesky's own server, connected on the command line."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from click.testing import CliRunner

from chalicelib.api.http.key_gatekeeper import KeyGatekeeper
from chalicelib.api.paths import every_endpoint
from chalicelib.bootstrap.deployment import Deployment
from chalicelib.cli.command_line import goldenhour
from chalicelib.http.pipeline import Pipeline
from tests.api.http_room import Document, House, Room
from tests.cli.operator import Operator
from tests.connectors.bluesky.server import HANDLE, PASSWORD, BlueskyRelay
from tests.support.convert_lane import ConvertsAtOnce
from tests.support.emulator import EmulatorProcess, make_resources
from tests.support.frozen_clock import FrozenClock

ADDRESSES = ("bluesky", "bluesky_directory", "bluesky_appview", "bluesky_video")


@dataclass(frozen=True, slots=True)
class Bluesky:
    """A workspace with Alice's account, connected on the command line."""

    room: Room
    relay: BlueskyRelay
    operator: Operator
    account_id: str

    def sent(self, caption: str, **more: object) -> Document:
        """Make a post, publish it now and let the engine work until it rests."""
        options = more.pop("options", {})
        targets = [{"account_id": self.account_id, "options": options}]
        made = self.room.post("/v1/posts", {"caption": caption, "targets": targets, **more})
        assert made.status == 201, made
        assert self.room.act(made.json, "publish-now").status == 200
        self.room.pass_time(timedelta(minutes=3))
        return self.room.show(made.json)

    def record(self, post: Document) -> Document | None:
        """Return the live post's record on the real server."""
        rkey = post["targets"][0]["url"].rpartition("/")[2]
        record: Document | None = self.relay.record(
            f"at://{self.relay.server.did}/app.bsky.feed.post/{rkey}"
        )
        return record

    def health(self) -> tuple[str, str | None]:
        """Return how the account is and why."""
        shown = self.operator.ask("account", "list", self.room.workspace_id)["data"]
        assert isinstance(shown, list)
        return shown[0]["health"], shown[0]["health_reason"]


def a_house(emulator: EmulatorProcess, addresses: Mapping[str, str]) -> House:
    """Wire a deployment whose Bluesky answers at these addresses."""
    settings = replace(make_resources(emulator.endpoint), platform_urls=addresses)
    clock = FrozenClock(datetime.now(UTC))
    deployment = Deployment(settings, clock=clock)
    ConvertsAtOnce.into(deployment)
    return House(
        deployment,
        Pipeline(KeyGatekeeper(deployment, every_endpoint(), clock=clock)),
        deployment,
        clock,
        sandbox=None,  # type: ignore[arg-type]  # no test account here
    )


def a_connected_account(
    emulator: EmulatorProcess, relay: BlueskyRelay, *, entryway: str | None = None
) -> Bluesky:
    """Connect Alice's account to a new workspace, with an app password on standard input."""
    addresses = dict.fromkeys(ADDRESSES, relay.url) | {"bluesky": entryway or relay.url}
    house = a_house(emulator, addresses)
    operator, room = Operator(house.deployment), house.room()
    connected = run_typed(
        operator,
        make_app_password(relay),
        *("account", "connect", room.workspace_id, "--platform", "bluesky"),
        *("--handle", HANDLE, "--app-password"),
    )
    return Bluesky(room, relay, operator, str(connected["account_id"]))


def run_typed(operator: Operator, typed: str, *arguments: str) -> Document:
    """Run a command that asks for a secret."""
    result = CliRunner().invoke(
        goldenhour, [*arguments, "--json"], input=f"{typed}\n", obj=operator._open
    )
    assert result.exit_code == 0, (result.output, result.exception)
    assert typed not in result.output
    document: Document = json.loads(result.stdout)
    return document


def make_app_password(relay: BlueskyRelay) -> str:
    """Let the account's owner make a password for apps."""
    login = {"identifier": HANDLE, "password": PASSWORD}
    session = relay.ask("com.atproto.server.createSession", login)
    name = {"name": f"goldenhour {relay.url[-5:]}"}
    # Two of one name are refused, and a port may come again.
    relay.ask("com.atproto.server.revokeAppPassword", name, session["accessJwt"])
    made = relay.ask("com.atproto.server.createAppPassword", name, session["accessJwt"])
    return str(made["password"])
