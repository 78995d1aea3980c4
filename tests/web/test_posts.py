"""Posts in the app: written, changed, set in motion and watched, without a line of JavaScript."""

import json
import re
import zlib
from collections.abc import Sequence
from datetime import datetime, timedelta
from html import unescape

import pytest

from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.access import Role
from chalicelib.kit import base64url
from chalicelib.web.rendering import STATES
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

    browser.send(page, {"do": "now"})
    browser.room.run_due()
    browser.room.pass_time(timedelta(seconds=1))  # for the copy of the file

    shown = browser.open(page).text
    assert f"{STATES['published'].word}</span>" in shown
    assert "Open the live post" in shown


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
    start = f"a.{browser.room.account('youtube')}."
    fields = {
        "caption": "Fresh bread",
        f"{start}text": "Bread, the film",
        f"{start}at": "2026-11-21T09:30",
        f"{start}o.title": "Bread",
        f"{start}o.tags": "bread\r\nsour dough",
        f"{start}o.made_for_kids": "true",
        f"{start}o.notify_subscribers": "",
        f"{start}o.embeddable": "true",
    }

    answer = browser.send(page, fields)

    targets = browser.room.show(post)["targets"]
    changed = next(target for target in targets if target["platform"] == "youtube")
    assert answer.location == page
    assert changed["caption_override"] == "Bread, the film"
    assert changed["scheduled_at"] == "2026-11-21T09:30:00+00:00"
    assert changed["options"] == {
        "title": "Bread",
        "tags": ["bread", "sour dough"],
        "made_for_kids": True,
        "notify_subscribers": False,
    }


def test_nested_options_are_fields_and_nothing_is_typed_as_json(browser: Browser) -> None:
    page = made(browser, "google business profile")
    start = f"a.{browser.room.account('google business profile')}.o."
    fields = {
        f"{start}call_to_action.type": "BOOK",
        f"{start}call_to_action.url": "https://bread.example",
        f"{start}topic_type": "OFFER",
        f"{start}event.title": "Two for one",
        f"{start}offer.coupon": "RYE",
    }
    shown = browser.open(page).text

    browser.send(page, fields)

    options = browser.room.show({"id": page.rpartition("/")[2]})["targets"][0]["options"]
    assert "JSON" not in shown
    assert options["call_to_action"] == {"type": "BOOK", "url": "https://bread.example"}
    assert options["event"] == {"title": "Two for one"}
    assert options["offer"] == {"coupon": "RYE"}


def test_rows_of_people_are_fields(browser: Browser) -> None:
    page = made(browser, "instagram")
    name = f"a.{browser.room.account('instagram')}.o.user_tags"
    browser.send(page, {f"{name}.0.username": "grace", f"{name}.0.x": "0.5", f"{name}.0.y": "1"})

    browser.send(page, {f"{name}.1.username": "lin"})

    options = browser.room.show({"id": page.rpartition("/")[2]})["targets"][0]["options"]
    assert options["user_tags"] == [{"username": "grace", "x": 0.5, "y": 1}, {"username": "lin"}]


@pytest.mark.parametrize("platform", list(Platform))
def test_saving_what_is_shown_changes_nothing(browser: Browser, platform: Platform) -> None:
    post = browser.room.draft(platform)
    page = f"/app/posts/{post['id']}"

    browser.send(page, fields_of(browser.open(page).text))

    assert browser.room.actions(post).count("post.edited") == 0
    assert browser.room.show(post) == post


def test_an_option_of_a_wrong_value_is_refused_and_kept_in_the_form(browser: Browser) -> None:
    page = made(browser, "youtube")
    name = f"a.{browser.room.account('youtube')}.o.title"

    answer = browser.send(page, {name: "Bread > films"})

    assert answer.status == 422
    assert 'value="Bread &gt; films"' in answer.text
    assert 'aria-invalid="true"' in answer.text


