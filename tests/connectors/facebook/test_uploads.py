"""How a video gets to a Page: in chunks or in one stream, cut off, stuck, given up."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from chalicelib.domain.outcome import Done, Failed, FailureCode
from chalicelib.kit.json_value import Json
from tests.connectors.facebook.fake_videos import Video
from tests.connectors.facebook.rig import TEXT, FacebookRig, a_rig, paths
from tests.connectors.shared.meta.graph_answers import graph_error
from tests.connectors.support.fake_platform import Answer, Fault

VIDEO = "4000004"
UPLOAD = f"POST /up/video-upload/v26.0/{VIDEO}"


@pytest.fixture
def videos() -> Iterator[FacebookRig]:
    made = a_rig(videos=True)
    yield made
    made.platform.close()


def test_a_film_goes_up_in_the_chunks_that_facebook_asks_for(videos: FacebookRig) -> None:
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


def test_a_reel_that_was_cut_off_goes_on_where_it_was(videos: FacebookRig) -> None:
    videos.platform.videos.cut_at = 1_000_000

    end = videos.drive("video").run()

    assert isinstance(end, Done)
    sent = [call for call in videos.platform.calls if call.path.startswith("/up/")]
    assert [call.headers["offset"] for call in sent] == ["0", "1000000"]
    assert sent[1].size == 1_500_000


def test_a_chunk_whose_answer_was_lost_is_not_sent_again(videos: FacebookRig) -> None:
    videos.platform.strike(2, Fault.DROP_AFTER)

    end = videos.drive("film").run()

    assert isinstance(end, Done)
    starts = [call.parts[2].content for call in videos.platform.calls[1:5]]
    assert starts == [b"0", b"1000000", b"1000000", b"2000000"]
    assert len(videos.platform.videos.kept[VIDEO].digests) == 3


def test_a_refused_chunk_goes_on_where_the_answer_says(videos: FacebookRig) -> None:
    where: dict[str, Json] = {"start_offset": "0", "end_offset": "1000000"}
    answer = graph_error(6000, 1363019, message="Video upload failed")
    answer.body["error"]["error_data"] = where
    start = {"upload_session_id": f"s{VIDEO}", "video_id": VIDEO, **where}
    videos.platform.script = {"POST videos": [Answer(200, start), answer]}
    videos.platform.videos.kept[VIDEO] = Video(kind="video", size=2_500_000)

    end = videos.drive("film").run()

    assert isinstance(end, Done)
    starts = [call.parts[2].content for call in videos.platform.calls[1:5]]
    assert starts == [b"0", b"0", b"1000000", b"2000000"]


@pytest.mark.parametrize("said", ["²", "9" * 5000, "here"])
def test_a_place_that_is_no_number_is_an_unreadable_answer(videos: FacebookRig, said: str) -> None:
    where: dict[str, Json] = {"start_offset": said, "end_offset": "1000000"}
    start = {"upload_session_id": f"s{VIDEO}", "video_id": VIDEO, **where}
    videos.platform.script = {"POST videos": [Answer(200, start)]}

    end = videos.drive("film").run()

    assert isinstance(end, Done)
    assert [call.form.get("upload_phase") for call in videos.platform.calls[:2]] == ["start"] * 2


def test_an_upload_in_chunks_that_goes_nowhere_begins_anew_and_then_fails(
    videos: FacebookRig,
) -> None:
    start: dict[str, Json] = {"upload_session_id": "s1", "video_id": "1"}
    where: dict[str, Json] = {"start_offset": "0", "end_offset": "1000000"}
    stuck = graph_error(6000, 1363037)
    stuck.body["error"]["error_data"] = where
    upload = [Answer(200, {**start, **where}), *[stuck] * 5]
    videos.platform.script = {"POST videos": [*upload, *upload]}

    end = videos.drive("film").run()

    assert isinstance(end, Failed)
    assert end.code == FailureCode.PROCESSING_FAILED
    assert (len(videos.platform.calls), videos.platform.posts) == (12, {})


def test_an_upload_that_breaks_off_without_a_place_to_go_on_from_begins_anew(
    videos: FacebookRig,
) -> None:
    """Code 6000 alone would blame the file, and end the post."""
    where: dict[str, Json] = {"start_offset": "0", "end_offset": "1000000"}
    start = Answer(200, {"upload_session_id": f"s{VIDEO}", "video_id": VIDEO, **where})
    videos.platform.script = {"POST videos": [start, graph_error(6000, 1363030)]}

    end = videos.drive("film").run()

    assert isinstance(end, Done)


def upload_error(kind: str, *, retriable: bool) -> Answer:
    debug = {"retriable": retriable, "type": kind, "message": "No."}
    return Answer(400, {"debug_info": debug})


def test_a_reel_that_the_upload_host_could_not_process_is_sent_anew_once(
    videos: FacebookRig,
) -> None:
    failed = upload_error("ProcessingFailedError", retriable=False)
    videos.platform.script = {f"POST {VIDEO}": [failed]}

    end = videos.drive("video").run()

    assert isinstance(end, Done)
    assert (len(videos.platform.videos.kept), len(videos.platform.posts)) == (2, 1)


def test_an_upload_that_can_be_tried_again_goes_on_where_it_stands(videos: FacebookRig) -> None:
    videos.platform.script = {f"POST {VIDEO}": [upload_error("NewError", retriable=True)]}

    end = videos.drive("video").run()

    assert isinstance(end, Done)
    assert paths(videos)[1:4] == [UPLOAD, f"GET /{VIDEO}", UPLOAD]


def test_a_reel_of_which_nothing_ever_arrives_fails(videos: FacebookRig) -> None:
    cut = upload_error("PartialRequestError", retriable=True)
    videos.platform.script = {f"POST {VIDEO}": [cut] * 9, "POST 4000005": [cut] * 9}

    end = videos.drive("video").run()

    assert isinstance(end, Failed)
    assert end.code == FailureCode.PROCESSING_FAILED
    assert (len(videos.platform.videos.kept), videos.platform.posts) == (2, {})


def test_a_story_is_finished_only_when_facebook_has_all_of_it(videos: FacebookRig) -> None:
    story: dict[str, Json] = {"post_type": "story"}
    videos.shapes = {"story": replace(videos.shapes["video"], options=story)}
    arriving = {"uploading_phase": {"status": "in_progress", "bytes_transferred": 9}}
    videos.platform.script = {f"GET {VIDEO}": [Answer(200, {"status": arriving})] * 2}

    end = videos.drive("story").run()

    assert isinstance(end, Done)
    assert paths(videos)[1:6] == [UPLOAD, *[f"GET /{VIDEO}"] * 3, "POST /page/video_stories"]


def test_an_upload_that_facebook_gave_up_begins_anew(videos: FacebookRig) -> None:
    cut = upload_error("PartialRequestError", retriable=True)
    gave_up = Answer(200, {"id": VIDEO, "status": {"video_status": "upload_failed"}})
    videos.platform.script = {f"POST {VIDEO}": [cut], f"GET {VIDEO}": [gave_up]}

    end = videos.drive("video").run()

    assert isinstance(end, Done)
    assert (len(videos.platform.videos.kept), len(videos.platform.posts)) == (2, 1)
