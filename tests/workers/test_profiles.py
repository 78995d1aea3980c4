"""Accounts' pictures and followers: read daily, kept in our store, gone with the account."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import timedelta

import pytest

from chalicelib.connectors.connector import ConnectedAccount, SeenProfile
from chalicelib.connectors.shared.registry import Connectors
from chalicelib.domain.platforms.platform import Platform
from chalicelib.kit.asgi.messages import Request
from chalicelib.kit.transport.failures import NotSentError
from chalicelib.web.messages import SESSION_COOKIE
from tests.api.http_house import a_house
from tests.api.http_room import House, Room
from tests.support.emulator import EmulatorProcess
from tests.support.frozen_clock import NOON
from tests.web.browser import Browser

PNG = b"\x89PNG\r\n\x1a\n"
DAY = timedelta(days=1)


@dataclass
class Shows:
    """A platform that tells how accounts look, or does not answer."""

    seen: SeenProfile
    is_away: bool = False
    asked: int = 0

    def profile(self, account: ConnectedAccount) -> SeenProfile:
        del account
        self.asked += 1
        if self.is_away:
            raise NotSentError("away")
        return self.seen


@pytest.fixture(scope="module")
def house(emulator: EmulatorProcess, tmp_path_factory: pytest.TempPathFactory) -> House:
    return a_house(emulator, tmp_path_factory.mktemp("house"))


@pytest.fixture
def room(house: House) -> Iterator[Room]:
    house.clock.now = NOON
    house.deployment.stores.directory_table.table.delete({"pk": "PROFILES", "sk": "READ"})
    before = house.deployment.connectors
    room = house.room()
    yield room
    house.deployment.connectors = before
    for account in house.deployment.stores.account_repository.list(room.workspace_id):
        house.deployment.people.connections.disconnect(account.id)


def shown_by(room: Room, shows: Shows) -> str:
    """Have one X account whose platform shows profiles so; return its id."""
    deployment = room.house.deployment
    account = room.account("x")
    sandbox = {**deployment.connectors.sandbox, Platform.X: shows}
    deployment.connectors = Connectors(sandbox=sandbox, real={})  # type: ignore[arg-type]
    return account


def run(room: Room) -> int:
    deployment = room.house.deployment
    return replace(deployment.upkeep.profile_reading, connectors=deployment.connectors).run()


def test_a_profile_is_read_once_a_day(room: Room) -> None:
    shows = Shows(SeenProfile(followers=12, picture=PNG))
    account = shown_by(room, shows)

    run(room)
    room.house.clock.pass_time(timedelta(hours=2))
    run(room)
    once = shows.asked
    shows.seen = SeenProfile(followers=15, picture=PNG)
    room.house.clock.pass_time(DAY)
    run(room)

    kept = room.house.deployment.stores.profiles.get(room.workspace_id, account)
    assert once == 1
    assert kept is not None
    assert (kept.followers, kept.picture) == (15, PNG)


def test_every_workspace_has_its_turn_however_long_the_first_ones_take(house: House) -> None:
    house.clock.now = NOON
    house.deployment.stores.directory_table.table.delete({"pk": "PROFILES", "sk": "READ"})
    before, asked = house.deployment.connectors, set[str]()
    rooms = [house.room() for _ in range(6)]
    for room in rooms:
        room.account("x")

    class Slow(Shows):
        def profile(self, account: ConnectedAccount) -> SeenProfile:
            asked.add(account.id)
            house.clock.pass_time(timedelta(minutes=3))
            return self.seen

    shown_by(rooms[0], Slow(SeenProfile(followers=12)))
    for _ in rooms:
        run(rooms[0])
        house.clock.pass_time(DAY)
    house.deployment.connectors = before

    assert {room.accounts["x"] for room in rooms} <= asked
    for room in rooms:
        room.disconnect(room.accounts["x"])


def test_a_new_name_is_taken_over_within_a_day(room: Room) -> None:
    """Public report: an account that was renamed kept its old name in its scheduler for good."""
    shows = Shows(SeenProfile(handle="@before", name="The oven"))
    account = shown_by(room, shows)
    accounts = room.house.deployment.stores.account_repository
    run(room)

    shows.seen = SeenProfile(handle="@bakery", name="The bakery")
    room.house.clock.pass_time(DAY)
    run(room)
    shows.seen = SeenProfile()
    room.house.clock.pass_time(DAY)
    run(room)

    (kept,) = [one for one in accounts.list(room.workspace_id) if one.id == account]
    assert (kept.name, kept.handle) == ("The bakery", "@bakery")


def test_what_a_platform_does_not_say_today_stays_as_it_was(room: Room) -> None:
    shows = Shows(SeenProfile(followers=12, picture=PNG))
    account = shown_by(room, shows)
    run(room)

    shows.is_away = True
    room.house.clock.pass_time(DAY)
    run(room)

    kept = room.house.deployment.stores.profiles.get(room.workspace_id, account)
    assert kept is not None
    assert (kept.followers, kept.picture) == (12, PNG)


def test_a_picture_comes_from_our_store_and_to_its_workspace_alone(
    house: House, room: Room
) -> None:
    account = shown_by(room, Shows(SeenProfile(picture=PNG)))
    run(room)
    address = f"/app/accounts/{account}/picture"

    owner = Browser.of(room).with_session()
    (cookie, _), *_ = owner.cookies.values()
    headers = {"host": "127.0.0.1:8000", "cookie": f"{SESSION_COOKIE}={cookie}"}
    answer = owner.pipeline.answer(Request(method="GET", path=address, headers=headers))
    stranger = Browser.of(house.room()).with_session().open(address)

    assert (answer.status, answer.body) == (200, PNG)
    assert answer.headers["Content-Type"] == "image/png"
    assert stranger.status == 404


def test_a_profile_goes_with_its_account(room: Room) -> None:
    account = shown_by(room, Shows(SeenProfile(followers=12, picture=PNG)))
    run(room)

    room.house.deployment.people.connections.disconnect(account)

    assert room.house.deployment.stores.profiles.get(room.workspace_id, account) is None


def test_a_test_account_has_made_up_followers_and_a_picture(room: Room) -> None:
    account = room.account("threads")

    run(room)

    kept = room.house.deployment.stores.profiles.get(room.workspace_id, account)
    assert kept is not None
    assert kept.followers is not None
    assert kept.picture_kind == "image/png"


def test_how_many_more_follow_than_a_week_ago_stands_beside_an_account(room: Room) -> None:
    """Known once a week of days was read; a gap makes it unknown again, rather than wrong."""
    shows = Shows(SeenProfile(followers=1000))
    account = shown_by(room, shows)
    profiles = room.house.deployment.stores.profiles
    told = []
    for day in range(10):
        shows.seen = SeenProfile(followers=1000 + 5 * day)
        run(room)
        kept = profiles.get(room.workspace_id, account)
        assert kept is not None
        told.append(kept.gained)
        room.house.clock.pass_time(DAY)
    page = Browser.of(room).with_session().open("/app/accounts").text

    room.house.clock.pass_time(9 * DAY)
    run(room)
    later = profiles.get(room.workspace_id, account)

    assert told == [None] * 7 + [35, 35, 35]
    assert "35 more this week" in page
    assert later is not None
    assert later.gained is None
    assert len(later.counted) <= 9
