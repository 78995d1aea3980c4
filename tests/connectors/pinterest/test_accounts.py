"""Accounts on Pinterest: signing in and staying in, what is live, and how it does."""

from dataclasses import replace
from datetime import timedelta

import pytest

from chalicelib.connectors.connector import LivePost, RemovalError
from chalicelib.connectors.shared.auth.oauth import Client
from chalicelib.connectors.shared.calls.failures import RejectedError, TokenRejectedError
from chalicelib.domain.analytics.metrics import Metrics
from chalicelib.domain.outcome import Done, Failed, FailureCode
from chalicelib.domain.workspace.accounts import Health
from chalicelib.kit.transport.failures import UnansweredError
from tests.connectors.pinterest.fake import (
    ACCOUNT_ID,
    BOARD,
    CLIENT_ID,
    CLIENT_SECRET,
    OTHER_BOARD,
)
from tests.connectors.pinterest.fake_pins import USERNAME
from tests.connectors.pinterest.rig import PinterestRig
from tests.connectors.support.fake_platform import Answer, Fault
from tests.support.frozen_clock import NOON

ALL_FIGURES = Metrics(views=240, likes=12, comments=2, shares=20, followers=1)
DAY = timedelta(days=1)


def _live(rig: PinterestRig, shape: str = "photo") -> LivePost:
    done = rig.drive(shape).run()
    assert isinstance(done, Done)
    return rig.live(done)


class TestSigningIn:
    """The way in, and staying in."""

    def test_a_person_signs_in_and_the_account_is_known_with_its_boards(
        self, rig: PinterestRig
    ) -> None:
        oauth = rig.connector.oauth
        pending = oauth.begin(Client(CLIENT_ID, CLIENT_SECRET), "http://127.0.0.1:9/back")

        back = f"{pending.redirect_uri}?state={pending.state}&code=code-of-hanna"
        tokens = oauth.finish(pending, back)
        (identity,) = rig.connector.identities(tokens, rig.clock())

        assert pending.url.startswith("https://www.pinterest.com/oauth/?")
        assert "scope=boards%3Aread%2Cboards%3Awrite%2Cpins%3Aread" in pending.url
        assert rig.platform.calls[0].form["continuous_refresh"] == "true"
        assert tokens.expires_at == NOON + timedelta(days=30)
        assert tokens.renew_at == NOON + timedelta(days=20)
        assert (identity.remote_identity, identity.handle) == (ACCOUNT_ID, USERNAME)
        assert identity.settings == {
            "account_type": "BUSINESS",
            "boards": [
                {"id": BOARD, "name": "Harbours"},
                {"id": OTHER_BOARD, "name": "Lighthouses"},
            ],
        }

    def test_who_may_not_read_boards_signs_in_all_the_same(self, rig: PinterestRig) -> None:
        rig.platform.refusals["list_boards"] = Answer(401, {"code": 3, "message": "Scopes."})

        (identity,) = rig.connector.identities(rig.tokens, rig.clock())

        assert identity.settings["boards"] == []

    def test_a_refresh_brings_the_next_of_both_tokens(self, rig: PinterestRig) -> None:
        signed = rig.keeper.sign_in(rig.account, rig.connector)

        after = rig.connector.refresh(signed, rig.tokens, rig.clock())

        assert (after.access, after.refresh) == ("pina_2", "pinr_2")
        assert after.renew_at == NOON + timedelta(days=20)
        with pytest.raises(TokenRejectedError):
            rig.connector.refresh(signed, rig.tokens, rig.clock())

    def test_an_idle_account_is_renewed_long_before_its_sixty_days(self, rig: PinterestRig) -> None:
        renewable = replace(rig.tokens, expires_at=None, renew_at=NOON + timedelta(days=20))
        rig = replace(rig, tokens=renewable)
        rig.clock.pass_time(timedelta(days=20))

        rig.keeper.look(rig.account, rig.connector)

        assert rig.store.history == ["pina_2"]
        assert rig.store.kept is not None
        assert rig.store.kept.tokens.refresh == "pinr_2"

    def test_a_withdrawn_sign_in_breaks_the_account(self, rig: PinterestRig) -> None:
        rig.platform.access, rig.platform.refresh = "pina_8", "pinr_8"

        end = rig.drive("photo").run()

        assert isinstance(end, Failed)
        assert end.code is FailureCode.AUTH_EXPIRED
        assert rig.store.health is Health.BROKEN

    def test_a_token_address_that_is_down_breaks_nothing(self, rig: PinterestRig) -> None:
        signed = rig.keeper.sign_in(rig.account, rig.connector)
        rig.platform.strike(0, Fault.ERROR_BEFORE)

        with pytest.raises(UnansweredError):
            rig.connector.refresh(signed, rig.tokens, rig.clock())

        assert rig.store.health is Health.OK


