"""Posts in the app: written, changed, set in motion and watched, without a line of JavaScript."""

import re
from datetime import timedelta

import pytest

from chalicelib.domain.workspace.access import Plan
from tests.api.http_room import House
from tests.web.browser import Browser, a_photo


def made(browser: Browser, *platforms: str, caption: str = "Fresh bread") -> str:
    """Write a post; return the address of its page."""
    accounts = [browser.room.account(platform) for platform in platforms]
    answer = browser.send("/app/posts/new", {"caption": caption, "account": accounts})
    assert answer.status == 303, answer
    return answer.location


def test_a_post_with_a_photo_is_written_and_published(browser: Browser) -> None:
    account = browser.room.account("instagram")
    media = browser.upload(a_photo(), "bread.jpg").location.partition("media=")[2]
    fields = {"caption": "Fresh bread", "account": account, "media": media}
    page = browser.send("/app/posts/new", fields).location

    browser.send(f"{page}/publish-now")
    browser.room.run_due()
    browser.room.pass_time(timedelta(seconds=1))  # for the copy of the file

    shown = browser.open(page).text
    assert "state-published" in shown
    assert "open the live post" in shown


def test_a_form_sent_twice_makes_one_post(browser: Browser) -> None:
    account = browser.room.account()
    fields = {"caption": "Fresh bread", "account": account, "once": "7f3a"}

    first, second = (browser.send("/app/posts/new", fields) for _ in range(2))

    assert first.location == second.location
    assert len(browser.room.find()) == 1


def test_what_is_wrong_is_told_beside_what_was_typed(browser: Browser) -> None:
    fields = {"caption": "a" * 300, "account": browser.room.account("x")}

    answer = browser.send("/app/posts/new", fields)

    assert answer.status == 422
    assert "280" in answer.problem
    assert "a" * 300 in answer.text


def test_one_target_gets_its_own_caption_time_and_options(browser: Browser) -> None:
    page = made(browser, "youtube", "linkedin")
    post = browser.room.show({"id": page.rpartition("/")[2]})
    target = post["targets"][0]
    start = f"t.{target['id']}."
    fields = {
        "caption": "Fresh bread",
        f"{start}override": "Bread, the film",
        f"{start}at": "2026-11-21T09:30",
        f"{start}o.title": "Bread",
        f"{start}o.tags": "bread\r\nsour dough",
        f"{start}o.made_for_kids": "false",
    }

    answer = browser.send(page, fields)

    changed = browser.room.show(post)["targets"][0]
    assert answer.location == f"{page}?saved"
    assert changed["caption_override"] == "Bread, the film"
    assert changed["scheduled_at"] == "2026-11-21T09:30:00+00:00"
    assert changed["options"] == {
        "title": "Bread",
        "tags": ["bread", "sour dough"],
        "made_for_kids": False,
    }


def test_saving_what_is_shown_changes_nothing(browser: Browser) -> None:
    post = browser.room.scheduled()
    page = f"/app/posts/{post['id']}"

    browser.send(page, _fields_of(browser.open(page).text))

    assert browser.room.actions(post).count("post.edited") == 0


def test_an_option_of_a_wrong_value_is_refused_and_kept_in_the_form(browser: Browser) -> None:
    page = made(browser, "youtube")
    target = browser.room.show({"id": page.rpartition("/")[2]})["targets"][0]

    answer = browser.send(
        page, {f"t.{target['id']}.override": "", f"t.{target['id']}.o.title": "Bread > films"}
    )

    assert answer.status == 422
    assert 'value="Bread &gt; films"' in answer.text


@pytest.mark.parametrize(
    ("verb", "fields", "status"),
    [
        ("schedule", {"at": "2026-11-20T13:00"}, "scheduled"),
        ("golden-hour", {}, "scheduled"),
        ("queue", {}, "scheduled"),
        ("publish-now", {}, "scheduled"),
    ],
    ids=["time", "golden hour", "queue", "now"],
)
def test_a_draft_is_set_in_motion(
    browser: Browser, verb: str, fields: dict[str, str], status: str
) -> None:
    post = browser.room.draft()

    answer = browser.send(f"/app/posts/{post['id']}/{verb}", fields)

    assert answer.location == f"/app/posts/{post['id']}"
    assert browser.room.statuses(post) == [status]


