"""Drafts that keep themselves while somebody writes, and two people in one post."""

import json
from datetime import timedelta

from chalicelib.domain.workspace.access import Role
from tests.api.http_room import House
from tests.web.browser import Browser, Fields, Page
from tests.web.test_posts import fields_of, made

KEPT = "/app/compose/kept"
TAKEN = "/app/compose/taken"
ASKED = ("7f3a", "another", "")


def kept(browser: Browser, **fields: str | list[str]) -> dict[str, str]:
    """Keep a form; return which draft it is, and as of which revision."""
    answer = browser.send(KEPT, fields)
    assert answer.status == 200, answer.text
    found: dict[str, str] = json.loads(answer.text)
    return found


def test_a_draft_keeps_itself_and_grows(browser: Browser) -> None:
    account = browser.room.account("linkedin")
    first = kept(browser, caption="Half a", account=account, once="7f3a")

    second = kept(browser, caption="Half a thought", account=account, **first)

    post = browser.room.show({"id": first["post"]})
    assert second["post"] == first["post"]
    assert second["revision"] != first["revision"]
    assert (post["caption"], post["status"]) == ("Half a thought", "draft")


def test_a_new_draft_kept_twice_is_one_and_has_the_later_text(browser: Browser) -> None:
    """The answer to the first was lost on the line."""
    account = browser.room.account("linkedin")
    kept(browser, caption="Half a", account=account, once="7f3a")

    found = kept(browser, caption="Half a thought", account=account, once="7f3a")

    assert browser.room.find() == [found["post"]]
    assert browser.room.show({"id": found["post"]})["caption"] == "Half a thought"


def test_a_button_acts_on_the_draft_that_was_kept_before(browser: Browser) -> None:
    """The browser never heard that its form is a draft already, and sends it as a new one."""
    account = browser.room.account("linkedin")
    found = kept(browser, caption="Half a", account=account, once="7f3a")
    fields: Fields = {"caption": "Whole", "account": account, "once": "7f3a", "do": "queue"}

    answers = [browser.send("/app/posts/new", fields) for _ in range(2)]

    post = browser.room.show({"id": found["post"]})
    assert {answer.location for answer in answers} == {f"/app/posts/{found['post']}"}
    assert browser.room.find() == [found["post"]]
    assert (post["caption"], post["status"]) == ("Whole", "scheduled")


def test_a_form_that_was_sent_can_be_asked_whether_it_arrived(browser: Browser) -> None:
    """Its page was left before the answer came: a copy of what was taken is not offered again."""
    fields: Fields = {"caption": "Bread", "account": browser.room.account("linkedin"), "do": "now"}
    browser.send("/app/posts/new", {**fields, "once": "7f3a"})

    posts = [json.loads(browser.open(f"{TAKEN}?once={once}").text)["post"] for once in ASKED]

    assert posts == [*browser.room.find(), "", ""]


def test_writing_another_works_for_a_draft_that_was_kept(browser: Browser) -> None:
    account = browser.room.account("linkedin")
    found = kept(browser, caption="One", account=account)
    fields: Fields = {"caption": "One", "account": account, "do": "queue", "another": "1", **found}

    answer = browser.send(f"/app/posts/{found['post']}", fields)

    assert answer.location == f"/app/posts/new?account={account}&do=queue&another=1"


def test_what_is_no_draft_changes_by_its_button_alone(browser: Browser) -> None:
    post = browser.room.scheduled("linkedin")

    answer = browser.send(KEPT, {"post": str(post["id"]), "caption": "Half a"})

    assert answer.status == 412
    assert browser.room.show(post)["caption"] == post["caption"]


def test_nobody_is_asked_to_review_half_a_text(house: House) -> None:
    owner = Browser.of(house.room(approvals=True)).signed_in()
    writer = owner.as_role(Role.CONTRIBUTOR)
    fields = {"caption": "Half a", "account": owner.room.account("linkedin")}

    answer = writer.send(KEPT, fields)

    assert answer.status == 412
    assert owner.room.find() == []
    assert " data-keeps" not in writer.open("/app/posts/new").text


def test_a_draft_of_whoever_may_publish_keeps_itself_until_it_waits_for_a_review(
    house: House,
) -> None:
    owner = Browser.of(house.room(approvals=True)).signed_in()
    fields = {"caption": "Half a", "account": owner.room.account("linkedin"), "once": "7f3a"}

    first = kept(owner, **fields)
    shared = owner.send(f"/app/posts/{first['post']}", {**fields, **first, "then": "link"})
    refused = owner.send(KEPT, {**fields, "post": first["post"], "caption": "Half a thought"})

    assert shared.location == "/app/review"
    assert refused.status == 412
    assert owner.room.show({"id": first["post"]})["caption"] == "Half a"


def typed_by_two(browser: Browser) -> tuple[str, Page]:
    """Have two people write over one draft; return its page and what the second is told."""
    page = made(browser, "linkedin", caption="Bread at seven")
    mine = fields_of(browser.open(page).text)
    browser.send(page, {**fields_of(browser.open(page).text), "caption": "Rye bread at seven"})
    return page, browser.send(page, {**mine, "caption": "Bread at eight"})


def test_two_texts_of_one_draft_stand_beside_each_other(browser: Browser) -> None:
    page, refused = typed_by_two(browser)

    assert refused.status == 412
    assert "Written in two places" in refused.text
    assert "<del>Rye bread</del> <ins>Bread</ins> at <del>seven</del> <ins>eight</ins>" in (
        " ".join(refused.text.split())
    )
    assert browser.room.show({"id": page.rpartition("/")[2]})["caption"] == "Rye bread at seven"


def test_mine_is_kept_when_the_form_is_sent_as_it_came_back(browser: Browser) -> None:
    page, refused = typed_by_two(browser)

    answer = browser.send(page, {**fields_of(refused.text), "do": "save"})

    assert answer.location == page
    assert browser.room.show({"id": page.rpartition("/")[2]})["caption"] == "Bread at eight"


def test_a_draft_that_is_kept_again_is_told_in_its_history_once(browser: Browser) -> None:
    account = browser.room.account("linkedin")
    found = kept(browser, caption="0", account=account)
    for number in range(3):
        browser.room.pass_time(timedelta(seconds=10))
        found = kept(browser, caption=f"0{number}", account=account, **found)

    shown = browser.open(f"/app/posts/{found['post']}").text

    assert shown.count("</time> Changed by") == 1
