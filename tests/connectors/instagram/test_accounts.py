"""Instagram accounts: signing in, tokens that last, and how posts do."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest

from chalicelib.connectors.connector import Deletes, as_connected
from chalicelib.connectors.instagram.account import InstagramHosts
from chalicelib.connectors.shared.auth.oauth import Client
from chalicelib.connectors.shared.calls.failures import RejectedError
from chalicelib.connectors.shared.registry import Connectors
from chalicelib.domain.analytics.metrics import Metrics
from chalicelib.domain.outcome import (
    Done,
    Failed,
    FailureCode,
)
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.accounts import Health
from chalicelib.services.operator.sign_ins import SignIns
from tests.connectors.instagram.fake import CLIENT, HANDLE, LIFE, PAGE, SECRET, USER
from tests.connectors.instagram.rig import InstagramRig, a_rig
from tests.connectors.shared.meta.fake_login import CODE, PERSON
from tests.connectors.shared.meta.graph_answers import refuse
from tests.connectors.support.places import go_live, signed_in
from tests.support.frozen_clock import NOON


@pytest.fixture
def page_rig() -> Iterator[InstagramRig]:
    """Return an account behind a Facebook Page."""
    made = a_rig(by_facebook=True)
    yield made
    made.platform.close()


def test_a_reel_tells_no_followers_and_a_photo_does(rig: InstagramRig) -> None:
    reel, photo = go_live(rig, "video"), go_live(rig, "photo")

    told = rig.connector.metrics([reel, photo])

    seen = Metrics(views=321, likes=20, comments=4, shares=2)
    assert told == [seen, replace(seen, followers=5)]


def test_one_metric_that_instagram_refuses_costs_only_itself(rig: InstagramRig) -> None:
    live = go_live(rig, "video")
    rig.platform.dead_metrics = {"shares", "likes"}

    (told,) = rig.connector.metrics([live])

    assert told == Metrics(views=321, likes=21, comments=4)


def test_a_post_that_is_gone_has_no_figures(rig: InstagramRig) -> None:
    live = go_live(rig, "video")
    rig.platform.posts.clear()

    assert rig.connector.metrics([live]) == [None]


def test_posts_cannot_be_deleted(rig: InstagramRig) -> None:
    assert not isinstance(rig.connector, Deletes)


def test_signing_in_by_instagram_brings_a_token_of_sixty_days(rig: InstagramRig) -> None:
    client = Client(CLIENT, SECRET)

    (identity,) = signed_in(rig.connector.methods["instagram"], client)

    page = (
        rig.connector.methods["instagram"]
        .oauth.begin(client, "https://goldenhour.example/back")
        .url
    )
    assert page.startswith("https://www.instagram.com/oauth/authorize?")
    assert (identity.remote_identity, identity.handle) == (USER, HANDLE)
    assert identity.tokens.extra["login"] == "instagram"
    assert identity.tokens.access == identity.tokens.refresh == rig.platform.token
    assert identity.tokens.expires_at == NOON + LIFE


def test_signing_in_by_facebook_brings_the_accounts_behind_the_pages(
    page_rig: InstagramRig,
) -> None:
    method, client = page_rig.connector.methods["facebook"], Client(CLIENT, SECRET)

    identity, unlinked = signed_in(method, client)

    page = method.oauth.begin(client, "https://goldenhour.example/back").url
    assert page.startswith("https://www.facebook.com/v26.0/dialog/oauth?")
    assert (identity.remote_identity, identity.handle) == (USER, HANDLE)
    kept = identity.tokens.extra
    assert (kept["login"], kept["page_id"]) == ("facebook", PAGE)
    assert (identity.tokens.access, identity.tokens.refresh) == ("IGTOK", PERSON)
    assert unlinked.barred == "No professional Instagram account is linked to this Page."
    assert identity.tokens.expires_at is None


def test_a_token_is_renewed_at_half_its_life(rig: InstagramRig) -> None:
    rig.clock.pass_time(timedelta(days=21))

    end = rig.drive("photo").run()

    assert isinstance(end, Done)
    assert rig.store.history == ["IGTOK-2"]


def test_a_pages_token_that_cannot_be_had_anew_breaks_the_account(page_rig: InstagramRig) -> None:
    page_rig.platform.tokens[:] = ["somebody else's"]
    page_rig.platform.login.person_is_in = False

    end = page_rig.drive("photo").run()

    assert isinstance(end, Failed)
    assert end.code == FailureCode.AUTH_EXPIRED
    assert page_rig.store.health is Health.BROKEN


def test_a_story_tells_its_own_metrics_for_a_day(rig: InstagramRig) -> None:
    story = go_live(rig, "story")
    later = replace(story, now=story.published_at + timedelta(hours=24))

    told = rig.connector.metrics([story])
    calls = len(rig.platform.calls)
    rig.platform.posts.clear()
    over = rig.connector.metrics([later])

    assert told == [Metrics(views=321, comments=7, shares=2, followers=5)]
    assert (over, len(rig.platform.calls)) == ([Metrics()], calls)


def test_a_post_whose_link_was_never_told_is_asked_for_everything(rig: InstagramRig) -> None:
    reel = replace(go_live(rig, "video"), url=f"https://www.instagram.com/{HANDLE}/")

    (told,) = rig.connector.metrics([reel])

    assert told == Metrics(views=321, likes=20, comments=4, shares=2)


def test_counts_that_the_post_carries_stand_in_for_metrics_that_fail(rig: InstagramRig) -> None:
    live = go_live(rig, "video")
    rig.platform.broken_metrics = {"likes"}

    (told,) = rig.connector.metrics([live])

    assert told == Metrics(views=321, likes=21, comments=4, shares=2)


@pytest.mark.parametrize("wraps", [True, False], ids=["in a list", "plain"])
def test_answers_come_in_two_shapes(rig: InstagramRig, *, wraps: bool) -> None:
    rig.platform.wraps = wraps

    (identity,) = signed_in(rig.connector.methods["instagram"], Client(CLIENT, SECRET))

    assert identity.remote_identity == USER


def test_a_private_account_cannot_be_connected(rig: InstagramRig) -> None:
    rig.platform.account_type = "PERSONAL"

    with pytest.raises(RejectedError) as refused:
        signed_in(rig.connector.methods["instagram"], Client(CLIENT, SECRET))

    assert "professional" in refused.value.message


def test_a_page_that_was_lost_breaks_the_account(page_rig: InstagramRig) -> None:
    page_rig.platform.tokens[:] = ["somebody else's"]
    page_rig.platform.login.refusal = refuse(10, message="(#10) No permission for the Page")

    end = page_rig.drive("photo").run()

    assert isinstance(end, Failed)
    assert (end.code, len(page_rig.platform.calls)) == (FailureCode.AUTH_EXPIRED, 2)
    assert page_rig.store.health is Health.BROKEN


def test_signing_in_again_the_other_way_moves_the_account_to_the_other_host(
    rig: InstagramRig,
) -> None:
    (found,) = signed_in(rig.connector.methods["instagram"], Client(CLIENT, SECRET))
    behind_page = {**rig.tokens.extra, "login": "facebook", "page_id": PAGE}
    before = replace(as_connected(rig.account), token=rig.tokens.access, extra=behind_page)
    api = InstagramHosts()

    after = replace(before, token=found.tokens.access, extra=found.tokens.extra)

    assert api.api(before) == "https://graph.facebook.com/v26.0"
    assert api.api(after) == "https://graph.instagram.com/v26.0"


@pytest.mark.parametrize(
    ("method", "page"),
    [(None, "instagram.com/oauth/"), ("facebook", "facebook.com/v26.0/dialog/oauth")],
    ids=["Instagram's own page, unless one is named", "Facebook's"],
)
def test_an_operator_chooses_the_page_to_sign_in_at(
    rig: InstagramRig, method: str | None, page: str
) -> None:
    real = {Platform.INSTAGRAM: rig.connector}
    sign_ins = SignIns(Connectors(sandbox={}, real=real), rig.clock)
    client = Client(CLIENT, SECRET)

    pending = sign_ins.begin(Platform.INSTAGRAM, client, "http://127.0.0.1:9/", None, method)
    answer = f"{pending.redirect_uri}?code={CODE}&state={pending.state}"
    found, *_ = sign_ins.finish(Platform.INSTAGRAM, pending, answer, method)

    assert page in pending.url
    assert found.remote_identity == USER
