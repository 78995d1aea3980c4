"""Reviews: by members who may publish, and by a link that takes one decision."""

import re
from datetime import timedelta
from html import unescape

import pytest

from chalicelib.domain.workspace.access import Role
from chalicelib.domain.workspace.profiles import Profile
from chalicelib.services.app.reviews import LinkEnded, Verdict
from tests.api.http_room import Document, House, Room
from tests.support.frozen_clock import NOON
from tests.web.browser import Browser, a_photo


@pytest.fixture
def room(house: House) -> Room:
    """Open a workspace that uses approvals."""
    house.clock.now = NOON
    return house.room(approvals=True)


@pytest.fixture
def post(room: Room) -> Document:
    """Return a post that a contributor wrote and that waits."""
    contributor = room.member(Role.CONTRIBUTOR)
    return contributor.draft(caption="Fresh bread for review")


def shared(browser: Browser, post: Document) -> str:
    """Return the address of a review link for a post."""
    page = browser.open(browser.send(f"/app/review/{post['id']}/link").location)
    link = re.search(r"http://127.0.0.1:8000(/review/[\w-]+)", page.text)
    assert link is not None, page.text
    return link[1]


def seen(browser: Browser) -> dict[str, str]:
    """Open the reviews; return what the first form says that it showed."""
    return seen_on(browser.open("/app/review").text)


def seen_on(page: str) -> dict[str, str]:
    """Return what a review's form says that it showed."""
    fields = re.findall(r'name="(revision|(?:was|told)\.\w+)" value="([^"]*)"', page)
    assert fields, page
    return {name: unescape(value) for name, value in fields}


def test_a_member_approves_with_a_note(browser: Browser, post: Document) -> None:
    fields = {"decision": "approve", "note": "Well said", **seen(browser)}

    browser.send(f"/app/review/{post['id']}", fields)

    events = browser.room.get(f"/v1/posts/{post['id']}/history").json["events"]
    told = [e for e in events if e["action"] == "post.approved"]
    assert [(e["by"], e["detail"]["note"]) for e in told] == [("Ada", "Well said")]
    assert browser.room.show(post)["approval"] == "approved"


def test_who_does_not_see_the_file_is_told_what_will_be_said_of_it(
    browser: Browser, room: Room
) -> None:
    media = browser.upload(a_photo(), "one.jpg").location.partition("media=")[2]
    browser.open(f"/app/library/{media}")
    browser.send(f"/app/library/{media}", {"filename": "one.jpg", "alt_text": "A dark loaf"})
    post = room.member(Role.CONTRIBUTOR).draft(caption="Rye", media_ids=[media])

    for page in ("/app/review", shared(browser, post)):
        assert 'alt="A dark loaf"' in browser.open(page).text


@pytest.mark.parametrize("role", [Role.CONTRIBUTOR, Role.VIEWER])
def test_who_may_not_publish_decides_nothing(browser: Browser, post: Document, role: Role) -> None:
    other = browser.as_role(role)

    answers = [
        other.send(f"/app/review/{post['id']}", {"decision": "approve"}),
        other.send(f"/app/review/{post['id']}/link"),
    ]

    assert [answer.status for answer in answers] == [403, 403]
    assert browser.room.show(post)["approval"] == "pending"


def test_the_page_of_a_post_that_waits_makes_its_link(browser: Browser, post: Document) -> None:
    contributor = browser.as_role(Role.CONTRIBUTOR)
    form = f'action="/app/review/{post["id"]}/link"'

    waiting = browser.open(f"/app/posts/{post['id']}").text

    assert form in waiting
    assert form not in contributor.open(f"/app/posts/{post['id']}").text


@pytest.mark.parametrize("is_kept", [False, True])
def test_the_composer_saves_a_draft_and_makes_its_link(house: House, *, is_kept: bool) -> None:
    browser = Browser.of(house.room(approvals=True)).signed_in()
    fields = {"caption": "Rye at seven", "account": browser.room.account("linkedin"), "once": "7f"}
    address = browser.send("/app/posts/new", fields).location if is_kept else "/app/posts/new"
    shown = browser.open(address).text

    revision = dict(re.findall(r'name="(revision)" value="([^"]*)"', shown))
    made = browser.send(address, {**fields, **revision, "then": "link"})

    (found,) = re.findall(r"/review/[^\s\"<]+", browser.open(made.location).text)[:1]
    assert 'name="then" value="link"' in shown
    assert "Rye at seven" in Browser.of(browser.room).open(found).text
    (post,) = browser.room.find()
    assert browser.room.show({"id": post})["approval"] == "pending"


