"""GET /v1/accounts/{id}/choices: what an account can choose; each choice alone suffices."""

import pytest

from chalicelib.domain.platforms.platform import Platform
from tests.api.http_room import UNKNOWN_ID, Document, Room
from tests.support.sample_media import samples

OFFERED = {
    "pinterest": {"board"},
    "reddit": {"subreddit"},
    "youtube": {"playlist", "category"},
    "tiktok": {"privacy_level"},
}


@pytest.mark.parametrize("platform", sorted(OFFERED))
def test_test_accounts_offer_the_same_when_asked_anew(room: Room, platform: str) -> None:
    account = room.account(platform)

    assert _choices(room, account, fresh="true") == _choices(room, account)


def _choices(room: Room, account: str, **query: str) -> Document:
    answer = room.get(f"/v1/accounts/{account}/choices", query)
    assert answer.status == 200, answer
    data: Document = answer.json["data"]
    return data


@pytest.mark.parametrize("platform", [str(platform) for platform in Platform])
def test_every_platform_says_what_there_is_to_choose(room: Room, platform: str) -> None:
    data = _choices(room, room.account(platform))

    assert OFFERED.get(platform, set()) == set(data)
    assert all({"id", "name"} == set(choice) for one in data.values() for choice in one)


@pytest.mark.parametrize("platform", sorted(OFFERED))
def test_each_choice_alone_suffices_to_publish(room: Room, platform: str) -> None:
    sample = "silent.mp4" if platform == "youtube" else "plain.jpg"
    file = room.upload(samples()[sample].data)
    account = room.account(platform)

    for option, choices in _choices(room, account).items():
        for choice in choices:
            target = {"account_id": account, "options": {option: choice["id"]}}
            post = room.post(
                "/v1/posts", {"caption": "Bread", "media_ids": [file], "targets": [target]}
            ).json
            checked = room.act(post, "check").json
            assert checked["ready"]
            assert {one["code"] for one in checked["data"]} <= {"repeated_text", "close_together"}
            room.act(post, "publish-now")
            room.run_due()
            assert ["published"] == room.statuses(post)


def test_flairs_are_those_of_a_community(room: Room) -> None:
    account = room.account("reddit")

    assert {"subreddit", "flair_id"} == set(_choices(room, account, subreddit="r/bakers_corner"))
    assert [] == _choices(room, account, subreddit="nowhere")["flair_id"]


def test_sections_are_those_of_a_board(room: Room) -> None:
    account = room.account("pinterest")
    board = _choices(room, account)["board"][0]["id"]

    assert {"board", "board_section"} == set(_choices(room, account, board=board))
    assert [] == _choices(room, account, board="9")["board_section"]


@pytest.mark.parametrize(
    ("platform", "option"),
    [("facebook", "place_id"), ("instagram", "location_id"), ("threads", "location_id")],
)
def test_places_are_found_by_words(room: Room, platform: str, option: str) -> None:
    account = room.account(platform)

    (found,) = _choices(room, account, q="marseille")[option]

    assert "Old Port, Marseille, France" == found["name"]
    assert {option: []} == _choices(room, account, q="nowhere at all")


@pytest.mark.parametrize(
    ("platform", "words", "handle"),
    [("bluesky", "light", "lighthouse.example"), ("linkedin", "nora", "noras-bakery")],
)
def test_whom_to_mention_is_found_by_words(
    room: Room, platform: str, words: str, handle: str
) -> None:
    account = room.account(platform)

    assert [handle] == [one["id"] for one in _choices(room, account, q=words)["mentions"]]
    assert {} == _choices(room, account)


def test_a_test_account_can_lack_choices(room: Room) -> None:
    account = room.connect("pinterest", "@bare sandbox:lacks:board")

    assert {"board": []} == _choices(room, account)


def test_an_account_of_somebody_else_is_not_found(room: Room) -> None:
    answer = room.get(f"/v1/accounts/{UNKNOWN_ID}/choices")

    assert (404, "account_not_found") == answer.refusal


def test_a_platform_that_does_not_answer_is_502(room: Room) -> None:
    account = room.connect("tiktok", "sandbox:tiktok_unreachable")

    answer = room.get(f"/v1/accounts/{account}/choices", {"fresh": "true"})

    assert (502, "platform_unreachable") == answer.refusal


def test_fresh_is_a_yes_or_no(room: Room) -> None:
    answer = room.get(f"/v1/accounts/{room.account('x')}/choices", {"fresh": "maybe"})

    assert [("bool_parsing", ["query", "fresh"])] == answer.problems
