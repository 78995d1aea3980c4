"""Pages: signing in, tokens that last, how posts do, and removal."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest

from chalicelib.connectors.connector import RemovalError
from chalicelib.connectors.shared.auth.oauth import Client
from chalicelib.connectors.shared.calls.failures import TokenRejectedError
from chalicelib.connectors.shared.calls.stand_ins import answer_calls
from chalicelib.domain.analytics.metrics import Metrics
from chalicelib.domain.outcome import (
    Done,
    Failed,
    FailureCode,
)
from chalicelib.domain.workspace.accounts import Health
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit.transport.failures import UnansweredError
from chalicelib.kit.transport.responses import PlatformResponse
from tests.connectors.facebook.fake import CLIENT, HANDLE, PAGE, SECRET
from tests.connectors.facebook.rig import FacebookRig, a_rig
from tests.connectors.shared.meta.fake_login import PERSON
from tests.connectors.shared.meta.graph_answers import graph_error, refuse
from tests.connectors.support.fake_platform import Answer, Wrong
from tests.connectors.support.places import go_live, signed_in


@pytest.fixture
def videos() -> Iterator[FacebookRig]:
    made = a_rig(videos=True)
    yield made
    made.platform.close()


def test_figures_of_a_post(rig: FacebookRig) -> None:
    live = go_live(rig, "text")

    told = rig.connector.metrics([live])

    assert told == [Metrics(views=540, likes=12, comments=3, shares=1)]


def test_figures_of_a_reel_come_one_by_one(videos: FacebookRig) -> None:
    live = go_live(videos, "video")

    told = videos.connector.metrics([live])
    videos.platform.dead_metrics |= {"blue_reels_play_count", "post_video_social_actions"}
    less = videos.connector.metrics([live])

    assert told == [Metrics(views=77, likes=8, comments=4, shares=6, followers=2)]
    assert less == [Metrics(views=70, likes=8, followers=2)]


def test_a_post_that_is_gone_has_no_figures(rig: FacebookRig) -> None:
    live = go_live(rig, "text")
    rig.platform.posts.clear()

    assert rig.connector.metrics([live]) == [None]


def test_signing_in_brings_each_page_that_can_be_posted_to_once(rig: FacebookRig) -> None:
    client = Client(CLIENT, SECRET)

    identity, of_client, read_only = signed_in(rig.connector, client)

    page = rig.connector.oauth.begin(client, "https://goldenhour.example/back").url
    assert page.startswith("https://www.facebook.com/v26.0/dialog/oauth?")
    assert (identity.remote_identity, identity.handle) == (PAGE, HANDLE)
    assert (of_client.remote_identity, of_client.barred) == ("1000003", None)
    assert (read_only.remote_identity, read_only.barred is None) == ("1000002", False)
    assert (identity.tokens.access, identity.tokens.refresh) == ("PAGETOK", PERSON)
    assert (identity.tokens.expires_at, identity.tokens.watch_at) == (None, None)


def test_a_page_token_is_had_anew_from_the_persons(rig: FacebookRig) -> None:
    rig.platform.tokens[:] = ["PAGETOK-1"]

    end = rig.drive("text").run()

    assert isinstance(end, Done)
    assert rig.store.history == ["PAGETOK-1-2"]


def test_a_person_who_left_breaks_the_account(rig: FacebookRig) -> None:
    rig.platform.tokens[:] = ["somebody else's"]
    rig.platform.login.person_is_in = False

    end = rig.drive("text").run()

    assert isinstance(end, Failed)
    assert end.code == FailureCode.AUTH_EXPIRED
    assert rig.store.health is Health.BROKEN


@pytest.mark.parametrize("shape", ["text", "photo", "story"])
def test_what_a_page_posted_can_be_deleted(rig: FacebookRig, shape: str) -> None:
    live = go_live(rig, shape)

    rig.connector.delete(live)

    assert rig.platform.posts == {}
    assert rig.platform.calls[-1].name == f"DELETE /fb/v26.0/{live.remote_id}"


@pytest.mark.parametrize("shape", ["video", "film"])
def test_videos_can_be_deleted(videos: FacebookRig, shape: str) -> None:
    live = go_live(videos, shape)

    videos.connector.delete(live)

    assert videos.platform.posts == {}


@pytest.mark.parametrize(
    "answer",
    [Answer(200, {"success": False}), graph_error(10), graph_error(100)],
    ids=["no success", "no permission", "no reason"],
)
def test_a_post_that_facebook_does_not_delete_is_not_removed(
    rig: FacebookRig, answer: Answer
) -> None:
    live = go_live(rig, "text")
    rig.platform.script = {f"DELETE {live.remote_id}": [answer]}

    with pytest.raises(RemovalError):
        rig.connector.delete(live)


def test_a_metric_that_breaks_the_platform_costs_only_itself(rig: FacebookRig) -> None:
    live = go_live(rig, "text")
    rig.platform.broken_metrics = {"post_reactions_by_type_total"}

    (told,) = rig.connector.metrics([live])

    assert told == Metrics(views=540, comments=3, shares=1)


def test_shares_that_the_post_carries_stand_in_for_a_metric_that_fails(rig: FacebookRig) -> None:
    live = go_live(rig, "text")
    rig.platform.dead_metrics = {"post_activity_by_action_type"}

    (told,) = rig.connector.metrics([live])

    assert told == Metrics(views=540, likes=12, shares=9)


def test_a_story_that_is_over_was_not_deleted(rig: FacebookRig) -> None:
    live = replace(go_live(rig, "story"), url="https://www.facebook.com/stories/1")
    over = replace(live, now=live.published_at + timedelta(hours=24))
    rig.platform.posts.clear()

    assert rig.connector.metrics([live, over]) == [None, Metrics()]


@pytest.mark.parametrize(
    "refusal",
    [refuse(10, message="(#10) No permission"), refuse(100, 33, message="No such object"), None],
    ids=["no permission", "no such page", "a page without a token"],
)
def test_a_page_that_was_lost_breaks_the_account(rig: FacebookRig, refusal: Wrong | None) -> None:
    rig.platform.tokens[:] = ["somebody else's"]
    rig.platform.login.refusal = refusal
    rig.platform.login.gives_token = False

    end = rig.drive("text").run()

    assert isinstance(end, Failed)
    assert (end.code, len(rig.platform.calls)) == (FailureCode.AUTH_EXPIRED, 2)
    assert rig.store.health is Health.BROKEN


@pytest.mark.parametrize("body", [b"", b"[]", b"null", b'{"id": "1", "access_token": "\\uDFAA"}'])
def test_an_answer_that_says_nothing_of_the_page_loses_no_account(
    rig: FacebookRig, body: bytes
) -> None:
    """JSONTestSuite's n_structure_no_data, y_array_empty, lonely_null, lone_second_surrogate."""
    response = PlatformResponse(status=200, headers={}, body=body)
    tokens = Tokens(access="old", refresh="person's")

    with answer_calls(lambda _: response), pytest.raises(UnansweredError):
        rig.connector._login.page_tokens(tokens, "1")