def test_no_link_asks_for_a_review_of_what_is_scheduled(browser: Browser) -> None:
    post = browser.room.scheduled("linkedin")

    answer = browser.send(f"/app/review/{post['id']}/link")

    assert "This post waits for no review" in answer.text
    assert browser.room.show(post)["approval"] == "approved"


def test_a_time_that_all_accounts_share_is_said_once_with_its_day(
    browser: Browser, room: Room
) -> None:
    targets = [
        {"account_id": room.account(one), "scheduled_at": "2026-11-27T08:30:00+00:00"}
        for one in ("linkedin", "x")
    ]
    body = {"caption": "Rye", "targets": targets}
    post = room.member(Role.CONTRIBUTOR).post("/v1/posts", body).json

    shown = Browser.of(room).open(shared(browser, post)).text

    written = re.sub(r'value="[^"]*"', "", shown)
    assert written.count("27 Nov") == 2  # in the head and on the button
    assert "Goes out Fri 27 Nov, 08:30" in written
    assert not re.findall(r"<ul[^>]*></ul>", shown)


def test_a_link_takes_one_decision(browser: Browser, post: Document) -> None:
    link, visitor = shared(browser, post), Browser.of(browser.room)
    page = visitor.open(link)
    fields = {"decision": "reject", "name": "Lin", "note": "No rye today", **seen_on(page.text)}

    first = visitor.send(link, fields)
    second = visitor.send(link, {**fields, "decision": "approve"})

    assert "Fresh bread for review" in page.text
    assert (first.status, second.status) == (200, 404)
    assert browser.room.show(post)["approval"] == "rejected"
    history = browser.open(f"/app/posts/{post['id']}").text
    assert "Lin (review link)" in history
    assert "No rye today" in history


def test_whom_a_link_is_for_or_who_said_something_before_is_not_asked_again(
    browser: Browser, post: Document
) -> None:
    named = browser.send(f"/app/review/{post['id']}/link", {"reader": "Grace"})
    link = re.search(r"(/review/[\w-]+)<", browser.open(named.location).text)
    assert link is not None
    first, again = shared(browser, post), shared(browser, post)
    visitor = Browser.of(browser.room)

    addressed = Browser.of(browser.room).open(link[1]).text
    visitor.send(f"{first}/comments", {"name": "Zoë & Bo", "comment": "Rye?"})
    remembered = visitor.open(again).text
    stranger = Browser.of(browser.room).open(again).text

    assert 'name="name" required maxlength="100" autocomplete="name" value="Grace"' in addressed
    assert 'autocomplete="name" value="Zoë &amp; Bo"' in remembered
    assert 'autocomplete="name" value=""' in stranger


def test_a_link_for_a_name_that_is_none_is_not_made(browser: Browser, post: Document) -> None:
    refused = browser.send(f"/app/review/{post['id']}/link", {"reader": "x" * 200})

    assert refused.status == 409
    assert "no name" in refused.text


def test_a_small_picture_of_an_account_stands_on_its_review_link(
    browser: Browser, room: Room, post: Document
) -> None:
    account = post["targets"][0]["account_id"]
    picture = Profile(account_id=account, read_at=NOON, picture=b"\x89PNG\r\n\x1a\n-")
    room.house.deployment.stores.profiles.put(room.workspace_id, picture)

    page = Browser.of(browser.room).open(shared(browser, post)).text

    assert 'class="face" src="data:image/png;base64,' in page


def test_a_link_ends_after_14_days_or_when_it_is_revoked(browser: Browser, post: Document) -> None:
    first, second = shared(browser, post), shared(browser, post)
    found = re.findall(r"/app/links/(\w+)/revoke", browser.open("/app/review").text)

    browser.send(f"/app/links/{found[0]}/revoke")
    opened = sorted(Browser.of(browser.room).open(link).status for link in (first, second))
    browser.room.house.clock.pass_time(timedelta(days=14))
    late = [Browser.of(browser.room).open(link).status for link in (first, second)]

    assert opened == [200, 404]
    assert late == [404, 404]


