"""The list of posts: by state, account and time, and several changed at once."""

import json
from datetime import timedelta

from tests.api.http_room import UNKNOWN_ID
from tests.web.browser import Browser


def test_posts_are_shown_by_state_account_and_time(browser: Browser) -> None:
    room = browser.room
    room.sent("linkedin", caption="Out")
    room.scheduled("x", caption="Coming")
    room.pass_time(timedelta(minutes=5))
    account = room.account("x")

    assert "Coming" not in browser.open("/app/posts?status=published").text
    assert "Out" not in browser.open(f"/app/posts?account={account}").text
    assert "Coming" not in browser.open("/app/posts?days=7").text
    nothing = browser.open(f"/app/posts?account={account}&status=failed").text
    assert "No posts match" in nothing
    assert f"account={account}&amp;status=draft" in nothing


def test_several_posts_are_copied_and_deleted_together(browser: Browser) -> None:
    room = browser.room
    posts = [room.draft(caption=f"Loaf {number}") for number in range(2)]
    ids = [post["id"] for post in posts]

    copied = browser.send("/app/posts/chosen", {"post": [*ids, ids[0]], "do": "duplicate"})
    four = room.find()
    deleted = browser.send("/app/posts/chosen", {"post": [*ids, UNKNOWN_ID], "do": "delete"})

    assert copied.location == "/app/posts?status=draft"
    assert len(four) == 4
    assert "2 of 3 deleted." in browser.open(deleted.location).text
    assert set(room.find()) == set(four) - set(ids)


def test_nothing_is_changed_where_nothing_is_chosen(browser: Browser) -> None:
    browser.room.draft(caption="Rye")

    answer = browser.send("/app/posts/chosen", {"do": "delete"})

    assert answer.status == 422
    assert answer.problem == "Choose 1 to 50 posts first; these are 0."
    assert "Rye" in answer.text


def test_a_live_post_says_how_late_it_was_on_each_account(browser: Browser) -> None:
    post = browser.room.sent("linkedin", "x", caption="Rye\nfrom seven")

    page = browser.open(f"/app/posts/{post['id']}").text

    assert '<h1 dir="auto">Rye</h1>' in page
    assert "the latest 0 ms after its second" in page
    assert page.count('<span class="ruler"') == 2
    assert "<b>Published</b> on two accounts, 0 ms after its second" in page
    assert "As it looks" in page


def test_each_tab_of_the_list_is_told_how_many_posts_it_has(browser: Browser) -> None:
    room = browser.room
    for caption in ("Rye", "Spelt"):
        room.draft("x", caption=caption)
    room.scheduled("x", caption="Coming")
    room.sent("linkedin", caption="Out")
    browser.send(f"/app/posts/{room.draft('x', caption='Gone')['id']}/delete")

    told = json.loads(browser.open("/app/counts?tabs").text)

    shown = {name: number for name, number in told.items() if name.startswith("tab ")}
    assert shown == {"tab Scheduled": "1", "tab Drafts": "2", "tab Published": "1", "tab All": "4"}
    assert "tab All" not in browser.open("/app/counts").text
