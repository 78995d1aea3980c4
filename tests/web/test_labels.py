"""Labels in the app: made, changed, chosen in the composer and on a post's page, and found by."""

import re
from datetime import timedelta
from html import unescape

import pytest

from chalicelib.domain.posts.labels import MOST_LABELS, MOST_ON_A_POST
from chalicelib.domain.workspace.access import Role
from tests.api.http_room import UNKNOWN_ID
from tests.web.browser import Browser


def labelled(browser: Browser, post_id: str) -> list[str]:
    told = browser.room.get(f"/v1/posts/{post_id}/labels").json
    return [one["name"] for one in told["data"]]


def made(browser: Browser, name: str, colour: str = "teal") -> str:
    """Make a label; return its id."""
    answer = browser.send("/app/labels", {"name": name, "colour": colour})
    assert answer.status == 303, answer
    found = browser.room.get("/v1/labels").json["data"]
    return next(str(one["id"]) for one in found if one["name"] == name)


def test_a_label_is_made_renamed_and_deleted(browser: Browser) -> None:
    label = made(browser, "Summer <sale>")

    changed = browser.send(f"/app/labels/{label}", {"name": "Winter", "colour": "grey"})
    shown = browser.open("/app/labels").text
    deleted = browser.send(f"/app/labels/{label}/delete")

    assert (changed.status, deleted.status) == (303, 303)
    assert 'data-colour="grey"' in shown
    assert "Winter" in shown
    assert "No label yet" in browser.open("/app/labels").text


@pytest.mark.parametrize(
    ("name", "colour", "said"),
    [
        ("SUMMER", "red", "label"),
        (" ", "red", "Type a name for the label."),
        ("y" * 51, "red", "50"),
        ("Autumn", "mauve", "Choose one of the colours."),
    ],
)
def test_a_refused_label_is_told_with_what_was_typed(
    browser: Browser, name: str, colour: str, said: str
) -> None:
    made(browser, "Summer")

    answer = browser.send("/app/labels", {"name": name, "colour": colour})

    assert answer.status in (409, 422)
    assert said in answer.problem
    assert f'value="{name}"' in answer.text


def test_the_hundredth_label_is_the_last(browser: Browser) -> None:
    for number in range(MOST_LABELS):
        browser.room.post("/v1/labels", {"name": f"Theme {number}", "colour": "blue"})

    one_more = browser.send("/app/labels", {"name": "Another", "colour": "blue"})

    assert one_more.status == 422
    assert "Delete one first" in one_more.problem
    assert "Make the label" not in browser.open("/app/labels").text


def test_the_composer_gives_a_new_post_labels_and_takes_them_again(browser: Browser) -> None:
    label, other = made(browser, "Sale"), made(browser, "Bread")
    fields = {"caption": "Rye", "account": browser.room.account("x"), "labels_shown": "1"}

    page = browser.send("/app/posts/new", {**fields, "label": [label, other, UNKNOWN_ID]}).location
    post_id = page.rpartition("/")[2]
    given = labelled(browser, post_id)
    browser.send(page, {**fields, "label": other})
    kept = labelled(browser, post_id)
    browser.send(page, {"caption": "Rye again", "account": fields["account"]})

    assert given == ["Sale", "Bread"]
    assert kept == ["Bread"]
    assert labelled(browser, post_id) == ["Bread"], "a form without labels leaves them"
    assert f'value="{other}" checked' in browser.open(page).text


def test_a_draft_that_keeps_itself_keeps_its_labels(browser: Browser) -> None:
    label = made(browser, "Sale")
    fields = {"caption": "Rye", "account": browser.room.account("x"), "once": "9c"}

    browser.send("/app/compose/kept", {**fields, "labels_shown": "1", "label": label})

    (post_id,) = browser.room.find()
    assert labelled(browser, post_id) == ["Sale"]


def test_too_many_labels_are_refused_before_anything_is_written(browser: Browser) -> None:
    labels = [made(browser, f"Theme {number}") for number in range(MOST_ON_A_POST + 1)]
    fields = {"caption": "Rye", "account": browser.room.account("x"), "labels_shown": "1"}

    answer = browser.send("/app/posts/new", {**fields, "label": labels})

    assert answer.status == 422
    assert answer.problem == "Choose at most 10 labels; these are 11."
    assert "Rye" in answer.text
    assert answer.text.count(" checked><i") == MOST_ON_A_POST + 1
    assert not browser.room.find()


