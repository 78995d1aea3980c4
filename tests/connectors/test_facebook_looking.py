"""What becomes of a post on a Page whose answer was lost."""

from collections.abc import Iterator
from datetime import timedelta

import pytest

from chalicelib.domain.outcome import (
    Absent,
    Checkpoint,
    Done,
    Unknown,
    Wait,
)
from tests.connectors.facebook_rig import a_rig
from tests.connectors.fake_facebook import PAGE
from tests.connectors.places import arrive, confirm, pass_by
from tests.connectors.rig import Rig
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


def test_a_lost_text_is_found_by_its_message(rig: Rig) -> None:
    checkpoint = pass_by(rig, "text", "show")

    found = confirm(rig, "text", timedelta(seconds=1), checkpoint)

    assert found == Done(remote_id=POST, url=f"https://www.facebook.com/{PAGE}/posts/3000003")


def test_a_lost_photo_is_known_by_its_file_among_equal_texts(rig: Rig) -> None:
    pass_by(rig, "text", "show")
    checkpoint = pass_by(rig, "photo", "show")

    found = confirm(rig, "photo", timedelta(seconds=1), checkpoint)

    assert isinstance(found, Done)
    assert found.remote_id == f"{PAGE}_3000004"


def test_a_lost_story_is_known_by_its_file(rig: Rig) -> None:
    checkpoint = pass_by(rig, "story", "show")

    found = confirm(rig, "story", timedelta(seconds=1), checkpoint)

    assert isinstance(found, Done)
    assert list(rig.platform.posts) == [found.remote_id]


def test_what_the_list_does_not_show_is_unknown_and_only_much_later_absent(rig: Rig) -> None:
    checkpoint = arrive(rig, "text", "show")

    findings = [
        confirm(rig, "text", timedelta(seconds=seconds), checkpoint) for seconds in (119, 120, 1800)
    ]

    assert isinstance(findings[0], Wait)
    assert findings[1:] == [Unknown(), Absent()]


def test_equal_texts_cannot_be_told_apart(rig: Rig) -> None:
    checkpoint = pass_by(rig, "text", "show")
    pass_by(rig, "text", "show")

    assert confirm(rig, "text", timedelta(seconds=5), checkpoint) == Unknown()


@pytest.mark.parametrize(("shape", "step"), [("text", "show"), ("photo", "show")])
def test_a_look_after_a_restore_goes_by_text_and_time(rig: Rig, shape: str, step: str) -> None:
    restored = Checkpoint("restored")
    nothing_yet = confirm(rig, shape, timedelta(minutes=5), restored)
    rig.clock.now = NOON
    pass_by(rig, shape, step)

    found = confirm(rig, shape, timedelta(minutes=5), restored)

    assert isinstance(nothing_yet, Wait)
    assert isinstance(found, Done)


@pytest.mark.parametrize("shape", ["video", "film"])
def test_a_look_after_a_restore_finds_a_video_by_its_description(videos: Rig, shape: str) -> None:
    pass_by(videos, shape, "finish")

    found = confirm(videos, shape, timedelta(minutes=5), Checkpoint("restored"))

    assert isinstance(found, Done)
    assert found.remote_id == VIDEO


def test_a_video_that_was_not_finished_is_absent_after_the_lag(videos: Rig) -> None:
    checkpoint = arrive(videos, "video", "finish")

    early = confirm(videos, "video", timedelta(seconds=89), checkpoint)
    late = confirm(videos, "video", timedelta(seconds=90), checkpoint)

    assert isinstance(early, Wait)
    assert late == Absent()


def test_a_video_that_was_finished_is_waited_for_until_it_is_seen(videos: Rig) -> None:
    checkpoint = pass_by(videos, "video", "finish")

    findings = [
        confirm(videos, "video", timedelta(minutes=minutes), checkpoint) for minutes in (5, 6, 7)
    ]

    assert [type(finding) for finding in findings] == [Wait, Wait, Done]
