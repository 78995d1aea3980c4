"""`workspace move`: what an operator types, and what each side says afterwards."""

from dataclasses import replace

import pytest

from tests.cli.operator import Operator
from tests.services.operator.moving_rooms import Line, TwoHouses, two_houses
from tests.support.emulator import EmulatorProcess


@pytest.fixture(scope="module")
def houses(emulator: EmulatorProcess, tmp_path_factory: pytest.TempPathFactory) -> TwoHouses:
    made = two_houses(emulator, tmp_path_factory.mktemp("houses"))
    for house in (made.here, made.there):
        house.deployment.stack_runs = False
        house.deployment.sandbox_store = house.sandbox
    return made


@pytest.fixture
def operator(houses: TwoHouses) -> Operator:
    """Return who works here, and knows the other side as a stage and by its folder."""
    there = houses.there.deployment
    return Operator(houses.here.deployment, {"prod": there, "/srv/there": there})


@pytest.mark.parametrize("place", ["prod", "/srv/there"])
def test_a_workspace_moves_and_each_side_says_where_it_is(
    place: str, houses: TwoHouses, operator: Operator
) -> None:
    room = houses.here.room()
    post = room.draft("x")

    said = operator.ask(
        *("workspace", "move", room.workspace_id, "--to", place),
        *("--address", "https://post.example"),
    )

    assert {"workspace_id": room.workspace_id, "address": "https://post.example"} == said
    assert ["draft"] == houses.room_there(room).statuses(post)
    shown = operator.run("workspace", "show", room.workspace_id)
    assert 1 == shown.exit_code
    assert "has moved to" in shown.stderr
    assert "https://post.example" in shown.stderr
    assert "https://post.example" in room.get("/v1/posts").json["error"]["message"]
    again = operator.run("workspace", "move", room.workspace_id, "--to", place)
    assert 0 == again.exit_code


def test_what_cannot_be_moved_or_given_up_is_said(houses: TwoHouses, operator: Operator) -> None:
    room = houses.here.room()

    none = operator.run("workspace", "move", "0" * 32, "--to", "prod")
    kept = operator.run("workspace", "move", room.workspace_id, "--to", "prod", "--give-up")
    back = operator.run("workspace", "move", room.workspace_id, "--to", "prod", "--was-restored")

    assert [1, 1, 1] == [one.exit_code for one in (none, kept, back)]
    assert "There is no such workspace" in none.stderr
    assert "no move of this workspace" in kept.stderr
    assert "nothing was deleted here" in back.stderr
    assert 200 == room.get("/v1/posts").status


def test_a_side_that_cannot_be_reached_is_said_and_the_move_goes_on_later(
    houses: TwoHouses, operator: Operator
) -> None:
    room = houses.here.room()
    move = ("workspace", "move", room.workspace_id, "--to", "prod")
    down = replace(operator, stages={"prod": houses.there_while_it_answers(Line(4))})

    ended = down.run(*move)
    shown = operator.run(*move)

    assert [1, 0] == [ended.exit_code, shown.exit_code]
    assert "https://down.example" in ended.stderr
    assert "run the same command again" in ended.stderr
    assert "--give-up" in ended.stderr