def test_a_live_post_is_labelled_on_its_page_and_found_everywhere(browser: Browser) -> None:
    room = browser.room
    post, _ = room.sent("x", caption="Out"), room.sent("x", caption="Elsewhere")
    label = made(browser, "Sale")

    browser.send(f"/app/posts/{post['id']}/labels", {"labels_shown": "1", "label": label})
    room.pass_time(timedelta(minutes=5))
    told = {
        address: browser.open(f"{address}label={label}").text
        for address in ("/app/posts?", "/app/calendar?view=list&", "/app/calendar?view=week&")
    }

    assert labelled(browser, post["id"]) == ["Sale"]
    for address, text in told.items():
        assert ("Out" in text, "Elsewhere" in text) == (True, False), address
        shown = 'data-colour="teal" title="Sale"' if "week" in address else 'class="labelled"'
        assert shown in text, address
    assert "Sale" in browser.open(f"/app/posts/{post['id']}").text


@pytest.mark.parametrize("view", ["week", "month", "list"])
def test_a_calendar_is_coloured_by_account_or_by_label(browser: Browser, view: str) -> None:
    for caption, given in (("Rye", [made(browser, "Sale")]), ("Oats", [])):
        post = browser.room.scheduled(at="2026-11-21T09:00:00+00:00", caption=caption)
        browser.send(f"/app/posts/{post['id']}/labels", {"labels_shown": "1", "label": given})

    by_account = browser.open(f"/app/calendar?view={view}").text
    by_label = browser.open(f"/app/calendar?view={view}&colour=label").text

    entry = r'<div class="entry [^"]*" (data-(?:hue|colour))="(\w+)"'
    assert {name for name, _ in re.findall(entry, by_account)} == {"data-hue"}
    assert set(re.findall(entry, by_label)) == {("data-colour", "teal"), ("data-colour", "grey")}
    assert 'name="colour" value="label"' in by_label  # a move comes back to the same colours


def test_a_week_names_the_labels_of_a_post_alone_in_its_hour_and_marks_them_on_others(
    browser: Browser,
) -> None:
    names = ("Sale", "Bread", "Third", "Fourth")
    labels = [made(browser, name) for name in names]
    for minute, given in (("00", labels), ("10", labels[:1])):
        at = f"2026-11-21T{'09' if given is labels else '11'}:{minute}:00+00:00"
        post = browser.room.scheduled(at=at, caption=f"Rye at {minute}")
        browser.send(f"/app/posts/{post['id']}/labels", {"labels_shown": "1", "label": given})
    browser.room.scheduled(at="2026-11-21T11:30:00+00:00", caption="Beside it")

    week = browser.open("/app/calendar").text
    month = browser.open("/app/calendar?view=month").text

    for page in (week, month):
        dots = re.findall(r'<i class="dot" role="img"[^>]* aria-label="(\w+)"', page)
        assert dots == [*names[:3], "Sale"]


def test_the_label_that_narrows_the_calendar_is_taken_away_by_one_press(browser: Browser) -> None:
    label, other = made(browser, "Sale"), made(browser, "Bread")
    address = f"/app/calendar?view=month&day=2026-11-05&state=scheduled&label={label}"

    page = browser.open(address).text
    (link,) = re.findall(r'class="fchip pl" href="([^"]*)"', page)

    assert unescape(link) == "/app/calendar?view=month&day=2026-11-05&state=scheduled"
    assert f"label={other}" not in page
    assert 'class="fchip pl" href' not in browser.open(unescape(link)).text


def test_results_of_a_label_are_those_of_its_posts(browser: Browser) -> None:
    room = browser.room
    post, _ = room.sent("x", caption="Out"), room.sent("x", caption="Elsewhere")
    label = made(browser, "Sale")
    browser.send(f"/app/posts/{post['id']}/labels", {"labels_shown": "1", "label": label})

    table = browser.open(f"/app/results/table?label={label}").text
    page = browser.open(f"/app/results?label={label}").text

    assert ("Out" in table, "Elsewhere" in table) == (True, False)
    assert f"label={label}" in page
    assert "Sale" in page


def test_a_viewer_sees_labels_and_changes_none(browser: Browser) -> None:
    made(browser, "Sale")

    shown = browser.as_role(Role.VIEWER).open("/app/labels").text

    assert "Sale" in shown
    assert "Make the label" not in shown
    assert "Delete this label" not in shown
