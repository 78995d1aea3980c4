"""Accounts, queue times and golden hours over HTTP."""

from datetime import datetime, timedelta

import pytest

from tests.api.http_room import UNKNOWN_ID, Document, House, Room
from tests.support.frozen_clock import NOON

# Accounts


def test_accounts_are_listed_oldest_first(room: Room) -> None:
    ids = []
    for platform, handle in (("x", "@first"), ("linkedin", "@bakery"), ("x", "@second")):
        room.house.clock.pass_time(timedelta(milliseconds=1))
        ids.append(room.connect(platform, handle))

    answer = room.get("/v1/accounts")

    assert (200, True) == (answer.status, answer.json["test_accounts"])
    assert ids == [account["id"] for account in answer.json["data"]]
    assert answer.json["data"][1] == {
        "id": ids[1],
        "platform": "linkedin",
        "handle": "@bakery",
        "test": True,
        "health": "ok",
        "audience_regions": [],
    }


def test_a_workspace_without_accounts_has_no_test_account(room: Room) -> None:
    assert {"data": [], "test_accounts": False} == room.get("/v1/accounts").json


def test_an_account_that_was_disconnected_is_null_on_its_posts(room: Room) -> None:
    post = room.sent("linkedin")
    account_id = room.account()
    room.disconnect(account_id)

    target = room.show(post)["targets"][0]

    assert (None, "@lighthouse") == (target["account_id"], target["handle"])
    assert [None] == [t["account_id"] for t in room.get("/v1/posts").json["data"][0]["targets"]]


def test_three_regions_are_kept_and_the_rest_dropped(room: Room) -> None:
    path = f"/v1/accounts/{room.account()}"
    regions = ["UK", "Europe", "UK", "India", "Africa"]

    answer = room.ask("PATCH", path, body={"audience_regions": regions})

    assert (200, ["UK", "Europe", "India"]) == (answer.status, answer.json["audience_regions"])
    assert [answer.json] == room.get("/v1/accounts").json["data"]


def test_regions_may_be_taken_away(room: Room) -> None:
    path = f"/v1/accounts/{room.account()}"
    room.ask("PATCH", path, body={"audience_regions": ["UK"]})

    assert [] == room.ask("PATCH", path, body={"audience_regions": []}).json["audience_regions"]


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ({}, ("missing", ["body", "audience_regions"])),
        ({"audience_regions": "UK"}, ("list_type", ["body", "audience_regions"])),
        ({"audience_regions": ["Mars"]}, ("enum", ["body", "audience_regions", 0])),
        ({"audience_regions": None}, ("list_type", ["body", "audience_regions"])),
    ],
    ids=str,
)
def test_regions_of_the_wrong_shape_say_where(
    room: Room, body: Document, problem: tuple[str, list[str | int]]
) -> None:
    answer = room.ask("PATCH", f"/v1/accounts/{room.account()}", body=body)

    assert [problem] == answer.problems


def test_an_unknown_account_has_no_regions(room: Room) -> None:
    body = {"audience_regions": ["UK"]}

    answers = [room.ask("PATCH", f"/v1/accounts/{one}", body=body) for one in (UNKNOWN_ID, "x")]

    assert [(404, "account_not_found")] * 2 == [answer.refusal for answer in answers]


# Queue times


def test_a_new_workspace_starts_with_three_queue_times(room: Room) -> None:
    slots = room.get("/v1/queue-slots").json

    assert [
        ([0, 1, 2, 3, 4], "09:00", ""),
        ([0, 1, 2, 3, 4, 5, 6], "19:00", ""),
        ([5], "10:00", ""),
    ] == [(slot["weekdays"], slot["time"], slot["label"]) for slot in slots["data"]]
    assert "2026-11-20T19:00:00+00:00" == slots["next_free"]