@pytest.mark.parametrize(
    ("verb", "fields"),
    [("schedule", {"at": "2026-11-20T13:00"}), ("best", {}), ("queue", {}), ("now", {})],
    ids=["time", "golden hours", "queue", "now"],
)
@pytest.mark.parametrize("is_new", [True, False], ids=["new", "draft"])
def test_every_button_carries_everything_that_was_typed(
    browser: Browser,
    verb: str,
    fields: dict[str, str],
    is_new: bool,  # noqa: FBT001 - a case
) -> None:
    linkedin, x = browser.room.account("linkedin"), browser.room.account("x")
    page = "/app/posts/new" if is_new else made(browser, "linkedin", caption="OLD TEXT")
    typed = {
        "caption": "New corrected text",
        "account": [linkedin, x],
        "accounts_shown": "1",
        f"a.{x}.text": "Shorter on X",
        f"a.{linkedin}.o.title": "A title",
        "do": verb,
        **fields,
    }

    answer = browser.send(page, typed)

    post = browser.room.show({"id": answer.location.rpartition("/")[2]})
    assert post["caption"] == "New corrected text"
    assert {target["status"] for target in post["targets"]} == {"scheduled"}
    by_platform = {target["platform"]: target for target in post["targets"]}
    assert by_platform["x"]["caption_override"] == "Shorter on X"
    assert by_platform["linkedin"]["caption_override"] is None
    assert by_platform["linkedin"]["options"] == {"title": "A title"}


@pytest.mark.parametrize("verb", ["schedule", "best", "queue", "now"])
def test_what_a_verb_refuses_saves_nothing_and_keeps_the_text(browser: Browser, verb: str) -> None:
    """Pinterest goes nowhere without a board and a picture."""
    account = browser.room.account("pinterest")
    fields = {"caption": "New text", "account": account, "at": "2026-11-20T13:00", "do": verb}
    old = made(browser, "pinterest", caption="Old text")

    new, changed = browser.send("/app/posts/new", fields), browser.send(old, fields)

    assert (new.status, changed.status) == (422, 422)
    assert "\nNew text</textarea>" in new.text
    assert "\nNew text</textarea>" in changed.text
    (found,) = browser.room.find()
    kept = browser.room.show({"id": found})
    assert (kept["caption"], kept["status"]) == ("Old text", "draft")


@pytest.mark.parametrize("platform", ["reddit", "pinterest", "tiktok"])
def test_a_refusal_speaks_to_a_person(browser: Browser, platform: str) -> None:
    account = browser.room.connect(platform, "shop")
    media = browser.room.upload(a_photo(), "one.jpg")
    fields = {"caption": "Rye", "account": account, "media": media, "do": "now"}

    answer = browser.send("/app/posts/new", fields)

    assert answer.status == 422
    assert not [word for word in ("`", "/v1/", "_", "options.") if word in answer.problem]
    assert 'href="#a.' in answer.text


def test_golden_hours_on_the_button_are_those_that_it_schedules(browser: Browser) -> None:
    account = browser.room.account("linkedin")
    fields = {"caption": "Rye", "account": account}
    part = browser.send("/app/compose?part=panels", fields).text
    label = re.search(r'value="best" data-says="Schedule for ([^"]+)"', part)
    assert label is not None

    sent = {**fields, "do": "schedule", "way": "best", "at": "2026-11-29T09:00"}
    answer = browser.send("/app/posts/new", sent)

    post = browser.room.show({"id": answer.location.rpartition("/")[2]})
    at = datetime.fromisoformat(post["targets"][0]["scheduled_at"])
    assert f"{at:%a %-d %b, %H:%M}" == label[1]


def test_a_time_s_chip_is_the_time_that_it_schedules(browser: Browser) -> None:
    account = browser.room.account("linkedin")
    shown = browser.open("/app/posts/new").text
    chip = re.search(r'value="(2026-[\dT:-]+)" data-says="Schedule for ([^"]+)"', shown)
    assert chip is not None

    fields = {"caption": "Rye", "account": account, "do": "schedule", "way": chip[1]}
    answer = browser.send("/app/posts/new", {**fields, "at": "2026-12-24T18:00"})

    post = browser.room.show({"id": answer.location.rpartition("/")[2]})
    at = datetime.fromisoformat(post["targets"][0]["scheduled_at"])
    assert (f"{at:%a %-d %b, %H:%M}", f"{at:%Y-%m-%dT%H:%M}") == (chip[2], chip[1])


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("2027-03-28T02:30", "Clocks skip 02:30 that night: Sun 28 Mar, 03:00 is meant."),
        ("2026-10-01T09:00", "Thu 1 Oct, 09:00 has passed."),
        ("2027-10-31T02:30", "Schedule for Sun 31 Oct, 02:30 (CEST)"),
    ],
    ids=["skipped", "past", "twice"],
)
def test_a_typed_time_is_named_as_the_instant_that_will_be(
    house: House, typed: str, said: str
) -> None:
    room = house.room(timezone="Europe/Berlin")
    browser = Browser.of(room).signed_in()
    fields = {"caption": "Rye", "account": room.account("linkedin"), "at": typed, "way": "pick"}

    part = browser.send("/app/compose?part=beside", fields).text

    assert said in re.sub("<[^>]+>", "", part)


