"""Metrics and the analytics summary on the wire (docs/api.md "Results"), and what they cost."""

import functools
import random
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from chalicelib.domain.analytics.counters import DayCounters
from chalicelib.domain.analytics.metrics import Metrics
from chalicelib.domain.analytics.polling_schedule import planned_poll
from chalicelib.domain.analytics.post_metrics import StoredPostMetrics, StoredTargetMetrics
from chalicelib.domain.ids import new_id
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.access import Role
from chalicelib.kit.dynamodb.items import Item, attributes
from chalicelib.storage.analytics.items import day_counters_item
from chalicelib.storage.posts.items import post_item
from chalicelib.storage.tables import LIVE_SHARDS
from tests.api.http_room import House, Room
from tests.support.builders import a_post

if TYPE_CHECKING:
    from botocore.client import BaseClient

NOTHING = {"views": 0, "likes": 0, "comments": 0, "shares": 0, "followers": 0}
DAYS = 90
TARGETS = 5_000
SORTS = 2
PLATFORMS = (Platform.INSTAGRAM, Platform.TIKTOK, Platform.X, Platform.LINKEDIN, Platform.BLUESKY)


def collect(room: Room, after: timedelta) -> None:
    """Let time go by, then ask platforms once."""
    room.house.clock.pass_time(after)
    room.house.deployment.upkeep.metrics_worker.run()


def test_metrics_name_every_platform_and_stay_empty_until_it_reported(room: Room) -> None:
    post = room.sent("linkedin", "x")

    answer = room.get(f"/v1/posts/{post['id']}/metrics")

    assert (200, {"total": NOTHING, "platforms": {"linkedin": {}, "x": {}}}) == (
        answer.status,
        answer.json,
    )


def test_a_draft_has_metrics_too(room: Room) -> None:
    post = room.draft("linkedin")

    answer = room.get(f"/v1/posts/{post['id']}/metrics")

    assert {"total": NOTHING, "platforms": {"linkedin": {}}} == answer.json


def test_the_total_is_the_sum_of_what_platforms_reported(room: Room) -> None:
    post = room.sent("linkedin", "x")

    collect(room, timedelta(hours=20))

    metrics = room.get(f"/v1/posts/{post['id']}/metrics").json
    linkedin, x = metrics["platforms"]["linkedin"], metrics["platforms"]["x"]
    assert linkedin["views"] >= 200
    assert metrics["total"] == {name: linkedin[name] + x[name] for name in NOTHING}


def test_an_unpublished_platform_is_empty_at_once(room: Room) -> None:
    post = room.sent("linkedin", "x")
    collect(room, timedelta(hours=20))

    room.unpublish(post)

    metrics = room.get(f"/v1/posts/{post['id']}/metrics").json
    assert {} == metrics["platforms"]["linkedin"]
    assert metrics["total"] == metrics["platforms"]["x"]
    assert metrics["total"] == room.get("/v1/analytics/summary").json["totals"]


def test_metrics_by_account_tell_two_accounts_of_a_platform_apart(room: Room) -> None:
    accounts = [room.account("linkedin"), room.connect("linkedin", "@harbour")]
    body = {"caption": "Rye", "targets": [{"account_id": each} for each in accounts]}
    post = room.post("/v1/posts", body).json
    room.act(post, "publish-now")
    room.run_due()
    collect(room, timedelta(hours=20))

    plain = room.get(f"/v1/posts/{post['id']}/metrics").json
    told = room.get(f"/v1/posts/{post['id']}/metrics", {"by": "account,day"}).json
    (listed,) = room.get("/v1/posts", {"include": "metrics"}).json["data"]

    assert {"total", "platforms"} == set(plain)
    assert accounts == [each["account_id"] for each in told["accounts"]]
    assert plain["total"]["views"] == sum(each["counts"]["views"] for each in told["accounts"])
    assert plain["total"]["views"] == sum(each["views"] for each in told["days"])
    assert {**plain, "accounts": told["accounts"]} == listed["metrics"]