def test_a_scheduled_post_is_cancelled_duplicated_and_deleted(browser: Browser) -> None:
    post = browser.room.scheduled()

    browser.send(f"/app/posts/{post['id']}/cancel")
    copy = browser.send(f"/app/posts/{post['id']}/duplicate")
    statuses = browser.room.statuses(post)
    browser.send(f"/app/posts/{post['id']}/delete")

    assert statuses == ["cancelled"]
    assert copy.location != f"/app/posts/{post['id']}"
    assert browser.open(f"/app/posts/{post['id']}").status == 404


def test_a_failed_post_says_why_and_is_sent_again(browser: Browser) -> None:
    post = browser.room.sent(caption="Bread sandbox:fail:account_restricted")
    page = browser.open(f"/app/posts/{post['id']}")

    answer = browser.send(f"/app/posts/{post['id']}/retry")

    assert "account_restricted" in page.text
    assert answer.status == 303
    assert "post.retried" in browser.room.actions(post)


def test_a_live_post_is_taken_off_its_platform(browser: Browser) -> None:
    post = browser.room.sent("x")
    target = post["targets"][0]["id"]

    browser.send(f"/app/posts/{post['id']}/targets/{target}/unpublish")

    assert browser.room.statuses(post) == ["removed"]


def test_the_list_is_searched_filtered_and_paged(browser: Browser) -> None:
    for number in range(31):
        browser.room.draft(caption=f"Loaf {number}.")
        browser.room.house.clock.pass_time(timedelta(seconds=1))
    browser.room.scheduled(caption="Rye")

    page = browser.open("/app/posts")
    older = re.search(r'href="([^"]+)">Older posts', page.text)
    assert older is not None

    assert "Loaf 0." in browser.open(older[1].replace("&amp;", "&")).text
    assert "Rye" in browser.open("/app/posts?status=scheduled").text
    assert "Loaf" not in browser.open("/app/posts?status=scheduled").text
    assert "Rye" not in browser.open("/app/posts?q=loaf").text


def test_lengths_are_counted_by_the_platforms_rules(browser: Browser) -> None:
    accounts = [browser.room.account("x"), browser.room.account("bluesky")]
    caption = "👩‍👩‍👧 https://example.com/a-long-address-indeed"

    part = browser.send("/app/counts", {"caption": caption, "account": accounts})

    assert "X 26 of 280" in part.text
    assert "Bluesky 43 of 300" in part.text


def test_the_free_plan_writes_nothing(house: House) -> None:
    browser = Browser.of(house.room(plan=Plan.FREE)).signed_in()

    assert browser.open("/app/posts").status == 200
    assert browser.send("/app/posts/new", {"caption": "Bread"}).status == 402


def _fields_of(page: str) -> dict[str, str]:
    """Return the fields of the page's edit form as a browser would send them."""
    form = re.search(r'<form class="card" method="post".*?</form>', page, re.DOTALL)
    assert form is not None
    inputs = re.findall(r'<input[^>]*name="([^"]+)"[^>]*value="([^"]*)"', form[0])
    areas = re.findall(r'<textarea[^>]*name="([^"]+)"[^>]*>([^<]*)</textarea>', form[0])
    selects = re.findall(r'<select[^>]*name="([^"]+)"', form[0])
    found = {**dict(inputs), **dict(areas), **dict.fromkeys(selects, "")}
    return {n: v for n, v in found.items() if n not in {"remove", "account", "form_token"}}


def test_buttons_come_with_the_progress_once_the_post_has_changed(browser: Browser) -> None:
    """And not before: what is being typed beside them stays."""
    post = browser.room.scheduled()
    address = f"/app/posts/{post['id']}"
    found = re.search(r"/progress(\?seen=\w+)", browser.open(address).text)
    assert found is not None

    same = browser.open(f"{address}/progress{found[1]}").text
    browser.room.act(post, "cancel")
    changed = browser.open(f"{address}/progress{found[1]}").text

    assert 'id="progress"' in same
    assert 'id="buttons"' not in same
    assert '<div id="buttons" hx-swap-oob="true">' in changed
    assert "state-cancelled" in changed
    assert ">Publish now</button>" in changed
    assert ">Cancel</button>" not in changed
