"""The app holds to the table of edits as the API does: the composer, a move, and several at once.

A session carries every scope, so that the role alone decides (`tests/support/rights`).
"""

import re
from collections.abc import Callable, Mapping

import pytest

from chalicelib.domain.workspace.access import Role
from tests.api.http_room import Document, House, Room
from tests.api.rights.states import MAKE
from tests.support.frozen_clock import NOON
from tests.support.rights.tables import EDITS, KEYS
from tests.web.browser import Browser, Fields

Form = tuple[str, Fields]
LATER = "2026-11-27T08:15"


def composed(post: Document, **fields: str | list[str]) -> Form:
    """Return the composer's form over a post, sent with what differs."""
    accounts = [target["account_id"] for target in post["targets"]]
    return f"/app/posts/{post['id']}", {"accounts_shown": "1", "account": accounts, **fields}


def own_text(room: Room, post: Document, platform: str) -> Form:
    return composed(post, **{f"a.{room.account(platform)}.text": "Words of its own"})


def added(room: Room, post: Document) -> Form:
    accounts = [target["account_id"] for target in post["targets"]]
    return composed(post, account=[*accounts, room.account("linkedin")])


def entry(post: Document) -> str:
    return f"{post['id']}|{post['targets'][0]['scheduled_at']}"


def moved(_room: Room, post: Document) -> Form:
    start = post["targets"][0]["scheduled_at"]
    return f"/app/posts/{post['id']}/move", {"from": start, "at": LATER}


def chosen(**fields: str) -> Callable[[Room, Document], Form]:
    return lambda _room, post: ("/app/calendar/chosen", {"entry": entry(post), **fields})


DOORS: Mapping[str, tuple[str, Callable[[Room, Document], Form]]] = {
    "composer, text": ("caption", lambda _, post: composed(post, caption="Words for all")),
    "composer, first text": ("first.caption_override", lambda r, post: own_text(r, post, "x")),
    "composer, second text": (
        "second.caption_override",
        lambda room, post: own_text(room, post, "bluesky"),
    ),
    "composer, account ticked": ("add", added),
    "composer, account unticked": (
        "remove.second",
        lambda room, post: composed(post, account=[room.account("x")]),
    ),
    "a move": ("first.scheduled_at", moved),
    "an undo": ("first.scheduled_at", chosen(do="back")),
    "several, to a time": ("first.scheduled_at", chosen(do="move", at=LATER)),
    "several, by days": ("first.scheduled_at", chosen(do="shift", days="7")),
    "several, cancelled": ("cancel", chosen(do="cancel")),
    "cancel": ("cancel", lambda _, post: (f"/app/posts/{post['id']}/cancel", {})),
    "publish now": ("publish-now", lambda _, post: composed(post, do="now")),
}
"""Each form of the app that changes what goes out, with its line in the table of edits."""


@pytest.mark.parametrize("approvals", [False, True], ids=["alone", "approvals"])
@pytest.mark.parametrize("state", ["draft", "scheduled", "half", "cancelled"])
@pytest.mark.parametrize("role", [Role.EDITOR, Role.CONTRIBUTOR])
def test_a_form_changes_what_is_scheduled_by_the_role(
    house: House, role: Role, state: str, *, approvals: bool
) -> None:
    house.clock.now = NOON
    room = house.room(approvals=approvals)
    member, lacks = Browser.of(room).as_role(role), KEYS[role, "all"] != "yes"

    for door, (call, form) in DOORS.items():
        post = MAKE[state](room)
        if state == "draft" and call == "first.scheduled_at":
            continue  # it is not on the calendar
        address, fields = form(room, post)
        if fields.get("do") == "back":
            fields = {**fields, "entry": f"{entry(post)}|{LATER}:00+00:00"}
        answer = member.send(address, fields)
        needed, after = EDITS[call, state], room.show(post)
        story = (door, state, role, approvals, answer.status)
        if lacks and (needed == "always" or (needed == "publish" and not approvals)):
            assert answer.status == 403, story
            assert after == post, story
            assert "Your role does not allow this." in answer.text, story
        elif needed != "always":
            assert answer.status == 303, story
            assert after != post, story
            assert after["approval"] == ("pending" if lacks and approvals else post["approval"])


def test_what_a_member_may_not_change_is_shown_without_a_form_or_a_handle(room: Room) -> None:
    contributor = Browser.of(room).as_role(Role.CONTRIBUTOR)
    scheduled, half = room.scheduled("x", caption="Rye"), MAKE["half"](room)

    whole, part = (contributor.open(f"/app/posts/{one['id']}").text for one in (scheduled, half))
    calendar = contributor.open("/app/calendar").text

    assert 'id="composer"' not in whole
    assert 'id="composer"' in part
    assert "What is scheduled is changed by members who may publish" in whole
    assert "What is a draft can be changed" in part
    assert "Rye" in calendar
    assert 'data-r="' not in calendar


def test_where_posts_are_approved_the_form_asks_for_review(house: House) -> None:
    house.clock.now = NOON
    room = house.room(approvals=True)
    contributor = Browser.of(room).as_role(Role.CONTRIBUTOR)
    post = room.scheduled("x", caption="Rye")

    page, calendar = contributor.open(f"/app/posts/{post['id']}"), contributor.open("/app/calendar")
    start = {"from": post["targets"][0]["scheduled_at"], "at": LATER}
    answer = contributor.send(f"/app/posts/{post['id']}/move", start)

    assert "Ask for review" in page.text
    assert 'data-r="' in calendar.text
    assert "It awaits review" in contributor.open(answer.location).text


@pytest.mark.parametrize("goes", ["demoted", "removed"])
def test_a_review_link_ends_when_who_shared_it_may_not_publish_any_more(
    house: House, goes: str
) -> None:
    house.clock.now = NOON
    room = house.room(approvals=True)
    post = room.member(Role.CONTRIBUTOR).draft("x", caption="Rye")
    people = room.house.operator.people.administration
    editor = people.add_member(room.workspace_id, name="Lin", role=Role.EDITOR)
    theirs = Browser.of(room).signed_in(editor.id)
    theirs.open("/app/review")
    made = theirs.send(f"/app/review/{post['id']}/link")
    link = _link_in(theirs.open(made.location).text)
    before = Browser.of(room).open(link).status

    if goes == "demoted":
        people.update_member(editor.id, Role.CONTRIBUTOR)
    else:
        people.remove_member(editor.id)
    reviewer = Browser.of(room)
    page = reviewer.open(link)
    decided = reviewer.send(link, {"decision": "approve", "name": "Ann"})

    assert (200, 404, 404) == (before, page.status, decided.status)
    assert "pending" == room.show(post)["approval"]


def _link_in(page: str) -> str:
    found = re.search(r"/review/[\w-]{75}", page)
    assert found is not None, page
    return found[0]
