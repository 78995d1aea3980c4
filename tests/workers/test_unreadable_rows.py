"""A row that a later release wrote, and that stayed when it was taken back, keeps nobody else."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from chalicelib.doctor.examination import Verdict
from chalicelib.doctor.platform_checks import SignInChecks
from chalicelib.kit.dynamodb.items import Item
from chalicelib.local.triggers.watching import StateFigures
from chalicelib.storage.tables import Key
from chalicelib.storage.workspace.items import account_key, workspace_key
from chalicelib.workers.parts import run_each
from tests.api.http_house import a_house
from tests.api.http_room import House, Room
from tests.api.resources.test_series import repeated
from tests.cli.operator import Operator
from tests.support.emulator import EmulatorProcess
from tests.support.frozen_clock import NOON


@pytest.fixture
def house(emulator: EmulatorProcess, tmp_path_factory: pytest.TempPathFactory) -> House:
    return a_house(emulator, tmp_path_factory.mktemp("house"))


@pytest.fixture
def rooms(house: House) -> tuple[Room, Room]:
    """Open a workspace that nobody can read soon, and one after it."""
    house.clock.now = NOON
    strange, other = house.room(), house.room()
    for room in (strange, other):
        room.account("linkedin")
    return strange, other


def _of_another_plan(room: Room) -> tuple[Key, Item]:
    return workspace_key(room.workspace_id), {"plan": "agency"}


def _on_another_platform(room: Room) -> tuple[Key, Item]:
    return account_key(room.workspace_id, room.account("linkedin")), {"platform": "myspace"}


Written = Callable[[Room], tuple[Key, Item]]
of_a_later_release = pytest.mark.parametrize("written", [_of_another_plan, _on_another_platform])


def _write(room: Room, written: Written) -> None:
    table = room.house.deployment.stores.directory_table.table
    key, changed = written(room)
    table.put({**(table.get(key) or {}), **changed})


@of_a_later_release
def test_series_of_others_are_made(rooms: tuple[Room, Room], written: Written) -> None:
    strange, other = rooms
    for room in rooms:
        repeated(room, room.scheduled("linkedin"))
    before = other.find()
    _write(strange, written)
    other.house.clock.pass_time(timedelta(days=15))

    other.house.deployment.upkeep.series_making.run()

    assert len(other.find()) > len(before)


@of_a_later_release
def test_profiles_of_others_are_read(rooms: tuple[Room, Room], written: Written) -> None:
    strange, other = rooms
    _write(strange, written)

    other.house.deployment.upkeep.profile_reading.run()

    profiles = other.house.deployment.stores.profiles
    assert profiles.get(other.workspace_id, other.account("linkedin")) is not None


@of_a_later_release
def test_results_of_others_are_read_and_its_own_put_off(
    rooms: tuple[Room, Room], written: Written
) -> None:
    strange, other = rooms
    for room in rooms:
        room.sent("linkedin")
    _write(strange, written)
    other.house.clock.pass_time(timedelta(hours=1))
    worker = other.house.deployment.upkeep.metrics_worker

    worker.run()
    again = worker.run()

    (post,) = other.get("/v1/posts").json["data"]
    assert other.get(f"/v1/posts/{post['id']}/metrics").json["platforms"]["linkedin"] != {}
    assert again == 0


@of_a_later_release
def test_the_operator_sees_all_others_and_whom_it_is_about(
    rooms: tuple[Room, Room], tmp_path: Path, written: Written
) -> None:
    strange, other = rooms
    given, operator = other.house.deployment, Operator(other.house.deployment)
    _write(strange, written)
    figures = StateFigures(
        engine_status=given.people.engine_control.engine_status,
        workspaces=given.stores.workspaces,
        accounts=given.stores.account_repository,
        data_dir=tmp_path,
        clock=given.clock,
    )

    checks = SignInChecks(
        workspaces=given.stores.workspaces,
        accounts=given.stores.account_repository,
        connectors=given.connectors,
        keeper=given.workspace.token_keeper,
    )

    listed = operator.run("workspace", "list")
    told = {one.subject for one in checks.run() if one.verdict is Verdict.WRONG}
    health = {one.name: one for one in figures.collect()}["goldenhour_accounts"]

    assert other.workspace_id in listed.stdout
    assert told == {f"workspace {strange.workspace_id}"}
    assert sum(sample.value for sample in health.samples) in {1, 2}


def test_the_parts_of_a_function_run_whatever_became_of_the_others() -> None:
    ran: list[str] = []

    def fails() -> None:
        ran.append("first")
        raise ValueError("myspace")

    with pytest.raises(ExceptionGroup) as told:
        run_each(fails, lambda: ran.append("second"), fails, lambda: ran.append("last"))

    assert ran == ["first", "second", "first", "last"]
    assert [str(one) for one in told.value.exceptions] == ["myspace", "myspace"]
