"""The calendar: what goes out when, what is free, what needs somebody, and moving posts."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from html import unescape
from zoneinfo import ZoneInfo

import pytest

from chalicelib.domain.workspace.accounts import Health
from chalicelib.domain.workspace.workspaces import all_timezones
from tests.api.http_room import Document, House
from tests.support.frozen_clock import NOON
from tests.web.browser import Browser, Page

SATURDAY = "2026-11-21T09:00:00+00:00"


def test_a_week_shows_posts_golden_hours_and_free_queue_times(browser: Browser) -> None:
    browser.room.scheduled(at=SATURDAY, caption="Rye for Saturday")

    page = browser.open("/app/calendar").text

    assert "Rye for Saturday" in page
    assert re.search(r"<li>\w\w\w: LinkedIn</li>", page)
    assert 'title="Golden hour: LinkedIn"' in page
    assert 'href="/app/posts/new?at=2026-11-20T19:00"' in page


def test_a_taken_queue_time_is_not_free(browser: Browser) -> None:
    post = browser.room.draft()
    browser.room.act(post, "queue")

    page = browser.open("/app/calendar").text

    assert 'new?at=2026-11-20T19:00"' not in page
    assert 'new?at=2026-11-21T10:00"' in page


def test_a_day_is_the_workspaces_not_utcs(house: House) -> None:
    room = house.room(timezone="Asia/Tokyo")
    room.scheduled(at="2026-11-29T16:00:00+00:00", caption="Monday in Tokyo")
    browser = Browser.of(room).signed_in()

    assert "Monday in Tokyo" in browser.open("/app/calendar?day=2026-11-30").text
    assert "Monday in Tokyo" not in browser.open("/app/calendar?view=day&day=2026-11-29").text


def test_a_month_shows_whole_weeks(browser: Browser) -> None:
    browser.room.scheduled(at="2026-11-30T09:00:00+00:00", caption="The last day")

    page = browser.open("/app/calendar?view=month&day=2026-11-05").text

    assert "November 2026" in page
    assert page.count('data-day="') == 42
    assert "The last day" in page


def test_an_address_with_a_wrong_day_shows_the_week_of_today(browser: Browser) -> None:
    page = browser.open("/app/calendar?day=9999-99-99").text

    assert "<h1>16 to 22 November</h1>" in page


@pytest.mark.parametrize("day", ["2026-11-16", "2026-11-19", "2026-11-22"])
def test_a_week_begins_on_monday_whichever_of_its_days_is_named(browser: Browser, day: str) -> None:
    browser.room.scheduled(at="2026-11-21T10:00:00+00:00", caption="Saturday of that week")

    page = browser.open(f"/app/calendar?day={day}").text

    assert "<h1>16 to 22 November</h1>" in page
    assert "Saturday of that week" in page


def test_a_post_is_moved(browser: Browser) -> None:
    post = browser.room.scheduled(at=SATURDAY)

    answer = browser.send(f"/app/posts/{post['id']}/move", {"at": "2026-11-27T08:15"})

    moved = browser.room.show(post)["targets"][0]
    assert answer.location == "/app/calendar?view=week&day=2026-11-27"
    assert moved["scheduled_at"] == "2026-11-27T08:15:00+00:00"


def test_a_refused_move_says_why(browser: Browser) -> None:
    post = browser.room.scheduled(at=SATURDAY)

    answer = browser.send(f"/app/posts/{post['id']}/move", {"at": "soon"})

    assert answer.status == 422
    assert "2030-01-31T09:00" in answer.problem


def test_what_failed_and_what_is_broken_stands_on_top(browser: Browser) -> None:
    post = browser.room.sent(caption="Bread sandbox:fail:account_restricted")
    account = browser.room.account("x")
    browser.room.house.operator.people.connections.set_health(account, Health.BROKEN)
    browser.room.house.clock.pass_time(timedelta(minutes=1))

    page = browser.open("/app").text

    waiting = page[page.index("Waiting for you") : page.index("The next seven days")]
    assert "Set by an operator." in waiting
    assert "Bread sandbox:fail" in waiting
    assert f'action="/app/posts/{post["id"]}/retry"' in waiting


def test_what_is_near_on_a_day_stands_together_and_what_is_next_is_shown(browser: Browser) -> None:
    room = browser.room
    for number in range(9):
        room.scheduled(caption=f"Early {number}", at=room.in_(minutes=number + 1))
    room.scheduled(caption="Late", at=room.in_(hours=2))
    room.house.clock.pass_time(timedelta(minutes=30))

    page = browser.open("/app").text

    assert '<span class="st more" aria-hidden="true">8+</span>' in page
    assert "view=day&amp;day=2026-11-20#hour-12" in page
    assert '<p class="words" dir="auto">Late</p>' in page
    assert "10 posts" in page


def test_a_week_of_five_hundred_posts_hides_no_day_and_calls_nothing_taken_free(
    browser: Browser,
) -> None:
    room = browser.room
    monday, account = datetime(2026, 11, 23, 7, tzinfo=UTC), room.account()
    for number in range(500):
        at = monday + timedelta(days=number // 72, minutes=10 * (number % 72))
        body = {
            "caption": f"Post number {number}",
            "targets": [{"account_id": account, "scheduled_at": at.isoformat()}],
        }
        post = room.post("/v1/posts", body).json
        if number in (12, 36):
            room.act(post, "schedule")

    page = browser.open("/app/calendar?day=2026-11-23").text
    hour = browser.open("/app/calendar/hour?view=day&day=2026-11-24&hour=9").text

    assert shown_in(page) == [72] * 6 + [68]
    assert page.count('class="entry line ') == 2 * 84
    assert "/app/calendar?view=day&amp;day=2026-11-24&amp;hour=9#hour-9" in page
    assert hour.count('class="entry dentry') == 6
    assert 'new?at=2026-11-23T09:00"' not in page
    assert len(page.encode()) <= 150_000


def shown_in(page: str) -> list[int]:
    """Return how many posts each day's head tells."""
    return [int(found) for found in re.findall(r'data-count-of="(\d+)"', page)]