def test_a_list_has_no_metrics_unless_they_are_asked_for(room: Room) -> None:
    room.draft("x")

    (bare,) = room.get("/v1/posts").json["data"]
    (counted,) = room.get("/v1/posts", {"include": "metrics"}).json["data"]

    assert "metrics" not in bare
    assert {} == counted["metrics"]["accounts"][0]["counts"]


def test_a_summary_can_be_of_days_that_are_over(room: Room) -> None:
    post = room.sent("x", caption="Rye")
    collect(room, timedelta(days=40))
    total = room.get(f"/v1/posts/{post['id']}/metrics").json["total"]

    during = room.get("/v1/analytics/summary", {"from": "2026-11-16", "to": "2026-11-23"}).json
    before = room.get("/v1/analytics/summary", {"from": "2026-11-01", "to": "2026-11-16"}).json

    assert (7, 1, total) == (during["days"], during["posts_published"], during["totals"])
    assert ["2026-11-16", "2026-11-22"] == [during["series"][place]["date"] for place in (0, -1)]
    assert (15, 0, []) == (before["days"], before["posts_published"], before["top_posts"])


@pytest.mark.parametrize(
    "query",
    [
        {"to": "2026-11-16"},
        {"from": "2026-11-16", "days": "7"},
        {"from": "2026-11-16", "to": "2026-11-16"},
        {"from": "0001-01-01", "to": "0001-01-01"},
        {"from": "2020-01-01"},
        {"from": "yesterday"},
    ],
)
def test_a_window_that_is_none_is_refused(room: Room, query: dict[str, str]) -> None:
    assert 422 == room.get("/v1/analytics/summary", query).status


def test_a_summary_has_the_specifications_shape(room: Room) -> None:
    post = room.sent("linkedin", "x", caption="Rye")
    collect(room, timedelta(hours=20))

    summary = room.get("/v1/analytics/summary").json

    total = room.get(f"/v1/posts/{post['id']}/metrics").json["total"]
    assert (28, total, 1) == (summary["days"], summary["totals"], summary["posts_published"])
    assert 28 == len(summary["series"])
    assert {"date": "2026-11-21", "views": total["views"]} == summary["series"][-1]
    assert {"linkedin", "x"} == {one["platform"] for one in summary["platforms"]}
    assert [{"id": post["id"], "caption": "Rye", "views": total["views"]}] == [
        {name: one[name] for name in ("id", "caption", "views")} for one in summary["top_posts"]
    ]
    assert ["linkedin", "x"] == sorted(summary["top_posts"][0]["platforms"])
    assert total["views"] == summary["activity_by_hour"][12]
    assert 24 == len(summary["activity_by_hour"])


def test_only_the_five_best_posts_are_named(room: Room) -> None:
    for number in range(7):
        room.sent("x", caption=f"Loaf {number}")
    collect(room, timedelta(days=2))

    best = room.get("/v1/analytics/summary").json["top_posts"]

    views = [one["views"] for one in best]
    assert 5 == len(best)
    assert sorted(views, reverse=True) == views


@pytest.mark.parametrize("days", ["7", "90"])
def test_a_summary_covers_the_days_that_are_asked_for(room: Room, days: str) -> None:
    summary = room.get("/v1/analytics/summary", {"days": days}).json

    assert (int(days), int(days)) == (summary["days"], len(summary["series"]))


@pytest.mark.parametrize("days", ["6", "91", "x", ""])
def test_other_numbers_of_days_are_refused(room: Room, days: str) -> None:
    answer = room.get("/v1/analytics/summary", {"days": days})

    assert [["query", "days"]] == [loc for _, loc in answer.problems]


def test_another_workspaces_posts_are_in_no_answer(house: House, room: Room) -> None:
    post = house.room().sent("x")

    assert (404, "post_not_found") == room.get(f"/v1/posts/{post['id']}/metrics").refusal
    assert 0 == room.get("/v1/analytics/summary").json["posts_published"]


