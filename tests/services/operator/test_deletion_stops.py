"""Deleting a workspace answers at once and stops everything, however much of it is scheduled."""

from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from chalicelib.domain.ids import new_id
from chalicelib.domain.workspace.deletion import AGAIN_AFTER, Step
from chalicelib.kit.dynamodb.items import attributes
from chalicelib.kit.dynamodb.table import Table, key_of, partition
from chalicelib.storage.tables import LIST_SHARDS, workspace_pk
from tests.api.http_house import a_house
from tests.api.http_room import Document, House, Room
from tests.support.emulator import EmulatorProcess
from tests.support.engine_room import EngineRoom, an_engine_room
from tests.support.engines import Engine, costly_elsewhere
from tests.support.kept_texts import every_row, rows_with
from tests.workers.publishing.failures.faults import FaultPlan, KilledError, Strike
from tests.workers.publishing.test_armed_fire import armed_once

CAPTION = "Rye loaf of the harvest"
SECOND, HOUR = timedelta(seconds=1), timedelta(hours=1)
THOUSAND, HUNDREDS = 1_000, 200
_MOST_ROWS = 25

pytestmark = [
    costly_elsewhere,
    pytest.mark.cannot_run_on(
        Engine.MOTO,
        because="it copies all tables for each transaction: thousands of rows take many minutes",
    ),
]


@pytest.fixture
def house(emulator: EmulatorProcess, tmp_path: Path) -> House:
    return a_house(emulator, tmp_path)


def _scheduled(house: House, count: int) -> tuple[Room, Document]:
    """Make a workspace with so many posts that are due in an hour, all but one as rows alone."""
    room = house.room()
    post = room.scheduled("x", caption=CAPTION)
    plain, names = house.deployment, house.deployment.tables
    posts = Table(plain.clients.dynamodb, names.posts)
    directory = Table(plain.clients.dynamodb, names.directory)
    whole = list(posts.rows(partition(post["id"])))
    (taken,) = directory.rows(partition(workspace_pk(room.workspace_id), "TAKEN#"))
    rows: dict[str, list[Any]] = {names.posts: [], names.directory: []}
    for number in range(count - 1):
        post_id, target_id = new_id(house.clock()), new_id(house.clock())
        for row in whole:
            sk = f"TARGET#{target_id}" if row["sk"].startswith("TARGET#") else row["sk"]
            rows[names.posts].append({**row, "pk": post_id, "sk": sk})
        rows[names.directory].append({**taken, "sk": f"{taken['sk']}{number}"})
    for table, its in rows.items():
        for start in range(0, len(its), _MOST_ROWS):
            some = its[start : start + _MOST_ROWS]
            puts: Any = [{"PutRequest": {"Item": attributes(row)}} for row in some]
            answer = plain.clients.dynamodb.batch_write_item(RequestItems={table: puts})
            assert not answer["UnprocessedItems"]
    return room, post


def _calls_of_begin(room: Room) -> list[str]:
    plan, deletion = FaultPlan(), room.house.deployment.whole_workspace.deletion
    plan.watch(room.house.deployment.clients.dynamodb, "dynamodb")
    plan.arm()
    assert deletion.posts.has_motion(room.workspace_id)
    deletion.begin(room.workspace_id, even_scheduled=True)
    plan.disarm()
    return list(plan.calls)


def test_the_answer_takes_as_many_calls_however_many_posts_wait(house: House) -> None:
    """It differs by the list that has the first of them, of a few lists."""
    one, _ = _scheduled(house, 1)
    many, _ = _scheduled(house, THOUSAND)

    assert abs(len(_calls_of_begin(many)) - len(_calls_of_begin(one))) <= 2 * LIST_SHARDS


def test_none_of_a_thousand_goes_out_after_the_answer(house: House) -> None:
    """Those of the next second neither: no claim takes them, whoever had read the switch before."""
    room, post = _scheduled(house, THOUSAND)
    engine, switch = house.deployment.engine, house.deployment.stores.engine_switch
    house.clock.pass_time(HOUR - SECOND)

    house.deployment.whole_workspace.deletion.begin(room.workspace_id, even_scheduled=True)
    house.clock.pass_time(SECOND)
    refs = room.waking(house.clock())
    before = _targets(house, post)
    now_so = switch.read()
    for ref in refs:
        engine.publish_worker.run(ref, now_so)

    assert len(refs) == THOUSAND
    assert _targets(house, post) == before, "none was claimed"
    for ref in refs[:20]:
        engine.publish_worker.run(ref)
    assert house.sandbox.newest() == []


def _targets(house: House, post: Document) -> list[Any]:
    table = Table(house.deployment.clients.dynamodb, house.deployment.tables.posts)
    return list(table.rows(partition(post["id"], "TARGET#")))


@pytest.mark.parametrize("strike", [Strike.KILL_BEFORE, Strike.KILL_AFTER])
def test_a_kill_in_the_middle_goes_on_and_nothing_goes_out_meanwhile(
    house: House, strike: Strike
) -> None:
    room, _ = _scheduled(house, HUNDREDS)
    plan, deletion = FaultPlan(), house.deployment.whole_workspace.deletion
    plan.watch(house.deployment.clients.dynamodb, "dynamodb")
    begun = deletion.begin(room.workspace_id, even_scheduled=True)
    house.clock.pass_time(HOUR)
    for at in (200, 700):
        plan.arm(strike, at)
        with suppress(KilledError):
            for _ in deletion.steps(deletion.rows.find(room.workspace_id) or begun):
                pass
        plan.disarm()
        left = deletion.rows.find(room.workspace_id)
        assert left is not None
        assert left.step in {Step.PEOPLE, Step.POSTS}, "it was killed while there was much to do"
        for ref in room.waking(house.clock())[:5]:
            house.deployment.engine.publish_worker.run(ref)

    deletion.run()
    house.clock.pass_time(AGAIN_AFTER)
    deletion.run()

    assert rows_with(house.deployment, CAPTION) == []
    of_it = {"pk": "DELETED", "sk": room.workspace_id}
    named = [row for row in every_row(house.deployment) if room.workspace_id in str(row)]
    assert [key_of(row) for row in named] == [of_it]
    assert house.sandbox.newest() == []
    assert house.deployment.stores.engine_switch.read().closed == frozenset()


def test_what_was_armed_before_the_answer_is_not_sent_at_its_second(
    emulator: EmulatorProcess, tmp_path: Path
) -> None:
    """Its switch was read, and its request made, before somebody deleted the workspace."""
    room: EngineRoom = an_engine_room(emulator, tmp_path)
    post, one, armed, switch = armed_once(room)
    due = room.target(post).due_at
    assert due is not None

    room.deployment.whole_workspace.deletion.begin(post.workspace_id, even_scheduled=True)
    room.clock.now = due
    rest = room.fire_worker.fire(one, armed, switch)
    while rest is not None and (work := rest()) is not None:
        work()
        rest = None

    assert room.sandbox.newest() == []


def test_a_workspace_that_is_being_deleted_lets_nobody_in_from_the_answer_on(
    house: House,
) -> None:
    room, post = _scheduled(house, 3)
    caller = house.deployment.workspace.authentication.authenticate(f"Bearer {room.key}")

    house.deployment.whole_workspace.deletion.begin(room.workspace_id, even_scheduled=True)

    assert room.get(f"/v1/posts/{post['id']}").status == 401
    assert house.deployment.stores.workspaces.get(caller.workspace_id) is None
