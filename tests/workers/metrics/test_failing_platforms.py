"""What becomes of failures, of deleted posts and of accounts that were let go."""

from datetime import timedelta
from pathlib import Path

import pytest

from chalicelib.connectors.shared.calls.failures import RateLimitedError, TokenRejectedError
from chalicelib.domain.platforms.platform import Platform
from chalicelib.kit.transport.failures import UnansweredError
from tests.support.analytics_room import AnalyticsRoom, an_analytics_room
from tests.support.emulator import EmulatorProcess
from tests.workers.metrics.watched import watched

MINUTES_10 = timedelta(minutes=10)


@pytest.fixture
def room(emulator: EmulatorProcess, tmp_path: Path) -> AnalyticsRoom:
    return an_analytics_room(emulator, tmp_path)


@pytest.mark.parametrize(
    "error",
    [
        UnansweredError(),
        TokenRejectedError("no scope for insights"),
        RateLimitedError(timedelta(minutes=30)),
        ValueError("an answer nobody expects"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_a_platforms_failure_leaves_the_last_figures_and_the_account_alone(
    room: AnalyticsRoom, error: Exception
) -> None:
    connector = watched(room)
    post = room.published("Fresh bread", platforms=(Platform.LINKEDIN, Platform.X))
    room.pass_time(timedelta(hours=1))
    linkedin_before = room.metrics(post).platforms[Platform.LINKEDIN]
    x_before = room.metrics(post).platforms[Platform.X]

    connector.error = error
    room.pass_time(timedelta(hours=5))

    x_after = room.metrics(post).platforms[Platform.X]
    accounts = room.engine.deployment.stores.account_repository.list(
        room.engine.caller.workspace_id
    )
    assert linkedin_before == room.metrics(post).platforms[Platform.LINKEDIN]
    assert x_before is not None
    assert x_after is not None
    assert x_after.views > x_before.views
    assert {"ok"} == {str(account.health) for account in accounts}
    assert "published" == room.engine.target(post).status


def test_a_platform_that_asks_for_rest_is_left_alone_until_then(room: AnalyticsRoom) -> None:
    connector = watched(room)
    post = room.published("Fresh bread")

    connector.error = RateLimitedError(timedelta(hours=3))
    room.pass_time(MINUTES_10)
    connector.error = None
    room.pass_time(timedelta(hours=3) - timedelta(seconds=1))
    resting = list(connector.asked)
    room.pass_time(timedelta(seconds=1))

    assert resting == [1]
    assert connector.asked == [1, 1]
    assert room.metrics(post).total.views > 0


def test_a_platform_that_keeps_failing_is_left_alone_for_the_round(room: AnalyticsRoom) -> None:
    connector = watched(room, batch=1)
    connector.error = UnansweredError()
    for number in range(8):
        room.published(f"Loaf {number}")

    room.engine.clock.pass_time(MINUTES_10)
    room.collect()

    assert [1] == connector.asked


def test_a_post_deleted_on_its_platform_becomes_removed_after_a_second_look(
    room: AnalyticsRoom,
) -> None:
    post = room.published("Fresh bread", platforms=(Platform.LINKEDIN, Platform.X))
    room.pass_time(timedelta(hours=1))
    gone = room.engine.target(post)
    room.engine.sandbox.remove(Platform.LINKEDIN, gone.remote_id or "")

    room.pass_time(timedelta(hours=5))
    missed = room.engine.target(post).status
    room.pass_time(MINUTES_10)

    history = room.engine.deployment.stores.posts.history(post.id)
    last = history.events[-1]
    assert (missed, room.engine.target(post).status) == ("published", "removed")
    assert ("target.unpublished", "system") == (last.action, last.by)
    assert "gone" == last.detail["found"]
    assert room.metrics(post).platforms[Platform.LINKEDIN] is None
    assert room.metrics(post).total == room.metrics(post).platforms[Platform.X]
    assert room.summary().totals == room.metrics(post).total


def test_a_post_that_one_look_misses_and_the_next_one_finds_stays_live(room: AnalyticsRoom) -> None:
    connector = watched(room)
    post = room.published("Fresh bread")
    room.pass_time(MINUTES_10)

    connector.metrics = lambda lives: [None for _ in lives]  # type: ignore[method-assign]
    room.pass_time(timedelta(minutes=50))
    del connector.metrics
    room.pass_time(timedelta(days=1))

    assert "published" == room.engine.target(post).status
    assert room.metrics(post).total.views > 0


def test_figures_of_a_disconnected_account_stay_as_they_were(room: AnalyticsRoom) -> None:
    post = room.published("Fresh bread")
    room.pass_time(timedelta(hours=1))
    before = room.metrics(post).total

    room.engine.deployment.stores.account_repository.remove(
        room.engine.caller.workspace_id, room.engine.account_id(), room.engine.clock()
    )
    room.pass_time(timedelta(days=2))

    assert before == room.metrics(post).total
    assert before.views > 0


def test_posts_that_break_their_look_are_put_off_and_keep_nobody_else(room: AnalyticsRoom) -> None:
    room.published("Fresh bread")
    room.engine.clock.pass_time(MINUTES_10)
    deployment = room.engine.deployment
    workspaces = room.engine.people.workspaces
    before = room.engine.caller.timezone
    workspaces.update(room.engine.caller.workspace_id, timezone="Not/AZone")

    room.collect()
    put_off = room.due(room.engine.clock() + timedelta(minutes=59))
    workspaces.update(room.engine.caller.workspace_id, timezone=before)
    room.pass_time(timedelta(hours=1))

    assert [] == put_off
    assert room.summary().totals.views > 0
    assert deployment.upkeep.metrics_worker.run() == 0
