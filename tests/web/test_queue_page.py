"""The queue page: a week that is ticked and saved at once, beside an account's golden hours."""

import re
from collections.abc import Collection
from html import unescape
from typing import Any

import pytest

from chalicelib.domain.workspace.access import Role
from chalicelib.web.forms.queue_grid import moment_from
from tests.api.http_room import Room
from tests.web.browser import Browser, Page

PAGE = "/app/settings"
_BOX = re.compile(r'name="at" value="([^"]+)"[^>]*?( checked)?>')
_WAS = re.compile(r'name="was" value="([^"]*)"')


def slots_of(room: Room) -> list[dict[str, Any]]:
    """Return a workspace's queue times."""
    found: list[dict[str, Any]] = room.get("/v1/queue-slots").json["data"]
    return found


def times_of(room: Room) -> set[str]:
    """Return the moments of the week, as the page names them."""
    return {f"{day} {one['time']}" for one in slots_of(room) for day in one["weekdays"]}


def ticked_in(page: Page) -> set[str]:
    """Return the moments whose boxes are ticked."""
    return {unescape(value) for value, checked in _BOX.findall(page.text) if checked}


def form_of(
    page: Page, *, add: Collection[str] = (), without: Collection[str] = ()
) -> dict[str, Any]:
    """Return what a browser would send after some boxes were pressed."""
    was = _WAS.search(page.text)
    assert was is not None, page.text
    return {"was": was[1], "at": sorted((ticked_in(page) | set(add)) - set(without))}


def test_the_week_is_saved_as_it_is_ticked(browser: Browser) -> None:
    page = browser.open(PAGE)
    before = times_of(browser.room)
    assert ticked_in(page) == before

    form = form_of(page, add={"2 11:00", "6 11:00"}, without={"0 09:00", "5 10:00"})
    saved = browser.send(f"{PAGE}/queue", form)

    after = (before | {"2 11:00", "6 11:00"}) - {"0 09:00", "5 10:00"}
    assert times_of(browser.room) == after
    assert ticked_in(browser.open(saved.location)) == after
    assert {"2 11:00", "6 11:00"} == {
        f"{day} {one['time']}"
        for one in slots_of(browser.room)
        for day in one["weekdays"]
        if one["time"] == "11:00"
    }


def test_saving_takes_back_nothing_that_somebody_else_changed_meanwhile(browser: Browser) -> None:
    mine, theirs = browser.open(PAGE), browser.open(PAGE)
    before = times_of(browser.room)

    browser.send(f"{PAGE}/queue", form_of(theirs, add={"1 12:00"}, without={"0 09:00"}))
    browser.send(f"{PAGE}/queue", form_of(mine, add={"3 13:00"}, without={"0 09:00", "6 19:00"}))

    assert times_of(browser.room) == (before | {"1 12:00", "3 13:00"}) - {"0 09:00", "6 19:00"}


def test_a_save_is_undone_by_the_form_in_its_notice(browser: Browser) -> None:
    page, before = browser.open(PAGE), times_of(browser.room)
    form = form_of(page, add={"2 11:00"}, without={"0 09:00"})
    notice = browser.open(browser.send(f"{PAGE}/queue", form).location).text
    undo = notice[notice.index('class="toast notice"') :].partition("</form>")[0]

    fields = dict(re.findall(r'name="(at|was|account)" value="([^"]*)"', undo))
    browser.send(f"{PAGE}/queue", fields)

    assert times_of(browser.room) == before


def test_a_time_between_the_hours_is_added_with_the_same_save(browser: Browser) -> None:
    page, before = browser.open(PAGE), times_of(browser.room)

    more = {"weekday": ["1", "3"], "time": "07:45", "label": "Early"}
    browser.send(f"{PAGE}/queue", {**form_of(page, add={"6 08:00"}), **more})

    assert times_of(browser.room) == before | {"6 08:00", "1 07:45", "3 07:45"}
    (early,) = (one for one in slots_of(browser.room) if one["time"] == "07:45")
    assert (early["weekdays"], early["label"]) == ([1, 3], "Early")
    assert 'aria-label="Tuesday 07:45, Early"' in browser.open(PAGE).text


