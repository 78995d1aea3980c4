"""One workspace with an account on each of the eleven platforms: the API and the engine over fakes.

The fakes show posts late and refuse them beyond a day's number, as the platforms do (`limits.py`).

world = a_world(emulator)
post = world.publish("photo", Platform.X, Platform.PINTEREST)
"""

import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta

from PIL import Image

from chalicelib.api.http.key_gatekeeper import KeyGatekeeper
from chalicelib.api.paths import every_endpoint
from chalicelib.bootstrap.deployment import Deployment
from chalicelib.connectors.shared.registry import Connectors
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.accounts import SignIn
from chalicelib.http.pipeline import Pipeline
from tests.api.http_room import Document, House, Room
from tests.connectors.support.every_rig import RIGS
from tests.connectors.support.limits import Limits
from tests.connectors.support.rig import Rig
from tests.support.convert_lane import ConvertsAtOnce
from tests.support.emulator import EmulatorProcess, make_resources
from tests.support.frozen_clock import FrozenClock
from tests.support.sample_media import Clip, encode

PULLED_FROM = "https://media.example"


@dataclass(frozen=True, slots=True)
class World:
    """The workspace, the platforms by name, and the account on each."""

    room: Room
    rigs: Mapping[Platform, Rig]
    accounts: Mapping[Platform, str]
    media: dict[str, str] = field(default_factory=dict)

    def publish(
        self,
        kind: str,
        *platforms: Platform,
        minutes: int = 4,
        caption: str | None = None,
        **options: object,
    ) -> Document:
        """Make a post of a kind, publish it now and let the engine work until it rests."""
        made = self.draft(kind, *platforms, caption=caption, **options)
        answer = self.room.act(made, "publish-now")
        assert answer.status == 200, answer
        self.room.pass_time(timedelta(minutes=minutes))
        return self.room.show(made)

    def draft(
        self, kind: str, *platforms: Platform, caption: str | None = None, **options: object
    ) -> Document:
        """Make a draft with the options that each platform's rig has for that kind."""
        targets = [
            {"account_id": self.accounts[one], "options": {**self._options(one, kind), **options}}
            for one in platforms
        ]
        number = len(self.room.find())
        body = {
            "caption": f"Rye number {number}" if caption is None else caption,
            "targets": targets,
            "media_ids": self._file(kind),
        }
        answer = self.room.post("/v1/posts", body)
        assert answer.status == 201, answer
        return answer.json

    def _options(self, platform: Platform, kind: str) -> dict[str, object]:
        shapes = self.rigs[platform].shapes
        return dict(shapes[kind].options if kind in shapes else {})

    def _file(self, kind: str) -> list[str]:
        if kind == "text":
            return []
        if kind not in self.media:
            data, name = (_video(), "oven.mp4") if kind == "video" else (_photo(), "rye.jpg")
            self.media[kind] = self.room.upload(data, name)
        return [self.media[kind]]

    def visible(self, platform: Platform) -> list[str]:
        """Return the ids of the posts that everybody can see."""
        return list(self.rigs[platform].platform.posts)

    def close(self) -> None:
        """Stop the fakes."""
        for rig in self.rigs.values():
            rig.platform.close()


def _photo() -> bytes:
    """Return a photo that is large enough for Google and Pinterest."""
    photo = io.BytesIO()
    Image.new("RGB", (1_000, 800), "wheat").save(photo, "JPEG")
    return photo.getvalue()


def _video() -> bytes:
    """Return a video of five seconds, filled up to what LinkedIn takes at least."""
    filling = 80_000
    return encode(Clip(seconds=5)) + filling.to_bytes(4, "big") + b"free" + bytes(filling - 8)


def a_world(emulator: EmulatorProcess, instead: Mapping[Platform, Rig] | None = None) -> World:
    """Wire a deployment with the eleven connectors over their fakes, and connect the accounts.

    `instead` has the only rigs that there are then.
    """
    clock = FrozenClock()
    settings = replace(make_resources(emulator.endpoint), pull_url=PULLED_FROM)
    rigs = instead or {platform: make() for platform, make in RIGS.items()}
    for platform, rig in rigs.items():
        rig.platform.limits = Limits.of(platform, seed=7)
    for clocked in (one for rig in rigs.values() for one in (rig.platform, rig.connector)):
        if hasattr(clocked, "clock"):
            clocked.clock = clock
    real = {platform: rig.connector for platform, rig in rigs.items()}
    deployment = Deployment(settings, clock=clock)
    deployment.connectors = Connectors(sandbox={}, real=real)  # before a group is built with them
    ConvertsAtOnce.into(deployment)
    operator = deployment
    pipeline = Pipeline(KeyGatekeeper(deployment, every_endpoint(), clock=clock))
    house = House(deployment, pipeline, operator, clock, sandbox=None)  # type: ignore[arg-type]
    room = house.room()
    return World(room, rigs, dict(_connected(room, rigs)))


def _connected(room: Room, rigs: Mapping[Platform, Rig]) -> Iterator[tuple[Platform, str]]:
    for platform, rig in rigs.items():
        sign_in = SignIn(
            platform=platform,
            remote_identity=rig.account.remote_identity or "",
            handle=rig.account.handle,
            tokens=rig.tokens,
            settings=rig.account.settings,
        )
        yield (
            platform,
            room.house.operator.people.connections.connect(room.workspace_id, sign_in).id,
        )
