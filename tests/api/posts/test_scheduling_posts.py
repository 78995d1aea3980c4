"""/schedule and /publish-now: where times come from, and what cannot go out."""

from datetime import datetime, timedelta

import pytest

from tests.api.http_room import UNKNOWN_ID, Document, Room
from tests.support.frozen_clock import NOON


def _times(post: Document) -> list[str]:
    return [target["scheduled_at"] for target in post["targets"]]


def _golden(room: Room, platform: str) -> str:
    answer = room.get("/v1/golden-hour", {"platforms": platform}).json
    return str(answer["platforms"][platform]["at"])


def _with_time(room: Room, at: str, platform: str = "linkedin") -> Document:
    target = {"account_id": room.account(platform), "scheduled_at": at}
    return room.post("/v1/posts", {"caption": "Fresh bread", "targets": [target]}).json


# /schedule


def test_at_is_one_time_for_all(room: Room) -> None:
    post = room.draft("linkedin", "x")

    answer = room.act(post, "schedule", {"at": "2026-12-01T10:00:00+01:00"})

    assert (200, "scheduled") == (answer.status, answer.json["status"])
    assert ["2026-12-01T09:00:00+00:00"] * 2 == _times(answer.json)
    assert answer.json == room.show(post)


def test_at_wins_over_a_targets_own_time(room: Room) -> None:
    post = _with_time(room, "2026-12-05T09:00:00Z")

    answer = room.act(post, "schedule", {"at": "2026-12-01T09:00:00Z"})

    assert ["2026-12-01T09:00:00+00:00"] == _times(answer.json)


@pytest.mark.parametrize("seconds", [0, 1, 60])
def test_up_to_a_minute_in_the_past_counts_as_now(room: Room, seconds: int) -> None:
    post = room.draft()

    answer = room.act(post, "schedule", {"at": room.in_(seconds=-seconds)})

    assert [NOON.isoformat()] == _times(answer.json)


@pytest.mark.parametrize("at", ["2026-11-20T11:58:59Z", "2020-01-01T00:00:00Z"])
def test_a_time_in_the_past_is_refused_and_told_what_time_it_is(room: Room, at: str) -> None:
    post = room.draft()

    answer = room.act(post, "schedule", {"at": at})

    assert [("time_in_past", ["body", "at"])] == answer.problems
    assert "it is 2026-11-20T12:00:00+00:00 now" in answer.json["detail"][0]["msg"]
    assert ["draft"] == room.statuses(post)


def test_a_time_in_the_past_is_found_before_the_post_is_looked_for(room: Room) -> None:
    answer = room.act({"id": UNKNOWN_ID}, "schedule", {"at": "2020-01-01T00:00:00Z"})

    assert [("time_in_past", ["body", "at"])] == answer.problems


def test_a_drafts_own_time_that_passed_is_no_future_time(room: Room) -> None:
    targets = [{"account_id": room.account("x"), "scheduled_at": room.in_(minutes=5)}]
    post = room.post("/v1/posts", {"caption": "Fresh bread", "targets": targets}).json
    room.house.clock.pass_time(timedelta(minutes=10))

    answer = room.act(post, "schedule")

    assert [_golden(room, "x")] == _times(answer.json)


@pytest.mark.parametrize("body", [None, {}, {"at": None}])
def test_without_at_each_target_keeps_its_own_time_or_gets_its_golden_hour(
    room: Room, body: Document | None
) -> None:
    targets = [
        {"account_id": room.account("linkedin"), "scheduled_at": "2026-12-01T09:00:00Z"},
        {"account_id": room.account("x")},
        {"account_id": room.account("threads"), "scheduled_at": None},
    ]
    post = room.post("/v1/posts", {"caption": "Fresh bread", "targets": targets}).json

    answer = room.act(post, "schedule", body)

    golden = [_golden(room, "x"), _golden(room, "threads")]
    assert ["2026-12-01T09:00:00+00:00", *golden] == _times(answer.json)


@pytest.mark.parametrize("platform", ["bluesky", "reddit"])
def test_every_platform_has_a_golden_hour(room: Room, platform: str) -> None:
    answer = room.act(room.draft(platform), "schedule")

    at = datetime.fromisoformat(_times(answer.json)[0])
    assert (0, 0) == (at.minute, at.second)
    assert NOON < at <= NOON + timedelta(days=2)


def test_a_golden_hour_is_the_accounts_own_audiences(room: Room) -> None:
    account = room.account("x")
    room.ask("PATCH", f"/v1/accounts/{account}", body={"audience_regions": ["Australia"]})

    answer = room.act(room.draft("x"), "schedule")

    expected = datetime.fromisoformat(_golden(room, "x"))
    assert expected == datetime.fromisoformat(_times(answer.json)[0])
    assert "Australia/Sydney" == room.get("/v1/golden-hour").json["timezone"]


def test_what_is_scheduled_already_keeps_its_time(room: Room) -> None:
    post = room.scheduled("linkedin", at="2026-12-01T09:00:00Z")
    room.act(post, "cancel")
    room.patch(post, {"add": [{"account_id": room.account("x")}]})
    room.act(post, "schedule", {"at": "2026-12-02T09:00:00Z"})
    room.patch(post, {"add": [{"account_id": room.account("threads")}]})

    answer = room.act(post, "schedule", {"at": "2026-12-03T09:00:00Z"})

    assert (409, "nothing_to_schedule") == answer.refusal
    assert ["2026-12-02T09:00:00+00:00"] * 2 == _times(room.show(post))[:2]


