"""A client's page: the posts of some accounts by one link, commented and decided on."""

import re
from datetime import timedelta

import pytest

from chalicelib.domain.workspace.access import Plan, Role
from chalicelib.services.app.client_pages import MOST_PAGES, MOST_SHOWN, MOST_TO_COME
from chalicelib.services.app.reviews import LinkEnded, Verdict
from tests.api.http.round_trips import Meter
from tests.api.http_room import Document, House, Room
from tests.support.frozen_clock import NOON
from tests.support.many_rows import copy_post
from tests.web.browser import Browser, Page, a_photo
from tests.web.test_review import seen_on


@pytest.fixture
def room(house: House) -> Room:
    """Open a workspace that uses approvals."""
    house.clock.now = NOON
    return house.room(approvals=True)


def make(browser: Browser, *accounts: str, name: str = "Mill & Co", days: str = "30") -> Page:
    """Make a client's page."""
    fields = {"name": name, "account": accounts, "days": days}
    return browser.send("/app/review/clients", fields)


def link_of(browser: Browser, made: Page) -> str:
    """Return the address that was told, once."""
    found = re.search(
        r"http://127.0.0.1:8000(/review/client/[\w-]+)", browser.open(made.location).text
    )
    assert found is not None
    return found[1]


def waiting(room: Room, *platforms: str, caption: str = "Fresh bread") -> Document:
    """Return a post that a contributor wrote and that waits."""
    return room.member(Role.CONTRIBUTOR).draft(*platforms, caption=caption)


def test_a_client_sees_and_decides_on_what_is_theirs(browser: Browser, room: Room) -> None:
    post = waiting(room, "x", caption="Rye waits")
    other = waiting(room, "linkedin", caption="Nothing of theirs")
    room.scheduled("x", caption="Oats to come")
    room.draft("x", caption="Only a draft")
    link = link_of(browser, make(browser, room.account("x")))
    client = Browser.of(room)

    page = client.open(link)
    coming = "".join(
        client.open(link + week).text for week in re.findall(r"\?part=2[\d-]+", page.text)
    )
    fields = {**seen_on(page.text), "name": "Mia", "note": "Lovely", "decision": "approve"}
    decided = client.send(f"{link}/{post['id']}", fields)
    foreign = client.send(f"{link}/{other['id']}", fields)

    assert "Posts for Mill &amp; Co" in page.text
    whole = page.text + coming
    assert all(text in whole for text in ("Rye waits", "Oats to come"))
    assert "Nothing of theirs" not in whole
    assert "Only a draft" not in whole
    assert "The post was approved." in decided.text
    assert foreign.status == 404
    assert room.show(post)["approval"] == "approved"
    assert room.show(other)["approval"] == "pending"
    events = room.get(f"/v1/posts/{post['id']}/history").json["events"]
    assert [one["by"] for one in events if one["action"] == "post.approved"] == [
        "Mia (client's page)"
    ]


def _meter(room: Room) -> Meter:
    clients = room.house.deployment.clients
    return Meter(clients.dynamodb, clients.sqs)


def test_what_is_to_come_stands_by_its_week_and_comments_come_back_to_it(
    browser: Browser, room: Room
) -> None:
    waiting(room, "x", caption="Rye waits")
    room.scheduled("x", at=(NOON + timedelta(hours=1)).isoformat(), caption="Oats today")
    later = room.scheduled("x", at="2026-12-07T00:30:00+00:00", caption="Spelt on a Monday")
    room.scheduled("x", at="2026-12-06T23:30:00+00:00", caption="Bran on a Sunday")
    room.scheduled("x", at="2027-01-20T09:00:00+00:00", caption="Next year")
    link = link_of(browser, make(browser, room.account("x")))
    client = Browser.of(room)

    first = client.open(link).text
    told = re.findall(r'part=([\w-]+)"[^>]*>([^<]*)<span class="n">(\d+)', first)
    week = client.open(f"{link}?part=2026-12-07").text
    said = client.send(
        f"{link}/{later['id']}/comments?part=2026-12-07", {"name": "Mia", "comment": "Good"}
    )

    assert told == [
        ("waiting", "Waiting for you", "1"),
        ("2026-11-16", "This week", "1"),
        ("2026-11-30", "Week of 30 Nov", "1"),
        ("2026-12-07", "Week of 7 Dec", "1"),
        ("2027-01-18", "Week of 18 Jan 2027", "1"),
    ]
    assert ("Rye waits" in first, "Oats today" in first) == (True, False)
    assert ("Spelt on a Monday" in week, "Bran on a Sunday" in week) == (True, False)
    assert said.location == f"{link}?done=comment&part=2026-12-07#{later['id']}"
    assert "Good" in client.open(said.location.partition("#")[0]).text
    assert client.open(f"{link}?part=nothing").text.count("Rye waits") > 0


