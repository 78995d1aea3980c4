"""Pages: signing in, tokens that last, how posts do, and removal."""

from collections.abc import Iterator

import pytest

from chalicelib.connectors.oauth import Client
from chalicelib.domain.accounts import Health
from chalicelib.domain.outcome import (
    Done,
    Failed,
    FailureCode,
)
from chalicelib.domain.results import Figures
from tests.connectors.facebook_rig import a_rig, facebook, platform
from tests.connectors.fake_facebook import CLIENT, HANDLE, PAGE, SECRET
from tests.connectors.fake_meta_login import CODE, PERSON
from tests.connectors.places import go_live
from tests.connectors.rig import Rig
from tests.frozen_clock import NOON

PHOTO, POST, VIDEO = "2000002", f"{PAGE}_3000003", "4000004"
API = "/fb/v25.0"


@pytest.fixture
def rig() -> Iterator[Rig]:
    made = a_rig()
    yield made
    made.platform.close()


@pytest.fixture
def videos() -> Iterator[Rig]:
    made = a_rig(videos=True)
    yield made
    made.platform.close()


def test_figures_of_a_post(rig: Rig) -> None:
    live = go_live(rig, "text")

    told = facebook(rig).metrics([live])

    assert told == [Figures(views=540, likes=12, comments=3, shares=1)]


def test_figures_of_a_reel_come_one_by_one(videos: Rig) -> None:
    live = go_live(videos, "video")

    told = facebook(videos).metrics([live])
    platform(videos).dead_metrics |= {"blue_reels_play_count", "post_video_social_actions"}
    less = facebook(videos).metrics([live])

    assert told == [Figures(views=77, likes=8, comments=4, shares=6, followers=2)]
    assert less == [Figures(views=70, likes=8, followers=2)]


def test_a_post_that_is_gone_has_no_figures(rig: Rig) -> None:
    live = go_live(rig, "text")
    rig.platform.posts.clear()

    assert facebook(rig).metrics([live]) == [None]


def test_signing_in_brings_each_page_that_can_be_posted_to_once(rig: Rig) -> None:
    connector = facebook(rig)
    pending = connector.oauth.begin(Client(CLIENT, SECRET), "https://goldenhour.example/back")

    tokens = connector.oauth.finish(
        pending, f"https://goldenhour.example/back?code={CODE}&state={pending.state}"
    )
    identity, of_client = connector.identities(tokens, NOON)

    assert pending.url.startswith("https://www.facebook.com/v25.0/dialog/oauth?")
    assert (identity.remote_identity, identity.handle) == (PAGE, HANDLE)
    assert of_client.remote_identity == "1000003"
    assert (identity.tokens.access, identity.tokens.refresh) == ("PAGETOK", PERSON)
    assert (identity.tokens.expires_at, identity.tokens.watch_at) == (None, None)


def test_a_page_token_is_had_anew_from_the_persons(rig: Rig) -> None:
    platform(rig).tokens[:] = ["PAGETOK-1"]

    end = rig.drive("text").run()

    assert isinstance(end, Done)
    assert rig.store.history == ["PAGETOK-1-2"]


def test_a_person_who_left_breaks_the_account(rig: Rig) -> None:
    platform(rig).tokens[:] = ["somebody else's"]
    platform(rig).login.person_is_in = False

    end = rig.drive("text").run()

    assert isinstance(end, Failed)
    assert end.code == FailureCode.AUTH_EXPIRED
    assert rig.store.health is Health.BROKEN