def test_a_queue_time_is_added_and_removed(room: Room) -> None:
    sent = {"weekdays": [4, 2, 4], "time": "13:30", "label": "Lunch"}

    added = room.post("/v1/queue-slots", sent)
    with_it = room.get("/v1/queue-slots").json
    path = f"/v1/queue-slots/{added.json['id']}"
    removed = room.ask("DELETE", path)

    assert (201, [2, 4], "13:30", "Lunch") == (
        added.status,
        *(added.json[key] for key in ("weekdays", "time", "label")),
    )
    assert added.json in with_it["data"]
    assert "2026-11-20T13:30:00+00:00" == with_it["next_free"]
    assert (204, b"") == (removed.status, removed.response.body)
    assert (404, "queue_slot_not_found") == room.ask("DELETE", path).refusal


def test_posts_keep_their_times_when_a_queue_time_goes(room: Room) -> None:
    post = room.act(room.draft(), "queue").json

    for slot in room.get("/v1/queue-slots").json["data"]:
        room.ask("DELETE", f"/v1/queue-slots/{slot['id']}")

    assert post == room.show(post)


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ({"time": "09:00"}, ("missing", ["body", "weekdays"])),
        ({"weekdays": [1]}, ("missing", ["body", "time"])),
        ({"weekdays": [], "time": "09:00"}, ("too_short", ["body", "weekdays"])),
        ({"weekdays": [7], "time": "09:00"}, ("less_than_equal", ["body", "weekdays", 0])),
        ({"weekdays": [-1], "time": "09:00"}, ("greater_than_equal", ["body", "weekdays", 0])),
        ({"weekdays": ["1"], "time": "09:00"}, ("int_type", ["body", "weekdays", 0])),
        ({"weekdays": [1], "time": "24:00"}, ("string_pattern_mismatch", ["body", "time"])),
        ({"weekdays": [1], "time": "9:00"}, ("string_pattern_mismatch", ["body", "time"])),
        ({"weekdays": [1], "time": "09:00\n"}, ("string_pattern_mismatch", ["body", "time"])),
        ({"weekdays": [1], "time": "09:00", "label": 1}, ("string_type", ["body", "label"])),
    ],
    ids=str,
)
def test_a_queue_time_of_the_wrong_shape_says_where(
    room: Room, body: Document, problem: tuple[str, list[str | int]]
) -> None:
    answer = room.post("/v1/queue-slots", body)

    assert [problem] == answer.problems


# Golden hours


def test_golden_hours_of_the_five_default_platforms(room: Room) -> None:
    answer = room.get("/v1/golden-hour")

    result = answer.json
    assert (200, []) == (answer.status, result["audience_regions"])
    assert ["instagram", "tiktok", "youtube", "linkedin", "x"] == list(result["platforms"])
    assert 24 == len(result["activity"])
    for golden in result["platforms"].values():
        at = datetime.fromisoformat(golden["at"])
        assert (golden["hour"], 0, 0) == (at.hour, at.minute, at.second)
        assert at > NOON


def test_golden_hours_follow_the_key_owners_clock_without_regions(house: House) -> None:
    house.clock.now = NOON
    room = house.room(timezone="Asia/Tokyo")

    assert "Asia/Tokyo" == room.get("/v1/golden-hour").json["timezone"]


def test_golden_hours_follow_the_heaviest_region(room: Room) -> None:
    for platform, regions in (("x", ["UK", "India"]), ("linkedin", ["India"])):
        path = f"/v1/accounts/{room.account(platform)}"
        room.ask("PATCH", path, body={"audience_regions": regions})

    result = room.get("/v1/golden-hour", {"platforms": "facebook, threads"}).json

    assert ("Asia/Kolkata", ["India", "UK"]) == (result["timezone"], result["audience_regions"])
    assert ["facebook", "threads"] == list(result["platforms"])
    assert all(golden["at"].endswith("+05:30") for golden in result["platforms"].values())


@pytest.mark.parametrize("platforms", ["bluesky", "myspace", "x,reddit", "google business profile"])
def test_other_platforms_cannot_be_asked_about(room: Room, platforms: str) -> None:
    answer = room.get("/v1/golden-hour", {"platforms": platforms})

    assert ["query", "platforms"] == answer.problems[0][1][:2]


# The meta endpoint


def test_health_needs_no_key(room: Room) -> None:
    answer = room.ask("GET", "/v1/health", headers={"authorization": "Bearer nonsense"})

    assert (200, {"ok": True}) == (answer.status, answer.json)
