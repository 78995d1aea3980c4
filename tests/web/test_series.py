"""Series in the app: begun on a post's page, seen in the list, ended, and what stopped one."""

import re
from datetime import timedelta

import pytest

from chalicelib.domain.workspace.access import Role
from tests.api.http_room import UNKNOWN_ID
from tests.web.browser import Browser

AT = "2026-11-20T18:00:00+00:00"
_TWO_WEEKS = timedelta(weeks=2)


def repeat(browser: Browser, post_id: object, **typed: str | list[str]) -> str:
    """Begin a series by the form; return what the next page says."""
    answer = browser.send(f"/app/posts/{post_id}/repeat", {"every": "week", **typed})
    assert answer.status == 303, answer
    return browser.open(answer.location).text


def test_a_post_is_repeated_on_its_page_and_the_series_ended(browser: Browser) -> None:
    post = browser.room.scheduled("linkedin", at=AT, caption="Rye on Fridays")

    page = repeat(browser, post["id"], weekday=["0", "4"], times="3", interval="1")
    listed = browser.open("/app/series").text
    (series,) = browser.room.get("/v1/series").json["data"]
    made = browser.open(f"/app/posts/{series['post_ids'][0]}").text
    browser.send(f"/app/series/{series['id']}/end")

    assert "It repeats now" in page
    for text in (page, listed, made):
        assert "Every week on Monday, Friday, 3 times" in text
    assert "Rye on Fridays" in listed
    assert len(series["post_ids"]) == 3
    assert len(browser.room.find()) == 4, "all were made, so that ending changes nothing"
    assert "Complete" in browser.open("/app/series").text


def test_a_form_that_is_sent_twice_begins_one_series(browser: Browser) -> None:
    post = browser.room.scheduled("linkedin", at=AT)
    shown = browser.open(f"/app/posts/{post['id']}").text
    (mark,) = re.findall(r'name="once" value="([^"]+)"', shown)

    told = [repeat(browser, post["id"], times="3", once=mark) for _ in range(2)]

    assert all("It repeats now" in page for page in told)
    assert len(browser.room.get("/v1/series").json["data"]) == 1


def test_a_live_post_is_repeated_too_until_a_day(browser: Browser) -> None:
    post = browser.room.sent("linkedin", caption="Rye")

    page = repeat(browser, post["id"], every="day", interval="2", until="2026-11-30")
    (series,) = browser.room.get("/v1/series").json["data"]
    browser.send(f"/app/series/{series['id']}/end")

    assert "Every two days, until 30 Nov 2026" in page
    assert len(series["post_ids"]) == 5


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"every": "year"}, "Choose day, week or month."),
        ({"interval": "13"}, "Type a number from 1 to 12."),
        ({"times": "lots"}, "Type a number from 1 to 200."),
        ({"until": "soon"}, "Type the last day like this: 2027-01-31."),
        ({"until": "2026-11-20"}, "By this rule nothing follows. Choose a later end."),
    ],
)
def test_a_rule_that_is_none_is_told_on_the_post(
    browser: Browser, typed: dict[str, str], said: str
) -> None:
    post = browser.room.scheduled("linkedin", at=AT)

    answer = browser.send(f"/app/posts/{post['id']}/repeat", {"every": "week", **typed})

    assert answer.status in (409, 422)
    assert answer.problem == said
    assert browser.room.get("/v1/series").json["data"] == []


def test_what_stopped_a_series_is_told(browser: Browser) -> None:
    post = browser.room.scheduled("linkedin", at=AT)
    repeat(browser, post["id"])

    browser.room.disconnect(browser.room.account("linkedin"))
    browser.room.house.clock.pass_time(_TWO_WEEKS)
    browser.room.house.deployment.upkeep.series_making.run()
    browser = Browser.of(browser.room).with_session()

    assert "Stopped: The account was disconnected." in browser.open("/app/series").text
    page = browser.open(f"/app/posts/{post['id']}").text
    assert "Series stopped" in page


def test_who_may_not_publish_repeats_and_ends_nothing(browser: Browser) -> None:
    post = browser.room.scheduled("linkedin", at=AT)
    repeat(browser, post["id"])
    writer = browser.as_role(Role.CONTRIBUTOR)

    page = writer.open(f"/app/posts/{post['id']}").text

    assert "Repeat this post" not in page
    assert "End it" not in page
    assert writer.send(f"/app/posts/{post['id']}/repeat", {"every": "day"}).status == 403
    assert browser.send(f"/app/series/{UNKNOWN_ID}/end").status == 404