def test_an_entry_is_what_goes_out_at_one_instant_and_moves_alone(browser: Browser) -> None:
    room = browser.room
    times = {"linkedin": "24T08:00", "x": "26T17:00", "bluesky": "27T20:00"}
    targets = [
        {"account_id": room.account(name), "scheduled_at": f"2026-11-{at}:00Z"}
        for name, at in times.items()
    ]
    post = room.post("/v1/posts", {"caption": "Staggered", "targets": targets}).json
    room.act(post, "schedule")
    fields = {
        "from": "2026-11-24T08:00:00+00:00",
        "at": "2026-11-24T09:30",
        "day": "2026-11-23",
    }

    moved = browser.send(f"/app/posts/{post['id']}/move", fields)

    page = browser.open(moved.location).text
    after = [target["scheduled_at"][8:16] for target in room.show(post)["targets"]]
    assert after == ["24T09:30", "26T17:00", "27T20:00"]
    assert page.count('class="entry ') == 3
    entry = page[page.index("24T09:30") - 400 :]
    assert entry[: entry.index("</a>")].count('href="#p-') <= 1


def test_a_move_can_be_undone(browser: Browser) -> None:
    post = browser.room.scheduled(at=SATURDAY)
    fields = {"from": SATURDAY, "to_day": "2026-11-25"}
    answer = browser.send(f"/app/posts/{post['id']}/move", fields)
    moved = browser.room.show(post)["targets"][0]["scheduled_at"]

    undone(browser, answer)

    assert moved == "2026-11-25T09:00:00+00:00"
    assert browser.room.show(post)["targets"][0]["scheduled_at"] == SATURDAY


def test_a_refused_drop_shows_the_calendar_as_it_is_now(browser: Browser) -> None:
    post = browser.room.scheduled(at=SATURDAY, caption="Rye for Saturday")
    fields = {"from": SATURDAY, "to_day": "2026-11-19", "view": "week", "day": "2026-11-20"}

    answer = browser.send(f"/app/posts/{post['id']}/move", fields)

    assert answer.status == 422
    assert "That time has passed" in answer.problem
    assert 'data-day="2026-11-21"' in answer.text
    assert "Rye for Saturday" in answer.text


def undone(browser: Browser, answer: Page) -> Page:
    """Press the Undo that the page after a move offers."""
    page = browser.open(answer.location).text
    undo = page[page.index('class="notice') :]
    undo = undo[: undo.index("</form>")]
    address = re.search(r'action="([^"]+)"', undo)
    assert address is not None
    kept = {n: unescape(v) for n, v in re.findall(r'name="([\w.]+)" value="([^"]*)"', undo)}
    return browser.send(address[1], kept)


def times_of(browser: Browser, posts: Sequence[Document]) -> list[str]:
    return [browser.room.show(post)["targets"][0]["scheduled_at"][5:16] for post in posts]


