"""The Facebook connector over a strict fake: videos, reels and video stories."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from chalicelib.connectors.facebook.post import Route, route_of
from chalicelib.domain.outcome import (
    Done,
    Failed,
    FailureCode,
    Json,
)
from tests.connectors.checks import ConnectorChecks
from tests.connectors.facebook_rig import TEXT, a_rig, paths, platform
from tests.connectors.fake_facebook import PAGE
from tests.connectors.fake_facebook_videos import Video
from tests.connectors.fake_platform import Answer, Fault
from tests.connectors.graph_answers import graph_error
from tests.connectors.places import arrive
from tests.connectors.rig import Rig, a_video

VIDEO = "4000004"
UPLOAD = f"POST /up/video-upload/v25.0/{VIDEO}"
API = "/fb/v25.0"


@pytest.fixture
def videos() -> Iterator[Rig]:
    made = a_rig(videos=True)
    yield made
    made.platform.close()


class TestVideos(ConnectorChecks):
    """What every connector must pass, for reels and videos in chunks."""

    def make_rig(self) -> Rig:
        return a_rig(videos=True)

    def big_uploads(self, rig: Rig) -> dict[str, int]:
        return dict.fromkeys(rig.shapes, 200_000_000)


def test_a_reel_goes_the_way_of_the_published_exchange(videos: Rig) -> None:
    end = videos.drive("video").run()

    looks = [f"GET /{VIDEO}"] * 3
    upload = f"POST /up/video-upload/v25.0/{VIDEO}"
    assert paths(videos) == ["POST /page/video_reels", upload, "POST /page/video_reels", *looks]
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
    assert paths(videos)[:5] == ["POST /page/videos", *chunks, "POST /page/videos"]
    starts = [call.parts[2].content for call in videos.platform.calls[1:4]]
    assert starts == [b"0", b"1000000", b"2000000"]
    assert videos.platform.calls[4].form == {
        "upload_phase": "finish",
        "upload_session_id": f"s{VIDEO}",
        "description": TEXT,
    }
    assert end == Done(remote_id=VIDEO, url=f"https://www.facebook.com/lumenbakes/videos/{VIDEO}/")


def test_a_reel_that_was_cut_off_goes_on_where_it_was(videos: Rig) -> None:
    platform(videos).videos.cut_at = 1_000_000

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
    assert len(platform(videos).videos.kept[VIDEO].digests) == 3


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
    assert platform(videos).invited == [(VIDEO, "77")]
    assert platform(videos).comments == [(f"{PAGE}_3000009", "Recipe below")]


def test_a_video_story_is_finished_without_words_once_it_has_arrived(videos: Rig) -> None:
    story: dict[str, Json] = {"post_type": "story"}
    videos.shapes = {"story": replace(videos.shapes["video"], options=story)}

    end = videos.drive("story").run()

    assert isinstance(end, Done)
    assert videos.platform.calls[2].name == f"GET {API}/{VIDEO}"
    assert videos.platform.calls[3].name == f"POST {API}/{PAGE}/video_stories"
    assert videos.platform.calls[3].form == {"upload_phase": "finish", "video_id": VIDEO}


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
    platform(videos).videos.failures = failures

    end = videos.drive("video").run()

    assert isinstance(end, Failed)
    assert (end.code, len(platform(videos).videos.kept)) == (code, uploads)
    assert videos.platform.posts == {}


def test_a_refused_chunk_goes_on_where_the_answer_says(videos: Rig) -> None:
    where: dict[str, Json] = {"start_offset": "0", "end_offset": "1000000"}
    answer = graph_error(6000, 1363019, message="Video upload failed")
    answer.body["error"]["error_data"] = where
    start = {"upload_session_id": f"s{VIDEO}", "video_id": VIDEO, **where}
    platform(videos).script = {"POST videos": [Answer(200, start), answer]}
    platform(videos).videos.kept[VIDEO] = Video(kind="video", size=2_500_000)

    end = videos.drive("film").run()

    assert isinstance(end, Done)
    starts = [call.parts[2].content for call in videos.platform.calls[1:5]]
    assert starts == [b"0", b"0", b"1000000", b"2000000"]


def test_an_upload_in_chunks_that_goes_nowhere_begins_anew_and_then_fails(videos: Rig) -> None:
    start: dict[str, Json] = {"upload_session_id": "s1", "video_id": "1"}
    where: dict[str, Json] = {"start_offset": "0", "end_offset": "1000000"}
    stuck = graph_error(6000, 1363037)
    stuck.body["error"]["error_data"] = where
    upload = [Answer(200, {**start, **where}), *[stuck] * 5]
    platform(videos).script = {"POST videos": [*upload, *upload]}

    end = videos.drive("film").run()

    assert isinstance(end, Failed)
    assert end.code == FailureCode.PROCESSING_FAILED
    assert (len(videos.platform.calls), videos.platform.posts) == (12, {})


def upload_error(kind: str, *, retriable: bool) -> Answer:
    debug = {"retriable": retriable, "type": kind, "message": "No."}
    return Answer(400, {"debug_info": debug})


def test_a_reel_that_the_upload_host_could_not_process_is_sent_anew_once(videos: Rig) -> None:
    failed = upload_error("ProcessingFailedError", retriable=False)
    platform(videos).script = {f"POST {VIDEO}": [failed]}

    end = videos.drive("video").run()

    assert isinstance(end, Done)
    assert (len(platform(videos).videos.kept), len(videos.platform.posts)) == (2, 1)


def test_an_upload_that_can_be_tried_again_goes_on_where_it_stands(videos: Rig) -> None:
    platform(videos).script = {f"POST {VIDEO}": [upload_error("NewError", retriable=True)]}

    end = videos.drive("video").run()

    assert isinstance(end, Done)
    assert paths(videos)[1:4] == [UPLOAD, f"GET /{VIDEO}", UPLOAD]


def test_a_reel_of_which_nothing_ever_arrives_fails(videos: Rig) -> None:
    cut = upload_error("PartialRequestError", retriable=True)
    platform(videos).script = {f"POST {VIDEO}": [cut] * 9, "POST 4000005": [cut] * 9}

    end = videos.drive("video").run()

    assert isinstance(end, Failed)
    assert end.code == FailureCode.PROCESSING_FAILED
    assert (len(platform(videos).videos.kept), videos.platform.posts) == (2, {})


def test_a_story_is_finished_only_when_facebook_has_all_of_it(videos: Rig) -> None:
    story: dict[str, Json] = {"post_type": "story"}
    videos.shapes = {"story": replace(videos.shapes["video"], options=story)}
    arriving = {"uploading_phase": {"status": "in_progress", "bytes_transferred": 9}}
    platform(videos).script = {f"GET {VIDEO}": [Answer(200, {"status": arriving})] * 2}

    end = videos.drive("story").run()

    assert isinstance(end, Done)
    assert paths(videos)[1:6] == [UPLOAD, *[f"GET /{VIDEO}"] * 3, "POST /page/video_stories"]


def test_a_phase_that_failed_is_a_failure_whatever_the_video_says(videos: Rig) -> None:
    error: Json = {"code": 1363127, "message": "Resolution too low"}
    failed: Json = {"status": "error", "error": error}
    status: dict[str, Json] = {"video_status": "processing", "processing_phase": failed}
    arrive(videos, "video", "finish")
    platform(videos).script = {"GET 4000005": [Answer(200, {"id": VIDEO, "status": status})]}

    end = videos.drive("video").run()

    assert isinstance(end, Failed)
    assert end.code == FailureCode.MEDIA_REJECTED


@pytest.mark.parametrize(
    "link", ["/reel/4000004/", "reel/4000004/", "https://www.facebook.com/reel/4000004/", None]
)
def test_the_link_of_a_reel_is_absolute(videos: Rig, link: Json) -> None:
    live: dict[str, Json] = {"video_status": "ready", "publishing_phase": {"status": "complete"}}
    answer: dict[str, Json] = {"id": VIDEO, "status": live, "permalink_url": link}
    platform(videos).script = {f"GET {VIDEO}": [Answer(200, answer)]}

    end = videos.drive("video").run()

    assert isinstance(end, Done)
    assert str(end.url).rstrip("/") == f"https://www.facebook.com/reel/{VIDEO}"