def test_a_viewer_may_read_results(room: Room) -> None:
    viewer = room.member(Role.VIEWER)
    post = room.sent("x")

    assert 200 == viewer.get(f"/v1/posts/{post['id']}/metrics").status
    assert 200 == viewer.get("/v1/analytics/summary").status


@dataclass(slots=True)
class Calls:
    """Counts the calls to DynamoDB."""

    made: list[str] = field(default_factory=list)

    def listen(self, client: "BaseClient") -> None:
        client.meta.events.register("before-call.dynamodb", self._note)

    def _note(self, model: Any, **_: object) -> None:  # noqa: ANN401 - botocore's own
        self.made.append(model.name)


def grown(live_at: datetime, platform: Platform, catch_up: int, room: Room) -> StoredTargetMetrics:
    """Return the results of a target that was looked at as often as planned."""
    target = StoredTargetMetrics(platform=platform, live_at=live_at, hour=live_at.hour)
    last = live_at
    while (at := planned_poll(target, room.workspace_id, last)) and at <= room.house.clock():
        last = at
        views = int((at - live_at).total_seconds()) * catch_up // 3600
        metrics = Metrics(views=views, likes=views // 10, comments=1, shares=2, followers=3)
        target = target.add_answers(metrics, at=at, day=at.date())
    return target


def ninety_days(room: Room) -> list[StoredPostMetrics]:
    """Write the days of 5,000 targets on 90 days, five targets a post, and the posts' rows.

    Posts of a day are of two sorts: what polls found of a sort is worked out once.
    """
    chance = random.Random(9)
    minutes = [[chance.randrange(600) for _ in range(SORTS)] for _ in range(DAYS)]
    found = functools.cache(
        lambda live_at, platform: grown(live_at, platform, chance.randrange(10, 60), room)
    )
    days: dict[str, DayCounters] = {}
    rows: list[Item] = []
    posts = []
    for number in range(TARGETS // len(PLATFORMS)):
        day_number = number % DAYS
        age = timedelta(days=day_number, minutes=minutes[day_number][number // DAYS % SORTS])
        live_at = room.house.clock() - age
        if live_at.date() < (room.house.clock() - timedelta(days=DAYS - 1)).date():
            live_at += timedelta(days=1)
        post = a_post(caption=f"Loaf {number}", workspace_id=room.workspace_id)
        targets = {new_id(live_at): found(live_at, platform) for platform in PLATFORMS}
        results = StoredPostMetrics(post_id=post.id, live_day=live_at.date(), targets=targets)
        day = days.get(str(live_at.date()), DayCounters(day=live_at.date()))
        days[str(live_at.date())] = day.with_change(None, results)
        rows.append(post_item(post))
        posts.append(results)
    rows += [day_counters_item(room.workspace_id, day) for day in days.values()]
    write(room, rows)
    return posts


def write(room: Room, rows: list[Item]) -> None:
    deployment = room.house.deployment
    for start in range(0, len(rows), 25):
        puts: Any = [{"PutRequest": {"Item": attributes(r)}} for r in rows[start : start + 25]]
        deployment.clients.dynamodb.batch_write_item(RequestItems={deployment.tables.posts: puts})


@pytest.mark.costly
def test_a_summary_of_5000_targets_is_three_round_trips(room: Room) -> None:
    posts = ninety_days(room)
    room.get("/v1/golden-hour")  # the key's last use is noted once a minute: now
    calls = Calls()
    calls.listen(room.house.deployment.clients.dynamodb)

    answer = room.get("/v1/analytics/summary", {"days": "90"})

    summary = answer.json
    by_views = Counter({post.post_id: post.views for post in posts}).most_common(5)
    at_once = ["Query"] * (1 + LIVE_SHARDS)
    assert ["GetItem", *at_once, "BatchGetItem"] == calls.made
    assert len(posts) == summary["posts_published"]
    assert sum(post.views for post in posts) == summary["totals"]["views"]
    assert sum(day["views"] for day in summary["series"]) == summary["totals"]["views"]
    assert [views for _, views in by_views] == [one["views"] for one in summary["top_posts"]]
