"""Rounds, removals and deletions at the same time: a day is always the sum of its posts."""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from pathlib import Path

import pytest

from chalicelib.domain.analytics.counters import Counters, DayCounters, share_of
from chalicelib.domain.analytics.metrics import Metrics
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.post import Post
from chalicelib.storage.analytics.counters import Change
from tests.support.analytics_room import AnalyticsRoom, an_analytics_room
from tests.support.emulator import EmulatorProcess

PLATFORMS = (Platform.LINKEDIN, Platform.X)


def rounds(room: AnalyticsRoom, posts: list[Post], seed: int) -> None:
    """Bring the counters up to date several times, each time with other metrics."""
    chance = random.Random(seed)
    counter_updates = room.engine.deployment.posting.counter_updates
    target_ids = [target.id for post in posts for target in post.targets]
    for _ in range(5):
        told = {target_id: Metrics(views=chance.randrange(1000)) for target_id in target_ids}
        post_ids = [post.id for post in chance.sample(posts, len(posts))]
        counter_updates.refresh(room.engine.caller.workspace_id, "UTC", post_ids, told)


class CrashError(Exception):
    """The process ends here."""


def test_a_round_that_ends_between_two_days_is_made_up_by_the_next_one(
    emulator: EmulatorProcess, tmp_path: Path
) -> None:
    room = an_analytics_room(emulator, tmp_path, platforms=PLATFORMS)
    posts = [room.published("Monday's loaf", platforms=PLATFORMS)]
    room.engine.clock.pass_time(timedelta(days=1))
    posts += [room.published("Tuesday's loaf", platforms=PLATFORMS)]
    room.engine.clock.pass_time(timedelta(hours=1))
    counter_updates = room.engine.deployment.posting.counter_updates
    workspace_id = room.engine.caller.workspace_id
    told = {target.id: Metrics(views=100) for post in posts for target in post.targets}
    rows = counter_updates.counter_rows
    write, written = rows.write, list[date]()

    def write_once(
        workspace_id: str, before: DayCounters, after: DayCounters, changes: Sequence[Change]
    ) -> None:
        if written:
            raise CrashError
        written.append(after.day)
        write(workspace_id, before, after, changes)

    rows.write = write_once  # type: ignore[method-assign]
    with pytest.raises(CrashError):
        counter_updates.refresh(workspace_id, "UTC", [post.id for post in posts], told)
    rows.write = write  # type: ignore[method-assign]
    between = room.summary().totals.views
    counter_updates.refresh(workspace_id, "UTC", [post.id for post in posts], told)

    assert (200, 400) == (between, room.summary().totals.views)
    assert 2 == room.summary().posts_published
    assert 400 == sum(room.summary().views_by_day.values())


def test_what_an_unpublish_read_beside_is_read_anew_when_it_is_outdated(
    emulator: EmulatorProcess, tmp_path: Path
) -> None:
    room = an_analytics_room(emulator, tmp_path, platforms=PLATFORMS)
    post = room.published("Rye", platforms=PLATFORMS)
    room.engine.clock.pass_time(timedelta(hours=1))
    counter_updates, workspace_id = (
        room.engine.deployment.posting.counter_updates,
        post.workspace_id,
    )
    told = {target.id: Metrics(views=100) for target in post.targets}
    counter_updates.refresh(workspace_id, "UTC", [post.id], told)
    known = counter_updates.find_known(workspace_id, post.id)
    read = counter_updates.read_counters(workspace_id, "UTC", post, known)

    room.engine.clock.pass_time(timedelta(hours=1))
    more = {target.id: Metrics(views=300) for target in post.targets}
    counter_updates.refresh(workspace_id, "UTC", [post.id], more)
    caller, target = room.engine.caller, post.targets[0]
    before = room.engine.deployment.stores.posts.get(workspace_id, post.id)
    removed = before.with_targets([before.targets[0].remove()])
    after = room.engine.deployment.stores.posts.save(before, removed, events=())
    counter_updates.refresh_changed("UTC", after, read)

    assert 300 == room.summary().totals.views
    found = counter_updates.find_known(caller.workspace_id, post.id)
    assert found is not None
    assert found.targets[target.id].removed


def test_whatever_happens_at_once_a_day_is_the_sum_of_its_posts(
    emulator: EmulatorProcess, tmp_path: Path
) -> None:
    room = an_analytics_room(emulator, tmp_path, platforms=PLATFORMS)
    posts = [room.published(f"Loaf {number}", platforms=PLATFORMS) for number in range(6)]
    room.engine.clock.pass_time(timedelta(hours=1))
    services, caller = room.engine.deployment, room.engine.caller
    deeds: list[Callable[[], object]] = [
        lambda: services.checking.live_posts.unpublish(caller, posts[0].id, posts[0].targets[0].id),
        lambda: services.checking.live_posts.unpublish(caller, posts[1].id, posts[1].targets[1].id),
        lambda: services.posting.drafts.delete(caller, posts[2].id),
        *(lambda seed=seed: rounds(room, posts, seed) for seed in range(4)),
    ]

    with ThreadPoolExecutor(len(deeds)) as pool:
        for done in [pool.submit(deed) for deed in deeds]:
            done.result()
    room.engine.deployment.posting.counter_updates.refresh(
        caller.workspace_id, "UTC", [post.id for post in posts]
    )

    reads = room.engine.deployment.stores.result_reads
    day, fresh = reads.since(caller.workspace_id, room.engine.clock().date())
    expected: Counters = Counter()
    for post in posts:
        expected.update(share_of(reads.of_post(caller.workspace_id, post.id)))
    assert [] == fresh
    assert {mark: count for mark, count in expected.items() if count} == dict(day[0].counters)
    assert 5 == room.summary().posts_published
    assert reads.of_post(caller.workspace_id, posts[2].id) is None
    assert 5 * 2 - 2 == sum(len(standing.platforms) for standing in day[0].top)