def test_a_full_week_is_read_in_as_few_steps_as_an_empty_one(browser: Browser, room: Room) -> None:
    link = link_of(browser, make(browser, room.account("x")))
    meter, client = _meter(room), Browser.of(room)
    room.scheduled("x", at=(NOON + timedelta(hours=1)).isoformat())
    with meter.measured() as of_one:
        client.open(link)
    for number in range(2, 12):
        room.scheduled("x", at=(NOON + timedelta(hours=number)).isoformat())
    with meter.measured() as of_eleven:
        page = client.open(link)

    assert page.text.count('class="clients"') == 11
    assert of_eleven.depth == of_one.depth


def test_what_is_to_come_beyond_a_thousand_posts_is_told(browser: Browser, room: Room) -> None:
    link = link_of(browser, make(browser, room.account("x")))
    post = room.scheduled("x", at=(NOON + timedelta(hours=1)).isoformat())
    copy_post(room, post["id"], MOST_TO_COME - 1)

    whole = Browser.of(room).open(link).text
    copy_post(room, post["id"], 1)
    cut = Browser.of(room).open(link).text

    assert f"These are the first {MOST_SHOWN} of {MOST_TO_COME}" in whole
    assert f"These are the first {MOST_SHOWN} of {MOST_TO_COME}" in cut
    assert ["later ones follow" in page for page in (whole, cut)] == [False, True]


def test_what_is_out_on_the_clients_account_is_not_to_come(browser: Browser, room: Room) -> None:
    post = room.sent("x", "linkedin", caption="sandbox:slow:600")
    room.sent("x", caption="Out")
    link = link_of(browser, make(browser, room.account("x")))

    page = Browser.of(room).open(link).text

    assert room.show(post)["status"] == "publishing"
    assert 'class="clients"' in page
    assert "Out" not in page


def test_several_posts_that_wait_are_numbered_and_say_their_time_once(
    browser: Browser, room: Room
) -> None:
    for caption in ("Rye", "Oats"):
        waiting(room, "x", caption=caption)
    link = link_of(browser, make(browser, room.account("x")))

    shown = Browser.of(room).open(link).text

    assert re.findall(r"\d of \d posts", shown) == ["1 of 2 posts", "2 of 2 posts"]
    assert len(re.findall(r">\s*No time yet", shown)) == 2


def test_what_changed_since_is_not_decided(browser: Browser, room: Room) -> None:
    post = waiting(room, "x", caption="Rye waits")
    link = link_of(browser, make(browser, room.account("x")))
    client = Browser.of(room)
    fields = {**seen_on(client.open(link).text), "name": "Mia", "decision": "approve"}
    waiting(room, "x", caption="Another that waits")
    room.patch(post, {"caption": "Rye, changed"})

    answer = client.send(f"{link}/{post['id']}", fields)

    assert answer.status == 409
    assert "nothing was decided" in answer.problem
    assert "<ins>" in answer.text
    assert "was removed from the post" not in answer.text, "the other post was not on the form"
    assert "Added after you opened" not in answer.text
    assert room.show(post)["approval"] == "pending"


def test_a_post_of_other_accounts_too_is_shown_in_part_and_the_team_decides(
    browser: Browser, room: Room
) -> None:
    post = waiting(room, "x", "linkedin", caption="For two")
    link = link_of(browser, make(browser, room.account("x")))
    client = Browser.of(room)

    page = client.open(link).text
    fields = {"name": "Mia", "decision": "approve", "revision": post["id"]}
    answer = client.send(f"{link}/{post['id']}", fields)

    assert "so the team decides on it" in page
    assert "LinkedIn" not in page
    assert 'name="revision"' not in page
    assert answer.status == 409
    assert "the team decides" in answer.problem


def test_a_comment_is_told_to_both_and_those_of_members_stay_inside(
    browser: Browser, room: Room
) -> None:
    post = waiting(room, "x")
    browser.send(f"/app/posts/{post['id']}/comments", {"comment": "They are difficult"})
    link = link_of(browser, make(browser, room.account("x")))
    client = Browser.of(room)

    said = client.send(
        f"{link}/{post['id']}/comments", {"name": "Mia", "comment": "More <b>rye</b>"}
    )
    nameless = client.send(f"{link}/{post['id']}/comments", {"comment": "x"})
    long = client.send(f"{link}/{post['id']}/comments", {"name": "Mia", "comment": "x" * 2_001})

    assert said.location.endswith(f"?done=comment#{post['id']}")
    page = client.open(said.location.partition("#")[0]).text
    assert "More &lt;b&gt;rye" in page
    assert "difficult" not in page
    assert "More &lt;b&gt;rye" in browser.open(f"/app/posts/{post['id']}").text
    assert (nameless.status, long.status) == (409, 422)
    assert "Type your name" in nameless.problem
    assert "at most 2,000" in long.problem


