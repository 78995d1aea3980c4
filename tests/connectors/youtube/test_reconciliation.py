"""What became of last bytes that were not answered: the session first, then the uploads."""

from dataclasses import replace
from datetime import timedelta

import pytest

from chalicelib.connectors.youtube.connector import NO_PLAYLIST
from chalicelib.domain.outcome import Absent, Checkpoint, Done, Unknown, Wait
from chalicelib.kit.json_value import Json
from tests.connectors.support.fake_platform import Answer, Fault
from tests.connectors.youtube.fake import VIDEO
from tests.connectors.youtube.rig import YouTubeRig, at_step, reconcile
from tests.support.frozen_clock import NOON

DONE = Done(remote_id=VIDEO, url=f"https://www.youtube.com/shorts/{VIDEO}")
SOON, LATER, MUCH_LATER = timedelta(seconds=5), timedelta(minutes=2), timedelta(minutes=30)
RESTORED = Checkpoint("restored")


def _lost(rig: YouTubeRig, *, arrived: bool) -> Checkpoint:
    """Send the last bytes, lose the answer, and return the checkpoint that is left."""
    drive = at_step(rig, "video", "last")
    rig.platform.strike(0, Fault.DROP_AFTER if arrived else Fault.DROP_BEFORE)
    drive._step()
    assert drive.checkpoint is not None
    assert list(rig.platform.posts) == ([VIDEO] if arrived else [])
    return drive.checkpoint


def _data(checkpoint: Checkpoint, **more: Json) -> Checkpoint:
    return Checkpoint(checkpoint.step, {**checkpoint.data, **more})


def test_a_session_that_has_all_names_the_video_and_it_is_followed(rig: YouTubeRig) -> None:
    lost = _lost(rig, arrived=True)

    named = reconcile(rig, "video", lost, after=SOON)
    assert isinstance(named, Wait)
    looks = [reconcile(rig, "video", named.checkpoint, after=SOON) for _ in range(3)]

    assert (named.checkpoint.step, named.checkpoint.data["video"]) == ("last", VIDEO)
    assert rig.platform.calls[2].headers["content-range"] == "bytes */2500000"
    assert rig.platform.calls[2].headers["content-length"] == "0"
    assert [type(look) for look in looks] == [Wait, Wait, Done]
    assert looks[-1] == DONE


def test_a_session_that_lacks_bytes_is_gone_on_with_once_it_stands_still(rig: YouTubeRig) -> None:
    """It makes one video, also of bytes that come twice: nobody need wait for a call's end."""
    lost = _lost(rig, arrived=False)
    session = rig.platform.uploads.sessions["UPL77"]
    looks = []

    for arrived, after in ((262_144, 1), (1_262_144, 2), (1_262_144, 3)):
        session.arrived = arrived
        found = reconcile(rig, "video", lost, after=timedelta(seconds=after))
        looks.append(found)
        lost = found.checkpoint if isinstance(found, Wait) else lost

    assert [look.delay for look in looks if isinstance(look, Wait)] == [timedelta(seconds=1)] * 2
    assert lost.data["offset"] == 1_262_144
    assert looks[-1] == Absent(is_idempotent=True)


def test_lost_last_bytes_are_sent_again_and_make_one_video(rig: YouTubeRig) -> None:
    drive = at_step(rig, "video", "last")
    rig.platform.strike(0, Fault.DROP_BEFORE)

    end = drive.run()

    sent = [call for call in rig.platform.calls if call.headers.get("content-length") != "0"]
    assert end == DONE
    assert len(sent) >= 2
    assert list(rig.platform.posts) == [VIDEO]


def test_a_session_that_ended_after_a_doubt_proves_nothing(rig: YouTubeRig) -> None:
    """Its first last bytes may have made the video before the second ones were refused."""
    lost = _data(_lost(rig, arrived=False), over=True)
    doubted = _data(lost, doubted=True)

    assert reconcile(rig, "video", lost, after=LATER) == Absent()
    assert reconcile(rig, "video", doubted, after=LATER) == Unknown()


def test_a_session_that_has_all_bytes_and_no_video_yet_is_no_absence(rig: YouTubeRig) -> None:
    lost = _lost(rig, arrived=False)
    rig.platform.uploads.sessions["UPL77"].arrived = 2_500_000

    found = reconcile(rig, "video", lost, after=LATER)

    assert isinstance(found, Wait)


def test_last_bytes_that_are_all_there_without_a_video_are_in_doubt(rig: YouTubeRig) -> None:
    drive = at_step(rig, "video", "last")
    rig.platform.uploads.receive = (  # type: ignore[method-assign]  # is slow
        lambda *_: Answer(308, b"", {"Range": "bytes=0-2499999"})
    )

    drive._step()

    assert drive.unanswered
    assert drive.checkpoint is not None
    assert drive.checkpoint.data["offset"] == 2_500_000


def test_a_target_with_all_bytes_sent_asks_and_sends_none(rig: YouTubeRig) -> None:
    lost = _lost(rig, arrived=True)
    drive = rig.drive("video")
    drive.checkpoint = _data(lost, offset=2_500_000)

    end = drive.run()

    assert end == DONE
    assert rig.platform.calls[2].headers["content-range"] == "bytes */2500000"


