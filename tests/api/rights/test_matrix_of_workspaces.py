"""Every endpoint with the ids of another workspace, made from the route table: always a 404.

Whatever a template names in braces is filled with something that exists, only elsewhere; the body
is one that succeeds at home. A new endpoint or a new kind of id fails here until it is listed.
"""

import json
import re

import pytest

from chalicelib.api.http.endpoint import Endpoint
from chalicelib.api.paths import every_endpoint
from tests.api.http.endpoint_cases import a_photo, body_for
from tests.api.http_room import Answer, Document, House, Room
from tests.support.frozen_clock import NOON

SECRET = "Bread that nobody else may smell"
_PARAM = re.compile(r"{(\w+)}")
NAMING = [e for e in every_endpoint() if _PARAM.search(e.path) and not e.open_to_all]
LISTING = [
    e for e in every_endpoint() if e.method == "GET" and e.scope and not _PARAM.search(e.path)
]


class Bakery:
    """A workspace with one of everything that has an id."""

    def __init__(self, house: House) -> None:
        self.room = house.room()
        self.media_id = self.room.upload(a_photo())
        self.live = self.room.sent("linkedin", caption=SECRET, media_ids=[self.media_id])
        self.draft = self.room.draft("linkedin", "tiktok", caption=SECRET)
        slot = self.room.post("/v1/queue-slots", {"weekdays": [2], "time": "08:00"})
        label = self.room.post("/v1/labels", {"name": SECRET, "colour": "red"}).json
        self.room.ask(
            "PUT", f"/v1/posts/{self.draft['id']}/labels", body={"label_ids": [label["id"]]}
        )
        series = self.room.act(self.live, "repeat", {"every": "day", "times": 1})
        self.ids = {
            "series_id": str(series.json["id"]),
            "label_id": str(label["id"]),
            "post_id": str(self.live["id"]),
            "target_id": str(self.live["targets"][0]["id"]),
            "account_id": self.room.account("tiktok"),
            "media_id": self.media_id,
            "slot_id": str(slot.json["id"]),
        }

    def everything(self) -> list[Document]:
        """Return all that its own key can see."""
        paths = ["/v1/accounts", "/v1/media", "/v1/posts", "/v1/queue-slots", "/v1/labels"]
        paths += ["/v1/series"]
        paths += [f"/v1/posts/{post['id']}/history" for post in (self.live, self.draft)]
        return [self.room.get(path).json for path in paths]


@pytest.fixture(scope="module")
def bakery(house: House) -> Bakery:
    """Open the workspace whose ids are used elsewhere."""
    house.clock.now = NOON
    return Bakery(house)


def ask(room: Room, endpoint: Endpoint, ids: dict[str, str], owner: str) -> Answer:
    """Call an endpoint with these ids, claiming to be in the owner's workspace."""
    path = _PARAM.sub(lambda found: ids[found[1]], endpoint.path)
    named = f"{endpoint.method} {endpoint.path}"
    body = None if endpoint.body is None else body_for(named, room)
    return room.ask(endpoint.method, path, body=body, headers={"x-workspace-id": owner})


@pytest.mark.parametrize("endpoint", NAMING, ids=lambda endpoint: endpoint.name)
def test_an_id_of_another_workspace_is_not_found(
    bakery: Bakery, room: Room, endpoint: Endpoint
) -> None:
    before = bakery.everything()

    answer = ask(room, endpoint, bakery.ids, bakery.room.workspace_id)

    assert answer.status == 404
    assert SECRET not in answer.response.body.decode()
    assert bakery.everything() == before


def test_every_named_id_works_at_home(bakery: Bakery) -> None:
    """The matrix would prove nothing with ids that exist nowhere."""
    reads = [endpoint for endpoint in NAMING if endpoint.method == "GET"]

    answers = {e.name: ask(bakery.room, e, bakery.ids, "x").status for e in reads}

    missing = {name for name, status in answers.items() if status == 404}
    assert missing <= {"upload_state"}


@pytest.mark.parametrize("endpoint", LISTING, ids=lambda endpoint: endpoint.name)
def test_a_list_shows_nothing_of_another_workspace(
    bakery: Bakery, room: Room, endpoint: Endpoint
) -> None:
    answer = ask(room, endpoint, {}, bakery.room.workspace_id)

    shown = json.dumps(answer.json)
    assert answer.status == 200
    assert not [one for one in (*bakery.ids.values(), SECRET) if one in shown]


def test_a_body_cannot_name_what_is_in_another_workspace(bakery: Bakery, room: Room) -> None:
    mine = room.draft()
    account = {"account_id": bakery.ids["account_id"]}
    target = bakery.ids["target_id"]

    refusals = [
        room.post("/v1/posts", {"targets": [account]}).refusal,
        room.create("linkedin", media_ids=[bakery.media_id]).refusal,
        room.patch(mine, {"add": [account]}).refusal,
        room.patch(mine, {"targets": [{"id": target, "caption_override": "Hi"}]}).refusal,
        room.patch(mine, {"remove": [target]}).refusal,
        room.act(mine, f"targets/{target}/unpublish").refusal,
    ]

    assert refusals == [
        (422, "account_not_found"),
        (404, "media_not_found"),
        (422, "account_not_found"),
        (422, "target_not_found"),
        (422, "target_not_found"),
        (404, "target_not_found"),
    ]


def test_a_cursor_leads_nowhere_in_another_workspace(bakery: Bakery, room: Room) -> None:
    first_page = bakery.room.get("/v1/posts", {"limit": "1"})
    cursor = re.search(r"cursor=([^>&]+)", first_page.response.headers["Link"])
    assert cursor is not None

    answer = room.get("/v1/posts", {"cursor": cursor[1]})

    assert answer.problems[0][1] == ["query", "cursor"]


def test_an_idempotency_key_belongs_to_its_workspace(bakery: Bakery, room: Room) -> None:
    body = {"caption": "Rolls", "targets": [{"account_id": bakery.room.account()}]}
    theirs = bakery.room.post("/v1/posts", body, key="monday")

    mine = room.post(
        "/v1/posts", {"caption": "Rolls", "targets": [{"account_id": room.account()}]}, key="monday"
    )

    assert mine.status == 201
    assert mine.json["id"] != theirs.json["id"]