def test_its_file_is_shown_and_no_other(browser: Browser, room: Room) -> None:
    photo = room.upload(a_photo(), "oven.jpg")
    post = room.scheduled("x", media_ids=[photo])
    bare = room.scheduled("x")
    link = link_of(browser, make(browser, room.account("x")))
    client = Browser.of(room)

    assert client.open(f"{link}/{post['id']}/file").status == 302
    assert client.open(f"{link}/{bare['id']}/file").status == 404
    assert client.open(f"{link}/{'0' * 32}/file").status == 404


def test_it_ends_by_time_by_hand_and_with_the_right_of_who_made_it(
    browser: Browser, room: Room
) -> None:
    account = room.account("x")
    editor = browser.as_role(Role.EDITOR)
    by_time = link_of(browser, make(browser, account, days="7"))
    by_hand = link_of(browser, make(browser, account, name="Revoked"))
    by_right = link_of(editor, make(editor, account))
    client = Browser.of(room)
    listed = browser.open("/app/review").text
    assert 'Page of <b dir="auto">Revoked</b>, 1 account' in listed
    links = browser.room.house.deployment.stores.links.list(room.workspace_id)
    (revoked,) = [one for one in links if one.subject == "Revoked"]

    browser.send(f"/app/links/{revoked.hash}/revoke")
    team = browser.room.house.operator.people.administration
    (who,) = [one for one in team.list_members(room.workspace_id) if one.role is Role.EDITOR]
    browser.send(f"/app/settings/members/{who.id}/role", {"role": "viewer"})

    assert [client.open(one).status for one in (by_time, by_hand, by_right)] == [200, 404, 404]
    assert "This link has ended" in client.open(by_hand).text
    room.house.clock.pass_time(timedelta(days=7))
    assert client.open(by_time).status == 404
    assert (
        client.send(f"{by_time}/{'0' * 32}", {"name": "Mia", "decision": "approve"}).status == 404
    )


def test_a_page_that_is_revoked_while_it_decides_decides_nothing(
    browser: Browser, room: Room
) -> None:
    post = waiting(room, "x")
    people = room.house.deployment.people
    link = link_of(browser, make(browser, room.account("x")))
    opened = people.client_pages.open(link.rpartition("/")[2])
    found = re.findall(r"/app/links/(\w+)/revoke", browser.open("/app/review").text)

    browser.send(f"/app/links/{found[0]}/revoke")
    kept = people.reviews.posts.get(room.workspace_id, post["id"])
    verdict = Verdict(approves=True, seen=kept.revision)
    with pytest.raises(LinkEnded):
        people.reviews.decide_of_link(opened.link, post["id"], ("Mia", ""), verdict, client="")

    assert room.show(post)["approval"] == "pending"


def test_once_the_trial_is_over_a_client_decides_as_little_as_a_member(house: House) -> None:
    """OWASP API Security Top 10 of 2023, API6: what costs a plan is not had by another door."""
    house.clock.now = NOON
    room = house.room(approvals=True, plan=Plan.TRIAL)
    member, client, post = Browser.of(room).signed_in(), Browser.of(room), waiting(room, "x")
    link = link_of(member, make(member, room.account("x")))
    fields = {**seen_on(client.open(link).text), "name": "Mia", "decision": "approve"}
    house.clock.pass_time(timedelta(days=14))

    refused = client.send(f"{link}/{post['id']}", fields)

    assert (409, True) == (refused.status, "trial is over" in refused.text)
    assert fields["revision"] == seen_on(client.open(link).text)["revision"]


def test_who_may_not_publish_makes_none_and_a_wrong_form_is_told(
    browser: Browser, room: Room
) -> None:
    account = room.account("x")
    stranger = browser.room.house.room()

    assert make(browser.as_role(Role.CONTRIBUTOR), account).status == 403
    assert "/app/review/clients" not in browser.as_role(Role.CONTRIBUTOR).open("/app/review").text
    for wrong in (
        make(browser),
        make(browser, stranger.account("x")),
        make(browser, account, name=" "),
        make(browser, account, days="9999"),
    ):
        assert wrong.status == 409
        assert "choose accounts" in wrong.problem


def test_there_are_so_many_pages_at_most(browser: Browser, room: Room) -> None:
    account = room.account("x")
    for _ in range(MOST_PAGES):
        make(browser, account)

    answer = make(browser, account)

    assert answer.status == 409
    assert "Revoke one first" in answer.problem


def test_a_clients_page_that_is_refused_keeps_its_form_open(browser: Browser, room: Room) -> None:
    room.account("x")

    answer = make(browser, name="Café Müller")

    assert answer.problem.startswith("Type the client's name, and choose accounts")
    assert '<details class="card" open>' in answer.text
    assert 'value="Café Müller"' in answer.text
    assert '<details class="card">' in browser.open("/app/review").text
