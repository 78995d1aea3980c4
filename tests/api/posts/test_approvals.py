"""Approvals: in a workspace that uses them, what a contributor writes waits for a yes."""

from datetime import timedelta

import pytest

from chalicelib.domain.workspace.access import Role
from tests.api.http_room import Document, House, Room
from tests.support.frozen_clock import NOON


@pytest.fixture
def ada(house: House) -> Room:
    """Open a workspace that uses approvals, as its owner sees it."""
    house.clock.now = NOON
    return house.room(approvals=True)


@pytest.fixture
def joan(ada: Room) -> Room:
    """Return the same workspace as a contributor sees it."""
    ada.account()
    return ada.member(Role.CONTRIBUTOR, name="Joan")


def _approve(room: Room, post: Document) -> None:
    room.house.operator.people.approvals.approve(room.workspace_id, post["id"])


def _reject(room: Room, post: Document) -> None:
    room.house.operator.people.approvals.reject(room.workspace_id, post["id"])


def test_posts_have_no_approval_where_nobody_uses_it(room: Room) -> None:
    joan = room.member(Role.CONTRIBUTOR)

    assert [None, None] == [room.draft()["approval"], joan.draft()["approval"]]


@pytest.mark.parametrize(
    ("role", "approval"),
    [
        (Role.OWNER, "approved"),
        (Role.ADMIN, "approved"),
        (Role.EDITOR, "approved"),
        (Role.CONTRIBUTOR, "pending"),
    ],
)
def test_a_contributors_post_begins_pending(ada: Room, role: Role, approval: str) -> None:
    assert approval == ada.member(role).draft()["approval"]


def test_a_copy_is_as_pending_as_whoever_makes_it(ada: Room, joan: Room) -> None:
    post = ada.draft()

    assert "pending" == joan.act(post, "duplicate").json["approval"]
    assert "approved" == ada.act(joan.draft(), "duplicate").json["approval"]


@pytest.mark.parametrize("verb", ["schedule", "queue", "publish-now"])
def test_a_pending_post_is_not_sent_when_its_time_comes(ada: Room, joan: Room, verb: str) -> None:
    post = joan.draft()

    answer = ada.act(post, verb)
    ada.pass_time(timedelta(days=3))

    assert (200, "scheduled") == (answer.status, answer.json["status"])
    assert ("scheduled", "pending") == (ada.show(post)["status"], ada.show(post)["approval"])


def test_what_is_approved_in_time_goes_out_at_its_time(ada: Room, joan: Room) -> None:
    post = joan.draft()
    ada.act(post, "schedule", {"at": ada.in_(hours=1)})
    _approve(ada, post)

    ada.pass_time(timedelta(minutes=59))
    before = ada.show(post)["status"]
    ada.pass_time(timedelta(minutes=1))

    assert ("scheduled", "published") == (before, ada.show(post)["status"])
    assert "approved" == ada.show(post)["approval"]


def test_what_is_approved_late_goes_at_once(ada: Room, joan: Room) -> None:
    post = joan.draft()
    ada.act(post, "schedule", {"at": ada.in_(hours=1)})
    ada.pass_time(timedelta(days=3))

    _approve(ada, post)
    ada.run_due()

    assert "published" == ada.show(post)["status"]


@pytest.mark.parametrize(
    ("verb", "code"),
    [
        ("schedule", "nothing_to_schedule"),
        ("queue", "nothing_to_schedule"),
        ("publish-now", "nothing_to_publish"),
    ],
)
def test_a_rejected_post_goes_nowhere_until_it_is_edited(
    ada: Room, joan: Room, verb: str, code: str
) -> None:
    post = joan.draft()
    _reject(ada, post)

    refused = ada.act(post, verb)
    edited = ada.patch(post, {"caption": "Better bread"})

    assert ((409, code), "pending") == (refused.refusal, edited.json["approval"])
    assert 200 == ada.act(post, verb).status


def test_rejecting_a_scheduled_post_keeps_it_unsent(ada: Room, joan: Room) -> None:
    ada.account("x")
    post = joan.draft("x")
    ada.act(post, "queue")
    slot = ada.show(post)["targets"][0]["scheduled_at"]

    _reject(ada, post)
    ada.pass_time(timedelta(hours=1))

    use = ada.house.operator.people.administration.show_workspace(ada.workspace_id)
    assert ("cancelled", "rejected") == (ada.show(post)["status"], ada.show(post)["approval"])
    assert (slot, 0) == (ada.get("/v1/queue-slots").json["next_free"], use.x_posts)


def test_an_edit_by_a_contributor_asks_for_approval_again(ada: Room, joan: Room) -> None:
    post = ada.scheduled()

    answer = joan.patch(post, {"caption": "Other bread"})
    ada.pass_time(timedelta(hours=2))

    assert "pending" == answer.json["approval"]
    assert "scheduled" == ada.show(post)["status"]


def test_an_edit_by_an_editor_leaves_a_post_as_approved_as_it_was(ada: Room, joan: Room) -> None:
    approved, pending = ada.draft(), joan.draft()

    answers = [ada.patch(post, {"caption": "Other bread"}) for post in (approved, pending)]

    assert ["approved", "pending"] == [answer.json["approval"] for answer in answers]


def test_approvals_are_told_in_the_history(ada: Room, joan: Room) -> None:
    post = joan.draft()
    ada.house.clock.pass_time(timedelta(seconds=1))
    _reject(ada, post)
    ada.house.clock.pass_time(timedelta(seconds=1))
    _approve(ada, post)

    events = ada.get(f"/v1/posts/{post['id']}/history").json["events"]

    assert [
        ("post.created", "Joan"),
        ("post.rejected", "system"),
        ("post.approved", "system"),
    ] == [(event["action"], event["by"]) for event in events]
