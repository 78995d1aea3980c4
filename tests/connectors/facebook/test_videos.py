"""The Facebook connector over a strict fake: videos, reels and video stories."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from chalicelib.connectors.facebook.post import Route, route_of
from chalicelib.domain.outcome import Done, Failed, FailureCode
from chalicelib.kit.json_value import Json
from tests.connectors.facebook.fake import PAGE
from tests.connectors.facebook.rig import TEXT, FacebookRig, a_rig, paths
from tests.connectors.support.checks import ConnectorChecks
from tests.connectors.support.fake_platform import Answer
from tests.connectors.support.places import arrive
from tests.connectors.support.rig import Rig, a_video

VIDEO = "4000004"
API = "/fb/v26.0"


@pytest.fixture
def videos() -> Iterator[FacebookRig]:
    made = a_rig(videos=True)
    yield made
    made.platform.close()


class TestVideos(ConnectorChecks):
    """What every connector must pass, for reels and videos in chunks."""

    def make_rig(self) -> FacebookRig:
        return a_rig(videos=True)

    def big_uploads(self, rig: Rig) -> dict[str, int]:
        return dict.fromkeys(rig.shapes, 200_000_000)


def test_a_reel_goes_the_way_of_the_published_exchange(videos: FacebookRig) -> None:
    end = videos.drive("video").run()

    looks = [f"GET /{VIDEO}"] * 3
    upload = f"POST /up/video-upload/v26.0/{VIDEO}"
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


def test_options_of_a_reel_become_fields_and_an_invitation(videos: FacebookRig) -> None:
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
    assert videos.platform.invited == [(VIDEO, "77")]
    assert videos.platform.comments == [(f"{PAGE}_3000009", "Recipe below")]


def test_a_video_story_is_finished_without_words_once_it_has_arrived(videos: FacebookRig) -> None:
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
    videos: FacebookRig, size: tuple[int, int], seconds: float, post_type: str | None, route: Route
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
    videos: FacebookRig, failures: list[int], code: FailureCode, uploads: int
) -> None:
    videos.platform.videos.failures = failures

    end = videos.drive("video").run()

    assert isinstance(end, Failed)
    assert (end.code, len(videos.platform.videos.kept)) == (code, uploads)
    assert videos.platform.posts == {}


def test_a_phase_that_failed_is_a_failure_whatever_the_video_says(videos: FacebookRig) -> None:
    error: Json = {"code": 1363127, "message": "Resolution too low"}
    failed: Json = {"status": "error", "error": error}
    status: dict[str, Json] = {"video_status": "processing", "processing_phase": failed}
    arrive(videos, "video", "finish")
    videos.platform.script = {"GET 4000005": [Answer(200, {"id": VIDEO, "status": status})]}

    end = videos.drive("video").run()

    assert isinstance(end, Failed)
    assert end.code == FailureCode.MEDIA_REJECTED


@pytest.mark.parametrize(
    "link", ["/reel/4000004/", "reel/4000004/", "https://www.facebook.com/reel/4000004/", None]
)
def test_the_link_of_a_reel_is_absolute(videos: FacebookRig, link: Json) -> None:
    live: dict[str, Json] = {"video_status": "ready", "publishing_phase": {"status": "complete"}}
    answer: dict[str, Json] = {"status": live, "permalink_url": link}
    videos.platform.script = {f"GET {VIDEO}": [Answer(200, answer)]}

    end = videos.drive("video").run()

    assert isinstance(end, Done)
    assert str(end.url).rstrip("/") == f"https://www.facebook.com/reel/{VIDEO}"
