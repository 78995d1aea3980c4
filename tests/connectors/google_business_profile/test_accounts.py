"""Signing in to Google Business Profile, choosing a location, and how its posts do."""

from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest

from chalicelib.connectors.connector import LivePost, RemovalError
from chalicelib.connectors.shared.auth.oauth import Client
from chalicelib.connectors.shared.calls.failures import RateLimitedError, RejectedError
from chalicelib.domain.analytics.metrics import Metrics
from chalicelib.domain.outcome import Done, Failed, FailureCode
from chalicelib.domain.workspace.accounts import Health
from tests.connectors.google_business_profile.answers import HTML_404, NO_QUOTA, NOT_FOUND, error
from tests.connectors.google_business_profile.fake import (
    CLIENT,
    CODE,
    LOCATION,
    REFRESH,
    SECRET,
)
from tests.connectors.google_business_profile.rig import (
    MAPS,
    GoogleRig,
    connector_at,
)
from tests.connectors.support.fake_platform import Answer, Fault
from tests.connectors.support.rig import TARGET_ID
from tests.support.frozen_clock import NOON

BACK = "https://goldenhour.example/back"


class TestSigningIn:
    """From Google's page to locations."""

    def test_a_sign_in_asks_for_posts_and_for_a_refresh_token(self, rig: GoogleRig) -> None:
        pending = rig.connector.oauth.begin(Client(CLIENT, SECRET), BACK)

        page = urlsplit(pending.url)
        asked = {name: values[0] for name, values in parse_qs(page.query).items()}
        assert f"{page.scheme}://{page.netloc}{page.path}" == (
            "https://accounts.google.com/o/oauth2/v2/auth"
        )
        assert asked["scope"] == "https://www.googleapis.com/auth/business.manage"
        assert (asked["access_type"], asked["prompt"]) == ("offline", "consent")

    @pytest.mark.parametrize("page_size", [100, 1])
    def test_it_opens_every_location_of_every_account(self, rig: GoogleRig, page_size: int) -> None:
        rig.platform.page_size = page_size
        connector = rig.connector
        pending = connector.oauth.begin(Client(CLIENT, SECRET), BACK)

        tokens = connector.oauth.finish(pending, f"{BACK}?code={CODE}&state={pending.state}")
        found = connector.identities(tokens, NOON)

        assert [(one.remote_identity, one.handle, one.settings) for one in found] == [
            (LOCATION, "Fake Cafe, 1 High Street", {"maps_uri": MAPS}),
            (
                "accounts/111/locations/223",
                "Fake Van",
                {"maps_uri": "https://maps.google.com/?cid=8"},
            ),
            (
                "accounts/112/locations/224",
                "Fake Harbour (not verified yet: Google takes no posts)",
                {},
            ),
        ]
        assert {one.tokens.refresh for one in found} == {REFRESH}

    def test_a_project_without_approval_is_told_at_connecting(self, rig: GoogleRig) -> None:
        rig.platform.limited = NO_QUOTA
        rig.platform.strike(0, Fault.LIMITED)

        with pytest.raises(RejectedError) as refused:
            rig.connector.identities(rig.tokens, NOON)

        assert "operator" in refused.value.message

    def test_a_token_is_renewed_with_the_same_refresh_token(self, rig: GoogleRig) -> None:
        rig.clock.pass_time(timedelta(days=2))

        end = rig.drive("text").run()

        assert isinstance(end, Done)
        assert rig.store.kept is not None
        assert rig.store.kept.tokens.refresh == REFRESH
        assert rig.platform.calls[0].name == "POST /token"

    def test_a_withdrawn_sign_in_breaks_the_account(self, rig: GoogleRig) -> None:
        rig.platform.tokens = ["somebody else's"]
        rig.platform.token_refused = Answer(400, {"error": "invalid_grant"})
        rig.platform.strike(1, Fault.TOKEN_REFUSED)

        end = rig.drive("text").run()

        assert isinstance(end, Failed)
        assert end.code == FailureCode.AUTH_EXPIRED
        assert rig.store.health is Health.BROKEN


def _live(rig: GoogleRig, number: int) -> LivePost:
    """Return a post that went live at noon, two days before."""
    name = f"{LOCATION}/localPosts/{number}"
    made = {"name": name, "state": "LIVE", "createTime": "2026-11-18T12:00:00Z"}
    rig.platform._keep(made)
    return LivePost(
        target_id=TARGET_ID,
        account=rig.keeper.sign_in(rig.account, rig.connector),
        remote_id=name,
        url=None,
        published_at=NOON - timedelta(days=2),
        now=NOON,
    )


def _names(rig: GoogleRig) -> list[str]:
    return [f"{call.method} {call.path.rpartition('/')[2]}" for call in rig.platform.calls]


