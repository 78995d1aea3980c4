"""What becomes of an Instagram post whose answer was lost."""

from collections.abc import Iterator
from datetime import timedelta

import pytest

from chalicelib.domain.outcome import (
    Absent,
    Checkpoint,
    Done,
    Failed,
    FailureCode,
    Unknown,
    Wait,
)
from tests.connectors.fake_instagram import HANDLE
from tests.connectors.graph_answers import graph_error
from tests.connectors.instagram_rig import a_rig, platform
from tests.connectors.places import arrive, confirm, names, pass_by
from tests.connectors.rig import Rig

CONTAINER = "18000000000000055"
MEDIA = "17900000000000077"


@pytest.fixture
def rig() -> Iterator[Rig]:
    made = a_rig()
    yield made
    made.platform.close()


def test_a_block_is_believed_after_a_look_and_nothing_is_sent_again(rig: Rig) -> None:
    platform(rig).publish_errors = [(4, 2207051)]

    end = rig.drive("photo").run()

    assert isinstance(end, Failed)
    assert end.code == FailureCode.ACCOUNT_RESTRICTED
    sent = [name for name in names(rig) if name.endswith("media_publish")]
    assert (len(sent), rig.platform.posts) == (1, {})


def test_a_container_that_was_not_published_is_waited_for_and_then_absent(rig: Rig) -> None:
    checkpoint = arrive(rig, "photo", "publish")

    early = confirm(rig, "photo", timedelta(seconds=89), checkpoint)
    late = confirm(rig, "photo", timedelta(seconds=90), checkpoint)

    assert isinstance(early, Wait)
    assert late == Absent()


def test_a_published_container_is_waited_for_in_the_list(rig: Rig) -> None:
    checkpoint = pass_by(rig, "photo", "publish")
    platform(rig).unlisted = True

    early = confirm(rig, "photo", timedelta(minutes=4), checkpoint)
    late = confirm(rig, "photo", timedelta(minutes=5), checkpoint)

    assert isinstance(early, Wait)
    profile = f"https://www.instagram.com/{HANDLE}/"
    assert late == Done(remote_id=f"container:{CONTAINER}", url=profile)


def test_a_story_of_ours_is_the_one_since_its_container_says_published(rig: Rig) -> None:
    checkpoint = pass_by(rig, "story", "publish")

    by_container = confirm(rig, "story", timedelta(minutes=2), checkpoint)
    restored = confirm(rig, "story", timedelta(minutes=2), Checkpoint("restored"))

    assert isinstance(by_container, Done)
    assert restored == Unknown()


def test_a_look_after_a_restore_finds_the_post_by_caption_and_time(rig: Rig) -> None:
    pass_by(rig, "photo", "publish")

    found = confirm(rig, "photo", timedelta(minutes=2), Checkpoint("restored"))
    other_kind = confirm(rig, "video", timedelta(minutes=2), Checkpoint("restored"))

    assert isinstance(found, Done)
    assert (found.remote_id, other_kind) == (MEDIA, Absent())


def test_two_posts_that_could_be_ours_cannot_be_told_apart(rig: Rig) -> None:
    pass_by(rig, "photo", "publish")
    pass_by(rig, "photo", "publish")

    assert confirm(rig, "photo", timedelta(minutes=2), Checkpoint("restored")) == Unknown()


def test_a_container_that_is_still_processed_is_looked_at_again_and_again(rig: Rig) -> None:
    platform(rig).publish_errors = [(9007, 2207027)] * 12

    end = rig.drive("photo").run()

    assert isinstance(end, Done)
    assert (len(rig.platform.posts), len(platform(rig).containers)) == (1, 1)


def test_a_story_whose_container_cannot_be_read_is_not_taken_for_ours(rig: Rig) -> None:
    checkpoint = pass_by(rig, "story", "publish")
    gone = graph_error(100, 33)
    platform(rig).script = {f"GET {CONTAINER}": [gone]}

    assert confirm(rig, "story", timedelta(minutes=6), checkpoint) == Unknown()
