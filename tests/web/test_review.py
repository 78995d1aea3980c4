"""Reviews: by members who may publish, and by a link that takes one decision."""

import re
from datetime import timedelta

import pytest

from chalicelib.domain.workspace.access import Role
from tests.api.http_room import Document, House, Room
from tests.web.browser import Browser


@pytest.fixture
def room(house: House) -> Room:
    """Open a workspace that uses approvals."""
    return house.room(approvals=True)


@pytest.fixture
def post(room: Room) -> Document:
    """Return a post that a contributor wrote and that waits."""
    contributor = room.member(Role.CONTRIBUTOR)
    return contributor.draft(caption="Fresh bread for review")


def shared(browser: Browser, post: Document) -> str:
    """Return the address of a review link for a post."""
    page = browser.send(f"/app/review/{post['id']}/link")
    link = re.search(r"http://127.0.0.1:8000(/review/[\w-]+)", page.text)
    assert link is not None, page.text
    return link[1]


def test_a_member_approves_with_a_note(browser: Browser, post: Document) -> None:
    fields = {"decision": "approve", "note": "Well said"}

    browser.send(f"/app/review/{post['id']}", fields)

    events = browser.room.get(f"/v1/posts/{post['id']}/history").json["events"]
    told = [e for e in events if e["action"] == "post.approved"]
    assert [(e["by"], e["detail"]["note"]) for e in told] == [("Ada", "Well said")]
    assert browser.room.show(post)["approval"] == "approved"


@pytest.mark.parametrize("role", [Role.CONTRIBUTOR, Role.VIEWER])
def test_who_may_not_publish_decides_nothing(browser: Browser, post: Document, role: Role) -> None:
    other = browser.as_role(role)

    answers = [
        other.send(f"/app/review/{post['id']}", {"decision": "approve"}),
        other.send(f"/app/review/{post['id']}/link"),
    ]

    assert [answer.status for answer in answers] == [403, 403]
    assert browser.room.show(post)["approval"] == "pending"


def test_a_link_takes_one_decision(browser: Browser, post: Document) -> None:
    link, visitor = shared(browser, post), Browser.of(browser.room)
    page = visitor.open(link)
    fields = {"decision": "reject", "name": "Lin", "note": "No rye today"}

    first = visitor.send(link, fields)
    second = visitor.send(link, {**fields, "decision": "approve"})

    assert "Fresh bread for review" in page.text
    assert (first.status, second.status) == (200, 404)
    assert browser.room.show(post)["approval"] == "rejected"
    history = browser.open(f"/app/posts/{post['id']}").text
    assert "Lin (review link)" in history
    assert "No rye today" in history


def test_a_link_ends_after_14_days_or_when_it_is_revoked(browser: Browser, post: Document) -> None:
    first, second = shared(browser, post), shared(browser, post)
    found = re.findall(r"/app/links/(\w+)/revoke", browser.open("/app/review").text)

    browser.send(f"/app/links/{found[0]}/revoke")
    opened = sorted(Browser.of(browser.room).open(link).status for link in (first, second))
    browser.room.house.clock.pass_time(timedelta(days=14))
    late = [Browser.of(browser.room).open(link).status for link in (first, second)]

    assert opened == [200, 404]
    assert late == [404, 404]


def test_a_link_opens_nothing_once_the_post_was_decided(browser: Browser, post: Document) -> None:
    link = shared(browser, post)
    browser.send(f"/app/review/{post['id']}", {"decision": "approve"})

    answer = Browser.of(browser.room).send(link, {"decision": "reject", "name": "Lin"})

    assert answer.status == 404
    assert browser.room.show(post)["approval"] == "approved"


def test_a_review_link_signs_nobody_in(browser: Browser, post: Document) -> None:
    token = shared(browser, post).rpartition("/")[2]

    assert Browser.of(browser.room).open(f"/app/sign-in/{token}").status == 410
    assert Browser.of(browser.room).open(f"/review/{token}").status == 200


def test_another_sites_form_decides_nothing(browser: Browser, post: Document) -> None:
    link = shared(browser, post)

    answer = Browser.of(browser.room).send(
        link,
        {"decision": "approve", "name": "Eve"},
        headers={"origin": "https://evil.example"},
    )

    assert answer.status == 403
    assert browser.room.show(post)["approval"] == "pending"


def test_a_name_with_a_script_stays_text(browser: Browser, post: Document) -> None:
    link = shared(browser, post)
    name = "<script>alert(1)</script>"

    Browser.of(browser.room).send(link, {"decision": "approve", "name": name})

    page = browser.open(f"/app/posts/{post['id']}").text
    assert name not in page
    assert "&lt;script&gt;" in page