def test_a_draft_changes_gets_and_loses_its_photo(browser: Browser) -> None:
    page = made(browser, "linkedin")
    post = {"id": page.rpartition("/")[2]}
    first, second = (browser.room.upload(a_photo(), f"{n}.jpg") for n in ("one", "two"))

    found = []
    for media in (first, second, ""):
        browser.send(page, {"media": media})
        found.append(browser.room.show(post)["media_ids"])

    assert found == [[first], [second], []]


def test_what_a_post_also_goes_to_shows_its_photo(browser: Browser) -> None:
    accounts = [browser.room.account(platform) for platform in ("linkedin", "x")]
    photo = browser.room.upload(a_photo(), "rye.jpg")

    part = browser.send("/app/compose?part=beside", {"media": photo, "account": accounts}).text

    assert part.count(f'<img class="th" src="/app/media/{photo}"') == len(accounts)


def test_accounts_are_added_and_taken_off_by_their_ticks(browser: Browser) -> None:
    page = made(browser, "linkedin", "x")
    bluesky = browser.room.account("bluesky")
    chosen = [browser.room.account("x"), bluesky]

    browser.send(page, {"caption": "Fresh bread", "accounts_shown": "1", "account": chosen})

    post = browser.room.show({"id": page.rpartition("/")[2]})
    assert {target["account_id"] for target in post["targets"]} == set(chosen)


def test_stopping_a_post_never_waits_for_what_was_typed_and_keeps_it(browser: Browser) -> None:
    post = browser.room.scheduled("x")

    answer = browser.send(f"/app/posts/{post['id']}/cancel", {"caption": "a" * 300})

    assert browser.room.statuses(post) == ["cancelled"]
    assert "a" * 300 in answer.text
    assert browser.room.show(post)["caption"] != "a" * 300


def test_an_ended_session_loses_no_text(browser: Browser) -> None:
    """Neither when it ended, nor when another one began in another tab."""
    fields = {"caption": "Written overnight", "account": browser.room.account(), "do": "queue"}
    browser.room.house.clock.pass_time(timedelta(days=15))

    out = browser.send("/app/posts/new", fields)
    stale = browser.form_token
    again = Browser.of(browser.room).with_session()
    kept = browser_fields(out.text)
    shown = again.send("/app/posts/new", kept, token=stale)
    done = again.send("/app/posts/new", {**kept, "do": "queue"})

    assert out.status == 401
    assert kept["caption"] == "Written overnight"
    assert shown.status == 403
    assert "\nWritten overnight</textarea>" in shown.text
    assert done.status == 303
    (made,) = browser.room.find()
    assert browser.room.statuses({"id": made}) == ["scheduled"]


def browser_fields(page: str) -> dict[str, str]:
    """Return the hidden fields of a page."""
    return dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page))


def test_writing_another_keeps_the_accounts_and_the_way(browser: Browser) -> None:
    fields = {"account": browser.room.account("x"), "another": "1", "do": "queue"}

    page = browser.send("/app/posts/new", {**fields, "caption": "One"})
    shown = browser.open(page.location).text

    assert re.search(r'name="account" value="\w+" checked', shown)
    assert re.search(r'name="way" value="queue" [^>]*checked', shown)


def test_a_scheduled_post_is_cancelled_duplicated_and_deleted(browser: Browser) -> None:
    post = browser.room.scheduled()

    browser.send(f"/app/posts/{post['id']}/cancel")
    copy = browser.send(f"/app/posts/{post['id']}/duplicate")
    statuses = browser.room.statuses(post)
    browser.send(f"/app/posts/{post['id']}/delete")

    assert statuses == ["cancelled"]
    assert copy.location != f"/app/posts/{post['id']}"
    assert browser.open(f"/app/posts/{post['id']}").status == 404


