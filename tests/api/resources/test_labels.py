"""Labels over HTTP: made, renamed, deleted, given to posts, and posts found by them."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from chalicelib.domain.posts.labels import MOST_LABELS, MOST_ON_A_POST, Colour
from tests.api.http_room import UNKNOWN_ID, Answer, Document, Room

FULL_WIDTH = "".join(chr(ord(sign) + 0xFEE0) if sign != " " else sign for sign in "SUMMER SALE")


def made(room: Room, name: str = "Summer sale", colour: str = "amber") -> Document:
    answer = room.post("/v1/labels", {"name": name, "colour": colour})
    assert answer.status == 201, answer
    return answer.json


def give(room: Room, post: Document, *labels: Document) -> Answer:
    body = {"label_ids": [label["id"] for label in labels]}
    return room.ask("PUT", f"/v1/posts/{post['id']}/labels", body=body)


def found(room: Room, **query: str) -> list[str]:
    return [post["id"] for post in room.get("/v1/posts", query).json["data"]]


def test_labels_are_listed_oldest_first(room: Room) -> None:
    labels = [made(room, name, "teal") for name in ("Winter", "Autumn")]

    assert {"data": labels} == room.get("/v1/labels").json
    assert [{"id": labels[0]["id"], "name": "Winter", "colour": "teal"}] == labels[:1]


def test_there_are_twelve_colours() -> None:
    assert len(Colour) == 12


@pytest.mark.parametrize("name", ["summer SALE", FULL_WIDTH, "Summer sale"])
def test_no_two_labels_differ_in_capitals_or_width_only(room: Room, name: str) -> None:
    made(room)
    other = made(room, "Other")

    refused = room.post("/v1/labels", {"name": name, "colour": "red"})
    renamed = room.ask("PATCH", f"/v1/labels/{other['id']}", body={"name": name})

    assert [(409, "label_exists")] * 2 == [refused.refusal, renamed.refusal]


@pytest.mark.parametrize("name", ["", "   ", "x" * 51, "👨‍👩‍👧‍👦" * 51, "two\nlines", "a\u0000"])
def test_a_name_has_one_to_fifty_characters_on_one_line(room: Room, name: str) -> None:
    answer = room.post("/v1/labels", {"name": name, "colour": "red"})

    assert answer.status == 422, answer
    assert answer.json["detail"][0]["loc"] == ["body", "name"]


def test_fifty_characters_are_counted_as_people_count_them(room: Room) -> None:
    family = "👨‍👩‍👧‍👦" * 50

    assert family == made(room, family)["name"]


def test_a_workspace_has_a_hundred_labels_at_most(room: Room) -> None:
    for number in range(MOST_LABELS):
        made(room, f"Label {number}")

    refused = room.post("/v1/labels", {"name": "One more", "colour": "red"})

    assert refused.status == 422
    assert "at most 100 labels" in refused.json["detail"][0]["msg"]


def test_a_label_is_renamed_and_coloured_on_every_post(room: Room) -> None:
    label, post = made(room), room.draft("x")
    give(room, post, label)

    changed = room.ask("PATCH", f"/v1/labels/{label['id']}", body={"name": "SUMMER sale"})
    coloured = room.ask("PATCH", f"/v1/labels/{label['id']}", body={"colour": "pink"})

    assert {**label, "name": "SUMMER sale"} == changed.json
    assert {**label, "name": "SUMMER sale", "colour": "pink"} == coloured.json
    assert {"data": [coloured.json]} == room.get(f"/v1/posts/{post['id']}/labels").json


def test_two_changes_of_a_label_at_once_both_stay(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    label = made(room)
    table = room.house.deployment.posting.labels.rows._directory
    read, faster = table.get, [{"colour": "pink"}]

    def read_and_be_overtaken(key: Mapping[str, str]) -> dict[str, Any] | None:
        row = read(key)
        if faster:
            room.ask("PATCH", f"/v1/labels/{label['id']}", body=faster.pop())
        return row

    monkeypatch.setattr(table, "get", read_and_be_overtaken)
    renamed = room.ask("PATCH", f"/v1/labels/{label['id']}", body={"name": "Winter"})

    assert {**label, "name": "Winter", "colour": "pink"} == renamed.json
    assert {"data": [renamed.json]} == room.get("/v1/labels").json


def test_labels_leave_what_goes_out_and_its_revision_alone(room: Room) -> None:
    post = room.scheduled("x")
    before = room.get(f"/v1/posts/{post['id']}")

    given = give(room, post, made(room))

    after = room.get(f"/v1/posts/{post['id']}")
    assert given.status == 200
    assert (before.json, before.response.headers["ETag"]) == (
        after.json,
        after.response.headers["ETag"],
    )
    assert room.get(f"/v1/posts/{post['id']}/history").json["events"][-1]["action"] != "labels"


def test_a_live_post_takes_labels_as_any_other(room: Room) -> None:
    post, label = room.sent("x"), made(room)

    assert {"data": [label]} == give(room, post, label).json


def test_an_edit_keeps_the_labels(room: Room) -> None:
    post, label = room.draft("x"), made(room)
    give(room, post, label)

    room.patch(post, {"caption": "Other words"})

    assert {"data": [label]} == room.get(f"/v1/posts/{post['id']}/labels").json


def test_a_post_has_exactly_the_labels_given_last(room: Room) -> None:
    first, second = made(room, "First"), made(room, "Second")
    post = room.draft("x")
    give(room, post, first)

    assert {"data": [second]} == give(room, post, second, second).json
    assert [] == found(room, label=first["id"])
    assert [post["id"]] == found(room, label=second["id"])
    assert {"data": []} == give(room, post).json
    assert [] == found(room, label=second["id"])


def test_ten_labels_are_the_most_on_a_post(room: Room) -> None:
    labels = [made(room, f"Label {number}") for number in range(MOST_ON_A_POST + 1)]
    post = room.draft("x")

    assert give(room, post, *labels).status == 422
    assert {"data": labels[1:]} == give(room, post, *labels[1:]).json


def test_unknown_labels_and_posts_are_refused_and_nothing_changes(room: Room) -> None:
    post, label = room.draft("x"), made(room)
    give(room, post, label)

    unknown = give(room, post, {"id": UNKNOWN_ID})
    nowhere = give(room, {"id": UNKNOWN_ID}, label)

    assert (404, "label_not_found") == unknown.refusal
    assert (404, "post_not_found") == nowhere.refusal
    assert {"data": [label]} == room.get(f"/v1/posts/{post['id']}/labels").json


def test_a_deleted_label_is_on_no_post(room: Room) -> None:
    gone, kept, post = made(room, "Gone"), made(room, "Kept"), room.draft("x")
    give(room, post, gone, kept)

    assert room.ask("DELETE", f"/v1/labels/{gone['id']}").status == 204
    assert room.ask("DELETE", f"/v1/labels/{gone['id']}").status == 404
    assert {"data": [kept]} == room.get(f"/v1/posts/{post['id']}/labels").json
    assert {"data": [kept]} == give(room, post, kept).json


def test_posts_are_found_by_a_label_beside_every_other_filter(room: Room) -> None:
    label = made(room)
    wanted = []
    for day in (3, 1, 2):
        wanted.append(room.scheduled("x", at=room.in_(days=day), caption="Rye"))
        room.house.clock.pass_time(timedelta(milliseconds=1))
    other_words = room.scheduled("x", at=room.in_(days=1), caption="Wheat")
    draft = room.draft("x", caption="Rye")
    room.scheduled("x", at=room.in_(days=1), caption="Rye without a label")
    for post in (*wanted, other_words, draft):
        give(room, post, label)
    ids = [post["id"] for post in wanted]

    asked = {"label": label["id"], "q": "rye"}
    assert [draft["id"], *reversed(ids)] == found(room, **asked)
    assert list(reversed(ids)) == found(room, **asked, status="scheduled")
    assert [ids[1], ids[2], ids[0], draft["id"]] == found(room, **asked, sort="scheduled")
    assert [ids[2]] == found(
        room, **asked, **{"from": room.in_(days=1, hours=1), "to": room.in_(days=2, hours=1)}
    )
    assert [] == found(room, label=UNKNOWN_ID)


def test_pages_of_posts_with_a_label_go_on_where_they_ended(room: Room) -> None:
    label = made(room)
    ids = []
    for _ in range(5):
        ids.append(room.draft("x")["id"])
        give(room, {"id": ids[-1]}, label)
        room.house.clock.pass_time(timedelta(milliseconds=1))

    seen: list[str] = []
    query: dict[str, list[str]] | None = {"label": [label["id"]], "limit": ["2"]}
    while query is not None:
        answer = room.get("/v1/posts", query)
        seen += [post["id"] for post in answer.json["data"]]
        link = answer.response.headers.get("Link")
        query = None if link is None else parse_qs(urlsplit(link.strip("<").split(">")[0]).query)

    assert list(reversed(ids)) == seen


def test_a_list_says_the_labels_of_each_post_if_asked(room: Room) -> None:
    label, plain, labelled = made(room), room.draft("x"), room.draft("x")
    give(room, labelled, label)

    with_labels = room.get("/v1/posts", {"include": "labels"}).json["data"]

    assert {labelled["id"]: [label], plain["id"]: []} == {
        post["id"]: post["labels"] for post in with_labels
    }
    assert all("labels" not in post for post in room.get("/v1/posts").json["data"])


def test_a_deleted_post_is_on_no_list(room: Room) -> None:
    label, post = made(room), room.draft("x")
    give(room, post, label)

    room.delete(post)

    assert [] == found(room, label=label["id"])


def test_a_repeated_call_makes_one_label(room: Room) -> None:
    body = {"name": "Summer sale", "colour": "amber"}

    first, second = (room.post("/v1/labels", body, key="once") for _ in range(2))

    assert (201, 200, first.json) == (first.status, second.status, second.json)
    assert {"data": [first.json]} == room.get("/v1/labels").json
