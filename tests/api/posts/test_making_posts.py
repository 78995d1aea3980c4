"""POST /v1/posts: what a draft takes, what it refuses, and which input it blames."""

from datetime import timedelta

import pytest

from tests.api.http_room import UNKNOWN_ID, Document, Room


def test_a_draft_is_answered_as_it_was_written(room: Room) -> None:
    account = room.account("bluesky")

    answer = room.post(
        "/v1/posts",
        {
            "caption": "Fresh bread",
            "targets": [
                {
                    "account_id": account,
                    "caption_override": "Fresh bread, Bluesky",
                    "options": {"langs": ["en"]},
                    "scheduled_at": "2026-12-01T09:00:00+01:00",
                }
            ],
        },
    )

    assert answer.status == 201
    (target,) = answer.json["targets"]
    assert answer.json == {
        **answer.json,
        "caption": "Fresh bread",
        "media_ids": [],
        "status": "draft",
        "approval": None,
        "created_at": "2026-11-20T12:00:00+00:00",
    }
    assert target == {
        **target,
        "account_id": account,
        "platform": "bluesky",
        "handle": "@lighthouse",
        "status": "draft",
        "caption_override": "Fresh bread, Bluesky",
        "options": {"langs": ["en"]},
        "scheduled_at": "2026-12-01T08:00:00+00:00",
        "url": None,
    }


def test_a_caption_may_be_left_out_of_a_draft(room: Room) -> None:
    answer = room.post("/v1/posts", {"targets": [{"account_id": room.account()}]})

    assert (201, "") == (answer.status, answer.json["caption"])


def test_targets_stay_in_the_order_they_were_sent(room: Room) -> None:
    post = room.draft("x", "bluesky", "linkedin", "threads")

    assert [t["platform"] for t in post["targets"]] == ["x", "bluesky", "linkedin", "threads"]


def test_an_empty_override_is_none(room: Room) -> None:
    target = {"account_id": room.account(), "caption_override": ""}

    answer = room.post("/v1/posts", {"caption": "Fresh bread", "targets": [target]})

    assert answer.json["targets"][0]["caption_override"] is None


def test_a_status_cannot_be_sent(room: Room) -> None:
    answer = room.create("linkedin", published="yes", status="published")

    assert [("extra_forbidden", ["body", name]) for name in ("published", "status")] == (
        answer.problems
    )


@pytest.mark.parametrize("account", [UNKNOWN_ID, "not-an-id", "", "A" * 32])
def test_an_unknown_account_is_refused_and_blamed(room: Room, account: str) -> None:
    targets = [{"account_id": room.account()}, {"account_id": account}]

    answer = room.post("/v1/posts", {"caption": "Fresh bread", "targets": targets})

    assert (422, "account_not_found") == answer.refusal
    assert answer.field == "targets[1].account_id"


def test_a_disconnected_account_is_unknown(room: Room) -> None:
    room.disconnect(room.account())

    answer = room.create("linkedin")

    assert (422, "account_not_found") == answer.refusal


def test_an_account_stands_on_a_post_only_once(room: Room) -> None:
    answer = room.create("linkedin", "x", "linkedin")

    assert (422, "duplicate_account") == answer.refusal
    assert answer.field == "targets[2].account_id"


def test_two_accounts_of_one_platform_may_stand_on_a_post(room: Room) -> None:
    targets = [{"account_id": room.account("x")}, {"account_id": room.connect("x", "@second")}]

    answer = room.post("/v1/posts", {"caption": "Fresh bread", "targets": targets})

    assert 201 == answer.status


@pytest.mark.parametrize("media_id", [UNKNOWN_ID, "", "x", "../../etc/passwd"])
def test_an_unknown_file_is_not_found(room: Room, media_id: str) -> None:
    answer = room.create("linkedin", media_ids=[media_id])

    assert (404, "media_not_found") == answer.refusal


def test_an_unknown_file_comes_before_an_unknown_account(room: Room) -> None:
    targets = [{"account_id": UNKNOWN_ID}]

    answer = room.post("/v1/posts", {"targets": targets, "media_ids": [UNKNOWN_ID]})

    assert (404, "media_not_found") == answer.refusal


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ({}, ("missing", ["body", "targets"])),
        ({"targets": []}, ("too_short", ["body", "targets"])),
        ({"targets": None}, ("list_type", ["body", "targets"])),
        ({"targets": [{}]}, ("missing", ["body", "targets", 0, "account_id"])),
        ({"targets": [{"account_id": 7}]}, ("string_type", ["body", "targets", 0, "account_id"])),
        ({"targets": [{"account_id": "a"}] * 31}, ("too_long", ["body", "targets"])),
        (
            {"targets": [{"account_id": "a"}], "caption": 7},
            ("string_type", ["body", "caption"]),
        ),
        (
            {"targets": [{"account_id": "a", "options": []}]},
            ("dict_type", ["body", "targets", 0, "options"]),
        ),
        (
            {"targets": [{"account_id": "a", "scheduled_at": "2026-12-01T09:00:00"}]},
            ("timezone_aware", ["body", "targets", 0, "scheduled_at"]),
        ),
        (
            {"targets": [{"account_id": "a", "scheduled_at": "tomorrow"}]},
            ("datetime_parsing", ["body", "targets", 0, "scheduled_at"]),
        ),
        (
            {"targets": [{"account_id": "a"}], "media_ids": "a"},
            ("list_type", ["body", "media_ids"]),
        ),
    ],
    ids=str,
)
def test_a_body_of_the_wrong_shape_says_where(
    room: Room, body: object, problem: tuple[str, list[str | int]]
) -> None:
    answer = room.post("/v1/posts", body)

    assert [problem] == answer.problems


