"""TikTok accounts: signing in and staying in, what a creator may choose, counts of live posts."""

import hashlib
from dataclasses import replace
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest

from chalicelib.connectors.connector import ReadsCreatorOptions
from chalicelib.connectors.shared.auth.oauth import Client
from chalicelib.connectors.shared.calls.failures import (
    RateLimitedError,
    RejectedError,
    TokenRejectedError,
)
from chalicelib.connectors.tiktok.account import scopes_of
from chalicelib.domain.outcome import Failed, FailureCode
from chalicelib.domain.workspace.accounts import Health
from chalicelib.kit.transport.failures import PlatformError, UnansweredError
from chalicelib.kit.transport.responses import PlatformResponse
from tests.connectors.tiktok.fake import (
    CLIENT,
    CODE,
    NICKNAME,
    OPEN_ID,
    SCOPES,
    SECRET,
    USERNAME,
)
from tests.connectors.tiktok.rig import TikTokRig
from tests.support.frozen_clock import NOON

WEB = "https://goldenhour.example/back"


LOOPBACK = "http://127.0.0.1:8765/back"


class TestSigningIn:
    """The way in, and staying in."""

    def test_a_web_application_asks_with_its_key_and_commas(self, rig: TikTokRig) -> None:
        pending = rig.connector.oauth.begin(Client(CLIENT, SECRET), WEB)

        page, asked = urlsplit(pending.url), parse_qs(urlsplit(pending.url).query)
        assert f"{page.scheme}://{page.netloc}{page.path}" == (
            "https://www.tiktok.com/v2/auth/authorize/"
        )
        assert asked == {
            "client_key": [CLIENT],
            "response_type": ["code"],
            "redirect_uri": [WEB],
            "scope": [SCOPES],
            "state": [pending.state],
        }

    def test_a_desktop_application_proves_itself_in_tiktoks_own_spelling(
        self, rig: TikTokRig
    ) -> None:
        pending = rig.connector.oauth.begin(Client(CLIENT, SECRET), LOOPBACK)

        asked = parse_qs(urlsplit(pending.url).query)
        digest = hashlib.sha256(pending.verifier.encode()).hexdigest()
        assert asked["code_challenge"] == [digest]
        assert asked["code_challenge_method"] == ["S256"]

    @pytest.mark.parametrize("redirect_uri", [WEB, LOOPBACK], ids=["web", "desktop"])
    def test_a_code_becomes_an_account(self, rig: TikTokRig, redirect_uri: str) -> None:
        oauth = rig.connector.oauth
        pending = oauth.begin(Client(CLIENT, SECRET), redirect_uri)
        spelled = CODE.replace("*", "%2A").replace("!", "%21")

        tokens = oauth.finish(
            pending, f"{redirect_uri}?code={spelled}&scopes={SCOPES}&state={pending.state}"
        )
        (identity,) = rig.connector.identities(tokens, rig.clock())

        assert (identity.remote_identity, identity.handle) == (OPEN_ID, USERNAME)
        assert (tokens.access, tokens.refresh) == ("ACT2", "RFT2")
        assert tokens.expires_at == NOON + timedelta(hours=24)
        assert tokens.extra["open_id"] == OPEN_ID
        assert scopes_of(tokens.extra) == set(SCOPES.split(","))

    def test_a_code_that_is_refused_with_a_good_status_is_refused(self, rig: TikTokRig) -> None:
        oauth = rig.connector.oauth
        pending = oauth.begin(Client(CLIENT, SECRET), WEB)

        with pytest.raises(TokenRejectedError):
            oauth.finish(pending, f"{WEB}?code=another&state={pending.state}")

    @pytest.mark.parametrize("withheld", ["video.publish", "user.info.basic"])
    def test_an_account_that_cannot_be_posted_to_is_not_connected(
        self, rig: TikTokRig, withheld: str
    ) -> None:
        granted = ",".join(scope for scope in SCOPES.split(",") if scope != withheld)
        tokens = replace(rig.tokens, extra={**rig.tokens.extra, "scope": granted})

        with pytest.raises(RejectedError) as refused:
            rig.connector.identities(tokens, rig.clock())

        assert refused.value.code is FailureCode.PERMISSION_MISSING
        assert withheld in refused.value.message
        assert rig.platform.calls == []

    def test_a_withheld_profile_leaves_the_display_name(self, rig: TikTokRig) -> None:
        rig.platform.granted = granted = "user.info.basic,video.publish"
        tokens = replace(rig.tokens, extra={**rig.tokens.extra, "scope": granted})

        (identity,) = rig.connector.identities(tokens, rig.clock())

        assert identity.handle == NICKNAME

    def test_each_refresh_brings_the_next_refresh_token(self, rig: TikTokRig) -> None:
        signed = rig.keeper.sign_in(rig.account, rig.connector)

        after = rig.connector.refresh(signed, rig.tokens, rig.clock())

        assert (after.access, after.refresh) == ("ACT2", "RFT2")
        assert after.renew_at == NOON + timedelta(days=30)
        assert after.extra["client_secret"] == SECRET
        with pytest.raises(TokenRejectedError):
            rig.connector.refresh(signed, rig.tokens, rig.clock())

    def test_a_withdrawn_sign_in_breaks_the_account(self, rig: TikTokRig) -> None:
        rig.platform.access, rig.platform.refresh = "ACT8", "RFT8"

        end = rig.drive("video").run()

        assert isinstance(end, Failed)
        assert end.code == FailureCode.AUTH_EXPIRED
        assert rig.store.health is Health.BROKEN


