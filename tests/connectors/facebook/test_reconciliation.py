"""What becomes of a post on a Page whose answer was lost."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest

from chalicelib.domain.outcome import (
    Absent,
    Checkpoint,
    Done,
    Failed,
    FailureCode,
    Sent,
    Unanswered,
    Unknown,
    Wait,
)
from chalicelib.kit.json_value import Json
from tests.connectors.facebook.fake import PAGE
from tests.connectors.facebook.rig import FacebookRig, a_rig
from tests.connectors.support.fake_platform import Answer
from tests.connectors.support.places import arrive, pass_by, reconcile
from tests.support.frozen_clock import NOON

POST = f"{PAGE}_3000003"
VIDEO = "4000004"


@pytest.fixture
def videos() -> Iterator[FacebookRig]:
    made = a_rig(videos=True)
    yield made
    made.platform.close()


def test_a_lost_text_is_found_by_its_message(rig: FacebookRig) -> None:
    checkpoint = pass_by(rig, "text", "show")

    found = reconcile(rig, "text", timedelta(seconds=1), checkpoint)

    assert found == Done(remote_id=POST, url=f"https://www.facebook.com/{PAGE}/posts/3000003")


def test_a_lost_photo_is_known_by_its_file_among_equal_texts(rig: FacebookRig) -> None:
    pass_by(rig, "text", "show")
    checkpoint = pass_by(rig, "photo", "show")

    found = reconcile(rig, "photo", timedelta(seconds=1), checkpoint)

    assert isinstance(found, Done)
    assert found.remote_id == f"{PAGE}_3000004"


def test_a_lost_story_is_known_by_its_file(rig: FacebookRig) -> None:
    checkpoint = pass_by(rig, "story", "show")

    found = reconcile(rig, "story", timedelta(seconds=1), checkpoint)

    assert isinstance(found, Done)
    assert list(rig.platform.posts) == [found.remote_id]


def test_what_the_list_does_not_show_stays_unknown_without_a_newer_post(rig: FacebookRig) -> None:
    checkpoint = arrive(rig, "text", "show")

    findings = [
        reconcile(rig, "text", timedelta(seconds=seconds), checkpoint)
        for seconds in (119, 120, 1800, 7200)
    ]

    assert isinstance(findings[0], Wait)
    assert findings[1:] == [Unknown()] * 3


def test_it_is_absent_half_an_hour_later_if_the_list_shows_a_newer_post(rig: FacebookRig) -> None:
    checkpoint = arrive(rig, "text", "show")
    later = NOON + timedelta(minutes=20)
    rig.platform.posts[f"{PAGE}_3000009"] = {"message": "Cake", "photo": None, "at": later}

    findings = [
        reconcile(rig, "text", timedelta(minutes=minutes), checkpoint) for minutes in (29, 30)
    ]

    assert findings == [Unknown(), Absent()]


def test_equal_texts_cannot_be_told_apart(rig: FacebookRig) -> None:
    checkpoint = pass_by(rig, "text", "show")
    pass_by(rig, "text", "show")

    assert reconcile(rig, "text", timedelta(seconds=5), checkpoint) == Unknown()


@pytest.mark.parametrize(("shape", "step"), [("text", "show"), ("photo", "show")])
def test_a_look_after_a_restore_goes_by_text_and_time(
    rig: FacebookRig, shape: str, step: str
) -> None:
    restored = Checkpoint("restored")
    nothing_yet = reconcile(rig, shape, timedelta(minutes=5), restored)
    rig.clock.now = NOON
    pass_by(rig, shape, step)

    found = reconcile(rig, shape, timedelta(minutes=5), restored)

    assert isinstance(nothing_yet, Wait)
    assert isinstance(found, Done)


@pytest.mark.parametrize("shape", ["video", "film"])
def test_a_look_after_a_restore_finds_a_video_by_its_description(
    videos: FacebookRig, shape: str
) -> None:
    pass_by(videos, shape, "finish")

    found = reconcile(videos, shape, timedelta(minutes=5), Checkpoint("restored"))

    assert isinstance(found, Done)
    assert found.remote_id == VIDEO


def test_a_video_that_was_not_finished_is_absent_after_the_lag(videos: FacebookRig) -> None:
    checkpoint = arrive(videos, "video", "finish")

    early = reconcile(videos, "video", timedelta(seconds=89), checkpoint)
    late = reconcile(videos, "video", timedelta(seconds=90), checkpoint)

    assert isinstance(early, Wait)
    assert late == Absent()


def test_a_video_that_was_finished_is_waited_for_until_it_is_seen(videos: FacebookRig) -> None:
    checkpoint = pass_by(videos, "video", "finish")

    findings = [
        reconcile(videos, "video", timedelta(minutes=minutes), checkpoint) for minutes in (5, 6, 7)
    ]

    assert [type(finding) for finding in findings] == [Wait, Wait, Done]


def test_a_second_time_that_is_refused_as_the_same_text_leads_back_to_the_first(
    rig: FacebookRig,
) -> None:
    checkpoint = pass_by(rig, "text", "show")
    rig.platform.unlisted = True
    waiting = reconcile(rig, "text", timedelta(seconds=60), checkpoint)
    assert isinstance(waiting, Wait)
    much_later = reconcile(rig, "text", timedelta(minutes=30), waiting.checkpoint)
    rig.platform.unlisted, rig.platform.feed_errors = False, [(506, None)]
    signed = rig.keeper.sign_in(rig.account, rig.connector)
    again = replace(rig.shapes["text"], account=signed, now=rig.clock())

    refused = rig.connector.advance(again, waiting.checkpoint)
    sent = Sent(text=again.text, media_ids=(), at=again.now)
    assert isinstance(refused, Unanswered)
    found = rig.connector.reconcile(again, refused.checkpoint, sent)

    assert much_later == Unknown()
    assert isinstance(found, Done)
    assert list(rig.platform.posts) == [found.remote_id]


def test_the_same_text_that_was_never_in_doubt_is_refused_for_good(rig: FacebookRig) -> None:
    rig.platform.feed_errors = [(506, None)]

    end = rig.drive("text").run()

    assert isinstance(end, Failed)
    assert end.code == FailureCode.DUPLICATE_CONTENT


def test_a_story_without_its_file_is_not_taken_for_ours(rig: FacebookRig) -> None:
    pass_by(rig, "story", "show")

    assert reconcile(rig, "story", timedelta(minutes=5), Checkpoint("restored")) == Unknown()


def test_a_post_whose_id_was_stored_is_not_looked_for(rig: FacebookRig) -> None:
    checkpoint = Checkpoint("permalink", {"remote": POST, "about": POST})

    found = reconcile(rig, "text", timedelta(hours=1), checkpoint)

    assert found == Done(remote_id=POST, url=f"https://www.facebook.com/{PAGE}")


@pytest.mark.parametrize(
    "publishing", [{"status": "complete"}, {"status": "not_started", "publish_status": "published"}]
)
def test_a_video_that_is_on_its_way_is_not_finished_again(
    videos: FacebookRig, publishing: dict[str, Json]
) -> None:
    checkpoint = arrive(videos, "video", "finish")
    status: dict[str, Json] = {"video_status": "upload_complete", "publishing_phase": publishing}
    videos.platform.script = {f"GET {VIDEO}": [Answer(200, {"id": VIDEO, "status": status})]}

    assert isinstance(reconcile(videos, "video", timedelta(minutes=5), checkpoint), Wait)
