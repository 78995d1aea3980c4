"""The bell: what waits for a member, as a page and as the number beside it."""

import json

import pytest

from chalicelib.domain.workspace.access import Role
from chalicelib.domain.workspace.accounts import Health
from chalicelib.web.sentences import FIXES
from tests.api.http_room import House
from tests.web.browser import Browser


def waiting(browser: Browser) -> str | None:
    """Return the number beside the bell."""
    told: dict[str, str] = json.loads(browser.open("/app/counts").text)
    return told.get("Waiting")


def test_nothing_waits_in_a_quiet_workspace(browser: Browser) -> None:
    browser.room.scheduled("linkedin")

    assert waiting(browser) is None
    assert "Nothing waits for you" in browser.open("/app/waiting").text


def test_each_kind_that_waits_is_listed_and_counted(house: House) -> None:
    room = house.room(approvals=True)
    browser = Browser.of(room).signed_in()
    room.sent("x", caption="sandbox:fail:media_rejected burnt")
    room.member(Role.CONTRIBUTOR).draft("x", caption="Please decide")
    post = room.draft("x", caption="Rye at seven")
    browser.as_role(Role.EDITOR).send(
        f"/app/posts/{post['id']}/comments", {"comment": "<b>Is</b> this right, @Ada?"}
    )
    account = room.account("linkedin")
    room.scheduled("linkedin", caption="At risk soon", at=room.in_(hours=3))
    house.deployment.people.connections.set_health(account, Health.BROKEN)

    page = browser.open("/app/waiting").text
    home = browser.open("/app").text
    number = waiting(browser)

    for said in (
        "burnt",
        "Please decide",
        "Grace: &lt;b&gt;Is&lt;/b&gt; this right, @Ada?",
        "About Rye at seven",
        "At risk: ",
        "Sign in to LinkedIn again",
        "@lighthouse: ",
    ):
        assert said in page
        assert said in home
    assert number == "5"


@pytest.mark.parametrize("code", ["media_too_large", "caption_rejected", "invalid_options"])
def test_what_trying_again_does_not_mend_names_what_does_and_leads_there(
    browser: Browser, code: str
) -> None:
    post = browser.room.sent("x", caption=f"Rye sandbox:fail:{code}")

    page = browser.open("/app").text

    words, place = FIXES[code]
    assert f'href="/app/posts/{post["id"]}#{place}">{words}<' in page
    assert f'id="{place}"' in browser.open(f"/app/posts/{post['id']}").text
    assert f'action="/app/posts/{post["id"]}/retry"' not in page


def test_what_is_live_elsewhere_keeps_its_file_and_is_tried_again(browser: Browser) -> None:
    room = browser.room
    failing = {"account_id": room.account("x"), "caption_override": "sandbox:fail:media_rejected"}
    targets = [{"account_id": room.account("linkedin")}, failing]
    post = room.post("/v1/posts", {"caption": "Rye", "targets": targets}).json
    room.act(post, "publish-now")
    room.run_due()

    page = browser.open("/app").text

    assert room.statuses(post) == ["published", "failed"]
    assert f'action="/app/posts/{post["id"]}/retry"' in page


def test_a_sign_in_that_ends_soon_waits_behind_what_failed(browser: Browser) -> None:
    room = browser.room
    account = room.account("linkedin")
    room.sent("x", caption="Rye sandbox:fail:account_restricted")
    room.house.deployment.people.connections.set_health(account, Health.WARN)

    page = browser.open("/app/waiting").text

    assert page.index("Retry Rye") < page.index("Sign in to LinkedIn again")


def test_the_bell_leaves_out_what_a_member_does_not_want_and_home_does_not(
    browser: Browser,
) -> None:
    browser.room.sent("x", caption="sandbox:fail:media_rejected burnt")
    before = waiting(browser)

    browser.send("/app/settings/notices", {"email": "", "bell": ["comment", "review"]})

    assert (before, waiting(browser)) == ("1", None)
    assert "burnt" not in browser.open("/app/waiting").text
    assert "burnt" in browser.open("/app").text


def test_a_comment_waits_only_for_whom_it_concerns_until_it_is_resolved(browser: Browser) -> None:
    post = browser.room.draft("linkedin", caption="Rye at seven")
    grace = browser.as_role(Role.EDITOR)
    browser.send(f"/app/posts/{post['id']}/comments", {"comment": "Right, @Grace?"})

    hers, mine = waiting(grace), waiting(browser)
    page = grace.open("/app/waiting").text
    comment_id = page.partition("#comment-")[2][:32]
    browser.send(f"/app/posts/{post['id']}/comments/{comment_id}/resolve")

    assert (hers, mine) == ("1", None)
    assert f'id="comment-{comment_id}"' in browser.open(f"/app/posts/{post['id']}").text
    assert waiting(grace) is None


def test_comments_are_forgotten_with_their_post(browser: Browser) -> None:
    post = browser.room.draft("linkedin", caption="Rye at seven")
    grace = browser.as_role(Role.EDITOR)
    grace.send(f"/app/posts/{post['id']}/comments", {"comment": "Good"})
    before = waiting(browser)

    browser.room.delete(post)

    assert (before, waiting(browser)) == ("1", None)
