"""PATCH /v1/posts/{post_id} refused: what is unknown, fixed or lacking, and in which order."""

from datetime import timedelta

import pytest

from tests.api.http_room import UNKNOWN_ID, Document, Room


def _target(post: Document, place: int = 0) -> str:
    return str(post["targets"][place]["id"])


def _change(post: Document, place: int = 0, **change: object) -> Document:
    return {"targets": [{"id": _target(post, place), **change}]}


@pytest.mark.parametrize(
    ("changes", "code", "field"),
    [
        ({"targets": [{"id": UNKNOWN_ID}]}, "target_not_found", "targets[0].id"),
        ({"targets": [{"id": ""}]}, "target_not_found", "targets[0].id"),
        ({"remove": [UNKNOWN_ID]}, "target_not_found", "remove[0]"),
        ({"add": [{"account_id": UNKNOWN_ID}]}, "account_not_found", "add[0].account_id"),
    ],
)
def test_what_is_unknown_is_blamed(room: Room, changes: Document, code: str, field: str) -> None:
    post = room.draft()

    answer = room.patch(post, changes)

    assert ((422, code), field) == (answer.refusal, answer.field)


def test_an_account_already_on_the_post_cannot_be_added(room: Room) -> None:
    post = room.draft("linkedin")
    added = [{"account_id": room.account("x")}, {"account_id": room.account("linkedin")}]

    answer = room.patch(post, {"add": added})

    assert ((422, "duplicate_account"), "add[1].account_id") == (answer.refusal, answer.field)


def test_one_platform_must_stay(room: Room) -> None:
    post = room.draft("linkedin", "x")

    answer = room.patch(post, {"remove": [_target(post, 0), _target(post, 1)]})

    assert (422, "no_platforms") == answer.refusal


@pytest.mark.parametrize(
    ("caption", "settled"),
    [
        ("Fresh bread", "published"),
        ("sandbox:slow:600", "publishing"),
        ("sandbox:flaky:9", "publishing"),
        ("sandbox:untellable", "failed"),
    ],
)
def test_what_is_live_posting_or_in_doubt_cannot_change(
    room: Room, caption: str, settled: str
) -> None:
    post = room.sent("linkedin", caption=caption)
    room.pass_time(timedelta(seconds=1))
    room.patch(post, {"add": [{"account_id": room.account("x")}]})
    post = room.show(post)
    assert [settled, "draft"] == [target["status"] for target in post["targets"]]

    changes: list[Document] = [
        {"caption": "Still warm"},
        _change(post, 0, caption_override="Still warm"),
        _change(post, 0),
        {"remove": [_target(post, 0)]},
        {**_change(post, 1, caption_override="Fine"), "remove": [_target(post, 0)]},
    ]
    answers = [room.patch(post, change) for change in changes]

    assert [(409, "already_live")] * 5 == [answer.refusal for answer in answers]
    assert post == room.show(post)
    assert 200 == room.patch(post, _change(post, 1, caption_override="Fine")).status


def test_a_removed_target_cannot_change_either(room: Room) -> None:
    post = room.sent("linkedin")
    room.unpublish(post)

    answers = [
        room.patch(post, change)
        for change in ({"caption": "x"}, _change(post), {"remove": [_target(post)]})
    ]

    assert ["removed"] == room.statuses(post)
    assert [(409, "already_live")] * 3 == [answer.refusal for answer in answers]


def test_a_failed_target_with_nothing_in_doubt_can_change(room: Room) -> None:
    post = room.sent("linkedin", caption="sandbox:fail:caption_rejected")

    answer = room.patch(post, {"caption": "Fresh bread"})
    room.act(post, "retry")
    room.run_due()

    assert 200 == answer.status
    assert "published" == room.show(post)["status"]


def test_a_conflict_comes_before_a_rule(room: Room) -> None:
    post = room.sent("linkedin")
    unknown = {"targets": [{"id": UNKNOWN_ID}], "add": [{"account_id": UNKNOWN_ID}]}

    answer = room.patch(post, {"caption": "Still warm", **unknown})

    assert (409, "already_live") == answer.refusal


def test_a_wrong_shape_comes_before_a_conflict(room: Room) -> None:
    post = room.sent("linkedin")

    answer = room.patch(post, _change(post, options={"trim": "middle"}))

    assert [("literal_error", ["body", "targets", 0, "options", "trim"])] == answer.problems


def test_an_unknown_post_comes_before_everything_it_would_say(room: Room) -> None:
    nobody = {"id": UNKNOWN_ID}

    answer = room.patch(nobody, {"targets": [{"id": UNKNOWN_ID}]})

    assert (404, "post_not_found") == answer.refusal


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"caption": 7}, ("string_type", ["body", "caption"])),
        ({"targets": [{}]}, ("missing", ["body", "targets", 0, "id"])),
        ({"add": [{}]}, ("missing", ["body", "add", 0, "account_id"])),
        ({"add": [{"account_id": "a"}] * 21}, ("too_long", ["body", "add"])),
        ({"remove": ["a"] * 21}, ("too_long", ["body", "remove"])),
        ({"remove": [7]}, ("string_type", ["body", "remove", 0])),
        (
            {"targets": [{"id": "a", "scheduled_at": "2026-12-01T09:00"}]},
            ("timezone_aware", ["body", "targets", 0, "scheduled_at"]),
        ),
    ],
    ids=str,
)
def test_a_body_of_the_wrong_shape_says_where(
    room: Room, changes: Document, problem: tuple[str, list[str | int]]
) -> None:
    answer = room.patch({"id": UNKNOWN_ID}, changes)

    assert [problem] == answer.problems


def test_a_scheduled_post_cannot_lose_what_it_needs(room: Room) -> None:
    post = room.scheduled("linkedin", "x")

    answers = [
        room.patch(post, {"caption": " "}),
        room.patch(post, _change(post, 1, caption_override=" ")),
        room.patch(post, {"add": [{"account_id": room.account("instagram")}]}),
        room.patch(post, {"add": [{"account_id": room.account("tiktok")}]}),
    ]

    assert [(422, "media_required")] * 4 == [answer.refusal for answer in answers]
    assert ["targets[0]", "targets[0]", "add[0]", "add[0]"] == [one.field for one in answers]
    assert post == room.show(post)


def test_a_draft_may_lose_what_it_would_need(room: Room) -> None:
    post = room.draft("linkedin")

    answer = room.patch(post, {"caption": "", "add": [{"account_id": room.account("instagram")}]})

    assert 200 == answer.status


def test_a_post_grows_no_further_than_thirty_targets(room: Room) -> None:
    accounts = [room.connect("linkedin", f"@bakery{number}") for number in range(24)]
    post = room.post(
        "/v1/posts", {"targets": [{"account_id": one} for one in accounts], "caption": "Bread"}
    ).json
    for account in accounts[:7]:
        room.disconnect(account)
    more = [{"account_id": room.connect("x", f"@more{number}")} for number in range(7)]

    answer = room.patch(post, {"add": more})
    fits = room.patch(post, {"add": more[:6]})

    assert [("too_long", ["body", "add"])] == answer.problems
    assert (200, 30) == (fits.status, len(fits.json["targets"]))


def test_an_edit_is_told_in_the_history_and_a_refused_one_is_not(room: Room) -> None:
    post = room.draft()
    room.house.clock.pass_time(timedelta(seconds=1))

    room.patch(post, {"caption": "Still warm"})
    room.patch(post, {"remove": [_target(post)]})

    assert ["post.created", "post.edited"] == room.actions(post)
