"""Pages: signing in, tokens that last, how posts do, and removal."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest

from chalicelib.connectors.connector import RemovalError
from chalicelib.connectors.shared.auth.oauth import Client
from chalicelib.connectors.shared.transport.failures import TokenRejectedError
from chalicelib.domain.analytics.metrics import Metrics
from chalicelib.domain.outcome import (
    Done,
    Failed,
    FailureCode,
)
from chalicelib.domain.workspace.accounts import Health
from tests.connectors.facebook.fake import CLIENT, HANDLE, PAGE, SECRET
from tests.connectors.facebook.rig import a_rig, facebook, platform
from tests.connectors.shared.meta.fake_login import PERSON
from tests.connectors.shared.meta.graph_answers import graph_error, refuse
from tests.connectors.support.fake_platform import Answer, Wrong
from tests.connectors.support.places import go_live, signed_in
from tests.connectors.support.rig import Rig


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

    assert told == [Metrics(views=540, likes=12, comments=3, shares=1)]


def test_figures_of_a_reel_come_one_by_one(videos: Rig) -> None:
    live = go_live(videos, "video")

    told = facebook(videos).metrics([live])
    platform(videos).dead_metrics |= {"blue_reels_play_count", "post_video_social_actions"}
    less = facebook(videos).metrics([live])

    assert told == [Metrics(views=77, likes=8, comments=4, shares=6, followers=2)]
    assert less == [Metrics(views=70, likes=8, followers=2)]


def test_a_post_that_is_gone_has_no_figures(rig: Rig) -> None:
    live = go_live(rig, "text")
    rig.platform.posts.clear()

    assert facebook(rig).metrics([live]) == [None]


def test_signing_in_brings_each_page_that_can_be_posted_to_once(rig: Rig) -> None:
    client = Client(CLIENT, SECRET)

    identity, of_client = signed_in(facebook(rig), client)

    page = facebook(rig).oauth.begin(client, "https://goldenhour.example/back").url
    assert page.startswith("https://www.facebook.com/v25.0/dialog/oauth?")
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


@pytest.mark.parametrize("shape", ["text", "photo", "story"])
def test_what_a_page_posted_can_be_deleted(rig: Rig, shape: str) -> None:
    live = go_live(rig, shape)

    facebook(rig).delete(live)

    assert rig.platform.posts == {}
    assert rig.platform.calls[-1].name == f"DELETE /fb/v25.0/{live.remote_id}"


@pytest.mark.parametrize("shape", ["video", "film"])
def test_videos_can_be_deleted(videos: Rig, shape: str) -> None:
    live = go_live(videos, shape)

    facebook(videos).delete(live)

    assert videos.platform.posts == {}


@pytest.mark.parametrize(
    "answer",
    [Answer(200, {"success": False}), graph_error(10), graph_error(100)],
    ids=["no success", "no permission", "no reason"],
)
def test_a_post_that_facebook_does_not_delete_is_not_removed(rig: Rig, answer: Answer) -> None:
    live = go_live(rig, "text")
    platform(rig).script = {f"DELETE {live.remote_id}": [answer]}

    with pytest.raises(RemovalError):
        facebook(rig).delete(live)


def test_a_metric_that_breaks_the_platform_costs_only_itself(rig: Rig) -> None:
    live = go_live(rig, "text")
    platform(rig).broken_metrics = {"post_reactions_by_type_total"}

    (told,) = facebook(rig).metrics([live])

    assert told == Metrics(views=540, comments=3, shares=1)


def test_shares_that_the_post_carries_stand_in_for_a_metric_that_fails(rig: Rig) -> None:
    live = go_live(rig, "text")
    platform(rig).dead_metrics = {"post_activity_by_action_type"}

    (told,) = facebook(rig).metrics([live])

    assert told == Metrics(views=540, likes=12, shares=9)


def test_a_story_that_is_over_was_not_deleted(rig: Rig) -> None:
    live = replace(go_live(rig, "story"), url="https://www.facebook.com/stories/1")
    over = replace(live, now=live.published_at + timedelta(hours=24))
    rig.platform.posts.clear()

    assert facebook(rig).metrics([live, over]) == [None, Metrics()]


@pytest.mark.parametrize(
    "refusal",
    [refuse(10, message="(#10) No permission"), refuse(100, 33, message="No such object"), None],
    ids=["no permission", "no such page", "a page without a token"],
)
def test_a_page_that_was_lost_breaks_the_account(rig: Rig, refusal: Wrong | None) -> None:
    platform(rig).tokens[:] = ["somebody else's"]
    platform(rig).login.refusal = refusal
    platform(rig).login.gives_token = False

    end = rig.drive("text").run()

    assert isinstance(end, Failed)
    assert (end.code, len(rig.platform.calls)) == (FailureCode.AUTH_EXPIRED, 2)
    assert rig.store.health is Health.BROKEN


def test_a_code_that_facebook_refuses_signs_nobody_in(rig: Rig) -> None:
    oauth = facebook(rig).oauth
    pending = oauth.begin(Client(CLIENT, SECRET), "https://goldenhour.example/back")

    with pytest.raises(TokenRejectedError, match="refused the sign-in"):
        oauth.finish(pending, f"https://goldenhour.example/back?code=old&state={pending.state}")


def test_without_a_look_at_businesses_the_persons_own_pages_are_there(rig: Rig) -> None:
    platform(rig).script = {"GET businesses": [graph_error(200)]}

    (identity,) = signed_in(facebook(rig), Client(CLIENT, SECRET))

    assert identity.remote_identity == PAGE


def test_an_application_for_businesses_names_its_configuration(rig: Rig) -> None:
    """Without it Facebook's page says that the application isn't available."""
    client = Client(CLIENT, SECRET, config_id="77")

    pending = facebook(rig).oauth.begin(client, "https://ours.example/callback")

    assert pending.url.endswith("&config_id=77")


def test_pages_that_were_ticked_one_by_one_are_found_though_the_list_is_empty(rig: Rig) -> None:
    login = platform(rig).login
    page = login.lists["me/accounts"][0][0]
    login.lists = {"me/accounts": [[]]}
    login.granted = {PAGE: page}

    (found,) = signed_in(facebook(rig), Client(CLIENT, SECRET))

    assert found.remote_identity == PAGE