def staggered(browser: Browser, *times: str) -> Document:
    """Return a scheduled post with a target on LinkedIn and one on X, each at its time."""
    accounts = [browser.room.account(platform) for platform in ("linkedin", "x")]
    targets = [
        {"account_id": one, "scheduled_at": at} for one, at in zip(accounts, times, strict=True)
    ]
    post = browser.room.post("/v1/posts", {"caption": "Staggered", "targets": targets}).json
    browser.room.act(post, "schedule")
    return post


def test_several_entries_are_moved_cancelled_and_deleted(browser: Browser) -> None:
    posts = [browser.room.scheduled(at=SATURDAY, caption=f"Loaf {n}") for n in range(3)]
    entries = [f"{post['id']}|{SATURDAY}" for post in posts]

    browser.send("/app/calendar/chosen", {"entry": entries[:1], "do": "shift", "days": "7"})
    browser.send("/app/calendar/chosen", {"entry": entries[1:2], "do": "cancel"})
    browser.send("/app/calendar/chosen", {"entry": entries[2:], "do": "delete"})

    assert times_of(browser, posts[:1]) == ["11-28T09:00"]
    assert browser.room.statuses(posts[1]) == ["cancelled"]
    assert browser.open(f"/app/posts/{posts[2]['id']}").status == 404


@pytest.mark.parametrize(
    ("fields", "times"),
    [
        ({"do": "shift", "days": "7"}, ["11-28T09:00", "11-29T10:30"]),
        ({"do": "move", "at": "2026-11-27T08:15"}, ["11-27T08:15", "11-27T08:15"]),
    ],
)
def test_moving_several_entries_can_be_undone(
    browser: Browser, fields: dict[str, str], times: list[str]
) -> None:
    before = [SATURDAY, "2026-11-22T10:30:00+00:00"]
    posts = [browser.room.scheduled(at=at) for at in before]
    entries = [f"{post['id']}|{at}" for post, at in zip(posts, before, strict=True)]

    answer = browser.send("/app/calendar/chosen", {"entry": entries, **fields})
    moved = times_of(browser, posts)
    said = browser.open(undone(browser, answer).location).text

    assert moved == times
    assert times_of(browser, posts) == ["11-21T09:00", "11-22T10:30"]
    assert "2 of 2 moved back." in said


def test_cancelling_an_entry_stops_what_goes_out_at_its_instant_alone(browser: Browser) -> None:
    post = staggered(browser, SATURDAY, "2026-11-22T09:00:00Z")

    browser.send("/app/calendar/chosen", {"entry": f"{post['id']}|{SATURDAY}", "do": "cancel"})

    assert browser.room.statuses(post) == ["cancelled", "scheduled"]


def test_two_entries_of_a_post_a_week_apart_move_by_a_week_and_back(browser: Browser) -> None:
    post = staggered(browser, SATURDAY, "2026-11-28T09:00:00Z")
    entries = [f"{post['id']}|{at}" for at in (SATURDAY, "2026-11-28T09:00:00Z")]
    fields = {"entry": entries, "do": "shift", "days": "7"}

    answer = browser.send("/app/calendar/chosen", fields)
    moved = [one["scheduled_at"][5:10] for one in browser.room.show(post)["targets"]]
    undone(browser, answer)

    assert moved == ["11-28", "12-05"]
    back = [one["scheduled_at"][5:10] for one in browser.room.show(post)["targets"]]
    assert back == ["11-21", "11-28"]


def test_entries_of_a_post_that_moved_to_one_time_go_back_to_their_own(browser: Browser) -> None:
    post = staggered(browser, SATURDAY, "2026-11-22T10:30:00Z")
    entries = [f"{post['id']}|{at}" for at in (SATURDAY, "2026-11-22T10:30:00Z")]
    fields = {"entry": entries, "do": "move", "at": "2026-11-27T08:15"}

    answer = browser.send("/app/calendar/chosen", fields)
    moved = {one["scheduled_at"][5:16] for one in browser.room.show(post)["targets"]}
    said = browser.open(undone(browser, answer).location).text

    assert moved == {"11-27T08:15"}
    back = [one["scheduled_at"][5:16] for one in browser.room.show(post)["targets"]]
    assert back == ["11-21T09:00", "11-22T10:30"]
    assert "2 of 2 moved back." in said


def test_an_entry_that_joined_another_of_its_post_goes_back_alone(browser: Browser) -> None:
    post = staggered(browser, SATURDAY, "2026-11-22T10:30:00Z")
    fields = {"from": SATURDAY, "at": "2026-11-22T10:30"}

    undone(browser, browser.send(f"/app/posts/{post['id']}/move", fields))

    back = [one["scheduled_at"][5:16] for one in browser.room.show(post)["targets"]]
    assert back == ["11-21T09:00", "11-22T10:30"]


