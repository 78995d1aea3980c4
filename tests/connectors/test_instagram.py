"""The Instagram connector over a strict fake, for both kinds of sign-in."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest

from chalicelib.connectors.connector import Deletes, LivePost
from chalicelib.connectors.instagram.connector import InstagramConnector
from chalicelib.connectors.instagram.post import LARGEST_PHOTO
from chalicelib.connectors.oauth import Client
from chalicelib.domain.accounts import Health
from chalicelib.domain.outcome import (
    Absent,
    Checkpoint,
    Done,
    Failed,
    FailureCode,
    Finding,
    Json,
    Sent,
    Unknown,
    Wait,
)
from chalicelib.domain.results import Figures
from tests.connectors.checks import ConnectorChecks
from tests.connectors.fake_instagram import CLIENT, CODE, HANDLE, LIFE, PAGE, SECRET, USER
from tests.connectors.fake_instagram import FakeInstagram as Fake
from tests.connectors.fake_platform import Fault
from tests.connectors.instagram_rig import PERSON, TEXT, a_rig
from tests.connectors.rig import PatternSource, Rig, a_photo
from tests.frozen_clock import NOON

IG, FB = "/ig/v25.0", "/fb/v25.0"
CONTAINER, MEDIA = "18000000000000055", "17900000000000077"


@pytest.fixture
def rig() -> Iterator[Rig]:
    made = a_rig()
    yield made
    made.platform.close()


@pytest.fixture
def page_rig() -> Iterator[Rig]:
    """Return an account behind a Facebook Page."""
    made = a_rig(by_facebook=True)
    yield made
    made.platform.close()


def _fake(rig: Rig) -> Fake:
    assert isinstance(rig.platform, Fake)
    return rig.platform


def _instagram(rig: Rig) -> InstagramConnector:
    assert isinstance(rig.connector, InstagramConnector)
    return rig.connector


class TestByInstagram(ConnectorChecks):
    """What every connector must pass, at graph.instagram.com."""

    def make_rig(self) -> Rig:
        return a_rig()

    def big_uploads(self, rig: Rig) -> dict[str, int]:
        """Instagram fetches files here; nothing is sent."""
        del rig
        return {}


class TestByFacebook(ConnectorChecks):
    """What every connector must pass, at graph.facebook.com, with reels sent to rupload."""

    biggest = 300_000_000

    def make_rig(self) -> Rig:
        return a_rig(by_facebook=True)


def _names(rig: Rig) -> list[str]:
    return [call.name for call in rig.platform.calls]


def test_a_reel_goes_the_way_of_the_published_exchange(rig: Rig) -> None:
    end = rig.drive("video").run()

    assert _names(rig) == [
        f"POST {IG}/{USER}/media",
        f"GET {IG}/{CONTAINER}",
        f"GET {IG}/{CONTAINER}",
        f"GET {IG}/{USER}/content_publishing_limit",
        f"POST {IG}/{USER}/media_publish",
        f"GET {IG}/{MEDIA}",
    ]
    create, publish = rig.platform.calls[0], rig.platform.calls[4]
    assert create.headers["authorization"] == "Bearer IGTOK"
    assert create.json == {
        "media_type": "REELS",
        "video_url": "https://media.example/oven.mp4",
        "caption": TEXT,
        "share_to_feed": True,
    }
    assert publish.json == {"creation_id": CONTAINER}
    assert end == Done(remote_id=MEDIA, url="https://www.instagram.com/reel/DAbc77/")


def test_a_reel_of_an_account_behind_a_page_is_sent_and_not_fetched(page_rig: Rig) -> None:
    page_rig.drive("video").run()

    create, upload = page_rig.platform.calls[:2]
    assert create.json["upload_type"] == "resumable"
    assert upload.name == f"POST /up/ig-api-upload/v25.0/{CONTAINER}"
    assert upload.headers["authorization"] == "OAuth IGTOK"
    assert (upload.headers["offset"], upload.headers["file_size"]) == ("0", "2500000")
    video = page_rig.shapes["video"].media
    assert video is not None
    assert _fake(page_rig).containers[CONTAINER]["bytes"] == (video.size_bytes, upload.digest)


def test_an_upload_whose_answer_was_lost_goes_into_a_new_container(page_rig: Rig) -> None:
    page_rig.platform.strike(1, Fault.DROP_AFTER)

    end = page_rig.drive("video").run()

    assert isinstance(end, Done)
    assert (len(_fake(page_rig).containers), len(page_rig.platform.posts)) == (2, 1)


def test_options_of_a_reel_become_fields(rig: Rig) -> None:
    options: dict[str, Json] = {
        "post_type": "reel",
        "share_to_feed": False,
        "cover_offset_ms": 1500,
        "collaborators": ["pia"],
        "user_tags": [{"username": "nora", "x": 0.5, "y": 0.5}],
        "trial_reel": "MANUAL",
        "is_ai_generated": True,
        "alt_text": "photos only",
        "location_id": "accounts behind a Page only",
    }
    rig.shapes = {"video": replace(rig.shapes["video"], options=options)}

    rig.drive("video").run()

    assert rig.platform.calls[0].json == {
        "media_type": "REELS",
        "video_url": "https://media.example/oven.mp4",
        "caption": TEXT,
        "share_to_feed": False,
        "thumb_offset": 1500,
        "trial_params": {"graduation_strategy": "MANUAL"},
        "collaborators": ["pia"],
        "is_ai_generated": True,
        "user_tags": [{"username": "nora"}],
    }


def test_an_account_behind_a_page_can_tag_a_place(page_rig: Rig) -> None:
    options: dict[str, Json] = {"location_id": "99"}
    page_rig.shapes = {"photo": replace(page_rig.shapes["photo"], options=options)}

    page_rig.drive("photo").run()

    assert page_rig.platform.calls[0].name == f"POST {FB}/{USER}/media"
    assert page_rig.platform.calls[0].json["location_id"] == "99"


def test_a_story_has_no_caption(rig: Rig) -> None:
    end = rig.drive("story").run()

    assert rig.platform.calls[0].json == {
        "media_type": "STORIES",
        "image_url": "https://media.example/photo.jpg",
    }
    assert isinstance(end, Done)


def test_a_first_comment_follows_the_post_once(rig: Rig) -> None:
    end = rig.drive("commented").run()

    assert isinstance(end, Done)
    assert _fake(rig).comments == ["Recipe below"]


@pytest.mark.parametrize("fault", [Fault.DROP_AFTER, Fault.DROP_BEFORE, Fault.ERROR_AFTER])
def test_a_first_comment_that_is_lost_never_harms_the_post(rig: Rig, fault: Fault) -> None:
    rig.platform.strike(6, fault)

    end = rig.drive("commented").run()

    assert isinstance(end, Done)
    assert rig.platform.calls[6].path.endswith("/comments")
    assert len(_fake(rig).comments) == (0 if fault is Fault.DROP_BEFORE else 1)


def test_a_file_without_a_public_address_fails_at_once(rig: Rig) -> None:
    video = rig.shapes["video"].media
    assert video is not None
    hidden = replace(video, source=PatternSource(video.size_bytes, link=None))
    rig.shapes = {"video": replace(rig.shapes["video"], media=hidden)}

    end = rig.drive("video").run()

    assert isinstance(end, Failed)
    assert (end.code, end.is_transient) == (FailureCode.MEDIA_UNAVAILABLE, False)
    assert "GOLDENHOUR_PUBLIC_URL" in end.message
    assert rig.platform.calls == []


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"media": a_photo(LARGEST_PHOTO + 1)}, FailureCode.MEDIA_TOO_LARGE),
        ({"media": replace(a_photo(), mime="image/png")}, FailureCode.MEDIA_REJECTED),
        ({"options": {"user_tags": [{"username": "nora"}]}}, FailureCode.INVALID_OPTIONS),
    ],
    ids=["too large", "no JPEG", "a tag without a place"],
)
def test_what_instagram_does_not_take_is_refused_without_a_call(
    rig: Rig, change: dict[str, object], code: FailureCode
) -> None:
    rig.shapes = {"photo": replace(rig.shapes["photo"], **change)}  # type: ignore[arg-type]

    end = rig.drive("photo").run()

    assert isinstance(end, Failed)
    assert (end.code, rig.platform.calls) == (code, [])


def _error(subcode: int) -> dict[str, Json]:
    text = f"Error: Media upload has failed with error code {subcode}"
    return {"status_code": "ERROR", "status": text}


@pytest.mark.parametrize(
    ("failures", "code"),
    [
        ([_error(2207026)], FailureCode.MEDIA_REJECTED),
        ([{"status": _error(2207026)["status"]}], FailureCode.MEDIA_REJECTED),
        ([_error(2207053)] * 2, FailureCode.PROCESSING_FAILED),
        ([_error(2207999)] * 2, FailureCode.PROCESSING_FAILED),
        ([{"status_code": "EXPIRED"}] * 2, FailureCode.PROCESSING_FAILED),
        ([_error(2207003)] * 2, FailureCode.MEDIA_UNAVAILABLE),
    ],
    ids=["format", "no status_code", "server", "unlisted", "expired", "download"],
)
def test_a_container_that_fails_for_good_fails_the_post(
    rig: Rig, failures: list[dict[str, Json]], code: FailureCode
) -> None:
    made = len(failures)
    _fake(rig).failures = failures

    end = rig.drive("video").run()

    assert isinstance(end, Failed)
    assert (end.code, end.is_transient) == (code, False)
    assert (len(_fake(rig).containers), rig.platform.posts) == (made, {})


def test_a_container_that_cannot_be_read_at_first_is_read_again(rig: Rig) -> None:
    _fake(rig).unreadable = 2

    end = rig.drive("photo").run()

    assert isinstance(end, Done)
    assert len(_fake(rig).containers) == 1


@pytest.mark.parametrize(
    "full",
    [{"quota_usage": 100, "config": {"quota_total": 100}}, {"quota_usage": 50}],
    ids=["as told", "fifty where no total is told"],
)
def test_a_full_quota_is_waited_for_before_anything_is_shown(
    rig: Rig, full: dict[str, Json]
) -> None:
    _fake(rig).quota = full
    drive = rig.drive("photo")
    while "quota" not in " ".join(drive.seen):
        assert drive._step() is None
    _fake(rig).quota = {"quota_usage": 1, "config": {"quota_total": 100}}

    end = drive.run()

    assert isinstance(end, Done)
    assert rig.clock() - NOON > timedelta(minutes=60)


@pytest.mark.parametrize(
    ("errors", "containers"),
    [([(9007, 2207027)] * 2, 1), ([(24, 2207008)] * 4, 2), ([(24, 2207006)], 2)],
    ids=["too early", "not known", "gone"],
)
def test_a_container_that_cannot_be_published_yet_is_looked_at_or_made_again(
    rig: Rig, errors: list[tuple[int, int]], containers: int
) -> None:
    _fake(rig).publish_errors = errors

    end = rig.drive("photo").run()

    assert isinstance(end, Done)
    assert (len(rig.platform.posts), len(_fake(rig).containers)) == (1, containers)


def test_a_block_that_took_the_post_all_the_same_ends_published(rig: Rig) -> None:
    _fake(rig).publish_errors, _fake(rig).taken_anyway = [(4, 2207051)], True

    end = rig.drive("photo").run()

    assert isinstance(end, Done)
    assert list(rig.platform.posts) == [end.remote_id]


def test_a_block_is_believed_after_a_look_and_nothing_is_sent_again(rig: Rig) -> None:
    _fake(rig).publish_errors = [(4, 2207051)]

    end = rig.drive("photo").run()

    assert isinstance(end, Failed)
    assert end.code == FailureCode.ACCOUNT_RESTRICTED
    sent = [name for name in _names(rig) if name.endswith("media_publish")]
    assert (len(sent), rig.platform.posts) == (1, {})


def test_a_day_that_is_used_up_after_all_is_waited_for(rig: Rig) -> None:
    _fake(rig).publish_errors = [(9, 2207042)]

    end = rig.drive("photo").run()

    assert isinstance(end, Done)
    assert rig.clock() - NOON > timedelta(hours=6)


def _confirm(rig: Rig, shape: str, after: timedelta, checkpoint: Checkpoint) -> Finding:
    rig.clock.now = NOON + after
    publication = replace(rig.shapes[shape], now=NOON + after)
    account = rig.keeper.signed(rig.account, rig.connector)
    sent = Sent(text=publication.text, media_ids=(), at=NOON)
    return rig.connector.confirm(replace(publication, account=account), checkpoint, sent)


def _at_publish(rig: Rig, shape: str = "photo", *, done: bool) -> Checkpoint:
    """Come to the visible step, make it if `done`, and return the checkpoint before it."""
    drive = rig.drive(shape)
    while drive.checkpoint is None or drive.checkpoint.step != "publish":
        assert drive._step() is None
    left = drive.checkpoint
    if done:
        assert drive._step() is None
    return left


def test_a_container_that_was_not_published_is_waited_for_and_then_absent(rig: Rig) -> None:
    checkpoint = _at_publish(rig, done=False)

    early = _confirm(rig, "photo", timedelta(seconds=89), checkpoint)
    late = _confirm(rig, "photo", timedelta(seconds=90), checkpoint)

    assert isinstance(early, Wait)
    assert late == Absent()


def test_a_published_container_is_waited_for_in_the_list(rig: Rig) -> None:
    checkpoint = _at_publish(rig, done=True)
    _fake(rig).unlisted = True

    early = _confirm(rig, "photo", timedelta(minutes=4), checkpoint)
    late = _confirm(rig, "photo", timedelta(minutes=5), checkpoint)

    assert isinstance(early, Wait)
    profile = f"https://www.instagram.com/{HANDLE}/"
    assert late == Done(remote_id=f"container:{CONTAINER}", url=profile)


def test_a_story_of_ours_is_the_one_since_its_container_says_published(rig: Rig) -> None:
    checkpoint = _at_publish(rig, "story", done=True)

    by_container = _confirm(rig, "story", timedelta(minutes=2), checkpoint)
    restored = _confirm(rig, "story", timedelta(minutes=2), Checkpoint("restored"))

    assert isinstance(by_container, Done)
    assert restored == Unknown()


def test_a_look_after_a_restore_finds_the_post_by_caption_and_time(rig: Rig) -> None:
    _at_publish(rig, done=True)

    found = _confirm(rig, "photo", timedelta(minutes=2), Checkpoint("restored"))
    other_kind = _confirm(rig, "video", timedelta(minutes=2), Checkpoint("restored"))

    assert isinstance(found, Done)
    assert (found.remote_id, other_kind) == (MEDIA, Absent())


def test_two_posts_that_could_be_ours_cannot_be_told_apart(rig: Rig) -> None:
    _at_publish(rig, done=True)
    _at_publish(rig, done=True)

    assert _confirm(rig, "photo", timedelta(minutes=2), Checkpoint("restored")) == Unknown()


def _live(rig: Rig, shape: str = "video") -> LivePost:
    end = rig.drive(shape).run()
    assert isinstance(end, Done)
    return rig.live(end)


def test_a_reel_tells_no_followers_and_a_photo_does(rig: Rig) -> None:
    reel, photo = _live(rig, "video"), _live(rig, "photo")

    told = _instagram(rig).metrics([reel, photo])

    seen = Figures(views=321, likes=20, comments=4, shares=2)
    assert told == [seen, replace(seen, followers=5)]


def test_one_metric_that_instagram_refuses_costs_only_itself(rig: Rig) -> None:
    live = _live(rig)
    _fake(rig).dead_metrics = {"shares", "likes"}

    (told,) = _instagram(rig).metrics([live])

    assert told == Figures(views=321, likes=20, comments=4)


def test_a_post_that_is_gone_has_no_figures(rig: Rig) -> None:
    live = _live(rig)
    rig.platform.posts.clear()

    assert _instagram(rig).metrics([live]) == [None]


def test_posts_cannot_be_deleted(rig: Rig) -> None:
    assert not isinstance(rig.connector, Deletes)


def test_signing_in_by_instagram_brings_a_token_of_sixty_days(rig: Rig) -> None:
    connector = _instagram(rig)
    pending = connector.oauth.begin(Client(CLIENT, SECRET), "https://goldenhour.example/back")

    tokens = connector.oauth.finish(
        pending, f"https://goldenhour.example/back?code={CODE}&state={pending.state}#_"
    )
    (identity,) = connector.identities(tokens, NOON)

    assert pending.url.startswith("https://www.instagram.com/oauth/authorize?")
    assert (identity.remote_identity, identity.handle) == (USER, HANDLE)
    assert identity.settings == {"login": "instagram"}
    assert identity.tokens.access == identity.tokens.refresh == _fake(rig).token
    assert identity.tokens.expires_at == NOON + LIFE


def test_signing_in_by_facebook_brings_the_accounts_behind_the_pages(page_rig: Rig) -> None:
    way = _instagram(page_rig).by_facebook
    pending = way.oauth.begin(Client(CLIENT, SECRET), "https://goldenhour.example/back")

    tokens = way.oauth.finish(
        pending, f"https://goldenhour.example/back?code={CODE}&state={pending.state}"
    )
    (identity,) = way.identities(tokens, NOON)

    assert pending.url.startswith("https://www.facebook.com/v25.0/dialog/oauth?")
    assert (identity.remote_identity, identity.handle) == (USER, HANDLE)
    assert identity.settings == {"login": "facebook", "page_id": PAGE}
    assert (identity.tokens.access, identity.tokens.refresh) == ("IGTOK", PERSON)
    assert identity.tokens.expires_at is None


def test_a_token_is_renewed_at_half_its_life(rig: Rig) -> None:
    rig.clock.pass_time(timedelta(days=21))

    end = rig.drive("photo").run()

    assert isinstance(end, Done)
    assert rig.store.history == ["IGTOK-2"]


def test_a_pages_token_that_cannot_be_had_anew_breaks_the_account(page_rig: Rig) -> None:
    _fake(page_rig).tokens = ["somebody else's"]
    _fake(page_rig).person_is_in = False

    end = page_rig.drive("photo").run()

    assert isinstance(end, Failed)
    assert end.code == FailureCode.AUTH_EXPIRED
    assert page_rig.store.health is Health.BROKEN