def test_a_code_that_facebook_refuses_signs_nobody_in(rig: FacebookRig) -> None:
    oauth = rig.connector.oauth
    pending = oauth.begin(Client(CLIENT, SECRET), "https://goldenhour.example/back")

    with pytest.raises(TokenRejectedError, match="refused the sign-in"):
        oauth.finish(pending, f"https://goldenhour.example/back?code=old&state={pending.state}")


def test_without_a_look_at_businesses_the_persons_own_pages_are_there(rig: FacebookRig) -> None:
    rig.platform.script = {"GET businesses": [graph_error(200)]}

    identity, _ = signed_in(rig.connector, Client(CLIENT, SECRET))

    assert identity.remote_identity == PAGE


@pytest.mark.parametrize(
    ("task", "may_post"),
    [
        ("CREATE_CONTENT", True),
        ("MANAGE", True),
        ("PROFILE_PLUS_CREATE_CONTENT", True),
        ("PROFILE_PLUS_MANAGE", True),
        ("PROFILE_PLUS_FULL_CONTROL", True),
        ("PROFILE_PLUS_ADVERTISE", False),
        ("MODERATE", False),
    ],
)
def test_a_page_can_be_connected_by_what_its_tasks_are_called_today(
    rig: FacebookRig, task: str, *, may_post: bool
) -> None:
    """The names are those of Meta's own client, facebook-business 26.0.3."""
    page = {"id": "4", "name": "New", "access_token": "p4", "tasks": [task]}
    rig.platform.login.lists = {"me/accounts": [[page]], "me/businesses": [[]]}

    (found,) = signed_in(rig.connector, Client(CLIENT, SECRET))

    assert (found.barred is None) == may_post


def test_an_application_for_businesses_names_its_configuration(rig: FacebookRig) -> None:
    """Without it Facebook's page says that the application isn't available."""
    client = Client(CLIENT, SECRET, config_id="77")

    pending = rig.connector.oauth.begin(client, "https://ours.example/callback")

    assert pending.url.endswith("&config_id=77")


def test_pages_that_were_ticked_one_by_one_are_found_though_the_list_is_empty(
    rig: FacebookRig,
) -> None:
    login = rig.platform.login
    page = login.lists["me/accounts"][0][0]
    login.lists = {"me/accounts": [[]]}
    login.granted = {PAGE: page}

    (found,) = signed_in(rig.connector, Client(CLIENT, SECRET))

    assert found.remote_identity == PAGE
