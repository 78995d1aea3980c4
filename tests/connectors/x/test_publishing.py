"""The X connector over a strict fake; `test_official.py` holds both against X's own client."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import ClassVar

import pytest

from chalicelib.connectors.shared.auth.oauth import Client
from chalicelib.connectors.shared.calls.failures import TokenRejectedError
from chalicelib.connectors.x.post import LARGEST_PHOTO, LARGEST_VIDEO
from chalicelib.domain.analytics.metrics import Metrics
from chalicelib.domain.outcome import Done, Failed, FailureCode, Outcome
from chalicelib.domain.workspace.accounts import Health
from chalicelib.kit.json_value import Json
from tests.connectors.support.checks import ConnectorChecks
from tests.connectors.support.fake_platform import Fault
from tests.connectors.support.rig import a_photo, a_publication, a_video
from tests.connectors.x.fake import CLIENT_ID, CLIENT_SECRET, USER_ID, USERNAME
from tests.connectors.x.rig import TEXT, XRig, a_rig
from tests.support.frozen_clock import NOON


class TestX(ConnectorChecks):
    """What every connector must pass."""

    biggest: ClassVar[int] = LARGEST_VIDEO

    def make_rig(self) -> XRig:
        return a_rig()


class TestPublishing:
    """What goes over the wire."""

    def test_a_text_goes_out_in_one_call(self, rig: XRig) -> None:
        end = rig.drive("text").run()

        assert isinstance(end, Done)
        assert end.url == f"https://x.com/{USERNAME}/status/{end.remote_id}"
        assert [call.name for call in rig.platform.calls] == ["POST /2/tweets"]
        assert rig.platform.calls[0].json == {"text": TEXT}
        assert rig.platform.calls[0].headers["authorization"] == "Bearer AT1"

    def test_a_photo_is_uploaded_described_and_named_by_its_bare_id(self, rig: XRig) -> None:
        end = rig.drive("photo").run()

        assert isinstance(end, Done)
        upload, describe, post = rig.platform.calls
        file, category = upload.parts
        assert (file.name, file.mime, len(file.content)) == ("media", "image/jpeg", 3_000)
        assert (category.name, category.content) == ("media_category", b"tweet_image")
        media_id = next(iter(rig.platform.uploads.kept))
        about = {"alt_text": {"text": "a rocket on its pad"}}
        assert describe.json == {"id": media_id, "metadata": about}
        assert post.json == {"text": "Launch day", "media": {"media_ids": [media_id]}}

    def test_a_video_goes_up_in_segments_of_a_mebibyte(self, rig: XRig) -> None:
        end = rig.drive("video").run()

        assert isinstance(end, Done)
        media_id, upload = next(iter(rig.platform.uploads.kept.items()))
        base = f"POST /2/media/upload/{media_id}"
        assert [call.name for call in rig.platform.calls] == [
            "POST /2/media/upload/initialize",
            *[f"{base}/append"] * 3,
            f"{base}/finalize",
            "GET /2/media/upload",
            "GET /2/media/upload",
            "POST /2/tweets",
        ]
        assert rig.platform.calls[0].json == {
            "media_type": "video/mp4",
            "total_bytes": 2_500_000,
            "media_category": "tweet_video",
        }
        assert [size for size, _ in upload.segments] == [1_048_576, 1_048_576, 402_848]
        assert rig.platform.calls[5].query == {"command": "STATUS", "media_id": media_id}

    def test_a_segment_that_is_too_large_for_x_goes_up_in_halves(self, rig: XRig) -> None:
        rig.platform.uploads.largest_segment = 524_288

        end = rig.drive("video").run()

        assert isinstance(end, Done)
        upload = next(iter(rig.platform.uploads.kept.values()))
        assert {size for size, _ in upload.segments[:-1]} == {524_288}

    def test_what_x_has_forgotten_is_uploaded_again(self, rig: XRig) -> None:
        drive = rig.drive("photo")
        while drive.checkpoint is None or drive.checkpoint.step != "publish":
            drive._step()
        rig.clock.pass_time(timedelta(hours=24))

        end = drive.run()

        assert isinstance(end, Done)
        assert len(rig.platform.uploads.kept) == 2

    @pytest.mark.parametrize(
        ("name", "code"),
        [
            ("InvalidMedia", FailureCode.MEDIA_REJECTED),
            ("UnsupportedMedia", FailureCode.MEDIA_REJECTED),
            ("InternalError", FailureCode.PROCESSING_FAILED),
        ],
    )
    def test_a_video_that_x_cannot_use_fails_unseen(
        self, rig: XRig, name: str, code: FailureCode
    ) -> None:
        rig.platform.uploads.failure = {"code": 1, "name": name, "message": "No."}

        end = rig.drive("video").run()

        assert isinstance(end, Failed)
        assert end.code is code
        assert rig.platform.posts == {}

    def test_a_repeated_text_is_refused_as_a_duplicate_and_not_adopted(self, rig: XRig) -> None:
        theirs = rig.platform.post_as_a_person(TEXT)

        end = rig.drive("text").run()

        assert isinstance(end, Failed)
        assert end.code is FailureCode.DUPLICATE_CONTENT
        assert list(rig.platform.posts) == [theirs]


class TestOptions:
    """What the options of a target become."""

    def test_every_option_has_its_field(self, rig: XRig) -> None:
        options: dict[str, Json] = {
            "alt": ["a rocket", "unused"],
            "reply_settings": "mentionedUsers",
            "made_with_ai": True,
            "paid_partnership": True,
            "community_id": "123",
            "share_with_followers": True,
            "for_super_followers_only": False,
            "media_title": "Launch",
            "media_description": "Of a rocket",
        }
        rig.shapes = {"photo": a_publication(rig.account, "Launch", a_photo(), options)}

        end = rig.drive("photo").run()

        assert isinstance(end, Done)
        media_id, upload = next(iter(rig.platform.uploads.kept.items()))
        assert upload.alt == "a rocket"
        media = {"media_ids": [media_id], "title": "Launch", "description": "Of a rocket"}
        assert rig.platform.calls[-1].json == {
            "text": "Launch",
            "media": media,
            "reply_settings": "mentionedUsers",
            "community_id": "123",
            "made_with_ai": True,
            "paid_partnership": True,
            "share_with_followers": True,
        }

    def test_a_video_goes_out_without_the_description_that_only_pictures_take(
        self, rig: XRig
    ) -> None:
        end = rig.drive("video").run()

        assert isinstance(end, Done)
        assert "POST /2/media/metadata" not in [call.name for call in rig.platform.calls]

    def test_a_description_that_x_refuses_does_not_cost_the_post(self, rig: XRig) -> None:
        rig.platform.uploads.bad_alt = "a rocket on its pad"

        end = rig.drive("photo").run()

        assert isinstance(end, Done)
        assert end.note == "It went out without the alt text, which X refused."

    @pytest.mark.parametrize(
        ("text", "is_taken"),
        [
            ("$SPY is up", True),
            ("$SPY and $5 of change, US$ and a$AP", True),
            ("$SPY and $QQQ", False),
            ("$BRK.A, again $BRK.A", False),
            # twitter-text, conformance/extract.yml, "cashtags".
            (".$NG .$OK", True),
            ("$TEST. $TEST_", False),
            ("$TEST and -$ONE or $toolong1", True),
        ],
    )
    def test_two_cashtags_are_refused_before_the_clock(
        self, rig: XRig, text: str, *, is_taken: bool
    ) -> None:
        """X answers 403 to more than one, as its page of limits says since 2026."""
        rig.shapes = {"text": a_publication(rig.account, text)}

        end = rig.drive("text").run()

        assert isinstance(end, Done) == is_taken
        assert len(rig.platform.calls) == is_taken

    def test_a_line_ends_as_it_was_counted(self, rig: XRig) -> None:
        """X's twitter-text on npm weighs CR LF as two, our count and X's configuration as one."""
        rig.shapes = {"text": a_publication(rig.account, "Rye\r\nSpelt\nOats")}

        end = rig.drive("text").run()

        assert isinstance(end, Done)
        assert rig.platform.calls[0].json == {"text": "Rye\nSpelt\nOats"}

    def test_everyone_may_reply_by_leaving_the_field_out(self, rig: XRig) -> None:
        rig.shapes = {
            "text": a_publication(rig.account, "Hi", None, {"reply_settings": "everyone"})
        }

        rig.drive("text").run()

        assert rig.platform.calls[0].json == {"text": "Hi"}

    @pytest.mark.parametrize(
        "options",
        [{"share_with_followers": True}, {"media_title": "Launch"}],
        ids=["nothing to share from", "a title of nothing"],
    )
    def test_options_that_do_not_go_together_are_refused_unsent(
        self, rig: XRig, options: dict[str, Json]
    ) -> None:
        outcome = rig.connector.start(a_publication(rig.account, "Hi", None, options))

        assert _code(outcome) is FailureCode.INVALID_OPTIONS
        assert rig.platform.calls == []

    def test_what_is_too_large_is_refused_unsent(self, rig: XRig) -> None:
        for media in (a_photo(LARGEST_PHOTO + 1), a_video(LARGEST_VIDEO + 1)):
            outcome = rig.connector.start(a_publication(rig.account, "Hi", media))

            assert _code(outcome) is FailureCode.MEDIA_TOO_LARGE

    def test_a_byte_order_mark_is_refused_unsent(self, rig: XRig) -> None:
        outcome = rig.connector.start(a_publication(rig.account, "Hi\ufeff"))

        assert _code(outcome) is FailureCode.CAPTION_REJECTED


class TestLivePosts:
    """Removal and metrics."""

    def test_counts_are_read_together_and_what_is_gone_is_none(self, rig: XRig) -> None:
        done = rig.drive("text").run()
        assert isinstance(done, Done)
        here = rig.live(done)

        told = rig.connector.metrics([here, replace(here, remote_id="1")])

        metrics = Metrics(views=950, likes=12, comments=3, shares=5)
        assert told == [metrics, None]
        assert rig.platform.calls[-1].query == {
            "ids": f"{done.remote_id},1",
            "tweet.fields": "public_metrics",
        }

    def test_a_post_that_is_not_ours_to_delete_says_so(self, rig: XRig) -> None:
        done = rig.drive("text").run()
        assert isinstance(done, Done)
        live = replace(rig.live(done), remote_id="not-a-number")

        rig.connector.delete(live)

        assert list(rig.platform.posts) == [done.remote_id]


class TestSigningIn:
    """The way in, and staying in."""

    def test_a_person_signs_in_with_a_code_and_pkce(self, rig: XRig) -> None:
        oauth = rig.connector.oauth
        pending = oauth.begin(Client(CLIENT_ID, CLIENT_SECRET), "http://127.0.0.1:9/back")

        tokens = oauth.finish(
            pending, f"{pending.redirect_uri}?state={pending.state}&code=code-of-nora"
        )
        identity = rig.connector.identities(tokens, rig.clock())[0]

        assert pending.url.startswith("https://x.com/i/oauth2/authorize?")
        assert "code_challenge_method=S256" in pending.url
        assert (identity.remote_identity, identity.handle) == (USER_ID, USERNAME)
        assert tokens.expires_at == NOON + timedelta(hours=2)

    def test_each_refresh_token_works_once(self, rig: XRig) -> None:
        signed = rig.keeper.sign_in(rig.account, rig.connector)

        after = rig.connector.refresh(signed, rig.tokens, rig.clock())

        assert (after.access, after.refresh) == ("AT2", "RT2")
        with pytest.raises(TokenRejectedError):
            rig.connector.refresh(signed, rig.tokens, rig.clock())

    def test_a_withdrawn_sign_in_breaks_the_account(self, rig: XRig) -> None:
        rig.platform.access, rig.platform.refresh = "AT8", "RT8"

        end = rig.drive("text").run()

        assert isinstance(end, Failed)
        assert end.code is FailureCode.AUTH_EXPIRED
        assert rig.store.health is Health.BROKEN

    def test_a_limit_lasts_until_x_resets_it(self, rig: XRig) -> None:
        rig.platform.strike(0, Fault.LIMITED)

        rig.drive("text").run()

        assert rig.clock() >= datetime.fromtimestamp(1795176060, UTC)


def _code(outcome: Outcome) -> str | None:
    return outcome.code if isinstance(outcome, Failed) else None
