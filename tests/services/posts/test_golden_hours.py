"""Golden hours of a caller's workspace, before and after its own results taught something."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.connectors.connector import LivePost
from chalicelib.connectors.sandbox.connector import SandboxConnector
from chalicelib.domain.analytics.learning import ENOUGH_TARGETS
from chalicelib.domain.analytics.metrics import Metrics
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.access import Caller
from tests.support.analytics_room import AnalyticsRoom, an_analytics_room
from tests.support.callers import a_caller
from tests.support.emulator import EmulatorProcess, make_resources
from tests.support.frozen_clock import FrozenClock

HOURS = (5, 9, 15, 22)
LOOKS = (9, 22)
BEST = 22


@pytest.fixture
def deployment(emulator: EmulatorProcess) -> Deployment:
    return Deployment(make_resources(emulator.endpoint), clock=FrozenClock())


class NightOwls(SandboxConnector):
    """A platform on which what goes live late in the evening is seen ten times as often."""

    def metrics(self, lives: list[LivePost]) -> list[Metrics | None]:
        return [Metrics(views=1000 if live.published_at.hour == BEST else 100) for live in lives]


@pytest.fixture
def room(emulator: EmulatorProcess, tmp_path: Path) -> AnalyticsRoom:
    return a_room_of_night_owls(emulator, tmp_path)


@dataclass(frozen=True, slots=True)
class Learned:
    """A room with just enough results, and its golden hours before there were any."""

    room: AnalyticsRoom
    before: Mapping[Platform, datetime]


@pytest.fixture(scope="module")
def learned(emulator: EmulatorProcess, tmp_path_factory: pytest.TempPathFactory) -> Learned:
    room = a_room_of_night_owls(emulator, tmp_path_factory.mktemp("learned"))
    before = golden(room)
    publish_for_days(room, ENOUGH_TARGETS)
    return Learned(room, before)


def a_room_of_night_owls(emulator: EmulatorProcess, folder: Path) -> AnalyticsRoom:
    room = an_analytics_room(emulator, folder)
    store = room.engine.sandbox
    room.replace(Platform.X, NightOwls(Platform.X, store, "http://127.0.0.1:8000"))
    room.engine.caller = in_utc(room.engine.caller)
    return room


def in_utc(caller: Caller) -> Caller:
    return replace(caller, member_timezone="UTC")


def publish_for_days(room: AnalyticsRoom, targets: int) -> None:
    """Publish at four hours of each day, with two looks a day, and let the last first day end."""
    clock = room.engine.clock
    midnight = clock.now.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
    for number in range(targets):
        days, place = divmod(number, len(HOURS))
        clock.now = midnight + timedelta(days=days, hours=HOURS[place])
        room.published(f"Loaf {number}", platforms=(Platform.X,))
        clock.pass_time(timedelta(minutes=30))
        if HOURS[place] in LOOKS:
            room.collect()
    for _ in range(2):
        clock.pass_time(timedelta(hours=12))
        room.collect()


def golden(room: AnalyticsRoom) -> Mapping[Platform, datetime]:
    service = room.engine.deployment.posting.golden_hours
    result = service.get(room.engine.caller, [Platform.X, Platform.LINKEDIN])
    return {platform: hour.at for platform, hour in result.platforms.items()}


def test_golden_hours_are_those_of_the_accounts_regions(deployment: Deployment) -> None:
    caller = a_caller(accounts={"bakery": ("UK", "India"), "oven": ("India",), "shop": ()})

    result = deployment.posting.golden_hours.get(caller, [Platform.LINKEDIN])

    assert result.timezone == "Asia/Kolkata"
    assert result.audience_regions == ("India", "UK")
    half_past_five = timedelta(hours=5, minutes=30)
    assert result.platforms[Platform.LINKEDIN].at.utcoffset() == half_past_five


def test_without_regions_they_are_those_of_the_key_owners_clock(deployment: Deployment) -> None:
    caller = a_caller(timezone="Europe/Paris", accounts={"bakery": ()})

    result = deployment.posting.golden_hours.get(caller, [Platform.LINKEDIN])

    assert result.timezone == "Asia/Tokyo"
    assert result.platforms[Platform.LINKEDIN].at.isoformat() == "2026-11-21T10:00:00+09:00"


def test_enough_results_of_its_own_move_a_platforms_golden_hour(learned: Learned) -> None:
    before = {platform: at.hour for platform, at in learned.before.items()}

    after = {platform: at.hour for platform, at in golden(learned.room).items()}

    assert {Platform.X: 11, Platform.LINKEDIN: 10} == before
    assert {Platform.X: BEST, Platform.LINKEDIN: 10} == after


def test_a_target_without_a_time_goes_to_the_hour_that_was_learned(learned: Learned) -> None:
    room = learned.room
    post = room.engine.draft("Rye", platforms=(Platform.X,))

    scheduled = room.engine.deployment.posting.scheduling.schedule(room.engine.caller, post.id)

    at = scheduled.targets[0].scheduled_at
    assert at is not None
    assert (BEST, 0) == (at.hour, at.minute)


def test_too_few_results_move_nothing(room: AnalyticsRoom) -> None:
    publish_for_days(room, ENOUGH_TARGETS - 1)

    assert 11 == golden(room)[Platform.X].hour
