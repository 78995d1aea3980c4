"""The calendar: what goes out when, what is free, what needs somebody, and moving posts."""

from datetime import timedelta

from chalicelib.domain.workspace.accounts import Health
from tests.api.http_room import House
from tests.web.browser import Browser

SATURDAY = "2026-11-21T09:00:00+00:00"


def test_a_week_shows_posts_golden_hours_and_free_queue_times(browser: Browser) -> None:
    browser.room.scheduled(at=SATURDAY, caption="Rye for Saturday")

    page = browser.open("/app").text

    assert "Rye for Saturday" in page
    assert "golden hour" in page
    assert 'href="/app/posts/new?at=2026-11-20T19:00"' in page


def test_a_taken_queue_time_is_not_free(browser: Browser) -> None:
    post = browser.room.draft()
    browser.room.act(post, "queue")

    page = browser.open("/app").text

    assert 'new?at=2026-11-20T19:00"' not in page
    assert 'new?at=2026-11-21T10:00"' in page


def test_a_day_is_the_workspaces_not_utcs(house: House) -> None:
    room = house.room(timezone="Asia/Tokyo")
    room.scheduled(at="2026-11-29T16:00:00+00:00", caption="Monday in Tokyo")
    browser = Browser.of(room).signed_in()

    assert "Monday in Tokyo" in browser.open("/app?day=2026-11-30").text
    assert "Monday in Tokyo" not in browser.open("/app?day=2026-11-29").text


def test_a_month_shows_whole_weeks(browser: Browser) -> None:
    browser.room.scheduled(at="2026-11-30T09:00:00+00:00", caption="The last day")

    page = browser.open("/app?view=month&day=2026-11-05").text

    assert "November 2026" in page
    assert page.count('class="day') == 42
    assert "The last day" in page


def test_an_address_with_a_wrong_day_shows_today(browser: Browser) -> None:
    assert "16 November 2026" in browser.open("/app?day=9999-99-99").text


def test_a_post_is_moved(browser: Browser) -> None:
    post = browser.room.scheduled(at=SATURDAY)

    answer = browser.send(f"/app/posts/{post['id']}/move", {"at": "2026-11-27T08:15"})

    moved = browser.room.show(post)["targets"][0]
    assert answer.location == "/app?day=2026-11-27"
    assert moved["scheduled_at"] == "2026-11-27T08:15:00+00:00"


def test_a_refused_move_says_why(browser: Browser) -> None:
    post = browser.room.scheduled(at=SATURDAY)

    answer = browser.send(f"/app/posts/{post['id']}/move", {"at": "soon"})

    assert answer.status == 422
    assert "2030-01-31T09:00" in answer.problem


def test_what_failed_and_what_is_broken_stands_on_top(browser: Browser) -> None:
    browser.room.sent(caption="Bread sandbox:fail:media_rejected")
    account = browser.room.account("x")
    browser.room.house.operator.connections.set_health(account, Health.BROKEN)
    browser.room.house.clock.pass_time(timedelta(minutes=1))

    page = browser.open("/app").text

    assert "Needs somebody" in page
    assert page.index("Set by an operator.") < page.index("<h1>Week of")
    assert page.index("Bread sandbox:fail") < page.index("<h1>Week of")