def test_two_selected_entries_of_a_post_delete_it_once(browser: Browser) -> None:
    post = staggered(browser, SATURDAY, "2026-11-22T09:00:00Z")
    entries = [f"{post['id']}|{at}" for at in (SATURDAY, "2026-11-22T09:00:00Z")]

    answer = browser.send("/app/calendar/chosen", {"entry": entries, "do": "delete"})

    assert "1 of 1 deleted.<" in browser.open(answer.location).text


def test_an_entry_that_somebody_moved_meanwhile_stays_where_it_is(browser: Browser) -> None:
    post = browser.room.scheduled(at="2026-11-25T10:00:00+00:00")
    fields = {"entry": f"{post['id']}|{SATURDAY}", "do": "shift", "days": "7"}

    answer = browser.send("/app/calendar/chosen", fields)

    assert answer.status == 409
    assert answer.problem == "0 of 1 moved. No part of this post can be moved any more."
    assert times_of(browser, [post]) == ["11-25T10:00"]


def test_more_entries_than_can_be_changed_at_a_time_are_refused(browser: Browser) -> None:
    entries = [f"{number:032x}|{SATURDAY}" for number in range(51)]

    answer = browser.send("/app/calendar/chosen", {"entry": entries, "do": "delete"})

    assert answer.status == 422
    assert answer.problem == "Choose at most 50 entries at a time; you chose 51."


def test_best_times_are_hidden_by_a_switch_that_filters_keep(browser: Browser) -> None:
    page = browser.open("/app/calendar?golden=off&platform=linkedin").text

    assert "Golden hour: " not in page
    assert '<span class="unseen">Show </span>Golden hours' in page
    assert '<input type="hidden" name="golden" value="off">' in page
    assert 'href="/app/calendar?view=week&amp;day=2026-11-20&amp;platform=linkedin"' in page


def test_the_calendar_is_filtered(browser: Browser) -> None:
    browser.room.scheduled("x", at=SATURDAY, caption="Only on X")
    browser.room.scheduled("linkedin", at=SATURDAY, caption="Only on LinkedIn")

    page = browser.open("/app/calendar?day=2026-11-21&platform=x").text

    assert "Only on X" in page
    assert "Only on LinkedIn" not in page


def test_what_moves_together_is_shown_together_whatever_the_filter(browser: Browser) -> None:
    browser.room.scheduled("x", "linkedin", at=SATURDAY, caption="On both")

    page = browser.open("/app/calendar?day=2026-11-21&platform=x").text

    entry = page[page.index('class="entry ') :]
    assert "LinkedIn" in entry[: entry.index("</a>")]


def test_a_failure_is_put_away_and_a_cancelled_part_is_none(browser: Browser) -> None:
    post = browser.room.sent(caption="Bread sandbox:fail:media_rejected")
    before = browser.open("/app").text

    browser.send(f"/app/posts/{post['id']}/dismiss")

    assert 'aria-label="Dismiss Bread sandbox:fail:media_rejected" title="Dismiss"' in before
    assert "Waiting for you" not in browser.open("/app").text


def test_a_draft_whose_own_time_is_near_is_told(browser: Browser) -> None:
    target = {"account_id": browser.room.account(), "scheduled_at": "2026-11-20T15:00:00Z"}
    browser.room.post("/v1/posts", {"caption": "Forgotten rye", "targets": [target]})

    page = browser.open("/app").text

    assert "Forgotten rye" in page[page.index("Waiting for you") :]
    assert "it does not go out by itself" in page


def test_a_day_s_filters_stand_behind_one_button_that_says_when_they_are_in_use(
    browser: Browser,
) -> None:
    account = browser.room.account("linkedin")

    everything = browser.open("/app/calendar?view=day").text
    narrowed = browser.open(f"/app/calendar?view=day&account={account}").text

    assert 'aria-label="Filters"' in everything
    assert 'aria-label="Filters, in use"' in narrowed
    assert "Show everything again" in narrowed


def test_a_zone_has_a_name_that_fits_the_corner_of_a_week(house: House) -> None:
    """36 pixels on a phone; a city of up to six letters stands in the 52 of a desk."""
    page = Browser.of(house.room(timezone="Asia/Kathmandu")).signed_in().open("/app/calendar").text

    assert '<span class="hid">+0545</span><abbr>+0545</abbr>' in page
    names = {one: NOON.astimezone(ZoneInfo(one)).strftime("%Z") for one in all_timezones()}
    assert {one: name for one, name in names.items() if len(name) > 5} == {}
