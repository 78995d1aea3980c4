"""What a connector claims in docs/connectors.md works through the HTTP API and the engine."""

from collections.abc import Iterator

import pytest

from chalicelib.connectors.shared.registry import Ability, abilities_of
from chalicelib.domain.platforms.platform import Platform
from tests.connectors.shared.every_platform import World, a_world
from tests.support.emulator import EmulatorProcess

KINDS = {"text": Ability.TEXT, "photo": Ability.PHOTO, "video": Ability.VIDEO}


@pytest.fixture(scope="module")
def world(emulator: EmulatorProcess) -> Iterator[World]:
    made = a_world(emulator)
    yield made
    made.close()


def _able(world: World, ability: Ability) -> list[Platform]:
    return [p for p, rig in world.rigs.items() if ability in abilities_of(rig.connector)]


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_claimed_is_published_once(world: World, kind: str) -> None:
    able = _able(world, KINDS[kind])
    before = {platform: world.visible(platform) for platform in able}

    post = world.publish(kind, *able)

    told = ("platform", "status", "error_code", "error_message")
    rows = [tuple(target[name] for name in told) for target in post["targets"]]
    failed = [row for row in rows if row[1] != "published"]
    assert failed == []
    for platform, target in zip(able, post["targets"], strict=True):
        (made,) = set(world.visible(platform)) - set(before[platform])
        assert made == target["remote_id"] if "remote_id" in target else True
