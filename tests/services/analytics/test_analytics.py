"""Metrics and the summary, against a recomputation that knows nothing of how they are kept.

The recomputation walks over every post and asks the sandbox's own formula at every poll.
"""

from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from chalicelib.connectors.connector import LivePost
from chalicelib.connectors.sandbox.connector import SandboxConnector, sandbox_metrics
from chalicelib.domain.analytics.counters import DayCounters, Standing
from chalicelib.domain.analytics.metrics import Counts, Metrics, Summary, total_of
from chalicelib.domain.error_kinds import InvalidInput
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.target import Target
from chalicelib.kit.dynamodb.items import attributes
from chalicelib.storage.analytics.items import day_counters_item
from tests.support.analytics_room import AnalyticsRoom, an_analytics_room
from tests.support.emulator import EmulatorProcess

PLATFORMS = (Platform.LINKEDIN, Platform.X, Platform.BLUESKY)


@dataclass(slots=True)
class Witness:
    """Notes every poll at every target: when it was, and how many views there were."""

    seen: dict[str, list[tuple[datetime, Counts]]] = field(default_factory=dict)

    def counts(self, target: Target) -> Counts | None:
        """Return what the last poll saw."""
        due_polls = self.seen.get(target.id)
        return due_polls[-1][1] if due_polls else None

    def gained(self, target: Target, zone: ZoneInfo) -> Counter[date]:
        """Return each day's views: what a day's last poll saw is spread over the days before it."""
        last_of_day = {
            at.astimezone(zone).date(): n.views for at, n in self.seen.get(target.id, [])
        }
        gained: Counter[date] = Counter()
        before: tuple[date, int] | None = None
        for day, views in last_of_day.items():
            since, known = before or (day - timedelta(days=1), 0)
            days = (day - since).days
            for n in range(days):
                until_now, a_day_ago = (n + 1) * (views - known), n * (views - known)
                gained[since + timedelta(days=n + 1)] += until_now // days - a_day_ago // days
            before = day, views
        return gained


class WitnessedConnector(SandboxConnector):
    """A sandbox whose polls a witness notes."""

    witness: Witness

    def metrics(self, lives: list[LivePost]) -> list[Metrics | None]:
        for live in lives:
            counts = sandbox_metrics(live.remote_id, live.now - live.published_at).counts
            assert counts is not None
            self.witness.seen.setdefault(live.target_id, []).append((live.now, counts))
        return super().metrics(lives)


@dataclass(slots=True)
class Office:
    """A results room with a witness, and the posts that were made in it."""

    room: AnalyticsRoom
    witness: Witness
    posts: list[Post] = field(default_factory=list)

    def publish(self, caption: str, *platforms: Platform) -> Post:
        post = self.room.published(caption, platforms=platforms or PLATFORMS)
        self.posts.append(post)
        return post

    def live_targets(self) -> list[Target]:
        posts = [self.room.engine.post(post) for post in self.posts]
        return [
            t for p in posts if p.deleted_at is None for t in p.targets if t.status == "published"
        ]

    def summary_of(self, days: int, *platforms: Platform) -> Summary:
        """Return the summary of some platforms, which reads post by post."""
        analytics, caller = self.room.engine.deployment.people.analytics, self.room.engine.caller
        window = analytics.window(caller, days=days)
        return analytics.summary_of(caller, window, lambda target: target.platform in platforms)

    def use_timezone(self, timezone: str) -> ZoneInfo:
        engine = self.room.engine
        workspaces = engine.people.workspaces
        workspaces.update(engine.caller.workspace_id, timezone=timezone)
        engine.caller = replace(engine.caller, timezone=timezone)
        return ZoneInfo(timezone)


@pytest.fixture
def office(emulator: EmulatorProcess, tmp_path: Path) -> Office:
    room = an_analytics_room(emulator, tmp_path, platforms=PLATFORMS)
    witness = Witness()
    for platform in PLATFORMS:
        connector = WitnessedConnector(platform, room.engine.sandbox, "http://127.0.0.1:8000")
        connector.witness = witness
        room.replace(platform, connector)
    return Office(room, witness)


