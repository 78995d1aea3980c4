"""`workspace delete`: everything goes, unless something is scheduled."""

from datetime import datetime, timedelta

import pytest
from click.testing import CliRunner

from chalicelib.cli.command_line import goldenhour
from tests.api.http_house import a_house
from tests.api.http_room import House, Room
from tests.cli.operator import Operator
from tests.support.emulator import EmulatorProcess
from tests.support.kept_texts import every_row, rows_with
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
    assert {"DELETED", "DELETIONS", "ENGINE"} == {
        pk for pk, _ in rows_with(room.house.deployment, room.workspace_id)
    }


def test_it_ends_by_itself_and_leaves_a_tombstone(room: Room, operator: Operator) -> None:
    gone = operator.ask("workspace", "delete", room.workspace_id, "--yes")
    house = room.house

    house.clock.now = datetime.fromisoformat(str(gone["looked_for_again_at"]))
    house.deployment.whole_workspace.deletion.run()

    assert rows_with(house.deployment, room.workspace_id) == [("DELETED", room.workspace_id)]
    again = operator.run("workspace", "delete", room.workspace_id, "--yes")
    assert "There is no such workspace" in again.stderr


def test_no_word_of_its_posts_is_left_in_their_rows(room: Room, operator: Operator) -> None:
    photo = room.upload(samples()["plain.jpg"].data, "grandmother.jpg")
    room.sent("x", media_ids=[photo], caption="Of what nobody may know")
    room.draft("linkedin", caption="Of what nobody may know")
    words = ("Of what nobody may know", "grandmother.jpg", "@lighthouse")
    assert all(rows_with(room.house.deployment, word) for word in words)
    posts = [pk for pk, sk in rows_with(room.house.deployment, *words) if sk == "POST"]

    operator.ask("workspace", "delete", room.workspace_id, "--yes")

    left = every_row(room.house.deployment)
    assert [row for row in left if str(row["pk"]) in posts] == []


def test_a_workspace_with_a_scheduled_post_stays_as_it_is(room: Room, operator: Operator) -> None:
    post = room.scheduled("x")

    refused = operator.run("workspace", "delete", room.workspace_id, "--yes")

    assert 1 == refused.exit_code
    assert "Cancel or delete them first" in refused.stderr
    assert ["scheduled"] == room.statuses(post)


def test_it_goes_if_that_is_said_and_nothing_is_sent_any_more(
    room: Room, operator: Operator
) -> None:
    room.scheduled("x")

    gone = operator.ask("workspace", "delete", room.workspace_id, "--yes", "--even-scheduled")

    assert gone["posts"] == 1
    room.pass_time(timedelta(hours=2))
    assert room.house.sandbox.newest(room.accounts["x"]) == []


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
