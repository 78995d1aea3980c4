"""/cancel, DELETE and /retry: what can still be stopped, and what goes out again."""

from datetime import timedelta

import pytest

from chalicelib.domain.workspace.access import Role, Scope
from tests.api.http_room import UNKNOWN_ID, Document, Room

NEXT_YEAR = timedelta(days=60)


def _mixed(room: Room) -> Document:
    """Make a post with a live, a failed and a scheduled target."""
    post = room.draft("linkedin", "x")
    failing = {"id": post["targets"][1]["id"], "caption_override": "sandbox:fail:unknown"}
    room.patch(post, {"targets": [failing]})
    room.act(post, "publish-now")
    room.run_due()
    room.patch(post, {"add": [{"account_id": room.account("threads")}]})
    room.act(post, "schedule", {"at": room.in_(hours=1)})
    return room.show(post)


def test_cancel_stops_what_is_scheduled_and_leaves_the_rest(room: Room) -> None:
    post = _mixed(room)

    answer = room.act(post, "cancel")

    targets = answer.json["targets"]
    assert (200, "partial") == (answer.status, answer.json["status"])
    assert ["published", "failed", "cancelled"] == [target["status"] for target in targets]
    assert post["targets"][2]["scheduled_at"] == targets[2]["scheduled_at"]


def test_what_is_cancelled_never_goes_out(room: Room) -> None:
    post = room.scheduled("linkedin", "x")
    room.act(post, "cancel")

    room.pass_time(NEXT_YEAR)

    assert "cancelled" == room.show(post)["status"]
    taken = [room.house.sandbox.find(t["account_id"], t["id"]) for t in post["targets"]]
    assert [[], []] == taken


def test_a_target_that_waits_for_a_retry_can_be_cancelled(room: Room) -> None:
    post = room.sent(caption="sandbox:flaky:9")
    assert "publishing" == post["status"]

    answer = room.act(post, "cancel")

    room.pass_time(NEXT_YEAR)
    assert (200, "cancelled") == (answer.status, answer.json["status"])
    assert "cancelled" == room.show(post)["status"]


def test_there_may_be_nothing_to_cancel(room: Room) -> None:
    cancelled = room.scheduled()
    room.act(cancelled, "cancel")
    posts = [
        room.draft(),
        cancelled,
        room.sent(),
        room.sent(caption="sandbox:fail:unknown"),
        room.sent(caption="sandbox:slow:60"),
        room.sent(caption="sandbox:lost"),
    ]

    answers = [room.act(post, "cancel") for post in posts]

    assert [(409, "nothing_to_cancel")] * 6 == [answer.refusal for answer in answers]


@pytest.mark.parametrize("verb", ["schedule", "queue", "publish-now", "cancel", "retry"])
@pytest.mark.parametrize("post_id", [UNKNOWN_ID, "x"])
def test_a_verb_on_nothing_is_not_found(room: Room, verb: str, post_id: str) -> None:
    answer = room.act({"id": post_id}, verb)

    assert (404, "post_not_found") == answer.refusal


# DELETE


def test_a_deleted_post_is_gone_for_every_endpoint(room: Room) -> None:
    post = room.scheduled()
    path = f"/v1/posts/{post['id']}"

    deleted = room.delete(post)

    assert (204, b"") == (deleted.status, deleted.response.body)
    answers = [
        room.get(path),
        room.get(f"{path}/history"),
        room.get(f"{path}/metrics"),
        room.patch(post, {"caption": "x"}),
        room.delete(post),
        *(
            room.act(post, verb)
            for verb in ("schedule", "queue", "publish-now", "cancel", "retry", "duplicate")
        ),
        room.unpublish(post),
    ]
    assert {(404, "post_not_found")} == {answer.refusal for answer in answers}


def test_what_is_deleted_never_goes_out(room: Room) -> None:
    post = room.scheduled("linkedin")
    waiting = room.sent(caption="sandbox:flaky:9")

    room.delete(post)
    room.delete(waiting)

    room.pass_time(NEXT_YEAR)
    targets = [post["targets"][0], waiting["targets"][0]]
    assert [[], []] == [room.house.sandbox.find(t["account_id"], t["id"]) for t in targets]


def test_what_is_being_posted_finishes_and_is_kept_for_the_audit_trail(room: Room) -> None:
    post = room.draft(caption="sandbox:slow:60")
    room.house.clock.pass_time(timedelta(seconds=1))
    room.act(post, "publish-now")
    room.run_due()
    room.house.clock.pass_time(timedelta(seconds=1))

    assert 204 == room.delete(post).status
    room.pass_time(timedelta(minutes=5))

    kept, history = room.house.operator.people.engine_control.show(post["id"])
    assert ["published"] == [target.status for target in kept.targets]
    assert ["post.created", "post.publish_requested", "post.deleted", "target.published"] == [
        event.action for event in history.events
    ]


