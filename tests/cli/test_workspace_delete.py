"""`workspace delete`: everything goes, unless something is scheduled."""

from typing import Any

import pytest
from click.testing import CliRunner

from chalicelib.cli.command_line import goldenhour
from tests.api.http_house import a_house
from tests.api.http_room import House, Room
from tests.cli.operator import Operator
from tests.support.emulator import EmulatorProcess
from tests.support.sample_media import samples


@pytest.fixture(scope="module")
def house(emulator: EmulatorProcess, tmp_path_factory: pytest.TempPathFactory) -> House:
    return a_house(emulator, tmp_path_factory.mktemp("house"))


@pytest.fixture
def room(house: House) -> Room:
    return house.room()


@pytest.fixture
def operator(house: House) -> Operator:
    return Operator(house.deployment)


def test_a_workspace_goes_with_everything_in_it(room: Room, operator: Operator) -> None:
    photo = room.upload(samples()["plain.jpg"].data, "bread.jpg")
    room.sent("x", media_ids=[photo])
    room.draft("linkedin")

    gone = operator.ask("workspace", "delete", room.workspace_id, "--yes")

    assert {"members": 1, "accounts": 2, "posts": 2, "files": 1} == {
        name: gone[name] for name in ("members", "accounts", "posts", "files")
    }
    assert 401 == room.get("/v1/posts").status
    assert room.workspace_id not in str(operator.ask("workspace", "list"))
    table = room.house.deployment.tables.directory
    rows = room.house.deployment.dynamodb.scan(TableName=table)["Items"]
    assert [] == [row for row in rows if room.workspace_id in str(row)]


def test_no_word_of_its_posts_is_left_in_their_rows(room: Room, operator: Operator) -> None:
    photo = room.upload(samples()["plain.jpg"].data, "grandmother.jpg")
    room.sent("x", media_ids=[photo], caption="Of what nobody may know")
    room.draft("linkedin", caption="Of what nobody may know")
    whole = str(_rows_of_posts(room))
    words = ("Of what nobody may know", "grandmother.jpg")
    handles = {row["handle"]["S"] for row in _rows_of_posts(room) if "handle" in row}

    operator.ask("workspace", "delete", room.workspace_id, "--yes")

    rows = _rows_of_posts(room)
    assert [] == [word for word in words if word not in whole]
    assert {"@lighthouse"} == handles
    assert [] == [word for word in (*words, *handles) if word in str(rows)]
    assert ["published"] == [row["status"]["S"] for row in rows if "remote_id" in row]


def _rows_of_posts(room: Room) -> list[dict[str, Any]]:
    table = room.house.deployment.tables.posts
    rows = room.house.deployment.dynamodb.scan(TableName=table)["Items"]
    posts = {row["pk"]["S"] for row in rows if room.workspace_id in str(row)}
    own = [row for row in rows if row["pk"]["S"] in posts]
    return [row for row in own if row["sk"]["S"].startswith(("POST", "TARGET#"))]


def test_a_workspace_with_a_scheduled_post_stays_as_it_is(room: Room, operator: Operator) -> None:
    post = room.scheduled("x")

    refused = operator.run("workspace", "delete", room.workspace_id, "--yes")

    assert 1 == refused.exit_code
    assert "Cancel or delete them first" in refused.stderr
    assert ["scheduled"] == room.statuses(post)


def test_without_yes_it_asks_first(room: Room, operator: Operator) -> None:
    asked = CliRunner().invoke(
        goldenhour, ["workspace", "delete", room.workspace_id], obj=operator._open, input="n\n"
    )

    assert 1 == asked.exit_code
    assert "Lighthouse Bakery" in asked.stderr
    assert 200 == room.get("/v1/posts").status


def test_a_workspace_that_is_not_there_is_told_so(operator: Operator) -> None:
    refused = operator.run("workspace", "delete", "0" * 32, "--yes")

    assert 1 == refused.exit_code
    assert "There is no such workspace" in refused.stderr