def test_a_new_post_is_saved_and_copied_by_one_press(browser: Browser) -> None:
    fields = {"caption": "Rye", "account": browser.room.account("linkedin"), "then": "duplicate"}

    copy = browser.send("/app/posts/new", fields)

    both = [browser.room.show({"id": post_id}) for post_id in browser.room.find()]
    assert [(post["caption"], post["status"]) for post in both] == 2 * [("Rye", "draft")]
    assert copy.location.removeprefix("/app/posts/") in browser.room.find()
    assert "This is the copy." in browser.open(copy.location).text


def test_a_deleted_post_is_brought_back_as_a_draft_that_nothing_sends(browser: Browser) -> None:
    text = "Rye, on Fridays. " * 150
    post = browser.room.scheduled("linkedin", caption=text)
    page = browser.open(f"/app/posts/{post['id']}").text

    deleted = browser.send(f"/app/posts/{post['id']}/delete")
    notice = browser.open(deleted.location).text
    (field,) = re.findall(r'name="post" value="([\w-]{60,})"', notice)
    back = browser.send("/app/posts/brought-back", {"post": field})
    browser.room.pass_time(timedelta(days=2))
    browser.room.run_due()

    shown = browser.open(back.location).text
    assert back.status == 303
    assert text.strip() in page
    assert text.strip() in shown
    assert browser.room.statuses({"id": back.location.rpartition("/")[2]}) == ["draft"]


NEVER_PACKED: tuple[object, ...] = (
    {"caption": "Rye"},
    [{"caption": "Rye"}, [], []],
    [{"caption": "Rye"}, [], [["1" * 32, None, {}, None]]],
    [{"caption": "Rye"}, [], [["1" * 32, None, {"mood": 1}, "now"]]],
    [{"caption": 7}, [], []],
    [{"caption": "\x07"}, [], [["1" * 32, None, {}, None]]],
)


@pytest.mark.parametrize(
    "field",
    ["", "?", "x" * 9]
    + [base64url.encode(zlib.compress(json.dumps(one).encode())) for one in NEVER_PACKED],
)
def test_what_was_never_deleted_is_not_brought_back(browser: Browser, field: str) -> None:
    answer = browser.send("/app/posts/brought-back", {"post": field})

    assert answer.status in (404, 422)
    assert [] == browser.room.find()


def test_what_is_live_is_deleted_without_a_second_post(browser: Browser) -> None:
    post = browser.room.sent()

    deleted = browser.send(f"/app/posts/{post['id']}/delete")

    assert "brought-back" not in browser.open(deleted.location).text


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

    part = browser.send("/app/compose?part=beside", {"caption": caption, "account": accounts})

    assert "26 of 280 characters" in part.text
    assert "43 of 300 characters" in part.text


def fields_of(page: str) -> dict[str, str | Sequence[str]]:
    """Return the fields of the composer as a browser would send them."""
    form = re.search(r'<form id="composer".*?</form>', page, re.DOTALL)
    assert form is not None
    found: dict[str, list[str]] = {}
    for tag in re.findall(r"<input[^>]*>", form[0]):
        name, value = re.search(r'name="([^"]+)"', tag), re.search(r'value="([^"]*)"', tag)
        is_off = re.search(r'type="(checkbox|radio|file)"', tag) and " checked" not in tag
        if name is not None and not is_off:
            found.setdefault(name[1], []).append("" if value is None else unescape(value[1]))
    for name, text in re.findall(
        r'<textarea[^>]*name="([^"]+)"[^>]*>\n?([^<]*)</textarea>', form[0]
    ):
        found.setdefault(name, []).append(unescape(text))
    for name, body in re.findall(r'<select[^>]*name="([^"]+)"[^>]*>(.*?)</select>', form[0]):
        chosen = re.search(r'value="([^"]*)" selected', body)
        found.setdefault(name, []).append("" if chosen is None else chosen[1])
    return {name: values for name, values in found.items() if name != "form_token"}


def test_progress_answers_nothing_while_nothing_has_changed(browser: Browser) -> None:
    post = browser.room.scheduled(at="2026-11-20T12:00:20+00:00")
    address = f"/app/posts/{post['id']}"
    found = re.search(r"/progress(\?seen=\w+)", browser.open(address).text)
    assert found is not None

    same = browser.open(f"{address}/progress{found[1]}")
    browser.room.act(post, "cancel")
    changed = browser.open(f"{address}/progress{found[1]}").text

    assert (same.status, same.text) == (204, "")
    assert 'id="progress"' in changed
    assert f"{STATES['cancelled'].word}</span>" in changed
    assert "every 2s" not in changed


