"""`workspace export` and `member remove --erase`: what an operator sees of them."""

import json
import zipfile
from pathlib import Path

import pytest

from chalicelib.domain.workspace.access import Role
from tests.api.http_house import a_house
from tests.api.http_room import House
from tests.cli.operator import Operator
from tests.support.emulator import EmulatorProcess
from tests.support.kept_texts import rows_with
from tests.support.sample_media import samples


@pytest.fixture(scope="module")
def house(emulator: EmulatorProcess, tmp_path_factory: pytest.TempPathFactory) -> House:
    return a_house(emulator, tmp_path_factory.mktemp("house"))


@pytest.fixture
def operator(house: House) -> Operator:
    return Operator(house.deployment, {"prod": house.deployment})


def _posts_in(folder: Path) -> list[str]:
    """Return the captions of the posts that an export has."""
    found = []
    for part in sorted(folder.glob("*.zip")):
        with zipfile.ZipFile(part) as opened:
            for name in opened.namelist():
                if name.startswith("posts"):
                    lines = opened.read(name).decode().splitlines()
                    found += [json.loads(line).get("caption") for line in lines]
    return [caption for caption in found if caption]


@pytest.mark.parametrize("where", [(), ("--stage", "prod")], ids=["here", "a stage"])
def test_a_workspace_is_exported_with_its_progress_and_once(
    house: House, operator: Operator, tmp_path: Path, where: tuple[str, ...]
) -> None:
    room, folder = house.room(), tmp_path / "out"
    room.upload(samples()["plain.jpg"].data, "bread.jpg")
    room.draft("x", caption="Rye loaf")
    ask = ("workspace", "export", room.workspace_id, str(folder), *where)

    first = operator.run(*ask)
    again = operator.run(*ask)

    assert (0, 0) == (first.exit_code, again.exit_code), first.output
    assert "is complete" in first.stderr
    assert f"Exported to {folder}:" in first.stdout
    assert f"{folder} is complete already." in again.stdout
    assert ["Rye loaf"] == _posts_in(folder)


def test_what_is_not_there_is_not_exported(operator: Operator, tmp_path: Path) -> None:
    refused = operator.run("workspace", "export", "0" * 32, str(tmp_path / "out"))

    assert 1 == refused.exit_code
    assert "There is no such workspace" in refused.stderr
    assert not (tmp_path / "out").exists()


def test_a_member_is_erased_when_that_is_said(house: House, operator: Operator) -> None:
    room = house.room()
    name = "Grace of the harbour"
    member = house.deployment.people.administration.add_member(
        room.workspace_id, name=name, role=Role.EDITOR
    )
    house.deployment.people.administration.create_key(member.id, name="till")
    before = len(rows_with(house.deployment, name))

    asked = operator.run("member", "remove", member.id, "--erase")
    unsaid = len(rows_with(house.deployment, name))
    done = operator.ask("member", "remove", member.id, "--erase", "--yes")

    assert 1 == asked.exit_code, "nobody answered"
    assert before == unsaid > 0
    assert (member.id, True) == (done["member_id"], done["erased"])
    assert [] == rows_with(house.deployment, name)
