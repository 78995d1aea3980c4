"""What TikTok's reviewers demand is told by check and by the form, in TikTok's own words.

developers.tiktok.com/doc/content-sharing-guidelines, "Required UX Implementation in Your App".
"""

from dataclasses import replace

import pytest

from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.platforms.tiktok_form import AUDIT, is_audited
from chalicelib.domain.posts.problems import Surroundings, problems_of
from chalicelib.domain.workspace.accounts import Account
from chalicelib.kit.json_value import Json
from tests.api.http_house import a_house
from tests.api.http_room import House, Room
from tests.support.builders import a_post, a_target
from tests.support.emulator import EmulatorProcess
from tests.support.frozen_clock import NOON

PARTNERSHIP = "Your photo/video will be labeled as 'Paid partnership'"
PROMOTIONAL = "Your photo/video will be labeled as 'Promotional content'"
MUSIC = "By posting, you agree to TikTok's Music Usage Confirmation"
BRANDED = "By posting, you agree to TikTok's Branded Content Policy and Music Usage Confirmation"
INDICATE = "You need to indicate if your content promotes yourself, a third party, or both."
SEEN = {"privacy_level": "PUBLIC_TO_EVERYONE", "disclose_commercial": True}


@pytest.fixture(scope="module")
def room(emulator: EmulatorProcess, tmp_path_factory: pytest.TempPathFactory) -> Room:
    house: House = a_house(emulator, tmp_path_factory.mktemp("house"))
    house.clock.now = NOON
    return house.room()


def told(room: Room, options: dict[str, object]) -> dict[str, str]:
    target = {"account_id": room.account("tiktok"), "options": options}
    post = room.post("/v1/posts", {"caption": "Rye", "targets": [target]}).json
    return {one["code"]: one["message"] for one in room.act(post, "check").json["data"]}


@pytest.mark.parametrize(
    ("boxes", "label", "declaration"),
    [
        ({"your_brand": True}, PROMOTIONAL, MUSIC),
        ({"branded_content": True}, PARTNERSHIP, BRANDED),
        ({"your_brand": True, "branded_content": True}, PARTNERSHIP, BRANDED),
    ],
)
def test_a_check_tells_the_label_and_what_is_agreed_to(
    room: Room, boxes: dict[str, object], label: str, declaration: str
) -> None:
    assert told(room, {**SEEN, **boxes})["tiktok_label"] == f"{label}. {declaration}."


def test_a_promotion_of_nobody_is_refused_in_tiktoks_words(room: Room) -> None:
    found = told(room, SEEN)

    assert found["tiktok_rules"].startswith(INDICATE)
    assert "tiktok_label" not in found


def test_branded_content_for_oneself_alone_is_refused_in_tiktoks_words(room: Room) -> None:
    options = {"privacy_level": "SELF_ONLY", "disclose_commercial": True, "branded_content": True}
    target = {"account_id": room.account("tiktok"), "options": options}

    answer = room.post("/v1/posts", {"caption": "Rye", "targets": [target]})

    assert answer.refusal == (422, "tiktok_rules")
    message = answer.json["error"]["message"]
    assert message.startswith("Branded content visibility cannot be set to private.")


@pytest.mark.parametrize(
    ("media", "shown"), [("video", ["comment", "duet", "stitch"]), ("image", ["comment"])]
)
def test_a_form_gets_all_its_sentences(room: Room, media: str, shown: list[str]) -> None:
    place = f"/v1/accounts/{room.account('tiktok')}/tiktok"

    form = room.get(place, {"include": "form", "media": media}).json["form"]

    assert form["interactions"] == shown
    assert form["labels"] == {"your_brand": PROMOTIONAL, "branded_content": PARTNERSHIP}
    assert form["declarations"] == {"": MUSIC, "branded_content": BRANDED}
    assert set(form["links"]) == {"Music Usage Confirmation", "Branded Content Policy"}
    assert "form" not in room.get(place, {"media": media}).json


def of_real_account(options: dict[str, Json], *, audited: bool) -> list[str]:
    account = Account(
        id="a",
        workspace_id="w",
        platform=Platform.TIKTOK,
        handle="@nora",
        test=False,
        created_at=NOON,
    )
    target = replace(a_target(platform=Platform.TIKTOK), options=options)
    around = Surroundings(account=account, media=None, is_audited=audited)
    found = problems_of(a_post(targets=[target]), target, around, now=NOON)
    return [problem.code for problem in found]


@pytest.mark.parametrize(
    ("level", "audited", "is_told"),
    [
        ("PUBLIC_TO_EVERYONE", False, True),
        ("SELF_ONLY", False, False),
        ("PUBLIC_TO_EVERYONE", True, False),
    ],
)
def test_what_an_unaudited_application_cannot_do_is_told_ahead(
    level: str, *, audited: bool, is_told: bool
) -> None:
    found = of_real_account({"privacy_level": level}, audited=audited)

    assert ("tiktok_unaudited" in found) is is_told


def test_an_application_counts_as_unaudited_until_its_operator_says_otherwise() -> None:
    assert AUDIT.variable == "GOLDENHOUR_TIKTOK_AUDIT"
    assert not is_audited({})
    assert is_audited({"tiktok_audit": "passed"})


def test_a_test_account_shows_what_is_missing_where_an_operator_set_pending(
    emulator: EmulatorProcess, tmp_path_factory: pytest.TempPathFactory
) -> None:
    where = tmp_path_factory.mktemp("unaudited")
    house = a_house(emulator, where, of_platforms={"tiktok_audit": "pending"})
    house.clock.now = NOON
    room = house.room()
    place = f"/v1/accounts/{room.account('tiktok')}/tiktok"

    assert "five people a day" in told(room, {"privacy_level": "SELF_ONLY"})["tiktok_unaudited"]
    form = room.get(place, {"include": "form", "media": "video"}).json["form"]
    assert "five people a day" in form["unaudited"]


def test_a_test_account_needs_no_audit_where_nothing_is_set(room: Room) -> None:
    assert "tiktok_unaudited" not in told(room, {"privacy_level": "SELF_ONLY"})