def test_deleting_a_live_post_leaves_it_on_its_platform(room: Room) -> None:
    post = room.sent()

    answer = room.delete(post)

    target = post["targets"][0]
    (entry,) = room.house.sandbox.find(target["account_id"], target["id"])
    assert (204, False) == (answer.status, entry.removed)


def test_deleting_a_live_post_needs_a_scope_of_its_own(room: Room) -> None:
    grace = room.member(Role.EDITOR, scopes={Scope.READ, Scope.WRITE, Scope.PUBLISH})
    live, draft = room.sent(), room.draft()

    answers = [grace.delete(live), grace.delete({"id": UNKNOWN_ID})]

    assert [(403, "scope_missing"), (404, "post_not_found")] == [a.refusal for a in answers]
    assert 204 == grace.delete(draft).status
    assert "published" == room.show(live)["status"]


def test_deleting_a_live_post_needs_a_role_that_may(room: Room) -> None:
    joan = room.member(Role.CONTRIBUTOR)
    live = room.sent()

    answer = joan.delete(live)

    assert (403, "forbidden") == answer.refusal


def test_a_post_that_was_live_and_is_removed_needs_no_more_than_write(room: Room) -> None:
    joan = room.member(Role.CONTRIBUTOR)
    post = room.sent()
    room.unpublish(post)

    assert 204 == joan.delete(post).status


# /retry


def test_retry_sends_what_failed_and_nothing_else(room: Room) -> None:
    post = _mixed(room)
    mended = {"id": post["targets"][1]["id"], "caption_override": "Fresh bread"}
    room.patch(post, {"targets": [mended]})

    answer = room.act(post, "retry")
    room.run_due()

    first = answer.json["targets"][1]
    assert (200, "scheduled", room.in_()) == (answer.status, first["status"], first["scheduled_at"])
    assert (None, None) == (first["error_code"], first["error_message"])
    assert ["published", "published", "scheduled"] == room.statuses(post)


def test_a_failed_target_says_why(room: Room) -> None:
    target = room.sent(caption="sandbox:fail:caption_rejected")["targets"][0]

    assert ("failed", "caption_rejected") == (target["status"], target["error_code"])
    assert target["error_message"].endswith(".")


def test_there_may_be_nothing_to_retry(room: Room) -> None:
    posts = [room.draft(), room.scheduled(), room.sent(), room.sent(caption="sandbox:flaky:9")]

    answers = [room.act(post, "retry") for post in posts]

    assert [(409, "nothing_to_retry")] * 4 == [answer.refusal for answer in answers]


def test_retry_sends_what_it_can(room: Room) -> None:
    post = room.sent("linkedin", "x", caption="sandbox:fail:unknown")
    room.patch(post, {"caption": "Fresh bread"})
    room.disconnect(room.account("linkedin"))

    answer = room.act(post, "retry")

    assert ["failed", "scheduled"] == [target["status"] for target in answer.json["targets"]]


def test_retry_needs_an_account_that_is_still_there(room: Room) -> None:
    post = room.sent("linkedin", caption="sandbox:fail:unknown")
    room.disconnect(room.account("linkedin"))

    answers = [room.act(post, "retry"), room.act(post, "publish-now")]

    assert [(409, "account_removed")] * 2 == [answer.refusal for answer in answers]


@pytest.mark.parametrize("verb", ["retry", "publish-now"])
def test_what_is_in_doubt_is_looked_for_before_it_is_sent_again(room: Room, verb: str) -> None:
    post = room.sent(caption="sandbox:untellable")
    room.pass_time(timedelta(minutes=5))
    assert "outcome_unknown" == room.show(post)["targets"][0]["error_code"]

    answer = room.act(post, verb)
    room.pass_time(timedelta(hours=2))

    target = room.show(post)["targets"][0]
    assert 200 == answer.status
    assert 1 == len(room.house.sandbox.find(target["account_id"], target["id"]))


def test_retry_cannot_send_what_lacks_something_by_now(room: Room) -> None:
    post = room.sent("linkedin", caption="sandbox:fail:unknown")
    room.patch(post, {"caption": " "})

    answer = room.act(post, "retry")

    assert ((422, "media_required"), "targets[0]") == (answer.refusal, answer.field)
