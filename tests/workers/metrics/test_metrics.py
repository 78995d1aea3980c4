"""Looks at live posts: when, at what cost, and what becomes of failures and deleted posts."""

from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from chalicelib.connectors.connector import LivePost
from chalicelib.connectors.sandbox.connector import sandbox_metrics
from chalicelib.domain.analytics.metrics import Metrics
from chalicelib.domain.platforms.platform import Platform
from tests.support.analytics_room import AnalyticsRoom, an_analytics_room
from tests.support.emulator import EmulatorProcess
from tests.workers.metrics.watched import watched

MINUTES_10 = timedelta(minutes=10)


@pytest.fixture
def room(emulator: EmulatorProcess, tmp_path: Path) -> AnalyticsRoom:
    return an_analytics_room(emulator, tmp_path)


def test_a_post_is_looked_at_ten_minutes_after_it_went_live(room: AnalyticsRoom) -> None:
    post = room.published("Fresh bread")

    room.pass_time(MINUTES_10 - timedelta(seconds=1))
    before = room.metrics(post).platforms
    room.pass_time(timedelta(seconds=1))

    target = room.engine.target(post)
    expected = sandbox_metrics(target.remote_id or "", MINUTES_10).counts
    assert before == {Platform.LINKEDIN: None}
    assert room.metrics(post).platforms == {Platform.LINKEDIN: expected}


def test_a_post_of_a_test_account_has_counts_within_seconds(room: AnalyticsRoom) -> None:
    sandbox = room.engine.deployment.connectors.sandbox[Platform.LINKEDIN]
    sandbox.first_poll = timedelta(seconds=5)  # type: ignore[attr-defined]  # as it is without a test
    post = room.published("Fresh bread")

    room.pass_time(timedelta(seconds=5))
    counts = room.metrics(post).platforms[Platform.LINKEDIN]
    room.pass_time(MINUTES_10)

    assert counts is not None
    assert counts.views >= 10
    later = room.metrics(post).platforms[Platform.LINKEDIN]
    assert later is not None
    assert later.views > counts.views


def test_a_post_is_looked_at_ever_less_often_and_not_for_ever(room: AnalyticsRoom) -> None:
    connector = watched(room)
    room.published("Fresh bread")

    due_polls = []
    for days in (1, 13, 16, 62, 200):
        connector.asked.clear()
        room.pass_time(timedelta(days=days))
        due_polls.append(len(connector.asked))

    # The workspace's moment of the day decides on which side of a fortnight's end a poll falls.
    assert due_polls[0] == 4
    assert due_polls[1] + due_polls[2] == 6
    assert 4 <= due_polls[1] <= 5
    assert 5 <= due_polls[3] <= 6
    assert due_polls[4] == 0


@dataclass(slots=True)
class Writes:
    """Notes what is written to DynamoDB: how many rows each call writes."""

    rows: list[int] = field(default_factory=list)

    def listen(self, room: AnalyticsRoom) -> "Writes":
        events = room.engine.deployment.clients.dynamodb.meta.events
        events.register("provide-client-params.dynamodb.UpdateItem", self._note)
        events.register("provide-client-params.dynamodb.TransactWriteItems", self._note)
        return self

    def _note(self, params: dict[str, Any], **_: object) -> None:
        self.rows.append(len(params.get("TransactItems", [params])))


def test_a_poll_that_changes_no_number_writes_the_post_and_not_its_day(room: AnalyticsRoom) -> None:
    connector = watched(room)
    connector.metrics = lambda lives: [Metrics(views=7)] * len(lives)  # type: ignore[method-assign]
    room.published("Fresh bread")
    room.pass_time(timedelta(days=2))
    before = room.summary()
    writes = Writes().listen(room)

    room.pass_time(timedelta(days=4))

    assert {1} == set(writes.rows)
    assert before.totals == room.summary().totals


def test_posts_of_a_day_that_are_polled_together_write_their_day_once(room: AnalyticsRoom) -> None:
    posts = [room.published(f"Loaf {number}") for number in range(5)]
    room.engine.clock.pass_time(timedelta(days=2))
    room.collect()
    writes = Writes().listen(room)

    room.engine.clock.pass_time(timedelta(days=2))
    room.collect()

    assert [len(posts) + 1] == writes.rows
    assert room.summary().totals.views == sum(room.metrics(post).total.views for post in posts)


def test_posts_of_one_account_are_asked_about_in_batches(room: AnalyticsRoom) -> None:
    connector = watched(room, batch=3)
    for number in range(7):
        room.published(f"Loaf {number}")

    room.engine.clock.pass_time(MINUTES_10)
    room.collect()

    assert [3, 3, 1] == connector.asked


def test_a_round_makes_no_more_calls_than_the_quota_leaves(room: AnalyticsRoom) -> None:
    connector = watched(room, batch=1, calls=2)
    posts = [room.published(f"Loaf {number}") for number in range(4)]

    room.engine.clock.pass_time(MINUTES_10)
    room.collect()
    reported = [room.metrics(post).platforms[Platform.LINKEDIN] is not None for post in posts]

    assert len(connector.asked) == 2
    assert sum(reported) == 2


def test_no_call_begins_after_the_end_of_a_round(room: AnalyticsRoom) -> None:
    connector = watched(room, batch=1)
    tell = connector.metrics
    for number in range(6):
        room.published(f"Loaf {number}")

    def dawdle(lives: list[LivePost]) -> list[Metrics | None]:
        room.engine.clock.pass_time(timedelta(minutes=1))
        return tell(lives)

    connector.metrics = dawdle  # type: ignore[method-assign]
    room.engine.clock.pass_time(MINUTES_10)
    room.collect()

    assert [1, 1, 1, 1] == connector.asked


def test_two_rounds_at_once_count_nothing_twice(room: AnalyticsRoom) -> None:
    post = room.published("Fresh bread")
    room.engine.clock.pass_time(MINUTES_10)
    post_ids = [post.id]
    worker = room.engine.deployment.upkeep.metrics_worker

    room.collect()
    worker.counter_updates.refresh(room.engine.caller.workspace_id, "UTC", post_ids)
    room.collect()

    summary = room.summary()
    assert 1 == summary.posts_published
    assert summary.totals == room.metrics(post).total
