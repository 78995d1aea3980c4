"""What a connector claims is made through the engine and the API's services, on its fake."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

import pytest

from chalicelib.bootstrap.operator import operator_services
from chalicelib.connectors.shared.registry import Ability, Connectors, abilities_of
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.drafting import NewPost, NewTarget
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.target import TargetStatus
from chalicelib.domain.workspace.accounts import SignIn
from tests.connectors.bluesky.rig import a_rig as a_bluesky_rig
from tests.connectors.facebook.rig import a_rig as a_facebook_rig
from tests.connectors.google_business_profile.fake import FakeGoogleBusinessProfile
from tests.connectors.google_business_profile.rig import a_rig as a_google_rig
from tests.connectors.linkedin.fake import PAGE
from tests.connectors.linkedin.rig import a_rig as a_linkedin_rig
from tests.connectors.reddit.rig import a_rig as a_reddit_rig
from tests.connectors.support.rig import Rig
from tests.connectors.threads.rig import a_rig as a_threads_rig
from tests.connectors.x.rig import a_rig as an_x_rig
from tests.support.emulator import EmulatorProcess
from tests.support.engine_room import EngineRoom, an_engine_room

RIGS: dict[Platform, Callable[[], Rig]] = {
    Platform.X: an_x_rig,
    Platform.LINKEDIN: lambda: a_linkedin_rig(PAGE),
    Platform.FACEBOOK: a_facebook_rig,
    Platform.THREADS: a_threads_rig,
    Platform.BLUESKY: a_bluesky_rig,
    Platform.REDDIT: a_reddit_rig,
    Platform.GOOGLE_BUSINESS_PROFILE: a_google_rig,
}
"""The platforms that take a text alone; the others' files go through their own tests."""


@dataclass(frozen=True, slots=True)
class Live:
    """An engine with one platform's connector over its fake, and a post that it published."""

    room: EngineRoom
    rig: Rig
    post: Post


@pytest.fixture(params=RIGS, ids=str)
def live(
    request: pytest.FixtureRequest, emulator: EmulatorProcess, tmp_path: Path
) -> Iterator[Live]:
    rig = RIGS[request.param]()
    room = an_engine_room(emulator, tmp_path)
    room.clock.now = rig.clock.now
    for clocked in (rig.platform, rig.connector):
        _share_clock(clocked, room)
    room.deployment.connectors = Connectors(
        sandbox={}, real={rig.connector.platform: rig.connector}
    )
    sign_in = SignIn(
        platform=rig.connector.platform,
        remote_identity=rig.account.remote_identity or "",
        handle=rig.account.handle,
        tokens=rig.tokens,
        settings=rig.account.settings,
    )
    connections = operator_services(room.deployment).connections
    account = connections.connect(room.caller.workspace_id, sign_in)
    room.caller = replace(room.caller, accounts={account.id: ()})
    shape = rig.shapes["text"]
    targets = (NewTarget(account_id=account.id, options=shape.options),)
    draft = NewPost(caption=shape.text, media_ids=(), targets=targets)
    services = room.deployment.services
    post, _ = services.drafts.create(room.caller, draft, idempotency_key=None)
    services.scheduling.schedule(room.caller, post.id, at=room.clock() + timedelta(seconds=1))
    room.pass_time(timedelta(minutes=2))
    yield Live(room, rig, room.post(post))
    rig.platform.close()


def _share_clock(clocked: object, room: EngineRoom) -> None:
    """Let a fake live in the engine's time."""
    if hasattr(clocked, "clock"):
        clocked.clock = room.clock


def test_a_text_is_published_once(live: Live) -> None:
    assert live.post.targets[0].status is TargetStatus.PUBLISHED, live.post.targets[0]
    assert list(live.rig.platform.posts) == [live.post.targets[0].remote_id]


def test_claimed_metrics_arrive_at_the_api(live: Live) -> None:
    """Nobody noticed for long that Bluesky was never asked."""
    fake = live.rig.platform
    if isinstance(fake, FakeGoogleBusinessProfile):
        fake.views[live.post.targets[0].remote_id or ""] = 7
    live.room.clock.pass_time(timedelta(minutes=15))
    live.room.deployment.metrics_worker.run()

    analytics = live.room.deployment.services.analytics
    counts = analytics.metrics(live.room.caller, live.post.id).platforms
    claims = Ability.METRICS in abilities_of(live.rig.connector)
    assert bool(counts.get(live.rig.connector.platform)) == claims, counts


def test_a_claimed_deletion_takes_the_post_away(live: Live) -> None:
    claims = Ability.DELETE in abilities_of(live.rig.connector)
    assert claims

    live.room.deployment.services.live_posts.unpublish(
        live.room.caller, live.post.id, live.post.targets[0].id
    )

    assert list(live.rig.platform.posts) == []