class TestFigures:
    """How posts do."""

    def test_views_are_numbers_in_texts_and_what_is_not_told_is_left_out(
        self, rig: GoogleRig
    ) -> None:
        lives = [_live(rig, 1), _live(rig, 2)]
        rig.platform.views = {lives[0].remote_id: 42}

        metrics = rig.connector.metrics(lives)

        assert metrics == [Metrics(views=42), Metrics()]
        assert _names(rig) == ["GET localPosts", "POST localPosts:reportInsights"]
        assert rig.platform.calls[1].json["basicRequest"]["timeRange"] == {
            "startTime": "2026-11-18T12:00:00Z",
            "endTime": "2026-11-20T12:00:00Z",
        }

    def test_views_that_are_no_number_are_not_told(self, rig: GoogleRig) -> None:
        lives = [_live(rig, 1), _live(rig, 2)]
        rig.platform.views = {lives[0].remote_id: "٣", lives[1].remote_id: "9" * 5000}

        assert rig.connector.metrics(lives) == [Metrics(), Metrics()]

    def test_a_hundred_posts_are_asked_about_at_once(self, rig: GoogleRig) -> None:
        lives = [_live(rig, number) for number in range(rig.connector.metrics_batch)]

        metrics = rig.connector.metrics(lives)

        assert metrics == [Metrics()] * 100
        assert len(rig.platform.calls) == 2

    @pytest.mark.parametrize(
        "answer",
        [
            error(400, "INVALID_ARGUMENT"),
            error(403, "PERMISSION_DENIED"),
            NOT_FOUND,
            HTML_404,
            error(501, "UNIMPLEMENTED"),
            Answer(200, {}),
            Answer(200, b""),
            Answer(200, {"localPostMetrics": [{"localPostName": f"{LOCATION}/localPosts/1"}]}),
        ],
        ids=["400", "403", "404", "page", "501", "empty", "nothing", "no values"],
    )
    def test_figures_that_are_gone_for_good_harm_nobody(
        self, rig: GoogleRig, answer: Answer
    ) -> None:
        lives = [_live(rig, 1)]
        rig.platform.insights_answer = answer

        assert rig.connector.metrics(lives) == [Metrics()]

    def test_a_spent_quota_is_no_answer(self, rig: GoogleRig) -> None:
        lives = [_live(rig, 1)]
        rig.platform.insights_answer = rig.platform.limited

        with pytest.raises(RateLimitedError) as refused:
            rig.connector.metrics(lives)

        assert refused.value.retry_after == timedelta(seconds=60)

    def test_figures_can_be_switched_off(self, rig: GoogleRig) -> None:
        lives = [_live(rig, 1)]

        metrics = connector_at(rig.platform, insights="off").metrics(lives)

        assert metrics == [Metrics()]
        assert _names(rig) == ["GET localPosts"]

    def test_posts_that_are_deleted_or_refused_are_gone(self, rig: GoogleRig) -> None:
        lives = [_live(rig, number) for number in (1, 2, 3)]
        del rig.platform.local_posts[lives[0].remote_id]
        rig.platform.local_posts[lives[1].remote_id]["state"] = "REJECTED"

        metrics = rig.connector.metrics(lives)

        assert metrics == [None, None, Metrics()]
        (asked,) = [call for call in rig.platform.calls if call.method == "POST"]
        assert asked.json["localPostNames"] == [lives[2].remote_id]

    def test_a_post_beyond_the_newest_page_is_asked_for_by_name(self, rig: GoogleRig) -> None:
        lives = [_live(rig, number) for number in (1, 2, 3)]
        rig.platform.local_posts[lives[0].remote_id]["state"] = "REJECTED"
        rig.platform.page_size = 1

        metrics = rig.connector.metrics(lives)

        assert metrics == [None, Metrics(), Metrics()]
        assert _names(rig)[1:3] == ["GET 1", "GET 2"]

    def test_a_page_in_place_of_an_answer_does_not_mean_gone(self, rig: GoogleRig) -> None:
        live = _live(rig, 1)
        rig.platform.local_posts.clear()
        rig.platform.not_found = HTML_404
        rig.platform.insights_answer = NOT_FOUND

        assert rig.connector.metrics([live]) == [Metrics()]


class TestDeleting:
    """What is taken down again."""

    def test_a_post_is_deleted_by_its_name(self, rig: GoogleRig) -> None:
        live = _live(rig, 1)

        rig.connector.delete(live)

        assert [call.name for call in rig.platform.calls] == [f"DELETE /v4/{live.remote_id}"]
        assert live.remote_id not in rig.platform.posts

    @pytest.mark.parametrize(
        "answer",
        [HTML_404, error(403, "PERMISSION_DENIED")],
        ids=["page", "403"],
    )
    def test_a_post_that_may_still_be_there_was_not_removed(
        self, rig: GoogleRig, answer: Answer
    ) -> None:
        live = _live(rig, 1)
        rig.platform.local_posts.clear()
        rig.platform.not_found = answer

        with pytest.raises(RemovalError):
            rig.connector.delete(live)