@pytest.mark.parametrize("approves", [True, False])
def test_a_link_that_is_revoked_while_it_decides_decides_nothing(
    browser: Browser, post: Document, *, approves: bool
) -> None:
    reviews = browser.room.house.deployment.people.reviews
    shown = reviews.open_shared(shared(browser, post).rpartition("/")[2])
    found = re.findall(r"/app/links/(\w+)/revoke", browser.open("/app/review").text)

    browser.send(f"/app/links/{found[0]}/revoke")
    verdict = Verdict(approves=approves, seen=shown.post.revision)
    with pytest.raises(LinkEnded):
        reviews.decide_of_link(shown.link, shown.post.id, ("Lin", ""), verdict, client="")

    assert browser.room.show(post)["approval"] == "pending"


def test_a_link_opens_nothing_once_the_post_was_decided(browser: Browser, post: Document) -> None:
    link = shared(browser, post)
    browser.send(f"/app/review/{post['id']}", {"decision": "approve", **seen(browser)})

    answer = Browser.of(browser.room).send(link, {"decision": "reject", "name": "Lin"})

    assert answer.status == 404
    assert browser.room.show(post)["approval"] == "approved"


def test_a_review_link_signs_nobody_in(browser: Browser, post: Document) -> None:
    token = shared(browser, post).rpartition("/")[2]

    assert Browser.of(browser.room).open(f"/app/sign-in/{token}").status == 410
    assert Browser.of(browser.room).send(f"/app/sign-in/{token}").status == 410
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

    visitor = Browser.of(browser.room)
    fields = {"decision": "approve", "name": name, **seen_on(visitor.open(link).text)}
    visitor.send(link, fields)

    page = browser.open(f"/app/posts/{post['id']}").text
    assert name not in page
    assert "&lt;script&gt;" in page


@pytest.mark.parametrize("way", ["member", "link"])
def test_what_changed_since_it_was_shown_is_shown_anew_and_nothing_is_decided(
    browser: Browser, post: Document, way: str
) -> None:
    link = shared(browser, post)
    reviewer = browser if way == "member" else Browser.of(browser.room)
    address = f"/app/review/{post['id']}" if way == "member" else link
    fields = {
        "decision": "approve",
        "name": "Lin",
        **seen_on(reviewer.open(link if way == "link" else "/app/review").text),
    }
    browser.room.patch(post, {"caption": "Fresh rye that nobody reviewed"})

    answer = reviewer.send(address, fields)

    assert answer.status == 409
    assert "changed after you opened it" in answer.problem
    assert "<del>bread for review</del>" in answer.text
    assert "<ins>rye that nobody reviewed</ins>" in answer.text
    assert browser.room.show(post)["approval"] == "pending"
    again = reviewer.send(address, {**fields, **seen_on(answer.text)})
    assert again.status in (200, 303)
    assert browser.room.show(post)["approval"] == "approved"


@pytest.mark.parametrize("way", ["member", "link"])
def test_a_time_an_option_a_file_and_accounts_that_changed_are_marked(
    browser: Browser, room: Room, way: str
) -> None:
    contributor = room.member(Role.CONTRIBUTOR)
    x, linkedin = room.account("x"), room.account("linkedin")
    files = [contributor.upload(a_photo(), f"{name}.jpg") for name in ("rye", "white")]
    mine = [{"account_id": x, "scheduled_at": "2026-11-21T18:30:00Z"}, {"account_id": linkedin}]
    body = {"caption": "Bread", "media_ids": files[:1], "targets": mine}
    post = contributor.post("/v1/posts", body).json
    gone = next(one["id"] for one in post["targets"] if one["platform"] == "linkedin")
    kept = next(one["id"] for one in post["targets"] if one["platform"] == "x")
    link = shared(browser, post)
    reviewer = browser if way == "member" else Browser.of(room)
    address = f"/app/review/{post['id']}" if way == "member" else link
    page = reviewer.open("/app/review" if way == "member" else link).text
    changed = contributor.patch(
        post,
        {
            "media_ids": files[1:],
            "targets": [
                {
                    "id": kept,
                    "scheduled_at": "2026-11-22T09:00:00Z",
                    "options": {"alt": "A loaf"},
                }
            ],
            "remove": [gone],
            "add": [{"account_id": room.account("threads")}],
        },
    )
    assert changed.status == 200, changed.json

    answer = reviewer.send(address, {"decision": "approve", "name": "Lin", **seen_on(page)})

    assert answer.status == 409
    assert "changed after you opened it" in answer.problem
    for mark in (
        "<del>Sat 21 Nov 2026, 18:30 (UTC)</del>",
        "<ins>Sun 22 Nov 2026, 09:00 (UTC)</ins>",
        "<del>File: rye.jpg</del>",
        "<ins>File: white.jpg</ins>",
        "<ins>Alt text: A loaf</ins>",
        "<ins>Added after you opened it.</ins>",
    ):
        assert mark in answer.text
    assert "</del> was removed from the post after you opened it." in answer.text
    assert room.show(post)["approval"] == "pending"