def test_a_post_of_next_month_is_not_asked_about(browser: Browser) -> None:
    post = browser.room.scheduled(at="2026-12-20T12:00:00+00:00")

    assert "every 2s" not in browser.open(f"/app/posts/{post['id']}").text


def test_a_draft_whose_account_was_disconnected_says_so_and_can_do_without_it(
    browser: Browser,
) -> None:
    post = browser.room.draft("x", "linkedin")
    gone = browser.room.account("x")
    browser.room.disconnect(gone)
    page = f"/app/posts/{post['id']}"

    shown = browser.open(page)
    kept = {"caption": "Fresh bread", "accounts_shown": "1"}
    browser.send(page, {**kept, "account": browser.room.account("linkedin"), "do": "queue"})

    assert shown.status == 200
    assert "disconnected" in shown.text
    targets = browser.room.show(post)["targets"]
    assert [(t["platform"], t["status"]) for t in targets] == [("linkedin", "scheduled")]


@pytest.mark.parametrize("role", list(Role))
def test_every_role_sees_posts_in_every_state(browser: Browser, role: Role) -> None:
    room = browser.room
    posts = [
        room.draft("pinterest"),
        room.scheduled("x", "bluesky"),
        room.sent("x"),
        room.sent(caption="Bread sandbox:fail:media_rejected"),
        room.sent("x", "linkedin", caption="Half"),
    ]
    reader = browser.as_role(role)

    answers = [reader.open(f"/app/posts/{post['id']}").status for post in posts]
    pages = ["/app", "/app/calendar", "/app/calendar?view=list", "/app/posts", "/app/review"]

    assert answers == [200] * 5
    assert [reader.open(address).status for address in pages] == [200] * 5


def test_a_search_finds_the_text_that_an_account_has_instead(browser: Browser) -> None:
    page = made(browser, "x", caption="Shared loaf")
    own = f"a.{browser.room.account('x')}.text"
    browser.send(page, {"caption": "Shared loaf", own: "Zebra rye"})

    assert "Shared loaf" in browser.open("/app/posts?q=zebra").text
    assert "Shared loaf" not in browser.open("/app/posts?q=lion").text


def test_no_card_of_a_link_is_typed_as_a_word(browser: Browser) -> None:
    page = made(browser, "linkedin")
    name, post = f"a.{browser.room.account('linkedin')}.o.link", {"id": page.rpartition("/")[2]}

    browser.send(page, {"caption": "Fresh bread", name: "none"})
    kept, shown = browser.room.show(post)["targets"][0]["options"], browser.open(page).text
    browser.send(page, {"caption": "Fresh bread", name: ""})

    assert kept == {"link": False}
    assert 'value="none"' in shown
    assert browser.room.show(post)["targets"][0]["options"] == {}


def test_a_post_that_failed_while_it_was_watched_can_be_retried_at_once(browser: Browser) -> None:
    page = made(browser, "linkedin", caption="sandbox:fail:account_restricted")
    browser.send(page, {"caption": "sandbox:fail:account_restricted", "do": "now"})
    browser.room.run_due()

    part = browser.open(f"{page}/progress?seen=1", headers={"hx-request": "true"}).text

    assert ">Show what can be done now</a>" in part
    shown = browser.open(page).text
    assert ">Save and retry</button>" in shown
    assert "has passed" not in shown


def test_a_text_that_failed_is_called_failed_until_it_changes(browser: Browser) -> None:
    post = browser.room.sent("x", caption="Bread sandbox:fail:media_rejected")
    address = f"/app/posts/{post['id']}"

    page = browser.open(address).text
    target = post["targets"][0]
    fields = {"post": str(post["id"]), "account": target["account_id"], "caption": "Other bread"}
    typed = browser.send("/app/compose?part=beside", fields).text

    assert "Failed as it is on X." in page
    assert "Ready." in typed
    assert "Failed as it is" not in typed


