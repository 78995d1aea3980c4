"""The X connector over a strict fake; `test_x_official.py` holds both against X's own client."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from chalicelib.connectors.oauth import Client
from chalicelib.connectors.replies import TokenRejectedError
from chalicelib.connectors.x import READ_LAG, XConnector, XHosts
from chalicelib.connectors.x_errors import ERRORS
from chalicelib.connectors.x_post import LARGEST_PHOTO, LARGEST_VIDEO
from chalicelib.domain.accounts import Account, Health
from chalicelib.domain.outcome import (
    Absent,
    Checkpoint,
    Done,
    Failed,
    FailureCode,
    Finding,
    Json,
    Outcome,
    Sent,
    Unknown,
    Wait,
)
from chalicelib.domain.platforms import Platform
from chalicelib.domain.results import Figures
from chalicelib.domain.tokens import Tokens
from tests.connectors.checks import ConnectorChecks, _peak_of_upload
from tests.connectors.fake_platform import Fault
from tests.connectors.fake_x import CLIENT_ID, CLIENT_SECRET, USER_ID, USERNAME, FakeX
from tests.connectors.rig import Rig, a_photo, a_publication, a_video
from tests.frozen_clock import NOON, FrozenClock

TEXT = "Rye & spelt <today> at bakery.com/menu and https://oven.example/"
LOOKED = Checkpoint("publish", {"since": NOON.isoformat(), "looks": 3})
ALT: dict[str, Json] = {"alt": "a rocket on its pad"}


def a_rig() -> Rig:
    """Return the connector over a fake with Nora's account, signed in for two hours."""
    clock = FrozenClock()
    platform = FakeX(clock)
    connector = XConnector(XHosts(x=platform.url), clock=clock)
    account = Account(
        id="0193491b0c4a7b2e9f3a5d6c7e8f9a99",
        workspace_id="0193491b0c4a7b2e9f3a5d6c7e8f9a98",
        platform=Platform.X,
        handle=USERNAME,
        test=False,
        created_at=NOON,
        remote_identity=USER_ID,
        token_version=1,
    )
    tokens = Tokens(
        access="AT1",
        refresh="RT1",
        expires_at=NOON + timedelta(days=2),
        extra={"client_id": CLIENT_ID, "client_secret": CLIENT_SECRET},
    )
    shapes = {
        "text": a_publication(account, TEXT),
        "photo": a_publication(account, "Launch day", a_photo(), ALT),
        "wordless": a_publication(account, "", a_photo()),
        "video": a_publication(account, "Launch day", a_video(), ALT),
    }
    return Rig(
        connector=connector,
        platform=platform,
        tokens=tokens,
        shapes=shapes,
        clock=clock,
        account=account,
        secrets=["Bearer AT", "RT1", "RT2", CLIENT_SECRET],
        http=connector._http,
        refusals={code: _refusal(code) for code in ERRORS},
    )


def _refusal(code: str) -> tuple[int, Mapping[str, str], bytes]:
    """Spell a row as X does: a number, a blamed field, a problem, a sentence or a bare status."""
    first, _, rest = code.partition(" ")
    if code in {"InvalidMedia", "UnsupportedMedia", "processing failed"}:
        info = {"state": "failed", "error": {"code": 1, "name": code, "message": "No."}}
        return 200, {}, json.dumps({"data": {"id": "1", "processing_info": info}}).encode()
    if first == "400" and rest:
        errors = [{"message": "No.", "parameters": {f"$.{rest}": ["it"]}}]
        kind = "https://api.x.com/2/problems/invalid-request"
        return 400, {}, json.dumps({"errors": errors, "type": kind}).encode()
    if first == "403" and rest:
        said = {"detail": f"{rest}.", "type": "about:blank", "title": "Forbidden", "status": 403}
        return 403, {}, json.dumps(said).encode()
    if not code.isdigit():
        kind = f"https://api.twitter.com/2/problems/{code}"
        return 403, {}, json.dumps({"type": kind, "title": "Forbidden"}).encode()
    if int(code) in {400, 401, 402, 403, 413}:
        return int(code), {}, b"" if code == "413" else b'{"type":"about:blank"}'
    return 403, {}, json.dumps({"errors": [{"code": int(code), "message": "No."}]}).encode()


@pytest.fixture
def rig() -> Iterator[Rig]:
    made = a_rig()
    yield made
    made.platform.close()


def _fake(rig: Rig) -> FakeX:
    assert isinstance(rig.platform, FakeX)
    return rig.platform


class TestX(ConnectorChecks):
    """What every connector must pass."""

    def make_rig(self) -> Rig:
        return a_rig()

    @pytest.mark.prove
    def test_a_gigabyte_takes_no_more_memory(self, rigs: object) -> None:
        """X takes half of one at most."""
        del rigs
        rig = a_rig()

        peak = _peak_of_upload(rig, "video", LARGEST_VIDEO)

        rig.platform.close()
        assert len(rig.platform.posts) == 1
        assert peak < 24_000_000