def test_a_session_that_is_gone_leads_to_the_uploads(rig: YouTubeRig) -> None:
    lost = _lost(rig, arrived=True)
    rig.platform.uploads.over.add("UPL77")

    gone = reconcile(rig, "video", lost, after=SOON)
    assert isinstance(gone, Wait)
    found = reconcile(rig, "video", gone.checkpoint, after=SOON)

    assert found == DONE
    assert rig.platform.calls[-1].query == {
        "part": "snippet,contentDetails",
        "playlistId": "UUfake00000000000000001",
        "maxResults": "50",
    }


@pytest.mark.parametrize(
    ("after", "finding"),
    [(timedelta(seconds=119), Wait), (LATER, Unknown), (MUCH_LATER, Unknown)],
    ids=["at first", "after the lag", "when a person asks much later"],
)
def test_what_the_uploads_do_not_show_is_not_sent_again_soon(
    rig: YouTubeRig, after: timedelta, finding: type
) -> None:
    lost = _data(_lost(rig, arrived=False), over=False)

    assert isinstance(reconcile(rig, "video", lost, after=after), finding)


def test_it_is_absent_beside_a_newer_upload(rig: YouTubeRig) -> None:
    lost = _data(_lost(rig, arrived=False), over=False)
    rig.platform.upload_as_a_person("Tide", NOON + timedelta(minutes=1, seconds=1))

    assert reconcile(rig, "video", lost, after=LATER) == Absent()


def test_uploads_that_lag_are_looked_at_again(rig: YouTubeRig) -> None:
    lost = _data(_lost(rig, arrived=True), over=False)
    rig.platform.lag = timedelta(seconds=60)

    findings = [
        reconcile(rig, "video", lost, after=timedelta(seconds=seconds)) for seconds in (5, 60)
    ]

    assert isinstance(findings[0], Wait)
    assert findings[1] == DONE


def test_an_older_video_of_the_same_title_is_not_ours(rig: YouTubeRig) -> None:
    lost = _data(_lost(rig, arrived=False), over=False)
    rig.platform.upload_as_a_person("Harbour at dawn", NOON - timedelta(minutes=1))

    assert reconcile(rig, "video", lost, after=LATER) == Unknown()


def test_two_videos_of_the_same_title_cannot_be_told_apart(rig: YouTubeRig) -> None:
    lost = _data(_lost(rig, arrived=True), over=False)
    rig.platform.upload_as_a_person("Harbour at dawn", NOON)

    assert reconcile(rig, "video", lost, after=SOON) == Unknown()


def test_more_uploads_than_a_page_shows_prove_nothing(rig: YouTubeRig) -> None:
    lost = _data(_lost(rig, arrived=False), over=False)
    for number in range(50):
        rig.platform.upload_as_a_person(f"Tide {number}", NOON)

    assert reconcile(rig, "video", lost, after=MUCH_LATER) == Unknown()


def test_a_title_is_known_again_whatever_its_spaces(rig: YouTubeRig) -> None:
    lost = _data(_lost(rig, arrived=False), over=False)
    ours = rig.platform.upload_as_a_person("Harbour  at dawn ", NOON)

    found = reconcile(rig, "video", lost, after=SOON)

    assert isinstance(found, Done)
    assert found.remote_id == ours


def test_a_look_after_a_restore_goes_by_title_and_time(rig: YouTubeRig) -> None:
    _lost(rig, arrived=True)

    found = reconcile(rig, "video", RESTORED, after=MUCH_LATER)

    assert found == DONE


@pytest.mark.parametrize(
    ("after", "finding"), [(SOON, Wait), (LATER, Unknown), (MUCH_LATER, Absent)], ids=str
)
def test_a_look_after_a_restore_sends_nothing_too_soon(
    rig: YouTubeRig, after: timedelta, finding: type
) -> None:
    assert isinstance(reconcile(rig, "video", RESTORED, after=after), finding)


def test_a_video_in_doubt_is_published_though_nothing_tells_how_far_it_is(rig: YouTubeRig) -> None:
    named = _data(_lost(rig, arrived=True), video=VIDEO)
    rig.platform.ends = {"uploadStatus": "uploaded"}

    early = reconcile(rig, "video", named, after=timedelta(minutes=9))
    late = reconcile(rig, "video", named, after=timedelta(minutes=10))

    assert isinstance(early, Wait)
    assert late == DONE


def test_a_playlist_that_was_not_answered_is_left_alone(rig: YouTubeRig) -> None:
    checkpoint = Checkpoint("playlist", {"video": VIDEO})

    found = reconcile(rig, "options", checkpoint, after=SOON)

    assert found == replace(DONE, note=NO_PLAYLIST)
    assert rig.platform.calls == []


def test_a_title_that_was_changed_since_is_looked_for_as_it_was_sent(rig: YouTubeRig) -> None:
    lost = _data(_lost(rig, arrived=True), over=False)
    rig.shapes = {"video": replace(rig.shapes["video"], options={"title": "Dusk"})}

    assert reconcile(rig, "video", lost, after=SOON) == DONE