class TestCreator:
    """What a creator may choose."""

    def test_the_creators_answer_becomes_ours(self, rig: TikTokRig) -> None:
        rig.platform.settings["privacy_level_options"] = ["FOLLOWER_OF_CREATOR", "NEW_LEVEL"]
        connector = rig.connector
        assert isinstance(connector, ReadsCreatorOptions)

        creator = connector.read_creator(
            rig.keeper.sign_in(rig.account, rig.connector), rig.clock()
        )

        assert (creator.handle, creator.nickname, creator.can_post) == (USERNAME, NICKNAME, True)
        assert [(level.value, level.label) for level in creator.privacy_levels] == [
            ("FOLLOWER_OF_CREATOR", "Followers"),
            ("NEW_LEVEL", "NEW_LEVEL"),
        ]
        assert creator.max_video_seconds == 600
        allowed = creator.interactions
        assert (allowed.comment, allowed.duet, allowed.stitch) == (True, True, False)
        call = rig.platform.calls[0]
        assert call.headers["authorization"] == "Bearer ACT1"
        assert call.headers["content-type"] == "application/json; charset=UTF-8"

    def test_an_answer_without_data_allows_nothing(self, rig: TikTokRig) -> None:
        rig.platform.cannot_post = "reached_active_user_cap"

        creator = rig.connector.read_creator(
            rig.keeper.sign_in(rig.account, rig.connector), rig.clock()
        )

        assert (creator.can_post, creator.privacy_levels, creator.handle) == (False, (), USERNAME)
        allowed = creator.interactions
        assert (allowed.comment, allowed.duet, allowed.stitch) == (False, False, False)


class TestAnswers:
    """An answer's own code counts, not its HTTP status."""

    @pytest.mark.parametrize(
        ("status", "body", "kind"),
        [
            (200, b'{"error":{"code":"access_token_invalid"}}', TokenRejectedError),
            (200, b'{"error":{"code":"internal_error"}}', UnansweredError),
            (400, b'{"error":{"code":"internal_error"}}', UnansweredError),
            (200, b"<html>", UnansweredError),
            (200, b'{"data":{}}', UnansweredError),
            (200, b'{"error":{"code":"brand_new"}}', UnansweredError),
            (502, b"", UnansweredError),
        ],
    )
    def test_what_an_answer_means(
        self, rig: TikTokRig, status: int, body: bytes, kind: type[PlatformError]
    ) -> None:
        response = PlatformResponse(status=status, headers={}, body=body)

        assert isinstance(rig.connector._api.read_error(response), kind)

    @pytest.mark.parametrize(
        ("named", "waited"), [("7", 60), ("300", 300)], ids=["too short", "long"]
    )
    def test_a_limit_lasts_a_minute_at_least(self, rig: TikTokRig, named: str, waited: int) -> None:
        response = PlatformResponse(
            status=429,
            headers={"Retry-After": named},
            body=b'{"error":{"code":"rate_limit_exceeded"}}',
        )

        error = rig.connector._api.read_error(response)

        assert isinstance(error, RateLimitedError)
        assert error.retry_after == timedelta(seconds=waited)