def test_options_of_a_wrong_kind_are_all_listed(room: Room) -> None:
    targets = [
        {"account_id": room.account("tiktok"), "options": {"allow_duet": "yes", "trim": "middle"}},
        {"account_id": room.account("youtube"), "options": {"title": 7}},
    ]

    answer = room.post("/v1/posts", {"caption": "Fresh bread", "targets": targets})

    assert {("targets", 0, "allow_duet"), ("targets", 0, "trim"), ("targets", 1, "title")} == {
        (loc[1], loc[2], loc[4]) for _, loc in answer.problems
    }


def test_an_option_that_the_platform_does_not_know_is_refused(room: Room) -> None:
    targets = [{"account_id": room.account("x"), "options": {"reply_setings": "everyone"}}]

    answer = room.post("/v1/posts", {"caption": "Fresh bread", "targets": targets})

    loc = ["body", "targets", 0, "options", "reply_setings"]
    assert [("extra_forbidden", loc)] == answer.problems
    assert "did you mean `reply_settings`?" in answer.json["detail"][0]["msg"]


MISPLACED = [
    ({"accounts": ["a"]}, ["body", "accounts"], "`targets`"),
    ({"text": "Bread"}, ["body", "text"], "`caption`"),
    ({"media": "a"}, ["body", "media"], "`media_ids`"),
    (
        {"scheduled_at": "2030-01-01T00:00:00Z"},
        ["body", "scheduled_at"],
        "`targets[].scheduled_at`",
    ),
]


@pytest.mark.parametrize(("more", "loc", "meant"), MISPLACED, ids=str)
def test_a_field_of_another_name_is_told_the_right_one(
    room: Room, more: Document, loc: list[str | int], meant: str
) -> None:
    answer = room.create("x", **more)

    assert [("extra_forbidden", loc)] == answer.problems
    assert f"did you mean {meant}?" in answer.json["detail"][0]["msg"]


def test_a_field_of_a_target_is_told_the_right_name_too(room: Room) -> None:
    targets = [{"account_id": room.account("x"), "at": "2030-01-01T00:00:00Z"}]

    answer = room.post("/v1/posts", {"caption": "Fresh bread", "targets": targets})

    assert [("extra_forbidden", ["body", "targets", 0, "at"])] == answer.problems
    assert "did you mean `scheduled_at`?" in answer.json["detail"][0]["msg"]


def test_a_draft_takes_no_time_in_the_past(room: Room) -> None:
    targets = [{"account_id": room.account("x"), "scheduled_at": "2020-01-01T00:00:00Z"}]

    answer = room.post("/v1/posts", {"caption": "Fresh bread", "targets": targets})

    assert [("time_in_past", ["body", "targets", 0, "scheduled_at"])] == answer.problems


def test_a_repeat_is_answered_though_its_time_has_passed_meanwhile(room: Room) -> None:
    targets = [{"account_id": room.account("x"), "scheduled_at": room.in_(minutes=5)}]
    body = {"caption": "Fresh bread", "targets": targets}
    first = room.post("/v1/posts", body, key="monday")
    room.house.clock.pass_time(timedelta(hours=1))

    again = room.post("/v1/posts", body, key="monday")

    assert (200, first.json["id"]) == (again.status, again.json["id"])


def test_a_caption_with_a_control_character_is_refused(room: Room) -> None:
    answer = room.create("x", caption="Fresh\0bread")

    assert [("control_character", ["body", "caption"])] == answer.problems


def test_every_account_of_the_largest_plan_fits_on_one_post(room: Room) -> None:
    names = [f"@bakery{number}" for number in range(25)]
    accounts = [room.connect("linkedin", name) for name in names]

    answer = room.post(
        "/v1/posts",
        {"caption": "Fresh bread", "targets": [{"account_id": one} for one in accounts]},
    )

    assert (201, 25) == (answer.status, len(answer.json["targets"]))


def test_a_refused_draft_leaves_nothing_behind(room: Room) -> None:
    room.create("linkedin", media_ids=[UNKNOWN_ID])

    assert [] == room.find()


def test_a_post_of_nobody_is_not_found(room: Room) -> None:
    answers = [room.get(f"/v1/posts/{post_id}") for post_id in (UNKNOWN_ID, "x", "A" * 32)]

    assert [(404, "post_not_found")] * 3 == [answer.refusal for answer in answers]