def test_a_cancelled_target_keeps_its_time_and_can_be_scheduled_again(room: Room) -> None:
    post = room.scheduled(at="2026-12-01T09:00:00Z")
    cancelled = room.act(post, "cancel").json

    answer = room.act(post, "schedule")

    assert ("cancelled", _times(post)) == (cancelled["status"], _times(cancelled))
    assert ("scheduled", _times(post)) == (answer.json["status"], _times(answer.json))


@pytest.mark.parametrize("verb", ["schedule", "queue"])
def test_what_is_scheduled_or_posted_cannot_be_scheduled(room: Room, verb: str) -> None:
    posts = [
        room.scheduled(),
        room.sent(),
        room.sent(caption="sandbox:slow:60"),
        room.sent(caption="sandbox:fail:unknown"),
    ]

    answers = [room.act(post, verb) for post in posts]

    assert [(409, "nothing_to_schedule")] * 4 == [answer.refusal for answer in answers]


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ({"at": "2026-12-01T09:00:00"}, ("timezone_aware", ["body", "at"])),
        ({"at": 1_800_000_000}, ("datetime_type", ["body", "at"])),
        ({"at": "soon"}, ("datetime_parsing", ["body", "at"])),
        ([], ("model_type", ["body"])),
    ],
    ids=str,
)
def test_a_body_of_the_wrong_shape_says_where(
    room: Room, body: object, problem: tuple[str, list[str | int]]
) -> None:
    answer = room.act({"id": UNKNOWN_ID}, "schedule", body)

    assert [problem] == answer.problems


# What cannot go out


@pytest.mark.parametrize("verb", ["schedule", "queue", "publish-now"])
def test_some_platforms_need_a_file(room: Room, verb: str) -> None:
    post = room.draft("linkedin", "instagram")

    answer = room.act(post, verb)

    assert ((422, "media_required"), "targets[1]") == (answer.refusal, answer.field)
    assert post == room.show(post)


@pytest.mark.parametrize("verb", ["schedule", "queue", "publish-now"])
@pytest.mark.parametrize("caption", ["", "  \n"])
def test_nothing_at_all_cannot_be_posted(room: Room, caption: str, verb: str) -> None:
    post = room.draft("linkedin", caption=caption)

    answer = room.act(post, verb)

    assert ((422, "media_required"), "targets[0]") == (answer.refusal, answer.field)


def test_an_override_is_caption_enough(room: Room) -> None:
    post = room.draft("linkedin", caption="")
    change = {"id": post["targets"][0]["id"], "caption_override": "Own words"}
    room.patch(post, {"targets": [change]})

    assert 200 == room.act(post, "schedule").status


@pytest.mark.parametrize("verb", ["schedule", "queue", "publish-now"])
def test_a_target_whose_account_is_gone_is_left_behind(room: Room, verb: str) -> None:
    post = room.draft("linkedin", "x")
    room.disconnect(room.account("linkedin"))

    answer = room.act(post, verb)

    assert 200 == answer.status
    assert ["draft", "scheduled"] == [target["status"] for target in answer.json["targets"]]
    assert [None, room.account("x")] == [t["account_id"] for t in answer.json["targets"]]


@pytest.mark.parametrize("verb", ["schedule", "queue", "publish-now"])
def test_a_post_whose_accounts_are_all_gone_stays(room: Room, verb: str) -> None:
    post = room.draft("linkedin", "x")
    room.disconnect(room.account("linkedin"))
    room.disconnect(room.account("x"))

    answer = room.act(post, verb)

    assert (409, "account_removed") == answer.refusal


# /publish-now


def test_publish_now_answers_scheduled_at_this_moment_and_sends(room: Room) -> None:
    post = room.draft("linkedin", "x")

    answer = room.act(post, "publish-now")
    room.run_due()

    assert (200, "scheduled") == (answer.status, answer.json["status"])
    assert [NOON.isoformat()] * 2 == _times(answer.json)
    sent = room.show(post)
    assert "published" == sent["status"]
    assert [NOON.isoformat()] * 2 == [target["published_at"] for target in sent["targets"]]
    assert all(target["url"].startswith("http") for target in sent["targets"])


def test_publish_now_takes_drafts_scheduled_cancelled_and_failed_ones(room: Room) -> None:
    post = room.sent("linkedin", caption="sandbox:fail:unknown")
    room.patch(post, {"caption": "Fresh bread", "add": [{"account_id": room.account("x")}]})
    room.act(post, "schedule", {"at": room.in_(hours=5)})
    room.act(post, "cancel")
    room.patch(post, {"add": [{"account_id": room.account("threads")}]})
    room.act(post, "schedule", {"at": room.in_(hours=5)})
    room.patch(post, {"add": [{"account_id": room.account("bluesky")}]})
    assert ["failed", "scheduled", "scheduled", "scheduled"] == room.statuses(post)

    answer = room.act(post, "publish-now")
    room.run_due()

    assert 200 == answer.status
    assert ["published"] * 4 == room.statuses(post)


def test_what_is_live_posting_or_removed_cannot_be_published(room: Room) -> None:
    live, posting, gone = room.sent(), room.sent(caption="sandbox:slow:60"), room.sent()
    room.unpublish(gone)

    answers = [room.act(post, "publish-now") for post in (live, posting, gone)]

    assert [(409, "nothing_to_publish")] * 3 == [answer.refusal for answer in answers]


def test_what_is_live_stays_when_the_rest_is_published(room: Room) -> None:
    post = room.sent("linkedin")
    room.patch(post, {"add": [{"account_id": room.account("x")}]})

    answer = room.act(post, "publish-now")

    assert ["published", "scheduled"] == [t["status"] for t in answer.json["targets"]]
    assert post["targets"][0] == answer.json["targets"][0]
