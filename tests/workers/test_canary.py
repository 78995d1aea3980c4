"""A post a minute by a test account, made once each, out on its minute and gone after an hour."""

import logging
from dataclasses import replace
from datetime import timedelta

import pytest

from chalicelib.workers.canary import FARTHEST, KEPT, MINUTE, NEAREST, Canary, post_id_of
from tests.api.http_house import a_house
from tests.api.http_room import House, Room
from tests.support.emulator import EmulatorProcess
from tests.support.frozen_clock import NOON
from tests.support.kept_texts import every_row

EVERY = timedelta(minutes=5)


@pytest.fixture(scope="module")
def house(emulator: EmulatorProcess, tmp_path_factory: pytest.TempPathFactory) -> House:
    return a_house(emulator, tmp_path_factory.mktemp("canary"))


@pytest.fixture
def room(house: House) -> Room:
    house.clock.now = NOON
    made = house.room()
    made.account("x")
    return made


def _canary(room: Room) -> Canary:
    return replace(room.house.deployment.upkeep.canary, workspace_id=room.workspace_id)


def _posts(room: Room) -> list[dict[str, object]]:
    posts: list[dict[str, object]] = room.get("/v1/posts", {"limit": "100"}).json["data"]
    return posts


def test_nothing_is_posted_unless_a_workspace_is_named(room: Room) -> None:
    assert 0 == room.house.deployment.upkeep.canary.run()
    assert [] == _posts(room)


def test_each_of_the_coming_minutes_has_one_post_however_often_it_runs(room: Room) -> None:
    made = [_canary(room).run() for _ in range(2)]

    assert [int((FARTHEST - NEAREST) / MINUTE) + 1, 0] == made
    assert made[0] == len(_posts(room))


def test_they_go_out_on_their_minutes_and_are_gone_after_an_hour(room: Room) -> None:
    _canary(room).run()
    first = str(_posts(room)[-1]["id"])
    target = room.show({"id": first})["targets"][0]
    taken = room.house.sandbox

    for _ in range(3):
        room.pass_time(EVERY)
        _canary(room).run()

    published = [post for post in _posts(room) if post["status"] == "published"]
    assert len(published) >= 2 * EVERY / MINUTE
    assert 1 == len([*taken.find(target["account_id"], target["id"])])
    for _ in range(int(KEPT / EVERY)):
        room.pass_time(EVERY)
        _canary(room).run()
    assert 404 == room.get(f"/v1/posts/{first}").status
    assert len(_posts(room)) <= (KEPT + 2 * FARTHEST) / MINUTE


def test_a_minute_between_two_runs_is_never_left_out(room: Room) -> None:
    clock = room.house.clock
    begun = clock().replace(second=0, microsecond=0) + NEAREST + MINUTE
    _canary(room).run()
    clock.pass_time(EVERY + timedelta(seconds=40))
    _canary(room).run()

    wanted = [begun + n * MINUTE for n in range(12)]
    assert [200] * 12 == [
        room.get(f"/v1/posts/{post_id_of(room.workspace_id, minute)}").status for minute in wanted
    ]


def test_no_account_of_a_platform_is_ever_posted_to(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    of_another, room = house.room(), house.room()
    accounts = house.deployment.stores.account_repository
    test_account = accounts.get(of_another.workspace_id, of_another.account("x"))
    assert test_account is not None
    accounts.add(replace(test_account, id="e" * 32, workspace_id=room.workspace_id, test=False))

    with caplog.at_level(logging.ERROR):
        assert 0 == _canary(room).run()

    assert ["canary.failed"] == [getattr(one, "action", None) for one in caplog.records]
    assert [] == _posts(room)


def test_a_refused_post_is_told_and_the_others_are_tried(
    room: Room, caplog: pytest.LogCaptureFixture
) -> None:
    over = replace(_canary(room), clock=lambda: room.house.clock() - timedelta(days=1))

    with caplog.at_level(logging.ERROR):
        assert 0 == over.run()

    assert {"canary.failed"} == {getattr(one, "action", None) for one in caplog.records}


def test_nothing_is_kept_of_its_deleted_posts_and_all_of_others(room: Room) -> None:
    other = room.sent("x", caption="Written by somebody")
    room.delete(other)
    _canary(room).run()
    own = str(_posts(room)[-1]["id"])

    for _ in range(int((KEPT + 4 * EVERY) / EVERY)):
        room.pass_time(EVERY)
        _canary(room).run()

    given = room.house.deployment
    assert given.stores.posts.get_any(other["id"]).deleted_at is not None
    left = [row for row in every_row(given) if own in (row["pk"], row.get("post_id"))]
    assert [] == left