class TestRemoval:
    """What happens to a pin that is live."""

    def test_a_pin_that_is_gone_counts_as_deleted(self, rig: PinterestRig) -> None:
        live = _live(rig)
        rig.platform.posts.clear()

        rig.connector.delete(live)

        assert rig.platform.calls[-1].name == f"DELETE /v5/pins/{live.remote_id}"

    @pytest.mark.parametrize(
        "refusal",
        [
            Answer(403, {"code": 29, "message": "You are not permitted."}),
            Answer(404, {"code": 5, "message": "No such method."}),
        ],
        ids=["forbidden", "another 404"],
    )
    def test_a_pin_that_pinterest_keeps_says_so(self, rig: PinterestRig, refusal: Answer) -> None:
        live = _live(rig)
        rig.platform.refusals["delete"] = refusal

        with pytest.raises(RemovalError):
            rig.connector.delete(live)

        assert list(rig.platform.posts) == [live.remote_id]


class TestFigures:
    """How pins do."""

    def test_a_photo_is_asked_about_in_one_call(self, rig: PinterestRig) -> None:
        live = _live(rig)

        told = rig.connector.metrics([live])

        assert told == [ALL_FIGURES]
        call = rig.platform.calls[-1]
        assert call.name == f"GET /v5/pins/{live.remote_id}/analytics"
        assert call.query == {
            "start_date": "2026-08-23",
            "end_date": "2026-11-20",
            "metric_types": "IMPRESSION,SAVE,TOTAL_COMMENTS,TOTAL_REACTIONS,USER_FOLLOW",
        }

    def test_a_video_does_not_tell_its_followers(self, rig: PinterestRig) -> None:
        live = _live(rig, "video")

        told = rig.connector.metrics([live])

        assert told == [replace(ALL_FIGURES, followers=None)]

    def test_what_is_not_counted_since_the_beginning_is_counted_for_the_days(
        self, rig: PinterestRig
    ) -> None:
        rig.platform.counted = {
            "lifetime_metrics": {"TOTAL_COMMENTS": 2},
            "summary_metrics": {"IMPRESSION": 31.0, "TOTAL_COMMENTS": 1},
        }

        told = rig.connector.metrics([_live(rig)])

        assert told == [Metrics(views=31, comments=2)]

    def test_a_pin_of_which_nothing_is_told_is_still_there(self, rig: PinterestRig) -> None:
        rig.platform.counted = {}

        assert rig.connector.metrics([_live(rig)]) == [Metrics()]

    def test_a_pin_that_is_gone_is_none_unless_it_is_new(self, rig: PinterestRig) -> None:
        live = _live(rig)
        rig.platform.posts.clear()

        told = rig.connector.metrics([live, replace(live, now=live.published_at + DAY)])

        assert told == [Metrics(), None]

    @pytest.mark.parametrize("status", [401, 403])
    def test_figures_that_we_may_not_have_are_nothing_and_no_failure(
        self, rig: PinterestRig, status: int
    ) -> None:
        live = _live(rig)
        rig.platform.refusals["analytics"] = Answer(
            status, {"code": 7, "message": "Not authorized."}
        )

        assert rig.connector.metrics([live]) == [Metrics()]

    @pytest.mark.parametrize(
        "refusal",
        [Answer(400, {"code": 1, "message": "No."}), Answer(404, {"code": 5, "message": "No."})],
        ids=["bad", "another 404"],
    )
    def test_what_cannot_be_read_is_no_answer(self, rig: PinterestRig, refusal: Answer) -> None:
        live = _live(rig)
        rig.platform.refusals["analytics"] = refusal

        with pytest.raises(RejectedError):
            rig.connector.metrics([live])
