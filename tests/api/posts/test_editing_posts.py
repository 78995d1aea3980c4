"""PATCH /v1/posts/{post_id}: what may change, and what moves with it."""

import pytest

from tests.api.http_room import Document, Room


def _target(post: Document, place: int = 0) -> str:
    return str(post["targets"][place]["id"])


def _change(post: Document, place: int = 0, **change: object) -> Document:
    return {"targets": [{"id": _target(post, place), **change}]}


def test_a_new_caption_is_answered_and_kept(room: Room) -> None:
    post = room.draft()

    answer = room.patch(post, {"caption": "Still warm"})

    assert (200, "Still warm") == (answer.status, answer.json["caption"])
    assert answer.json == room.show(post)


def test_null_leaves_everything_as_it_is(room: Room) -> None:
    account = room.account()
    target = {
        "account_id": account,
        "caption_override": "Own words",
        "options": {"visibility": "PUBLIC"},
        "scheduled_at": "2026-12-01T09:00:00Z",
    }
    post = room.post("/v1/posts", {"caption": "Fresh bread", "targets": [target]}).json

    nothing = _change(post, caption_override=None, options=None, scheduled_at=None)
    answer = room.patch(post, {"caption": None, "add": None, "remove": None, **nothing})

    assert (200, post) == (answer.status, answer.json)


@pytest.mark.parametrize("body", [{}, {"targets": None}, {"caption": None}])
def test_an_edit_that_names_nothing_changes_nothing(room: Room, body: Document) -> None:
    post = room.scheduled("linkedin", "x")

    answer = room.patch(post, body)

    assert (200, post) == (answer.status, answer.json)


def test_an_empty_override_clears_it(room: Room) -> None:
    post = room.draft()
    room.patch(post, _change(post, caption_override="Own words"))

    answer = room.patch(post, _change(post, caption_override=""))

    assert answer.json["targets"][0]["caption_override"] is None


def test_options_are_replaced_whole(room: Room) -> None:
    post = room.draft()
    room.patch(post, _change(post, options={"visibility": "PUBLIC", "title": "Bread"}))

    answer = room.patch(post, _change(post, options={"title": "Cake"}))

    assert {"title": "Cake"} == answer.json["targets"][0]["options"]


def test_a_drafts_own_time_is_kept_and_it_stays_a_draft(room: Room) -> None:
    post = room.draft()

    answer = room.patch(post, _change(post, scheduled_at="2026-12-01T10:00:00+01:00"))

    target = answer.json["targets"][0]
    assert ("draft", "2026-12-01T09:00:00+00:00") == (target["status"], target["scheduled_at"])


def test_the_time_of_a_scheduled_target_moves(room: Room) -> None:
    post = room.scheduled("linkedin", "x")

    answer = room.patch(post, _change(post, 1, scheduled_at="2026-12-01T09:00:00Z"))

    first, second = answer.json["targets"]
    assert post["targets"][0] == first
    assert ("scheduled", "2026-12-01T09:00:00+00:00") == (second["status"], second["scheduled_at"])


def test_a_scheduled_target_that_moves_to_this_minute_goes_now(room: Room) -> None:
    post = room.scheduled()

    answer = room.patch(post, _change(post, scheduled_at=room.in_(seconds=-30)))

    room.run_due()
    assert room.in_() == answer.json["targets"][0]["scheduled_at"]
    assert "published" == room.show(post)["status"]


@pytest.mark.parametrize("item", ["targets", "add"])
def test_a_time_in_the_past_is_refused(room: Room, item: str) -> None:
    post = room.scheduled()
    past = "2020-01-01T00:00:00Z"
    added = {"add": [{"account_id": room.account("x"), "scheduled_at": past}]}

    answer = room.patch(post, added if item == "add" else _change(post, scheduled_at=past))

    assert [("time_in_past", ["body", item, 0, "scheduled_at"])] == answer.problems
    assert post["targets"] == room.show(post)["targets"]


def test_the_new_text_goes_out(room: Room) -> None:
    post = room.scheduled("linkedin", "x")
    room.patch(post, {"caption": "Still warm", **_change(post, 1, caption_override="Warm on X")})

    room.act(post, "publish-now")
    room.run_due()

    targets = room.show(post)["targets"]
    sent = [room.house.sandbox.find(t["account_id"], t["id"])[0].caption for t in targets]
    assert ["Still warm", "Warm on X"] == sent


def test_a_target_added_to_a_draft_is_a_draft_with_its_own_time(room: Room) -> None:
    post = room.draft("linkedin")
    new = {"account_id": room.account("x"), "scheduled_at": "2026-12-01T09:00:00Z"}

    answer = room.patch(post, {"add": [new]})

    added = answer.json["targets"][1]
    assert ("x", "draft") == (added["platform"], added["status"])
    assert "2026-12-01T09:00:00+00:00" == added["scheduled_at"]


def test_a_target_added_to_a_scheduled_post_is_scheduled_at_its_own_time(room: Room) -> None:
    post = room.scheduled("linkedin")
    new = {"account_id": room.account("x"), "scheduled_at": "2026-12-01T09:00:00Z"}

    answer = room.patch(post, {"add": [new]})

    added = answer.json["targets"][1]
    assert ("scheduled", "2026-12-01T09:00:00+00:00") == (added["status"], added["scheduled_at"])


@pytest.mark.parametrize("own", [None, "2026-11-20T11:59:30Z"])
def test_a_target_added_to_a_scheduled_post_without_a_time_gets_its_golden_hour(
    room: Room, own: str | None
) -> None:
    golden = room.get("/v1/golden-hour", {"platforms": "x"}).json["platforms"]["x"]["at"]
    post = room.scheduled("linkedin")

    answer = room.patch(post, {"add": [{"account_id": room.account("x"), "scheduled_at": own}]})

    added = answer.json["targets"][1]
    assert ("scheduled", golden) == (added["status"], added["scheduled_at"])


def test_a_target_added_to_a_post_that_was_cancelled_is_a_draft(room: Room) -> None:
    post = room.scheduled("linkedin")
    room.act(post, "cancel")

    answer = room.patch(post, {"add": [{"account_id": room.account("x")}]})

    assert ["cancelled", "draft"] == [target["status"] for target in answer.json["targets"]]


def test_a_target_can_be_added_to_a_post_that_is_live(room: Room) -> None:
    post = room.sent("linkedin")

    answer = room.patch(post, {"add": [{"account_id": room.account("x")}]})

    assert ["published", "draft"] == [target["status"] for target in answer.json["targets"]]


def test_a_removed_target_is_gone_and_never_goes_out(room: Room) -> None:
    post = room.scheduled("linkedin", "x")

    answer = room.patch(post, {"remove": [_target(post, 0)]})

    assert ["x"] == [target["platform"] for target in answer.json["targets"]]
    assert 1 == len(room.waking(room.house.clock.now.replace(year=2027)))


def test_all_targets_may_go_when_another_comes(room: Room) -> None:
    post = room.draft("linkedin", "x")
    same = {"account_id": room.account("x")}

    answer = room.patch(post, {"remove": [_target(post, 0), _target(post, 1)], "add": [same]})

    assert (200, ["x"]) == (answer.status, [t["platform"] for t in answer.json["targets"]])
