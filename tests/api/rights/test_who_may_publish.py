"""Nobody makes words public without the right: every call, state, key, approvals or not.

What is expected stands in `tests/support/rights`, a reading of the contract by hand.
`tests/domain/posts/test_rights_of_edits.py` asks the rule for every row and key; here a call of
each kind goes through the whole service, and in `make prove` every call by every key.
"""

import io
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import timedelta

import pytest
from PIL import Image

from chalicelib.domain.workspace.access import Role
from tests.api.http_room import UNKNOWN_ID, Answer, Document, House, Room
from tests.api.rights.states import MAKE, STATUSES, live_and_scheduled
from tests.support.frozen_clock import NOON
from tests.support.rights.scopes import SCOPES
from tests.support.rights.tables import EDITS, KEYS

CALLS, STATES = sorted({call for call, _ in EDITS}), sorted({state for _, state in EDITS})
OF_EACH_KIND = ("caption", "second.caption_override", "add", "schedule", "duplicate", "delete")
"""An edit of the whole post, of one target and of none, a verb, a copy, the end."""


def a_photo() -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (400, 300), "wheat").save(out, "JPEG")
    return out.getvalue()


# The calls.


def ask(room: Room, call: str, post: Document) -> Answer:
    """Make one of the table's calls about a post."""
    if call == "delete":
        return room.delete(post)
    if (changes := changes_of(room, call, post)) is not None:
        return room.patch(post, changes)
    return room.act(post, call)


def changes_of(room: Room, call: str, post: Document) -> Document | None:
    """Return what a PATCH sends, None for another call."""
    first, second = (target["id"] for target in post["targets"])
    named = {"first": [first], "second": [second], "both": [first, second]}
    whom, _, field = call.partition(".")
    if whom in named:
        new = {"options": {"alt": "A loaf"}, "scheduled_at": room.in_(seconds=3)}
        value = new.get(field, "Words of its own")
        return {"targets": [{"id": target, field: value} for target in named[whom]]}
    match call:
        case "caption":
            return {"caption": "Words that nobody allowed"}
        case "media_ids":
            return {"media_ids": [room.upload(a_photo(), "loaf.jpg")]}
        case "add":
            return {"add": [{"account_id": room.account("linkedin")}]}
        case "remove.first" | "remove.second":
            return {"remove": named[field]}
        case _:
            return None


# The keys, and what each is answered.


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """A key, and whether it may publish: `yes`, or the code of its refusal."""

    role: Role
    scopes: str
    may_publish: str
    room: Room


def keys(owner: Room) -> Iterator[Key]:
    """Yield a key of each line and column of the table."""
    administration = owner.house.operator.people.administration
    for role in sorted({role for role, _ in KEYS}):
        member = administration.add_member(owner.workspace_id, name="Grace", role=Role(role))
        for scopes, its in SCOPES.items():
            made = administration.create_key(member.id, scopes=its)
            room = replace(owner, key=made.secret)
            yield Key(role=Role(role), scopes=scopes, may_publish=KEYS[role, scopes], room=room)


def told(owner: Room, post: Document) -> tuple[Document, list[str]]:
    """Return all that a post and its history say."""
    return owner.show(post), owner.actions(post)


def check_call(owner: Room, call: str, state: str, all_keys: list[Key], *, approvals: bool) -> int:
    """Make a call with every key and hold each answer to the table; return how often.

    A refused call changes nothing, so that the next key finds the same post.
    """
    needed, _, then = EDITS[call, state].partition("-")
    post: Document | None = None
    for key in all_keys:
        post = MAKE[state](owner) if post is None else post
        assert owner.statuses(post) == STATUSES[state]
        before = told(owner, post)
        answer = ask(key.room, call, post)
        story = (call, state, key.role, key.scopes, approvals, answer.status)
        lacks = key.may_publish != "yes"
        if lacks and (needed == "always" or (needed == "publish" and not approvals)):
            assert answer.status == 403, story
            assert answer.refusal == (403, key.may_publish), story
            assert told(owner, post) == before, story
        elif then == "live":
            assert answer.refusal == (409, "already_live"), story
            assert told(owner, post) == before, story
        elif needed == "always":
            assert answer.status in (200, 409), story
            post = None
        else:
            check_taken(owner, call, before[0], answer, waits=lacks and approvals)
            post = None
    return len(all_keys)


def check_taken(owner: Room, call: str, before: Document, answer: Answer, *, waits: bool) -> None:
    """Check that an edit was taken; one that waits keeps times and goes nowhere."""
    assert answer.status in (200, 201, 204), (call, answer)
    if call in ("delete", "duplicate"):
        return
    after = owner.show(before)
    assert after["approval"] == ("pending" if waits else before["approval"])
    assert (after["caption"], after["media_ids"], after["targets"]) != (
        before["caption"],
        before["media_ids"],
        before["targets"],
    )
    kept = {target["id"]: target for target in after["targets"]}
    for target in before["targets"]:
        if target["id"] in kept:
            assert kept[target["id"]]["status"] == target["status"]
        if target["id"] in kept and not call.endswith("scheduled_at"):
            assert kept[target["id"]]["scheduled_at"] == target["scheduled_at"]


