"""A workspace's own application at a platform: kept by its owner, used for its accounts alone."""

from urllib.parse import parse_qs, urlsplit

import pytest

from chalicelib.connectors.shared.auth.oauth import Client
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.access import Role
from chalicelib.domain.workspace.operator_errors import OperatorError
from tests.api.http_house import a_house
from tests.api.http_room import House, Room
from tests.support.emulator import EmulatorProcess
from tests.web.browser import Browser
from tests.web.sign_in_desk import invited, with_sign_ins

PAGE = "/app/accounts/applications"
OURS = {
    "platform": "threads",
    "client_id": "our-own-app",
    "client_secret": "hush-hush",
    "method": "",
    "config_id": "",
}


@pytest.fixture(scope="module")
def house(emulator: EmulatorProcess, tmp_path_factory: pytest.TempPathFactory) -> House:
    return a_house(emulator, tmp_path_factory.mktemp("house"))


@pytest.fixture
def room(house: House) -> Room:
    return with_sign_ins(house)


def client_asked(room: Room) -> str:
    """Return by which application somebody with a link signs in at Threads."""
    visitor = Browser.of(room)
    answer = visitor.send(invited(room), {"platform": "threads", "method": ""})
    return parse_qs(urlsplit(answer.location).query)["client_id"][0]


def test_an_owner_keeps_one_and_its_accounts_are_connected_by_it(house: House, room: Room) -> None:
    other = house.room()
    owner = Browser.of(room).with_session()

    owner.send(PAGE, OURS)

    assert client_asked(room) == "our-own-app"
    assert client_asked(other) == "an-application"
    shown = owner.open(PAGE).text
    assert "our-own-app" in shown
    assert "hush-hush" not in shown


@pytest.mark.parametrize("field", ["client_id", "client_secret", "config_id"])
def test_a_value_that_no_platform_gives_is_refused(room: Room, field: str) -> None:
    """Client ids are in the row that pauses the engine, while their application is held up."""
    owner = Browser.of(room).with_session()

    answer = owner.send(PAGE, {**OURS, field: "a" * 501})

    assert "has more than 500 characters" in answer.text
    assert "Threads" not in owner.open(PAGE).text.partition("<form")[0]


def test_a_way_that_no_platform_has_is_not_found(room: Room) -> None:
    owner = Browser.of(room).with_session()

    answer = owner.send(f"{PAGE}/remove", {"platform": "threads", "method": "a" * 2_000})

    assert "Threads has no application here" in answer.text


def test_a_secret_is_sealed_for_its_workspace_alone(house: House, room: Room) -> None:
    ways, table = (
        house.deployment.sign_in.connecting.ways,
        house.deployment.stores.directory_table.table,
    )
    own = {"pk": f"WORKSPACE#{room.workspace_id}", "sk": "APPLICATION#threads#"}
    ways.set(Platform.THREADS, Client("a", "hush-hush"), workspace_id=room.workspace_id)

    row = table.get(own)
    elsewhere = house.room().workspace_id
    assert row is not None
    table.put({**row, "pk": f"WORKSPACE#{elsewhere}"})

    assert b"hush" not in bytes(row["secret"])
    with pytest.raises(Exception, match=r".*"):
        ways.client(Platform.THREADS, None, elsewhere)


def test_who_is_no_owner_neither_sees_nor_keeps_any(room: Room) -> None:
    admin = Browser.of(room).as_role(Role.ADMIN)

    assert admin.open(PAGE).status == 403
    assert admin.send(PAGE, OURS).status == 403
    assert client_asked(room) == "an-application"


def test_one_that_is_removed_leaves_the_services_own(house: House, room: Room) -> None:
    owner = Browser.of(room).with_session()
    owner.send(PAGE, OURS)

    owner.send(f"{PAGE}/remove", {"platform": "threads", "method": ""})

    assert client_asked(room) == "an-application"
    with pytest.raises(OperatorError):
        house.deployment.sign_in.connecting.ways.remove(
            Platform.THREADS, workspace_id=room.workspace_id
        )


def test_half_of_the_credentials_is_refused(room: Room) -> None:
    owner = Browser.of(room).with_session()

    answer = owner.send(PAGE, {**OURS, "client_id": "  "})

    assert answer.status in {303, 409, 422}
    assert client_asked(room) == "an-application"