@pytest.mark.parametrize("time", ["24:00", "7:45", "", "\u0661\u0662:\u0660\u0660", "12:60"])
def test_a_queue_time_that_is_none_is_refused_and_the_ticks_stay(
    browser: Browser, time: str
) -> None:
    before = times_of(browser.room)
    form = form_of(browser.open(PAGE), add={"6 08:00"})

    answer = browser.send(f"{PAGE}/queue", {**form, "weekday": "1", "time": time})

    assert answer.status == 422
    assert "type a time such as 19:00" in answer.problem
    assert ticked_in(answer) == before | {"6 08:00"}
    assert times_of(browser.room) == before


@pytest.mark.parametrize("at", ["7 11:00", "x", "2 25:00", "2", " 11:00", "2 1100:", "2 11:00\n"])
def test_a_moment_that_is_none_is_refused(browser: Browser, at: str) -> None:
    before = slots_of(browser.room)

    assert browser.send(f"{PAGE}/queue", {"at": at}).status == 422

    assert slots_of(browser.room) == before


def test_golden_hours_of_the_chosen_account_are_ticked_and_saved_with_the_rest(
    browser: Browser,
) -> None:
    account = browser.room.account("linkedin")
    browser.room.account("instagram")
    page = browser.open(f"{PAGE}?account={account}")
    before = times_of(browser.room)
    assert "Golden hour: LinkedIn" in page.text
    assert "Golden hour: Instagram" not in page.text

    form = {**form_of(page, add={"6 08:00"}), "account": account}
    shown = browser.send(f"{PAGE}/queue", {**form, "golden": ""})
    unsaved = times_of(browser.room)
    browser.send(f"{PAGE}/queue", form_of(shown))

    golden = ticked_in(shown) - before - {"6 08:00"}
    assert shown.status == 200
    assert "Not saved yet" in shown.text
    assert unsaved == before
    assert 1 <= len(golden) <= 7
    assert times_of(browser.room) == before | golden | {"6 08:00"}


def test_another_accounts_golden_hours_are_looked_at_with_the_ticks_kept(browser: Browser) -> None:
    account = browser.room.account("linkedin")
    browser.room.account("instagram")
    page = browser.open(PAGE)

    shown = browser.send(f"{PAGE}/queue", {**form_of(page, add={"6 08:00"}), "look": account})

    assert "6 08:00" in ticked_in(shown)
    assert f'name="account" value="{account}"' in shown.text
    assert "Golden hour: Instagram" not in shown.text


def test_whoever_may_not_publish_sees_the_week_without_boxes(browser: Browser) -> None:
    account = browser.room.account("linkedin")
    browser.room.account("instagram")
    viewer = browser.as_role(Role.VIEWER)

    page = viewer.open(PAGE).text

    assert "<b>09:00</b>" in page
    assert not _BOX.search(page)
    assert "Save queue times" not in page
    assert f'href="/app/settings?account={account}"' in page
    assert viewer.send(f"{PAGE}/queue", {"at": "6 08:00"}).status == 403


@pytest.mark.parametrize(
    ("sent", "moment"),
    [
        ("0 09:00", (0, "09:00")),
        ("6 23:59", (6, "23:59")),
        ("7 09:00", None),
        ("0 24:00", None),
        ("0 09:60", None),
        ("0 9:00", None),
        ("0 :0900", None),
        ("0 0900:", None),
        (" 009:00", None),
        ("0 09:00\n", None),
        ("\u0660 09:00", None),
        ("0 \u06609:00", None),
        ("", None),
    ],
)
def test_a_form_names_a_moment_in_one_way(sent: str, moment: tuple[int, str] | None) -> None:
    assert moment_from(sent) == moment
