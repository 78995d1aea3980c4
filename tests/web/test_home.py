"""The front page: the day, first steps ticked as they are done, and yesterday's numbers."""

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from chalicelib.domain.analytics.counters import DayCounters, Kind
from chalicelib.domain.workspace.profiles import Profile
from chalicelib.kit.dynamodb.items import attributes, stamp
from chalicelib.storage.analytics.items import day_counters_item
from chalicelib.storage.workspace.items import account_key
from chalicelib.web.forms.drawn import change, small_line, smooth_line
from chalicelib.web.forms.ribbon import hour_in_zone, in_zone, ribbon
from chalicelib.web.forms.times import by_day, until, with_times_in
from tests.api.http_room import House
from tests.web.browser import Browser

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
PNG = b"\x89PNG\r\n\x1a\n"


def steps(page: str) -> list[str]:
    """Return the state of each first step."""
    shown = page[page.index('<ol class="steps') : page.index("</ol>")]
    return [one.partition('"')[0] for one in shown.split('<li class="')[1:]]


def test_first_steps_tick_themselves(browser: Browser) -> None:
    empty = steps(browser.open("/app").text)
    browser.room.account("linkedin")
    connected = steps(browser.open("/app").text)
    post = browser.room.draft("linkedin")
    written = steps(browser.open("/app").text)
    browser.room.act(post, "schedule", {"at": browser.room.in_(days=30)})

    assert empty == ["now", "", ""]
    assert connected == ["done", "now", ""]
    assert written == ["done", "done", "now"]
    assert "Your first golden hour is near" not in browser.open("/app").text


def test_the_next_post_can_be_moved_and_cancelled_from_home(browser: Browser) -> None:
    post = browser.room.scheduled("linkedin", caption="Rye at one")
    page = browser.open("/app").text

    moved = browser.send(
        f"/app/posts/{post['id']}/move",
        {"from": post["targets"][0]["scheduled_at"], "at": "2026-11-20T15:00"},
    )
    after = browser.open("/app").text

    assert re.search(
        r'One post goes out today. <span class="then">'
        r'The next one in <time datetime="[^"]+">1 h 0 min</time>\.',
        page,
    )
    assert moved.status == 303
    assert "in 3 h 0 min" in after
    assert f'action="/app/posts/{post["id"]}/cancel"' in after


@pytest.mark.parametrize(("hours", "said"), [(1, " near nearer"), (1.5, " near"), (3, "")])
def test_the_time_of_now_gives_way_to_a_post_beside_it(
    browser: Browser, hours: float, said: str
) -> None:
    post = browser.room.draft("linkedin")
    browser.room.act(post, "schedule", {"at": browser.room.in_(hours=hours)})

    assert f'<span class="nowline{said}"' in browser.open("/app").text


def test_yesterday_stands_beside_the_same_day_a_week_before(browser: Browser) -> None:
    room = browser.room
    room.account("linkedin")
    table = room.house.deployment.tables.posts
    for ago, views in ((1, 1234), (8, 1000)):
        day = NOON.date() - timedelta(days=ago)
        counters = DayCounters(day=day)
        counters.counters[Kind.GAINED, day.isoformat()] = views
        row = attributes(day_counters_item(room.workspace_id, counters))
        room.house.deployment.clients.dynamodb.put_item(TableName=table, Item=row)
    room.scheduled("linkedin")

    page = browser.open("/app").text

    assert '<dt>Views</dt><dd><span class="v">1,234</span><span class="delta good">' in page
    assert "23 %" in page


def test_counts_tell_whose_picture_there_is_when_asked(browser: Browser) -> None:
    room = browser.room
    with_one, without = room.account("linkedin"), room.account("x")
    for account, picture in ((with_one, PNG), (without, None)):
        profile = Profile(account_id=account, read_at=NOON, picture=picture)
        room.house.deployment.stores.profiles.put(room.workspace_id, profile)

    assert f'"faces": ["{with_one}"]' in browser.open("/app/counts?faces").text
    assert "faces" not in browser.open("/app/counts").text