@pytest.mark.parametrize("approvals", [False, True], ids=["alone", "approvals"])
@pytest.mark.parametrize("state", STATES)
def test_what_is_scheduled_changes_by_key_and_role_together(
    house: House, state: str, *, approvals: bool
) -> None:
    house.clock.now = NOON
    owner = house.room(approvals=approvals)
    telling = [key for key in keys(owner) if _is_telling(key)]

    for call in OF_EACH_KIND:
        if EDITS[call, state] != "?":
            check_call(owner, call, state, telling, approvals=approvals)


def _is_telling(key: Key) -> bool:
    """Tell whether a key is one of the four that `make test` tries."""
    return (key.role, key.scopes) in {
        (Role.OWNER, "write"),
        (Role.EDITOR, "write+publish"),
        (Role.CONTRIBUTOR, "write"),
        (Role.CONTRIBUTOR, "all"),
    }


@pytest.mark.prove
@pytest.mark.parametrize("approvals", [False, True], ids=["alone", "approvals"])
@pytest.mark.parametrize("state", STATES)
def test_every_key_changes_what_is_scheduled_by_key_and_role_together(
    house: House, state: str, *, approvals: bool
) -> None:
    house.clock.now = NOON
    owner = house.room(approvals=approvals)
    every = list(keys(owner))

    calls = sum(
        check_call(owner, call, state, every, approvals=approvals)
        for call in CALLS
        if EDITS[call, state] != "?"
    )

    print(f"{calls} calls on a post that is {state}")  # noqa: T201


def test_the_rows_of_both_tables_are_all_there() -> None:
    assert set(KEYS) == {(role, scopes) for role in Role if role != "viewer" for scopes in SCOPES}
    assert set(MAKE) == set(STATES) == set(STATUSES)
    assert len(CALLS) == 19


@pytest.mark.parametrize("role", [Role.OWNER, Role.CONTRIBUTOR])
def test_a_post_that_is_not_there_is_told_before_a_missing_right(room: Room, role: Role) -> None:
    someone = room.member(role, scopes=SCOPES["write"])

    answer = someone.patch({"id": UNKNOWN_ID}, {"caption": "Rye"})

    assert (404, "post_not_found") == answer.refusal


def test_a_stale_edit_is_told_before_a_missing_right_and_a_conflict_after_it(room: Room) -> None:
    someone = room.member(Role.CONTRIBUTOR)
    post = live_and_scheduled(room)
    path, changes = f"/v1/posts/{post['id']}", {"caption": "Rye"}

    stale = someone.ask("PATCH", path, body=changes, headers={"if-match": '"other"'})
    forbidden = someone.patch(post, changes)
    conflict = room.patch(post, changes)

    assert (412, "stale") == stale.refusal
    assert (403, "forbidden") == forbidden.refusal
    assert (409, "already_live") == conflict.refusal


def test_an_owners_draft_only_key_makes_nothing_public_where_posts_are_approved(
    house: House,
) -> None:
    house.clock.now = NOON
    owner = house.room(approvals=True)
    drafter = owner.member(Role.OWNER, scopes=SCOPES["write"], name="Joan")
    post = owner.scheduled("x")

    made, edited = drafter.draft("x"), drafter.patch(post, {"caption": "Words to be read first"})
    owner.pass_time(timedelta(hours=2))
    waiting = owner.show(post)["status"]
    house.operator.people.approvals.approve(owner.workspace_id, post["id"])
    owner.run_due()

    assert "pending" == made["approval"]
    assert (200, "pending") == (edited.status, edited.json["approval"])
    assert ("scheduled", "published") == (waiting, owner.show(post)["status"])


@pytest.mark.parametrize("began", [False, True], ids=["switched on later", "switched off later"])
def test_approvals_count_as_the_workspace_has_them_now(house: House, *, began: bool) -> None:
    house.clock.now = NOON
    owner = house.room(approvals=began)
    post = owner.scheduled("x")
    house.operator.people.administration.update_workspace(owner.workspace_id, approvals=not began)

    answer = owner.member(Role.CONTRIBUTOR).patch(post, {"caption": "Rye"})

    if began:
        assert (403, "forbidden") == answer.refusal
    else:
        assert (200, "pending") == (answer.status, answer.json["approval"])
    assert ("Fresh bread" if began else "Rye") == owner.show(post)["caption"]


def test_a_target_that_waits_for_a_retry_is_live_to_an_edit_and_no_question_of_rights(
    room: Room,
) -> None:
    post = room.sent("x", caption="Bread sandbox:flaky:3")
    contributor = room.member(Role.CONTRIBUTOR)

    answer = contributor.patch(post, {"caption": "Rye"})

    assert ["publishing"] == room.statuses(post)
    assert (409, "already_live") == answer.refusal