def test_a_decision_that_names_no_revision_decides_nothing(
    browser: Browser, post: Document
) -> None:
    answer = browser.send(f"/app/review/{post['id']}", {"decision": "approve"})

    assert answer.status == 409
    assert browser.room.show(post)["approval"] == "pending"


@pytest.mark.parametrize("way", ["member", "link"])
def test_a_contributors_time_is_approved_scheduled_and_goes_out(
    browser: Browser, room: Room, way: str
) -> None:
    hers = browser.as_role(Role.CONTRIBUTOR)
    fields = {"caption": "Rye", "account": room.account("x"), "at": "2026-11-21T18:30"}
    post = {"id": hers.send("/app/posts/new", fields).location.rpartition("/")[2]}
    link = shared(browser, post)
    reviewer = browser if way == "member" else Browser.of(room)
    address = f"/app/review/{post['id']}" if way == "member" else link
    page = reviewer.open("/app/review" if way == "member" else link).text
    assert 'Approve<span class="hid"> and schedule</span> for Sat 18:30<' in page

    reviewer.send(address, {"decision": "approve and schedule", "name": "Lin", **seen_on(page)})
    statuses = room.statuses(post)
    room.pass_time(timedelta(hours=31))

    assert statuses == ["scheduled"]
    assert room.statuses(post) == ["published"]


def test_a_time_that_passed_before_the_approval_decides_nothing(
    browser: Browser, room: Room
) -> None:
    hers = browser.as_role(Role.CONTRIBUTOR)
    fields = {"caption": "Rye", "account": room.account("x"), "at": "2026-11-20T13:00"}
    post = {"id": hers.send("/app/posts/new", fields).location.rpartition("/")[2]}
    shown = seen(browser)
    room.house.clock.pass_time(timedelta(hours=2))

    answer = browser.send(
        f"/app/review/{post['id']}", {"decision": "approve and schedule", **shown}
    )

    assert answer.status == 409
    assert "has passed" in answer.problem
    assert room.show(post)["approval"] == "pending"


def test_a_review_shows_the_file_the_times_and_every_text(browser: Browser, room: Room) -> None:
    contributor = room.member(Role.CONTRIBUTOR)
    media = contributor.upload(a_photo(), "bread.jpg")
    targets = [
        {"account_id": room.account("x"), "caption_override": "Only on X"},
        {"account_id": room.account("linkedin"), "scheduled_at": "2026-11-21T18:30:00Z"},
    ]
    body = {"caption": "Fresh bread", "media_ids": [media], "targets": targets}
    contributor.post("/v1/posts", body)

    page = browser.open("/app/review").text

    assert "Only on X" in page
    assert f'src="/app/media/{media}"' in page
    assert "Sat 21 Nov 2026, 18:30" in page


def test_a_first_comment_stands_in_a_review_once(browser: Browser) -> None:
    contributor = browser.room.member(Role.CONTRIBUTOR)
    account = browser.room.account("linkedin")
    target = {"account_id": account, "options": {"first_comment": "Baked by Hilde"}}
    contributor.draft(caption="Rye", targets=[target])

    page = browser.open("/app/review").text

    assert re.sub(r"<input[^>]*>", "", page).count("Baked by Hilde") == 1


def test_a_comment_on_one_account_names_it(browser: Browser, post: Document) -> None:
    link = shared(browser, post)
    stranger = Browser.of(browser.room)
    about = re.search(r'name="about" value="([^"]+)"', stranger.open(link).text)
    assert about is not None

    stranger.send(
        f"{link}/comments", {"name": "Lin", "about": unescape(about[1]), "comment": "Shorter?"}
    )

    assert f"{about[1]}: Shorter?" in stranger.open(link).text