class TestPublishing:
    """What goes over the wire."""

    def test_a_text_goes_out_in_one_call(self, rig: Rig) -> None:
        end = rig.drive("text").run()

        assert isinstance(end, Done)
        assert end.url == f"https://x.com/{USERNAME}/status/{end.remote_id}"
        assert [call.name for call in rig.platform.calls] == ["POST /2/tweets"]
        assert rig.platform.calls[0].json == {"text": TEXT}
        assert rig.platform.calls[0].headers["authorization"] == "Bearer AT1"

    def test_a_photo_is_uploaded_described_and_named_by_its_bare_id(self, rig: Rig) -> None:
        end = rig.drive("photo").run()

        assert isinstance(end, Done)
        upload, describe, post = rig.platform.calls
        file, category = upload.parts
        assert (file.name, file.mime, len(file.content)) == ("media", "image/jpeg", 3_000)
        assert (category.name, category.content) == ("media_category", b"tweet_image")
        media_id = next(iter(_fake(rig).uploads.kept))
        about = {"alt_text": {"text": "a rocket on its pad"}}
        assert describe.json == {"id": media_id, "metadata": about}
        assert post.json == {"text": "Launch day", "media": {"media_ids": [media_id]}}

    def test_a_video_goes_up_in_segments_of_a_mebibyte(self, rig: Rig) -> None:
        end = rig.drive("video").run()

        assert isinstance(end, Done)
        media_id, upload = next(iter(_fake(rig).uploads.kept.items()))
        base = f"POST /2/media/upload/{media_id}"
        assert [call.name for call in rig.platform.calls] == [
            "POST /2/media/upload/initialize",
            *[f"{base}/append"] * 3,
            f"{base}/finalize",
            "GET /2/media/upload",
            "GET /2/media/upload",
            "POST /2/media/metadata",
            "POST /2/tweets",
        ]
        assert rig.platform.calls[0].json == {
            "media_type": "video/mp4",
            "total_bytes": 2_500_000,
            "media_category": "tweet_video",
        }
        assert [size for size, _ in upload.segments] == [1_048_576, 1_048_576, 402_848]
        assert rig.platform.calls[5].query == {"command": "STATUS", "media_id": media_id}

    def test_a_segment_that_is_too_large_for_x_goes_up_in_halves(self, rig: Rig) -> None:
        _fake(rig).uploads.largest_segment = 524_288

        end = rig.drive("video").run()

        assert isinstance(end, Done)
        upload = next(iter(_fake(rig).uploads.kept.values()))
        assert {size for size, _ in upload.segments[:-1]} == {524_288}

    def test_what_x_has_forgotten_is_uploaded_again(self, rig: Rig) -> None:
        drive = rig.drive("photo")
        while drive.checkpoint is None or drive.checkpoint.step != "publish":
            drive._step()
        rig.clock.pass_time(timedelta(hours=24))

        end = drive.run()

        assert isinstance(end, Done)
        assert len(_fake(rig).uploads.kept) == 2

    @pytest.mark.parametrize(
        ("name", "code"),
        [
            ("InvalidMedia", FailureCode.MEDIA_REJECTED),
            ("UnsupportedMedia", FailureCode.MEDIA_REJECTED),
            ("InternalError", FailureCode.PROCESSING_FAILED),
        ],
    )
    def test_a_video_that_x_cannot_use_fails_unseen(
        self, rig: Rig, name: str, code: FailureCode
    ) -> None:
        _fake(rig).uploads.failure = {"code": 1, "name": name, "message": "No."}

        end = rig.drive("video").run()

        assert isinstance(end, Failed)
        assert end.code is code
        assert rig.platform.posts == {}

    def test_a_repeated_text_is_refused_as_a_duplicate_and_not_adopted(self, rig: Rig) -> None:
        theirs = _fake(rig).post_as_a_person(TEXT)

        end = rig.drive("text").run()

        assert isinstance(end, Failed)
        assert end.code is FailureCode.DUPLICATE_CONTENT
        assert list(rig.platform.posts) == [theirs]


