"""The list of posts: by state, account and time, and several changed at once."""

import json
import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from html import unescape

import pytest

from chalicelib.domain.posts.labels import MOST_ON_A_POST
from chalicelib.storage.posts import lists
from tests.api.http_room import UNKNOWN_ID
from tests.support.callers import a_caller
from tests.support.many_rows import copy_post
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


def test_a_search_that_ends_early_says_that_it_goes_on(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lists, "MOST_EXAMINED_BYTES", 20_000)
    browser.room.draft(caption="Rye")
    copy_post(browser.room, browser.room.draft(caption="Wheat")["id"], 60)

    page = browser.open("/app/posts?q=rye").text
    for _ in range(9):
        if "Search older posts" not in page:
            break
        assert "No newer post matches" in page
        following = page.partition('<p class="older"><a class="btn" href="')[2].partition('"')[0]
        page = browser.open(unescape(following)).text

    assert "Rye" in page


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


def test_several_posts_get_a_label_beside_those_they_have(browser: Browser) -> None:
    room = browser.room
    rye, spelt = room.draft(caption="Rye"), room.draft(caption="Spelt")
    old, new = (
        room.post("/v1/labels", {"name": name, "colour": "red"}).json["id"]
        for name in ("Old", "New")
    )
    room.ask("PUT", f"/v1/posts/{rye['id']}/labels", body={"label_ids": [old]})

    posts = [rye["id"], spelt["id"], UNKNOWN_ID]
    answer = browser.send("/app/posts/chosen", {"post": posts, "give": new})

    given = [
        [one["name"] for one in room.get(f"/v1/posts/{post['id']}/labels").json["data"]]
        for post in (rye, spelt)
    ]
    assert given == [["Old", "New"], ["New"]]
    assert "2 of 3 labelled." in browser.open(answer.location).text


def test_labels_that_several_give_a_post_at_once_all_stay(browser: Browser) -> None:
    room, labels = browser.room, browser.room.house.deployment.posting.labels
    post, caller = room.draft(caption="Rye"), a_caller(workspace_id=room.workspace_id)
    ids = [
        room.post("/v1/labels", {"name": f"{number}", "colour": "red"}).json["id"]
        for number in range(4)
    ]

    with ThreadPoolExecutor(len(ids)) as together:
        list(together.map(lambda one: labels.give_one_more(caller, post["id"], one), ids))

    assert ids == [one.id for one in labels.of_post(caller, post["id"])]


def test_a_post_with_as_many_labels_as_can_be_gets_no_other(browser: Browser) -> None:
    room = browser.room
    post = room.draft(caption="Rye")
    *first, last = (
        room.post("/v1/labels", {"name": f"{number}", "colour": "red"}).json["id"]
        for number in range(MOST_ON_A_POST + 1)
    )
    room.ask("PUT", f"/v1/posts/{post['id']}/labels", body={"label_ids": first})

    answer = browser.send("/app/posts/chosen", {"post": post["id"], "give": last})

    said = "0 of 1 labelled. Choose at most 10 labels; these are 11."
    assert said in browser.open(answer.location).text
    assert len(room.get(f"/v1/posts/{post['id']}/labels").json["data"]) == MOST_ON_A_POST


def test_each_row_offers_what_its_post_can_still_have_done(browser: Browser) -> None:
    room = browser.room
    planned, draft = room.scheduled("x", caption="Coming"), room.draft("x", caption="Rye")

    page = browser.open("/app/posts").text

    offered = re.findall(r'form="one" formaction="/app/posts/([^"]+)"', page)
    assert sorted(offered) == sorted(
        [
            *(f"{planned['id']}/{act}" for act in ("cancel", "delete", "duplicate")),
            *(f"{draft['id']}/{act}" for act in ("delete", "duplicate")),
        ]
    )


def test_a_page_of_posts_says_which_of_all_it_shows(browser: Browser) -> None:
    for number in range(31):
        browser.room.draft(caption=f"Loaf {number}")

    first = browser.open("/app/posts")
    older = browser.open(re.findall(r'href="(/app/posts\?cursor=[^"]+)"', first.text)[0])
    found = browser.open("/app/posts?q=Loaf+7")

    shown = [re.findall(r'data-shown="([^"]*)"', page.text) for page in (first, older, found)]
    assert shown == [["Newest 30"], ["Older 1"], ["1"]]


def test_nothing_is_changed_where_nothing_is_chosen(browser: Browser) -> None:
    browser.room.draft(caption="Rye")

    answer = browser.send("/app/posts/chosen", {"do": "delete"})

    assert answer.status == 422
    assert answer.problem == "Choose 1 to 50 posts; you chose 0."
    assert "Rye" in answer.text


def test_a_live_post_says_how_late_it_was_on_each_account(browser: Browser) -> None:
    post = browser.room.sent("linkedin", "x", caption="Rye\nfrom seven")

    page = browser.open(f"/app/posts/{post['id']}").text

    assert '<h1 dir="auto">Rye</h1>' in page
    assert "the latest 0 ms after the scheduled time" in page
    assert page.count('<span class="ruler"') == 2
    assert "<b>Published</b> on two accounts, 0 ms after the scheduled time" in page
    assert "As it looks" in page


def test_the_page_of_a_post_is_one_of_posts_in_the_side_and_in_a_phone_s_bar(
    browser: Browser,
) -> None:
    page = browser.open(f"/app/posts/{browser.room.draft()['id']}").text

    marked = re.findall(r'href="(/app[^"]*)"[^>]* aria-current="true"', page)
    assert marked == ["/app/posts", "/app/posts"]


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
