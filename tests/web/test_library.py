"""The library: files found by kind, use and words, described, and deleted."""

import re
from html import unescape

from chalicelib.storage.media.records import MOST_EXAMINED
from tests.api.http_room import UNKNOWN_ID
from tests.support.films import Film, film
from tests.support.many_rows import copy_file
from tests.web.browser import Browser, a_photo


def names(browser: Browser, query: str = "") -> set[str]:
    page = browser.open(f"/app/library{query}")
    assert page.status == 200, page
    return {name for name in ("oven.jpg", "bread.jpg", "film.mp4") if f">{name}</b>" in page.text}


def test_files_are_found_by_kind_use_and_words(browser: Browser) -> None:
    room = browser.room
    oven = room.upload(a_photo(), "oven.jpg")
    bread = room.upload(a_photo(), "bread.jpg")
    room.upload(film(Film()), "film.mp4")
    room.draft("x", media_ids=[oven])
    browser.send(f"/app/library/{bread}", {"filename": "bread.jpg", "alt_text": "A dark loaf"})

    assert names(browser) == {"oven.jpg", "bread.jpg", "film.mp4"}
    assert names(browser, "?kind=image") == {"oven.jpg", "bread.jpg"}
    assert names(browser, "?kind=video") == {"film.mp4"}
    assert names(browser, "?used=true") == {"oven.jpg"}
    assert names(browser, "?used=false&kind=image") == {"bread.jpg"}
    assert names(browser, "?q=DARK") == {"bread.jpg"}
    assert names(browser, "?kind=gif&used=maybe&cursor=x") == names(browser)
    assert "No files match" in browser.open("/app/library?q=rye").text


def test_a_search_says_how_far_it_looked_and_goes_on_to_what_is_older(browser: Browser) -> None:
    oven = browser.room.upload(a_photo(), "oven.jpg")
    copy_file(browser.room, oven, 2 * MOST_EXAMINED)

    pages: list[str] = []
    path = "/app/library?q=oven"
    while path and len(pages) < 4:
        pages.append(page := browser.open(path).text)
        later = re.search(r'<div id="found" hx-get="([^"]+)"', page)
        path = unescape(later[1]) if later else ""

    assert ["matches. Searching older ones" in page for page in pages] == [True, True, False]
    assert [">oven.jpg</b>" in page for page in pages] == [False, False, True]


def test_a_description_is_kept_and_said_by_posts_that_wait(browser: Browser) -> None:
    room = browser.room
    photo = room.upload(a_photo(), "oven.jpg")
    post = room.draft("x", media_ids=[photo])
    words = {"filename": "oven at six.jpg", "alt_text": 'Steam over a <b>"loaf"</b>', "q": "oven"}

    answer = browser.send(f"/app/library/{photo}", words)

    assert answer.location == "/app/library?q=oven"
    page = browser.open(answer.location).text
    assert "oven at six.jpg" in page
    assert "&lt;b&gt;" in page
    file = room.get(f"/v1/media/{photo}", {"include": "alt_text"}).json
    assert file["alt_text"] == words["alt_text"]
    kept = room.house.deployment.stores.posts.get_any(post["id"]).attachment
    assert kept is not None
    assert kept.alt_text == words["alt_text"]


def test_a_deleted_file_is_gone_and_an_unknown_one_is_told(browser: Browser) -> None:
    photo = browser.room.upload(a_photo(), "oven.jpg")

    deleted = browser.send(f"/app/library/{photo}/delete", {"kind": "image"})
    again = browser.send(f"/app/library/{photo}/delete")
    unknown = browser.send(f"/app/library/{UNKNOWN_ID}", {"filename": "x.jpg"})

    assert deleted.location == "/app/library?kind=image"
    assert "The file was deleted." in browser.open("/app/library?kind=image").text
    assert (again.status, unknown.status) == (404, 404)
    assert unknown.problem == "This file does not exist any more. Choose another."


def test_more_files_than_a_page_holds_follow_by_a_link(browser: Browser) -> None:
    for _ in range(61):
        browser.room.upload(a_photo(), "oven.jpg")

    page = browser.open("/app/library").text
    link = page.partition('class="older"><a class="btn" href="')[2].partition('"')[0]

    assert page.count(">oven.jpg</b>") == 60
    assert browser.open(link.replace("&amp;", "&")).text.count(">oven.jpg</b>") == 1
