"""Results as plots and tables, and the check beside a post."""

import csv
import io
import re
from collections import Counter
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from html import unescape

import pytest

from chalicelib.domain.analytics.counters import Counters, DayCounters, Kind, hour_mark
from chalicelib.domain.analytics.learning import Learned
from chalicelib.domain.analytics.metrics import Metrics
from chalicelib.domain.analytics.post_metrics import (
    Snapshot,
    StoredPostMetrics,
    StoredTargetMetrics,
)
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.times.audience import Audience
from chalicelib.domain.times.golden_hour import golden_hour
from chalicelib.kit.dynamodb.items import attributes
from chalicelib.storage.analytics.items import day_counters_item, post_metrics_item
from chalicelib.storage.posts import lists
from tests.api.http_room import Document, Room
from tests.support.many_rows import copy_post
from tests.web.browser import Browser, a_photo


def test_results_show_what_went_live(browser: Browser) -> None:
    browser.room.sent("linkedin", caption="Rye did well")
    browser.room.house.clock.pass_time(timedelta(hours=1))

    page = browser.open("/app/results")

    assert page.status == 200
    assert '<dt>Posts</dt><dd><span class="v">1</span>' in page.text
    assert '<svg class="plot"' in page.text
    assert '<th scope="row">LinkedIn</th>' in page.text
    assert "There are too few posts to learn from yet on LinkedIn: 30" in unescape(page.text)


def test_the_best_posts_say_on_whose_account_and_when(browser: Browser) -> None:
    room = browser.room
    post = room.sent("linkedin", caption="Rye did well")
    live_at = post["targets"][0]["published_at"]

    page = browser.open("/app/results").text

    best = page.partition('<ol class="best">')[2].partition("</ol>")[0]
    assert f'data-face="{room.accounts["linkedin"]}"' in best
    assert f'<time datetime="{live_at[:16]}' in best


def test_accounts_say_what_went_out_last(browser: Browser) -> None:
    post = browser.room.sent("linkedin", caption="Rye did well")
    live_at = post["targets"][0]["published_at"]

    page = browser.open("/app/accounts").text

    assert f'<td><time datetime="{live_at[:16]}' in page
    assert "Nothing planned" in page