class TestOptions:
    """What the options of a target become."""

    def test_every_option_has_its_field(self, rig: Rig) -> None:
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
        rig.shapes = {"video": a_publication(rig.account, "Launch", a_video(), options)}

        end = rig.drive("video").run()

        assert isinstance(end, Done)
        media_id, upload = next(iter(_fake(rig).uploads.kept.items()))
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

    def test_everyone_may_reply_by_leaving_the_field_out(self, rig: Rig) -> None:
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
        self, rig: Rig, options: dict[str, Json]
    ) -> None:
        outcome = rig.connector.start(a_publication(rig.account, "Hi", None, options))

        assert _code(outcome) is FailureCode.INVALID_OPTIONS
        assert rig.platform.calls == []

    def test_what_is_too_large_is_refused_unsent(self, rig: Rig) -> None:
        for media in (a_photo(LARGEST_PHOTO + 1), a_video(LARGEST_VIDEO + 1)):
            outcome = rig.connector.start(a_publication(rig.account, "Hi", media))

            assert _code(outcome) is FailureCode.MEDIA_TOO_LARGE

    def test_a_byte_order_mark_is_refused_unsent(self, rig: Rig) -> None:
        outcome = rig.connector.start(a_publication(rig.account, "Hi\ufeff"))

        assert _code(outcome) is FailureCode.CAPTION_REJECTED


class TestLooking:
    """What `confirm` answers."""

    def test_a_lost_text_is_found_by_what_x_made_of_it(self, rig: Rig) -> None:
        rig.platform.strike(0, Fault.DROP_AFTER)

        end = rig.drive("text").run()

        assert isinstance(end, Done)
        assert [end.remote_id] == list(rig.platform.posts)
        look = rig.platform.calls[-1]
        assert look.name == f"GET /2/users/{USER_ID}/tweets"
        assert look.query["start_time"] == "2026-11-20T11:59:00Z"

    def test_looks_come_after_one_then_six_then_twenty_one_seconds(self, rig: Rig) -> None:
        checkpoint = Checkpoint("publish")
        delays = []
        for _ in range(3):
            found = _confirm(rig, "text", checkpoint, after=timedelta(seconds=1))
            assert isinstance(found, Wait)
            checkpoint = found.checkpoint
            delays.append(found.delay.total_seconds())

        assert delays == [5, 15, 40]

    def test_a_post_is_absent_only_after_deadline_and_lag(self, rig: Rig) -> None:
        early = _confirm(rig, "text", LOOKED, after=timedelta(seconds=89))
        late = _confirm(rig, "text", LOOKED, after=timedelta(seconds=30) + READ_LAG)

        assert isinstance(early, Wait)
        assert early.delay == timedelta(seconds=1)
        assert late == Absent()

    def test_a_post_beyond_the_lag_is_still_not_sent_twice(self, rig: Rig) -> None:
        _fake(rig).lag = timedelta(minutes=3)
        rig.platform.strike(0, Fault.DROP_AFTER)

        end = rig.drive("text").run()

        assert isinstance(end, Done)
        assert [end.remote_id] == list(rig.platform.posts)

    def test_a_duplicate_that_never_shows_is_not_called_absent(self, rig: Rig) -> None:
        data: dict[str, Json] = {"duplicate": True, "since": NOON.isoformat()}

        found = _confirm(rig, "text", Checkpoint("publish", data), after=timedelta(minutes=5))

        assert found == Unknown()

    def test_what_went_to_a_community_alone_is_not_called_absent(self, rig: Rig) -> None:
        rig.shapes = {"text": a_publication(rig.account, TEXT, None, {"community_id": "123"})}

        found = _confirm(rig, "text", LOOKED, after=timedelta(minutes=5))

        assert found == Unknown()

    def test_a_file_is_known_by_its_key_whatever_the_text(self, rig: Rig) -> None:
        fake = _fake(rig)
        fake.post_as_a_person("Launch day", "3_41")
        ours = fake.post_as_a_person("Launch day!", "3_42")
        data: dict[str, Json] = {"media_key": "3_42"}

        found = _confirm(rig, "photo", Checkpoint("publish", data))

        assert isinstance(found, Done)
        assert found.remote_id == ours

    @pytest.mark.parametrize(
        "theirs",
        [
            "Rye & spelt <today> at bakery.com/menu and https://oven.example/other",
            "Rye & spelt <today> at bakery.com/menu",
            "Rye &amp; spelt <today> at bakery.com/menu and https://oven.example/",
        ],
        ids=["another link", "a link less", "another sign"],
    )
    def test_a_text_that_is_only_like_ours_is_not_ours(self, rig: Rig, theirs: str) -> None:
        _fake(rig).post_as_a_person(theirs)

        assert isinstance(_confirm(rig, "text"), Wait)

    def test_a_text_with_somebody_elses_photo_is_not_ours(self, rig: Rig) -> None:
        _fake(rig).post_as_a_person(TEXT, "3_41")

        assert isinstance(_confirm(rig, "text"), Wait)

    @pytest.mark.parametrize("shape", ["text", "photo", "wordless", "video"])
    def test_after_a_restore_a_post_is_found_by_its_text(self, rig: Rig, shape: str) -> None:
        before = rig.drive(shape).run()
        assert isinstance(before, Done)

        found = _confirm(rig, shape, Checkpoint("restored"), after=timedelta(minutes=1))

        assert found == before

    def test_after_a_restore_what_was_not_sent_is_absent(self, rig: Rig) -> None:
        _fake(rig).post_as_a_person("Something else")

        first = _confirm(rig, "text", Checkpoint("restored"), after=timedelta(hours=1))
        assert isinstance(first, Wait)
        second = _confirm(rig, "text", first.checkpoint, after=timedelta(hours=1))

        assert second == Absent()

    def test_even_a_late_first_look_marks_the_doubt(self, rig: Rig) -> None:
        """So that a refusal as a duplicate is then read as proof that the first call arrived."""
        found = _confirm(rig, "text", after=timedelta(hours=1))

        assert isinstance(found, Wait)
        assert found.checkpoint.data["since"] == NOON.isoformat()

    def test_a_long_timeline_is_read_page_by_page(self, rig: Rig) -> None:
        fake = _fake(rig)
        fake.page = 2
        ours = fake.post_as_a_person(TEXT)
        for number in range(4):
            fake.post_as_a_person(f"Number {number}")

        found: Finding = Wait(Checkpoint("restored"))
        for _ in range(3):
            assert isinstance(found, Wait)
            found = _confirm(rig, "text", found.checkpoint, after=timedelta(hours=1))

        assert isinstance(found, Done)
        assert found.remote_id == ours