def assert_recomputed(office: Office, zone: ZoneInfo, days: int = 28) -> None:
    """Compare the summary with sums over every live target of the window."""
    today = office.room.engine.clock().astimezone(zone).date()
    first = today - timedelta(days=days - 1)
    posts = [office.room.engine.post(post) for post in office.posts]
    posts = [p for p in posts if p.deleted_at is None]
    went_live = {p.id: min(t.published_at for t in p.targets if t.published_at) for p in posts}
    posts = [p for p in posts if went_live[p.id].astimezone(zone).date() >= first]
    series: Counter[date] = Counter()
    hours: Counter[int] = Counter()
    platforms: Counter[Platform] = Counter()
    engaged_on: Counter[date] = Counter()
    engaged_at: Counter[Platform] = Counter()
    views: Counter[str] = Counter()
    reported = []
    for post in posts:
        for target in post.targets:
            counts = office.witness.counts(target)
            if target.status != "published" or target.published_at is None or counts is None:
                continue
            series += office.witness.gained(target, zone)
            hours[target.published_at.astimezone(zone).hour] += counts.views
            platforms[target.platform] += counts.views
            views[post.id] += counts.views
            engagement = counts.likes + counts.comments + counts.shares
            engaged_on[went_live[post.id].astimezone(zone).date()] += engagement
            engaged_at[target.platform] += engagement
            reported.append(counts)

    summary = office.room.summary(days)

    assert total_of(reported) == summary.totals
    assert len(posts) == summary.posts_published
    assert {first + timedelta(days=n): series[first + timedelta(days=n)] for n in range(days)} == (
        dict(summary.views_by_day)
    )
    assert sum(summary.views_by_day.values()) == summary.totals.views
    assert dict(platforms) == {p: n for p, n in summary.views_by_platform.items() if n}
    engaged = {day: one.counts.engagement for day, one in summary.by_day.items()}
    assert +engaged_on == +Counter(engaged)
    assert +engaged_at == +Counter(summary.engagement_by_platform)
    assert [hours[hour] for hour in range(24)] == list(summary.activity_by_hour)
    best = sorted(views, key=lambda post_id: (views[post_id], post_id), reverse=True)[:5]
    assert best == [post.id for post in summary.top_posts][: len(best)]
    assert [views[post_id] for post_id in best] == [
        post.views for post in summary.top_posts[: len(best)]
    ]
    assert summary == office.summary_of(days, *PLATFORMS)


def test_totals_series_and_top_posts_are_what_every_look_adds_up_to(office: Office) -> None:
    for number in range(4):
        office.publish(f"Loaf {number}", *PLATFORMS[: 1 + number % 3])
        office.room.pass_time(timedelta(hours=11, minutes=40))

    for passed in (0, 1, 9):
        office.room.pass_time(timedelta(days=passed))
        assert_recomputed(office, ZoneInfo("UTC"))
        assert_recomputed(office, ZoneInfo("UTC"), days=7)


def test_what_each_platform_earned_adds_up_to_the_whole(office: Office) -> None:
    for number in range(3):
        office.publish(f"Loaf {number}", *PLATFORMS[: 1 + number])
        office.room.pass_time(timedelta(hours=30))

    parts = [office.summary_of(7, platform) for platform in PLATFORMS]

    whole = office.room.summary(7)
    assert [3, 2, 1] == [part.posts_published for part in parts]
    assert whole.totals == total_of(part.totals for part in parts)
    assert dict(whole.views_by_platform) == {
        platform: views for part in parts for platform, views in part.views_by_platform.items()
    }


