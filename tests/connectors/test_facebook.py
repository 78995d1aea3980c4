"""The Facebook connector over a strict fake: what it sends, and what becomes of lost answers."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest

from chalicelib.connectors.facebook.connector import LARGEST_PHOTO, FacebookConnector
from chalicelib.connectors.facebook.post import Route, route_of
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
from tests.connectors.facebook_rig import TEXT, a_rig
from tests.connectors.fake_facebook import CLIENT, CODE, HANDLE, PAGE, PERSON, SECRET, FakeFacebook
from tests.connectors.fake_platform import Fault
from tests.connectors.rig import Rig, a_photo, a_video
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


def _fake(rig: Rig) -> FakeFacebook:
    assert isinstance(rig.platform, FakeFacebook)
    return rig.platform


def _facebook(rig: Rig) -> FacebookConnector:
    assert isinstance(rig.connector, FacebookConnector)
    return rig.connector


class TestPosts(ConnectorChecks):
    """What every connector must pass, for text, photos and stories."""

    def make_rig(self) -> Rig:
        return a_rig()


class TestVideos(ConnectorChecks):
    """What every connector must pass, for reels and videos in chunks."""

    def make_rig(self) -> Rig:
        return a_rig(videos=True)

    def big_uploads(self, rig: Rig) -> dict[str, int]:
        return dict.fromkeys(rig.shapes, 200_000_000)


def _names(rig: Rig) -> list[str]:
    return [
        call.name.replace(API, "").replace(f"/{PAGE}/", "/page/") for call in rig.platform.calls
    ]


def test_a_photo_goes_the_way_of_the_published_exchange(rig: Rig) -> None:
    end = rig.drive("photo").run()

    assert _names(rig) == ["POST /page/photos", "POST /page/feed", f"GET /{POST}"]
    photo, feed, _ = rig.platform.calls
    assert [part.name for part in photo.parts] == ["published", "alt_text_custom", "source"]
    assert photo.parts[1].content == b"a loaf"
    assert photo.headers["authorization"] == "Bearer PAGETOK"
    assert feed.json == {"message": TEXT, "attached_media": [{"media_fbid": PHOTO}]}
    assert end == Done(remote_id=POST, url=f"https://www.facebook.com/{PAGE}/posts/3000003")


def test_a_reel_goes_the_way_of_the_published_exchange(videos: Rig) -> None:
    end = videos.drive("video").run()

    looks = [f"GET /{VIDEO}"] * 3
    upload = f"POST /up/video-upload/v25.0/{VIDEO}"
    assert _names(videos) == ["POST /page/video_reels", upload, "POST /page/video_reels", *looks]
    sent, finish = videos.platform.calls[1:3]
    assert sent.headers["authorization"] == "OAuth PAGETOK"
    assert (sent.headers["offset"], sent.headers["file_size"]) == ("0", "2500000")
    assert finish.form == {
        "upload_phase": "finish",
        "video_id": VIDEO,
        "video_state": "PUBLISHED",
        "description": TEXT,
    }
    assert end == Done(remote_id=VIDEO, url=f"https://www.facebook.com/reel/{VIDEO}/")


def test_a_film_goes_up_in_the_chunks_that_facebook_asks_for(videos: Rig) -> None:
    end = videos.drive("film").run()

    chunks = ["POST /page/videos"] * 3
    assert _names(videos)[:5] == ["POST /page/videos", *chunks, "POST /page/videos"]
    starts = [call.parts[2].content for call in videos.platform.calls[1:4]]
    assert starts == [b"0", b"1000000", b"2000000"]
    assert videos.platform.calls[4].form == {
        "upload_phase": "finish",
        "upload_session_id": f"s{VIDEO}",
        "description": TEXT,
    }
    assert end == Done(remote_id=VIDEO, url=f"https://www.facebook.com/lumenbakes/videos/{VIDEO}/")


def test_a_reel_that_was_cut_off_goes_on_where_it_was(videos: Rig) -> None:
    _fake(videos).videos.cut_at = 1_000_000

    end = videos.drive("video").run()

    assert isinstance(end, Done)
    sent = [call for call in videos.platform.calls if call.path.startswith("/up/")]
    assert [call.headers["offset"] for call in sent] == ["0", "1000000"]
    assert sent[1].size == 1_500_000


def test_a_chunk_whose_answer_was_lost_is_not_sent_again(videos: Rig) -> None:
    videos.platform.strike(2, Fault.DROP_AFTER)

    end = videos.drive("film").run()

    assert isinstance(end, Done)
    starts = [call.parts[2].content for call in videos.platform.calls[1:5]]
    assert starts == [b"0", b"1000000", b"1000000", b"2000000"]
    assert len(_fake(videos).videos.kept[VIDEO].digests) == 3


def test_options_of_a_post_become_fields(rig: Rig) -> None:
    options: dict[str, Json] = {
        "link": "https://bakery.example",
        "place_id": "99",
        "targeting_countries": ["AT", "DE"],
        "title": "videos only",
    }
    rig.shapes = {"text": replace(rig.shapes["text"], options=options)}

    rig.drive("text").run()

    assert rig.platform.calls[0].json == {
        "message": TEXT,
        "link": "https://bakery.example",
        "place": "99",
        "targeting": {"geo_locations": {"countries": ["AT", "DE"]}},
    }


def test_options_of_a_reel_become_fields_and_an_invitation(videos: Rig) -> None:
    options: dict[str, Json] = {
        "title": "Rye",
        "place_id": "99",
        "targeting_countries": ["AT"],
        "collaborator_page_id": "77",
        "first_comment": "Recipe below",
    }
    videos.shapes = {"video": replace(videos.shapes["video"], options=options)}

    end = videos.drive("video").run()

    assert isinstance(end, Done)
    form = videos.platform.calls[2].form
    assert (form["title"], form["place"]) == ("Rye", "99")
    assert form["targeting"] == '{"geo_locations": {"countries": ["AT"]}}'
    assert _fake(videos).invited == [(VIDEO, "77")]
    assert _fake(videos).comments == [(f"{PAGE}_3000009", "Recipe below")]


def test_a_video_story_is_finished_without_words(videos: Rig) -> None:
    story: dict[str, Json] = {"post_type": "story"}
    videos.shapes = {"story": replace(videos.shapes["video"], options=story)}

    end = videos.drive("story").run()

    assert isinstance(end, Done)
    assert videos.platform.calls[2].name == f"POST {API}/{PAGE}/video_stories"
    assert videos.platform.calls[2].form == {"upload_phase": "finish", "video_id": VIDEO}


@pytest.mark.parametrize(
    ("size", "seconds", "post_type", "route"),
    [
        ((1080, 1920), 30.0, None, Route.REEL),
        ((1080, 1920), 91.0, None, Route.VIDEO),
        ((1080, 1920), 2.0, None, Route.VIDEO),
        ((480, 854), 30.0, None, Route.VIDEO),
        ((1920, 1080), 30.0, None, Route.VIDEO),
        ((1080, 1350), 30.0, None, Route.VIDEO),
        ((1080, 1920), 30.0, "feed", Route.VIDEO),
        ((1080, 1350), 30.0, "reel", Route.REEL),
        ((1080, 1920), 30.0, "story", Route.VIDEO_STORY),
    ],
)
def test_videos_made_for_reels_become_reels(
    videos: Rig, size: tuple[int, int], seconds: float, post_type: str | None, route: Route
) -> None:
    media = replace(a_video(), width=size[0], height=size[1], duration_s=seconds)
    options: dict[str, Json] = {} if post_type is None else {"post_type": post_type}

    publication = replace(videos.shapes["video"], media=media, options=options)

    assert route_of(publication) is route


@pytest.mark.parametrize(
    ("photo", "code"),
    [
        (a_photo(LARGEST_PHOTO + 1), FailureCode.MEDIA_TOO_LARGE),
        (replace(a_photo(), mime="image/webp"), FailureCode.MEDIA_REJECTED),
    ],
    ids=["too large", "a format it does not know"],
)
def test_a_photo_that_facebook_does_not_take_is_refused_without_a_call(
    rig: Rig, photo: object, code: FailureCode
) -> None:
    rig.shapes = {"photo": replace(rig.shapes["photo"], media=photo)}  # type: ignore[arg-type]

    end = rig.drive("photo").run()

    assert isinstance(end, Failed)
    assert (end.code, rig.platform.calls) == (code, [])


@pytest.mark.parametrize(
    ("errors", "code"),
    [
        ((506, None), FailureCode.DUPLICATE_CONTENT),
        ((100, 1609005), FailureCode.INVALID_OPTIONS),
        ((200, 1404078), FailureCode.ACCOUNT_RESTRICTED),
    ],
)
def test_a_refused_post_fails_for_good(
    rig: Rig, errors: tuple[int, int | None], code: FailureCode
) -> None:
    _fake(rig).feed_errors = [errors]

    end = rig.drive("text").run()

    assert isinstance(end, Failed)
    assert (end.code, len(rig.platform.calls)) == (code, 1)


@pytest.mark.parametrize(
    ("failures", "code", "uploads"),
    [
        ([1363127], FailureCode.MEDIA_REJECTED, 1),
        ([999, 999], FailureCode.PROCESSING_FAILED, 2),
    ],
    ids=["the file", "the processing"],
)
def test_a_video_that_cannot_be_processed_fails(
    videos: Rig, failures: list[int], code: FailureCode, uploads: int
) -> None:
    _fake(videos).videos.failures = failures

    end = videos.drive("video").run()

    assert isinstance(end, Failed)
    assert (end.code, len(_fake(videos).videos.kept)) == (code, uploads)
    assert videos.platform.posts == {}


@pytest.mark.parametrize("fault", [Fault.DROP_AFTER, Fault.DROP_BEFORE])
def test_a_first_comment_is_never_sent_twice(rig: Rig, fault: Fault) -> None:
    rig.platform.strike(2, fault)

    end = rig.drive("commented").run()

    assert isinstance(end, Done)
    assert rig.platform.calls[2].path.endswith("/comments")
    assert len(_fake(rig).comments) == (1 if fault is Fault.DROP_AFTER else 0)


def _confirm(rig: Rig, shape: str, after: timedelta, checkpoint: Checkpoint) -> Finding:
    rig.clock.now = NOON + after
    publication = replace(rig.shapes[shape], now=NOON + after)
    account = rig.keeper.signed(rig.account, rig.connector)
    sent = Sent(text=publication.text, media_ids=(), at=NOON)
    return rig.connector.confirm(replace(publication, account=account), checkpoint, sent)


def _at(rig: Rig, shape: str, step: str, *, done: bool) -> Checkpoint:
    """Come to a visible step, make it if `done`, and return the checkpoint before it."""
    drive = rig.drive(shape)
    while drive.checkpoint is None or drive.checkpoint.step != step:
        assert drive._step() is None
    left = drive.checkpoint
    if done:
        assert drive._step() is None
    return left


def test_a_lost_text_is_found_by_its_message(rig: Rig) -> None:
    checkpoint = _at(rig, "text", "show", done=True)

    found = _confirm(rig, "text", timedelta(seconds=1), checkpoint)

    assert found == Done(remote_id=POST, url=f"https://www.facebook.com/{PAGE}/posts/3000003")


def test_a_lost_photo_is_known_by_its_file_among_equal_texts(rig: Rig) -> None:
    _at(rig, "text", "show", done=True)
    checkpoint = _at(rig, "photo", "show", done=True)

    found = _confirm(rig, "photo", timedelta(seconds=1), checkpoint)

    assert isinstance(found, Done)
    assert found.remote_id == f"{PAGE}_3000004"


def test_a_lost_story_is_known_by_its_file(rig: Rig) -> None:
    checkpoint = _at(rig, "story", "show", done=True)

    found = _confirm(rig, "story", timedelta(seconds=1), checkpoint)

    assert isinstance(found, Done)
    assert list(rig.platform.posts) == [found.remote_id]


def test_what_the_list_does_not_show_is_unknown_and_only_much_later_absent(rig: Rig) -> None:
    checkpoint = _at(rig, "text", "show", done=False)

    findings = [
        _confirm(rig, "text", timedelta(seconds=seconds), checkpoint)
        for seconds in (119, 120, 1800)
    ]

    assert isinstance(findings[0], Wait)
    assert findings[1:] == [Unknown(), Absent()]


def test_equal_texts_cannot_be_told_apart(rig: Rig) -> None:
    checkpoint = _at(rig, "text", "show", done=True)
    _at(rig, "text", "show", done=True)

    assert _confirm(rig, "text", timedelta(seconds=5), checkpoint) == Unknown()


@pytest.mark.parametrize(("shape", "step"), [("text", "show"), ("photo", "show")])
def test_a_look_after_a_restore_goes_by_text_and_time(rig: Rig, shape: str, step: str) -> None:
    restored = Checkpoint("restored")
    nothing_yet = _confirm(rig, shape, timedelta(minutes=5), restored)
    rig.clock.now = NOON
    _at(rig, shape, step, done=True)

    found = _confirm(rig, shape, timedelta(minutes=5), restored)

    assert isinstance(nothing_yet, Wait)
    assert isinstance(found, Done)


@pytest.mark.parametrize("shape", ["video", "film"])
def test_a_look_after_a_restore_finds_a_video_by_its_description(videos: Rig, shape: str) -> None:
    _at(videos, shape, "finish", done=True)

    found = _confirm(videos, shape, timedelta(minutes=5), Checkpoint("restored"))

    assert isinstance(found, Done)
    assert found.remote_id == VIDEO


def test_a_video_that_was_not_finished_is_absent_after_the_lag(videos: Rig) -> None:
    checkpoint = _at(videos, "video", "finish", done=False)

    early = _confirm(videos, "video", timedelta(seconds=89), checkpoint)
    late = _confirm(videos, "video", timedelta(seconds=90), checkpoint)

    assert isinstance(early, Wait)
    assert late == Absent()


def test_a_video_that_was_finished_is_waited_for_until_it_is_seen(videos: Rig) -> None:
    checkpoint = _at(videos, "video", "finish", done=True)

    findings = [
        _confirm(videos, "video", timedelta(minutes=minutes), checkpoint) for minutes in (5, 6, 7)
    ]

    assert [type(finding) for finding in findings] == [Wait, Wait, Done]


def test_figures_of_a_post(rig: Rig) -> None:
    end = rig.drive("text").run()
    assert isinstance(end, Done)

    told = _facebook(rig).metrics([rig.live(end)])

    assert told == [Figures(views=540, likes=12, comments=3, shares=1)]


def test_figures_of_a_reel_come_one_by_one(videos: Rig) -> None:
    end = videos.drive("video").run()
    assert isinstance(end, Done)
    live = videos.live(end)

    told = _facebook(videos).metrics([live])
    _fake(videos).dead_metrics |= {"blue_reels_play_count", "post_video_social_actions"}
    less = _facebook(videos).metrics([live])

    assert told == [Figures(views=77, likes=8, comments=4, shares=6, followers=2)]
    assert less == [Figures(views=70, likes=8, followers=2)]


def test_a_post_that_is_gone_has_no_figures(rig: Rig) -> None:
    end = rig.drive("text").run()
    assert isinstance(end, Done)
    live = rig.live(end)
    rig.platform.posts.clear()

    assert _facebook(rig).metrics([live]) == [None]


def test_signing_in_brings_the_pages_that_can_be_posted_to(rig: Rig) -> None:
    connector = _facebook(rig)
    pending = connector.oauth.begin(Client(CLIENT, SECRET), "https://goldenhour.example/back")

    tokens = connector.oauth.finish(
        pending, f"https://goldenhour.example/back?code={CODE}&state={pending.state}"
    )
    (identity,) = connector.identities(tokens, NOON)

    assert pending.url.startswith("https://www.facebook.com/v25.0/dialog/oauth?")
    assert (identity.remote_identity, identity.handle) == (PAGE, HANDLE)
    assert (identity.tokens.access, identity.tokens.refresh) == ("PAGETOK", PERSON)
    assert (identity.tokens.expires_at, identity.tokens.watch_at) == (None, None)


def test_a_page_token_is_had_anew_from_the_persons(rig: Rig) -> None:
    _fake(rig).tokens = ["PAGETOK-1"]

    end = rig.drive("text").run()

    assert isinstance(end, Done)
    assert rig.store.history == ["PAGETOK-2"]


def test_a_person_who_left_breaks_the_account(rig: Rig) -> None:
    _fake(rig).tokens, _fake(rig).person_is_in = ["somebody else's"], False

    end = rig.drive("text").run()

    assert isinstance(end, Failed)
    assert end.code == FailureCode.AUTH_EXPIRED
    assert rig.store.health is Health.BROKEN