class TestLivePosts:
    """Removal and metrics."""

    def test_counts_are_read_together_and_what_is_gone_is_none(self, rig: Rig) -> None:
        done = rig.drive("text").run()
        assert isinstance(done, Done)
        here = rig.live(done)

        told = _x(rig).metrics([here, replace(here, remote_id="1")])

        figures = Figures(views=950, likes=12, comments=3, shares=5)
        assert told == [figures, None]
        assert rig.platform.calls[-1].query == {
            "ids": f"{done.remote_id},1",
            "tweet.fields": "public_metrics",
        }

    def test_a_post_that_is_not_ours_to_delete_says_so(self, rig: Rig) -> None:
        done = rig.drive("text").run()
        assert isinstance(done, Done)
        live = replace(rig.live(done), remote_id="not-a-number")

        _x(rig).delete(live)

        assert list(rig.platform.posts) == [done.remote_id]


class TestSigningIn:
    """The way in, and staying in."""

    def test_a_person_signs_in_with_a_code_and_pkce(self, rig: Rig) -> None:
        oauth = _x(rig).oauth
        pending = oauth.begin(Client(CLIENT_ID, CLIENT_SECRET), "http://127.0.0.1:9/back")

        tokens = oauth.finish(
            pending, f"{pending.redirect_uri}?state={pending.state}&code=code-of-nora"
        )
        identity = _x(rig).identities(tokens, rig.clock())[0]

        assert pending.url.startswith("https://x.com/i/oauth2/authorize?")
        assert "code_challenge_method=S256" in pending.url
        assert (identity.remote_identity, identity.handle) == (USER_ID, USERNAME)
        assert tokens.expires_at == NOON + timedelta(hours=2)

    def test_each_refresh_token_works_once(self, rig: Rig) -> None:
        signed = rig.keeper.signed(rig.account, rig.connector)

        after = _x(rig).refresh(signed, rig.tokens, rig.clock())

        assert (after.access, after.refresh) == ("AT2", "RT2")
        with pytest.raises(TokenRejectedError):
            _x(rig).refresh(signed, rig.tokens, rig.clock())

    def test_a_withdrawn_sign_in_breaks_the_account(self, rig: Rig) -> None:
        _fake(rig).access, _fake(rig).refresh = "AT8", "RT8"

        end = rig.drive("text").run()

        assert isinstance(end, Failed)
        assert end.code is FailureCode.AUTH_EXPIRED
        assert rig.store.health is Health.BROKEN

    def test_a_limit_lasts_until_x_resets_it(self, rig: Rig) -> None:
        rig.platform.strike(0, Fault.LIMITED)

        rig.drive("text").run()

        assert rig.clock() >= datetime.fromtimestamp(1795176060, UTC)


def _x(rig: Rig) -> XConnector:
    assert isinstance(rig.connector, XConnector)
    return rig.connector


def _code(outcome: Outcome) -> str | None:
    return outcome.code if isinstance(outcome, Failed) else None


def _confirm(
    rig: Rig,
    shape: str,
    checkpoint: Checkpoint | None = None,
    *,
    after: timedelta = timedelta(seconds=2),
) -> Finding:
    publication = rig.shapes[shape]
    account = rig.keeper.signed(rig.account, rig.connector)
    asked = replace(publication, account=account, now=NOON + after)
    rig.clock.now = NOON + after
    sent = Sent(text=publication.text, media_ids=(), at=NOON)
    return rig.connector.confirm(asked, checkpoint or Checkpoint("publish"), sent)