def test_a_post_leads_to_its_neighbours_of_the_same_state(browser: Browser) -> None:
    room = browser.room
    drafts = []
    for number in range(4):
        room.pass_time(timedelta(seconds=1))
        drafts.append(room.draft(caption=f"Draft {number}"))
        room.pass_time(timedelta(seconds=1))
        room.scheduled("linkedin")
    room.delete(drafts[2])

    def led(post: int, way: str) -> str:
        answer = browser.open(f"/app/posts/{drafts[post]['id']}/beside?way={way}")
        assert answer.status == 303
        return answer.location

    assert led(1, "newer") == f"/app/posts/{drafts[3]['id']}"
    assert led(1, "older") == f"/app/posts/{drafts[0]['id']}"
    assert led(3, "newer") == led(0, "older") == "/app/posts?status=draft"


def test_a_post_is_named_by_its_first_sentence(browser: Browser) -> None:
    captions = ("Salt still warm, rye. Butter still cold.", "Salt still warm, rye.")

    for caption in captions:
        page = made(browser, "linkedin", caption=caption)
        browser.send(page, {"do": "now"})
        browser.room.run_due()
        assert '<h1 dir="auto">Salt still warm, rye</h1>' in browser.open(page).text


def test_enter_in_a_field_of_a_scheduled_post_saves_it(browser: Browser) -> None:
    """A browser presses the form's first button, wherever on the page that stands."""
    post = browser.room.scheduled("linkedin")

    page = browser.open(f"/app/posts/{post['id']}").text

    before = page.partition('<form id="composer"')[0]
    first = re.search(r'<button[^>]* form="composer"[^>]*>', before)
    assert first is not None
    assert 'name="do" value="save"' in first[0]
    assert "Save and duplicate" in page


def test_a_new_post_is_on_no_page_of_the_menu(browser: Browser) -> None:
    """As drawn: it is not among the posts yet."""
    assert "aria-current" not in browser.open("/app/posts/new").text.partition("<main")[0]
    assert 'href="/app/posts" title="Posts" aria-current' in browser.open("/app/posts").text


def test_who_may_only_look_is_offered_nothing_to_select_or_import(browser: Browser) -> None:
    browser.room.draft(caption="Fresh bread")
    offered = ("Select all on this page", "Import a plan")

    pages = [one.open("/app/posts").text for one in (browser, browser.as_role(Role.VIEWER))]

    assert [[said in page for said in offered] for page in pages] == [[True, True], [False, False]]


def test_a_post_that_was_only_looked_at_is_cancelled_without_a_word_of_typing(
    browser: Browser,
) -> None:
    """The button belongs to the form, which always sends what the post already has."""
    post = browser.room.scheduled("x", caption="Fresh bread")
    at = datetime.fromisoformat(post["targets"][0]["scheduled_at"]).strftime("%Y-%m-%dT%H:%M")
    sent = {"caption": "Fresh bread", "way": "pick", "at": at}

    answer = browser.send(f"/app/posts/{post['id']}/cancel", sent)

    assert answer.status == 303
    page = browser.open(answer.location).text
    assert "The post keeps its times" in page
    assert f'data-accepted="{post["id"]}"' in page  # nor does the browser offer it again


def test_what_was_tried_ahead_of_its_time_is_not_late(browser: Browser) -> None:
    """A file is made ready ten minutes before the post goes out, and may be refused then."""
    room = browser.room
    media = room.upload(a_photo(), "bread.jpg")
    post = room.scheduled("x", caption="sandbox:fail:media_too_large", media_ids=[media])

    room.pass_time(timedelta(minutes=55))

    page = browser.open(f"/app/posts/{post['id']}").text
    assert re.search(r"<b>Tried</b> on X, before the scheduled time\.", page)


def test_what_comes_close_is_told_in_the_workspaces_zone_and_by_account(house: House) -> None:
    room = house.room(timezone="Asia/Kathmandu")
    first, second = room.connect("x", "@bakery"), room.connect("x", "@cafe")
    for minutes, accounts in ((0, [second]), (5, [first, second])):
        targets = [{"account_id": one} for one in accounts]
        text = {"caption": f"Bread at {minutes}", "targets": targets}
        post = room.post("/v1/posts", text).json
        room.act(post, "schedule", {"at": room.in_(hours=1, minutes=minutes)})

    page = Browser.of(room).signed_in().open(f"/app/posts/{post['id']}").text

    at = (house.clock() + timedelta(hours=6, minutes=45)).strftime("%a %H:%M")
    told = f"X @cafe: <span>Another post goes to this account at {at}, less than 10 minutes away."
    assert told in page