def test_more_posts_than_are_read_one_by_one_are_refused(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chalicelib.services.analytics.MOST_POSTS", 1)
    office.publish("Rye")
    office.publish("White")

    with pytest.raises(InvalidInput, match="Choose fewer days"):
        office.summary_of(7, *PLATFORMS)


@pytest.mark.parametrize(
    ("timezone", "begin"),
    [
        ("America/New_York", datetime(2026, 10, 30, 20, tzinfo=UTC)),
        ("Europe/Paris", datetime(2027, 3, 26, 20, tzinfo=UTC)),
        ("Pacific/Kiritimati", datetime(2027, 1, 2, 9, tzinfo=UTC)),
        ("Asia/Kathmandu", datetime(2027, 1, 2, 9, tzinfo=UTC)),
    ],
)
def test_days_and_hours_are_those_of_the_workspaces_clock_when_it_changes_too(
    office: Office, timezone: str, begin: datetime
) -> None:
    zone = office.use_timezone(timezone)
    office.room.engine.clock.now = begin

    for number in range(4):
        office.publish(f"Loaf {number}", Platform.X)
        office.room.pass_time(timedelta(hours=11, minutes=30))

    assert_recomputed(office, zone)
    assert 28 == len(office.room.summary().views_by_day)


def test_what_was_unpublished_in_the_middle_counts_no_longer(office: Office) -> None:
    kept = office.publish("Rye")
    post = office.publish("Fresh bread")
    office.room.pass_time(timedelta(days=3))
    services = office.room.engine.deployment

    services.checking.live_posts.unpublish(office.room.engine.caller, post.id, post.targets[1].id)
    assert_recomputed(office, ZoneInfo("UTC"))
    office.room.pass_time(timedelta(days=3))

    assert_recomputed(office, ZoneInfo("UTC"))
    assert office.room.metrics(post).platforms[Platform.X] is None
    assert office.room.metrics(kept).platforms[Platform.X] is not None
    assert 2 == office.room.summary().posts_published


def test_a_deleted_post_counts_no_longer_at_once(office: Office) -> None:
    post = office.publish("Fresh bread")
    office.publish("Rye")
    office.room.pass_time(timedelta(days=3))
    services = office.room.engine.deployment

    services.posting.drafts.delete(office.room.engine.caller, post.id)

    assert_recomputed(office, ZoneInfo("UTC"))
    assert ["Rye"] == [top.caption for top in office.room.summary().top_posts]
    assert 1 == office.room.summary().posts_published
    office.room.pass_time(timedelta(days=3))
    assert_recomputed(office, ZoneInfo("UTC"))


def test_a_post_deleted_before_its_first_look_never_counts(office: Office) -> None:
    post = office.publish("Fresh bread")

    office.room.engine.deployment.posting.drafts.delete(office.room.engine.caller, post.id)
    now_gone = office.room.summary().posts_published
    office.room.pass_time(timedelta(days=1))

    assert (0, 0) == (now_gone, office.room.summary().posts_published)
    assert [] == office.room.due(office.room.engine.clock() + timedelta(days=100))


def test_a_post_counts_from_the_moment_it_is_live(office: Office) -> None:
    post = office.publish("Fresh bread")

    summary = office.room.summary()

    assert 1 == summary.posts_published
    today = office.room.engine.clock().date()
    assert {today: 1} == {day: one.posts for day, one in summary.by_day.items() if one.posts}
    assert dict.fromkeys(PLATFORMS, 0) == summary.views_by_platform
    assert [post.id] == [top.id for top in summary.top_posts]
    assert set(PLATFORMS) == set(summary.top_posts[0].platforms)
    assert dict.fromkeys(PLATFORMS) == office.room.metrics(post).platforms


def test_a_post_that_is_read_in_its_days_sum_and_as_fresh_is_told_once(office: Office) -> None:
    """Both are read side by side, while the metrics worker moves it from one to the other."""
    post, engine = office.publish("Rye", Platform.X), office.room.engine
    standing = Standing(post_id=post.id, views=0, platforms=(Platform.X,))
    day = DayCounters(day=engine.clock().date(), top=(standing,))
    row = attributes(day_counters_item(engine.caller.workspace_id, day))
    deployment = engine.deployment

    deployment.clients.dynamodb.put_item(TableName=deployment.tables.posts, Item=row)

    assert [post.id] == [top.id for top in office.room.summary().top_posts]


def test_an_empty_workspace_has_a_summary_of_zeros(office: Office) -> None:
    summary = office.room.summary(7)

    assert (7, Counts(), 0, (), {}) == (
        summary.days,
        summary.totals,
        summary.posts_published,
        summary.top_posts,
        summary.views_by_platform,
    )
    assert [0] * 7 == list(summary.views_by_day.values())
    assert (0,) * 24 == summary.activity_by_hour


def test_a_post_stays_with_the_day_its_first_target_went_live(office: Office) -> None:
    office.publish("Fresh bread", Platform.X)
    office.room.pass_time(timedelta(days=8))

    assert 0 == office.room.summary(7).posts_published
    assert Counts() == office.room.summary(7).totals
    assert_recomputed(office, ZoneInfo("UTC"), days=7)
    assert_recomputed(office, ZoneInfo("UTC"), days=9)


def test_late_repeated_and_overtaken_snapshots_count_once(office: Office) -> None:
    post = office.publish("Fresh bread", Platform.X)
    office.room.pass_time(timedelta(days=2))
    before = office.room.summary()
    target = post.targets[0]
    counter_updates = office.room.engine.deployment.posting.counter_updates
    workspace_id = office.room.engine.caller.workspace_id
    clock = office.room.engine.clock
    now = clock()

    for at, _ in reversed(office.witness.seen[target.id]):
        clock.now = at
        metrics = sandbox_metrics(target.remote_id or "", at - (target.published_at or at))
        counter_updates.refresh(workspace_id, "UTC", [post.id], {target.id: metrics})
    clock.now = now

    assert before == office.room.summary()
    assert_recomputed(office, ZoneInfo("UTC"))