def test_accounts_say_what_goes_out_next_however_much_is_out(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = browser.room.sent("linkedin", caption="Rye did well")
    copy_post(browser.room, out["id"], 60)
    browser.room.scheduled("linkedin", at=browser.room.in_(days=2), caption="Rye comes")
    browser.room.house.clock.pass_time(timedelta(hours=1))
    monkeypatch.setattr(lists, "MOST_EXAMINED_BYTES", 20_000)

    assert "Nothing planned" not in browser.open("/app/accounts").text


def test_results_show_what_was_learned_beside_the_platforms_curve(browser: Browser) -> None:
    room, noon = browser.room, 12
    room.account("linkedin")
    lift = tuple(900 if hour == noon + 3 else 100 for hour in range(24))
    learned = Learned(timezone="UTC", lifts={Platform.LINKEDIN: lift})
    reads = room.house.deployment.posting.golden_hours.results
    reads.keep_learned(room.workspace_id, learned)

    page = browser.open("/app/results").text

    sourced = golden_hour(Platform.LINKEDIN, Audience(timezone="UTC"), room.house.clock()).hour
    assert sourced != noon + 3
    told = unescape(page)
    assert "LinkedIn is best at 15:00, learned from your posts; by the" in told
    assert f"platform's curve alone it would be {sourced:02d}:00." in told


def test_results_say_which_hour_of_the_week_does_best(browser: Browser) -> None:
    room = browser.room
    room.account("linkedin")
    today = room.house.clock().date()
    monday = today - timedelta(days=today.weekday() + 7)
    for ahead, hour, views in ((0, 9, 1_000), (3, 18, 4_000)):
        mark = hour_mark(Platform.LINKEDIN, hour)
        counters = Counter({(Kind.POSTS, ""): 20, (Kind.TARGETS, mark): 20})
        counters[Kind.VIEWS, mark] = views
        _keep(room, monday + timedelta(days=ahead), counters)

    page = browser.open("/app/results").text

    week = page.partition('aria-label="Hours of the week"')[2].partition("</table>")[0]
    rows = re.findall(r'<th scope="row">(\w+)</th>(.*?)</tr>', week)
    assert [name for name, _ in rows] == ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    assert {row.count("<td ") for _, row in rows} == {17}
    assert "Thursdays at 18:00 reach 1.5 times your usual. Learned from 40 posts" in page


def test_the_workspaces_own_hours_are_told_in_the_audiences_zone_as_the_platforms(
    browser: Browser,
) -> None:
    """Noon of a workspace in UTC is 7 in New York in November."""
    room, noon = browser.room, 12
    regions = {"region": ["United States"]}
    browser.send(f"/app/accounts/{room.account('linkedin')}/regions", regions)
    mark = hour_mark(Platform.LINKEDIN, noon)
    counters = Counter({(Kind.POSTS, ""): 1, (Kind.TARGETS, mark): 1, (Kind.VIEWS, mark): 100})
    _keep(room, room.house.clock().date(), counters)

    page = browser.open("/app/results").text

    hours = page.partition('aria-label="Hours of the platforms"')[2].partition("</table>")[0]
    own = hours.partition('<th scope="row">Your posts</th>')[2]
    levels = re.findall(r'<span class="unseen">(\d+)</span></td>', own)
    assert "Hours are those of America/New_York." in page
    assert [hour for hour, level in enumerate(levels) if level != "0"] == [noon - 5]


def test_results_stay_when_the_last_account_goes(browser: Browser) -> None:
    room = browser.room
    room.disconnect(room.account("linkedin"))
    mark = hour_mark(Platform.LINKEDIN, 9)
    counters = Counter({(Kind.POSTS, ""): 1, (Kind.TARGETS, mark): 1, (Kind.VIEWS, mark): 100})
    _keep(room, room.house.clock().date(), counters)

    page = browser.open("/app/results")

    assert page.status == 200
    assert '<dt>Posts</dt><dd><span class="v">1</span>' in page.text
    assert "Connect an account to see its hours." in page.text


def _keep(room: Room, day: date, counters: Counters) -> None:
    """Keep the sums of what went live on a day."""
    sums = DayCounters(day=day, counters=counters)
    room.house.deployment.clients.dynamodb.put_item(
        TableName=room.house.deployment.tables.posts,
        Item=attributes(day_counters_item(room.workspace_id, sums)),
    )


def test_results_have_five_tiles_and_tell_shares_with_the_days(browser: Browser) -> None:
    room = browser.room
    today = room.house.clock().date()
    for ago, shares in ((1, 30), (29, 20)):
        _keep(room, today - timedelta(days=ago), Counter({(Kind.SHARES, ""): shares}))

    page = browser.open("/app/results").text

    names = re.findall(r"<dt>(.*?)</dt>", page)
    assert names == ["Posts", "Views", "Likes", "Comments", "New followers"]
    table = page.partition('aria-label="Views and engagement by day"')[2].partition("</details>")[0]
    yesterday = table.partition(f"<td>{today - timedelta(days=1)}</td>")[2].partition("</tr>")[0]
    assert re.findall(r"<td>(.*?)</td>", yesterday) == ["0", "30 (30)"]
    assert table.count("<td>30 (30)</td>") == 2  # its day and in all
    assert "50 % more shares than before. Engagement is" in _shown(table)


def test_results_have_the_colours_of_the_accounts(browser: Browser) -> None:
    room = browser.room
    for platform in ("bluesky", "x", "linkedin"):
        room.account(platform)
    for platform in ("linkedin", "x"):
        room.sent(platform)
    room.house.clock.pass_time(timedelta(hours=1))

    page = browser.open("/app/results").text

    beside = page.partition('aria-label="Accounts"')[2].partition("</nav>")[0]
    avatar = r'class="av s" data-hue="(\d)"(?:(?!class="av).)* on (\w+)</span>'
    of_accounts = {name: hue for hue, name in re.findall(avatar, beside)}
    legend = re.findall(r'<span data-hue="(\d)"><i class="dot"></i>(\w+)', page)
    assert len(of_accounts) == 3
    assert {name: hue for hue, name in legend} == {
        name: of_accounts[name] for name in ("LinkedIn", "X")
    }


def test_results_stand_beside_as_many_days_before(browser: Browser) -> None:
    room = browser.room
    room.sent("linkedin", caption="Old rye")
    room.pass_time(timedelta(days=8))
    room.sent("linkedin", caption="New rye")
    room.sent("x", caption="New white")

    page = browser.open("/app/results?days=7").text

    assert '<dt>Posts</dt><dd><span class="v">2</span><span class="delta good">' in page
    assert "100 %" in page


@pytest.mark.parametrize("by", ["account", "platform"])
def test_results_are_those_of_one_account_or_platform(browser: Browser, by: str) -> None:
    room = browser.room
    room.sent("linkedin", "x", caption="On both")
    room.sent("linkedin", caption="LinkedIn alone")
    value = room.account("x") if by == "account" else "x"

    page = browser.open(f"/app/results?days=7&{by}={value}").text

    assert '<dt>Posts</dt><dd><span class="v">1</span>' in page
    assert "LinkedIn alone" not in page
    assert f'href="/app/results?days=90&amp;{by}={value}"' in page
    assert f'href="/app/results/table?days=7&amp;{by}={value}"' in page


def _seen(room: Room, post: Document, views: Mapping[str, int]) -> None:
    """Keep how often a post was seen, by the platforms of its accounts."""
    at = room.house.clock()
    targets = {
        target["id"]: StoredTargetMetrics(
            platform=Platform(target["platform"]),
            live_at=at,
            hour=at.hour,
            days={at.date(): Snapshot(at, Metrics(views=views[target["platform"]]))},
        )
        for target in post["targets"]
    }
    stored = StoredPostMetrics(post_id=post["id"], live_day=at.date(), targets=targets, version=1)
    room.house.deployment.clients.dynamodb.put_item(
        TableName=room.house.deployment.tables.posts,
        Item=attributes(post_metrics_item(room.workspace_id, stored, None)),
    )


@pytest.mark.parametrize(
    ("asked", "order"),
    [
        pytest.param("", ["White", "Rye", "Spelt"], id="all accounts"),
        pytest.param("&platform=linkedin", ["Rye", "White"], id="one platform"),
    ],
)
def test_results_lead_to_all_posts_by_views(browser: Browser, asked: str, order: list[str]) -> None:
    room = browser.room
    _seen(room, room.sent("linkedin", caption="Rye"), {"linkedin": 30})
    _seen(room, room.sent("linkedin", "x", caption="White"), {"linkedin": 20, "x": 50})
    _seen(room, room.sent("x", caption="Spelt"), {"x": 10})
    results = unescape(browser.open(f"/app/results?days=7{asked}").text)
    link = re.search(r'href="(/app/results/posts[^"]*)">All by views', results)
    assert link is not None

    page = browser.open(link[1]).text

    assert re.findall(r'<span class="two" dir="auto">(\w+)</span>', page) == order
    assert f"1 to {len(order)} of {len(order)}" in page


def test_posts_by_views_go_on_behind_those_that_were_shown(browser: Browser) -> None:
    for number in range(3):
        _seen(browser.room, browser.room.sent("x", caption=f"Post {number}"), {"x": 9 - number})

    page = browser.open("/app/results/posts?after=2").text

    assert "3 to 3 of 3" in page
    assert '<span class="rank">3</span>' in page
    assert "Post 2" in page


def test_results_are_downloaded_as_a_table_without_formulas(browser: Browser) -> None:
    room = browser.room
    room.sent("linkedin", "x", caption='=HYPERLINK(1)\n"quoted", and;=2+3')
    room.draft(caption="Not live")

    answer = browser.open(f"/app/results/table?days=7&account={room.account('x')}").response

    text = answer.body.decode("utf-8-sig")
    head, *lines = csv.reader(io.StringIO(text, newline=""))
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert "attachment" in answer.headers["Content-Disposition"]
    assert head[:5] == ["Published", "Platform", "Account", "Text", "Link"]
    assert [line[1] for line in lines] == ["X"]
    assert lines[0][3] == "'=HYPERLINK(1)\n\"quoted\", and;'=2+3"
    assert len(lines[0]) == len(head)


def test_results_of_an_empty_workspace_are_a_page_too(browser: Browser) -> None:
    assert browser.open("/app/results?days=90").status == 200
    assert browser.open("/app/results?days=-1").status == 200


def test_a_post_tells_every_problem_in_words_for_a_person(browser: Browser) -> None:
    accounts = [browser.room.account(name) for name in ("pinterest", "tiktok")]

    page = browser.send("/app/compose?part=beside", {"caption": "Rye", "account": accounts}).text

    assert "Choose “Board”: Pinterest needs it." in page
    assert "Choose “Who can watch” from what TikTok offers this account." in page
    assert not [word for word in ("privacy_level", "/v1/", "options.") if word in _shown(page)]


def _shown(page: str) -> str:
    """Return what a person reads on a page: no tags."""
    return unescape(re.sub(r"<[^>]+>", " ", page))


def test_choices_of_an_account_are_a_list_to_pick_from(browser: Browser) -> None:
    post = browser.room.draft("pinterest")

    page = browser.open(f"/app/posts/{post['id']}").text

    board = page[page.index(".o.board") :]
    assert board[: board.index("</select>")].count("<option") > 1


def test_a_live_post_is_shown_with_its_likes_and_day(browser: Browser) -> None:
    room = browser.room
    photo = room.upload(a_photo(), "rye.jpg")
    post = room.sent("instagram", media_ids=[photo])
    room.pass_time(timedelta(seconds=1))  # for the copy of the file
    (target,) = room.show(post)["targets"]
    live_at = datetime.fromisoformat(target["published_at"])
    seen = StoredTargetMetrics(
        platform=Platform.INSTAGRAM,
        live_at=live_at,
        hour=live_at.hour,
        days={live_at.date(): Snapshot(live_at, Metrics(views=9000, likes=1241))},
    )
    stored = StoredPostMetrics(
        post_id=post["id"], live_day=live_at.date(), targets={target["id"]: seen}
    )
    row = attributes(post_metrics_item(room.workspace_id, stored, None))
    table = room.house.deployment.tables.posts
    room.house.deployment.clients.dynamodb.put_item(TableName=table, Item=row)

    page = browser.open(f"/app/posts/{post['id']}").text

    assert "<strong>1,241 likes</strong>" in page
    assert f'<p class="look-day hint">{live_at.day} November</p>' in page