@pytest.mark.parametrize(
    ("hours", "said"),
    [
        (-49, "Wed 18 Nov, 12:00"),
        (-25, "Yesterday 12:00"),
        (0, "Today 13:00"),
        (24, "Tomorrow 13:00"),
        (72, "Mon 13:00"),
        (-24 * 400, "Thu 16 Oct 2025, 14:00"),
    ],
)
def test_a_time_that_stands_alone_is_said_beside_today(hours: int, said: str) -> None:
    assert by_day(NOON + timedelta(hours=hours), ZoneInfo("Europe/Berlin"), NOON) == said


def test_when_a_sign_in_ends_is_said_in_the_zone_of_the_workspace(house: House) -> None:
    room = house.room(timezone="Europe/Berlin")
    key = attributes(account_key(room.workspace_id, room.account("linkedin")))
    house.deployment.clients.dynamodb.update_item(
        TableName=house.deployment.tables.directory,
        Key=key,
        UpdateExpression="SET health = :warn, token_expires_at = :at, health_reason = :iso",
        ExpressionAttributeValues=attributes(
            {":warn": "warn", ":at": stamp(NOON + timedelta(days=3)), ":iso": "ends on 2026-11-23"}
        ),
    )
    browser = Browser.of(room).signed_in()

    for page in ("/app", "/app/waiting"):
        text = browser.open(page).text
        assert "The sign-in ends Mon 13:00." in text
        assert "ends on 2026" not in text
    assert "Renew in 3 days</span>" in browser.open("/app/accounts").text


def test_the_sun_stands_on_the_curve() -> None:
    activity = [0] * 12 + [100] * 12
    berlin = ZoneInfo("Europe/Berlin")

    drawn = ribbon(activity, [11, 12, 18], [], [], now=NOON, zone=berlin)

    assert drawn.sun == ("54.2%", 15)  # above the 20 of the hours around: the curve swings
    assert drawn.now == 26
    assert drawn.golden == [(11, 13), (18, 19)]
    assert drawn.hazes == [24, 37]
    assert drawn.line.startswith("M-10 20C")


def test_free_times_stand_where_nothing_is_near() -> None:
    free = [NOON + timedelta(minutes=15), NOON + timedelta(hours=1), NOON + timedelta(days=1)]

    drawn = ribbon([1] * 24, [], [], free, now=NOON, zone=ZoneInfo("UTC"))

    assert [mark.place for mark in drawn.marks] == [24]


@pytest.mark.parametrize(("zone", "ahead"), [("Europe/Berlin", 1), ("America/New_York", -5)])
def test_hours_of_another_clock(zone: str, ahead: int) -> None:
    told_in, here = ZoneInfo("UTC"), ZoneInfo(zone)

    assert hour_in_zone(23, told_in, here, NOON) == (23 + ahead) % 24
    assert in_zone(list(range(24)), told_in, here, NOON)[(7 + ahead) % 24] == 7


@pytest.mark.parametrize(
    ("later", "said"),
    [
        (timedelta(seconds=20), "0 min"),
        (timedelta(minutes=59), "59 min"),
        (timedelta(hours=1, minutes=48), "1 h 48 min"),
        (timedelta(hours=47, minutes=59), "47 h 59 min"),
        (timedelta(days=2), "2 days"),
    ],
)
def test_how_long_it_is_until_a_time(later: timedelta, said: str) -> None:
    assert until(NOON + later, NOON) == said


def test_numbers_are_drawn() -> None:
    assert small_line([0, 10, 5]) == "M0 29 60 4 120 16.5"
    assert smooth_line([(0, 0), (10, 10)]) == "M0 0C1.7 1.7 8.3 8.3 10 10"
    assert change(5, 0) is None
    more, less = change(112, 100), change(97, 100)
    assert more is not None
    assert less is not None
    assert (more.is_more, more.words, less.words) == (True, "12 %", "3 %")


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("It ends at 2026-11-21 12:00 UTC.", "21:00"),
        ("“2026-99-99 99:99 UTC” is no time.", "“2026-99-99 99:99 UTC” is no time."),
        ("“9999-12-31 23:59 UTC” is too late.", "“9999-12-31 23:59 UTC” is too late."),
        ("“0000-01-01 00:00 UTC” is too early.", "“0000-01-01 00:00 UTC” is too early."),
    ],
)
def test_a_messages_times_are_told_in_the_readers_zone_and_quoted_ones_stay(
    said: str, told: str
) -> None:
    assert told in with_times_in(said, ZoneInfo("Asia/Tokyo"), NOON)
