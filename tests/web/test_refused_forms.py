"""What a form is refused for is said on its own page, in plain words, with what was typed."""

import re

import pytest

from chalicelib.web.routes import ROUTES
from tests.api.http_room import UNKNOWN_ID
from tests.web.browser import Browser

SATURDAY = "2026-11-21T09:00:00+00:00"


def revision_on(browser: Browser, page: str) -> str:
    """Open a post's page; return which state of the post its forms mean."""
    found = re.search(r'name="revision" value="(\w+)"', browser.open(page).text)
    assert found is not None
    return found[1]


def test_a_change_over_somebody_elses_is_refused_and_keeps_what_was_typed(
    browser: Browser,
) -> None:
    post = browser.room.draft(caption="Fresh bread")
    page = f"/app/posts/{post['id']}"
    seen = revision_on(browser, page)
    browser.room.patch(post, {"caption": "Rye"})

    answer = browser.send(page, {"caption": "White", "revision": seen})

    assert answer.status == 412
    assert "Somebody changed this post" in answer.problem
    assert "\nWhite</textarea>" in answer.text
    assert browser.room.show(post)["caption"] == "Rye"


def test_after_that_the_same_form_can_be_sent_again(browser: Browser) -> None:
    post = browser.room.draft(caption="Fresh bread")
    page = f"/app/posts/{post['id']}"
    seen = revision_on(browser, page)
    browser.room.patch(post, {"caption": "Rye"})
    refused = browser.send(page, {"caption": "White", "revision": seen}).text
    shown = re.findall(r'name="revision" value="(\w+)"', refused)

    browser.send(page, {"caption": "White", "revision": shown[-1]})

    assert browser.room.show(post)["caption"] == "White"


@pytest.mark.parametrize("verb", ["schedule", "best", "queue", "now"])
def test_a_button_sets_off_only_what_its_page_showed(browser: Browser, verb: str) -> None:
    post = browser.room.draft(caption="Fresh bread")
    page = f"/app/posts/{post['id']}"
    seen = revision_on(browser, page)
    browser.room.patch(post, {"caption": "Rye"})

    answer = browser.send(page, {"do": verb, "at": "2026-11-21T09:00", "revision": seen})

    assert answer.status == 412
    assert browser.room.statuses(post) == ["draft"]


@pytest.mark.parametrize("verb", ["schedule", "move"])
def test_a_time_that_has_passed_is_told_in_the_workspaces_time(browser: Browser, verb: str) -> None:
    post = browser.room.scheduled(at=SATURDAY) if verb == "move" else browser.room.draft()

    address = f"/app/posts/{post['id']}" + ("/move" if verb == "move" else "")
    answer = browser.send(address, {"do": verb, "at": "2020-01-01T09:00"})

    assert answer.status == 422
    assert "That time has passed: it is Fri 20 Nov 2026, 12:00 now (UTC)." in answer.problem


def test_a_new_post_for_a_time_that_has_passed_keeps_what_was_typed(browser: Browser) -> None:
    fields = {"caption": "Rye", "account": browser.room.account(), "at": "2020-01-01T09:00"}

    answer = browser.send("/app/posts/new", fields)

    assert answer.status == 422
    assert "That time has passed" in answer.problem
    assert "\nRye</textarea>" in answer.text


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("/app/posts/new", "caption"),
        ("/app/settings/queue", "label"),
        ("/app/settings/members", "name"),
        ("/app/accounts/test", "handle"),
    ],
)
def test_control_characters_are_refused_everywhere(
    browser: Browser, address: str, name: str
) -> None:
    answer = browser.send(address, {name: "Fresh\x00bread"})

    assert answer.status == 422
    assert "control character" in answer.problem


def test_a_refused_button_shows_the_post_again(browser: Browser) -> None:
    post = browser.room.draft(caption="Fresh bread")

    answer = browser.send(f"/app/posts/{post['id']}/cancel")

    assert answer.status == 409
    assert "Preview" in answer.text
    assert "\nFresh bread</textarea>" in answer.text


def test_what_will_fail_stands_on_top_of_the_calendar(browser: Browser) -> None:
    post = browser.room.scheduled("x", at=SATURDAY, caption="Rye for Saturday")
    browser.room.disconnect(browser.room.account("x"))

    page = browser.open("/app").text

    top = page[page.index("Waiting for you") :]
    assert "At risk: " in top
    assert f'href="/app/posts/{post["id"]}"' in top


def test_a_post_looks_as_typed_before_it_is_saved(browser: Browser) -> None:
    post = browser.room.draft("x", "reddit", caption="Fresh bread")
    account = browser.room.account("x")
    fields = {
        "post": post["id"],
        "caption": "Rye\nfrom #seven",
        f"a.{account}.text": "At https://lumen.example",
    }

    looks = browser.send("/app/compose?part=beside", fields).text

    assert '<span class="marked marked-link">https://lumen.example</span>' in looks
    assert '<p class="look-title" dir="auto">Rye</p>' in looks
    assert "r/goldenhour_test" in looks
    assert "26 of 280 characters" in looks
    assert browser.room.show(post)["caption"] == "Fresh bread"


def test_every_form_that_is_shown_again_is_kept_for_whoever_is_signed_out(
    browser: Browser,
) -> None:
    forms = [
        page.path
        for page in ROUTES
        if page.again and not page.open_to_all and not page.has_token_in_address
    ]
    browser.cookies.clear()

    answers = {path: browser.send(path, {"note": "Rye & salt"}, token="") for path in forms}

    assert len(forms) > 20
    assert {answer.status for answer in answers.values()} == {401}
    assert [path for path, page in answers.items() if "Rye &amp; salt" not in page.text] == []


@pytest.mark.parametrize(
    ("path", "said", "leads_to"),
    [
        (f"/app/posts/{UNKNOWN_ID}", "This post no longer exists", "/app/posts"),
        ("/app/nowhere", "There is no page at this address", "/app"),
        ("/app/posts/chosen", "There is no page at this address", "/app"),
    ],
)
def test_what_is_missing_is_named_with_the_way_on(
    browser: Browser, path: str, said: str, leads_to: str
) -> None:
    shown = browser.open(path)

    assert shown.status in {404, 405}
    assert f"<h1>{said}</h1>" in shown.text
    assert f'<a class="btn" href="{leads_to}">' in shown.text
