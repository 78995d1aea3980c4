"""What becomes of an Instagram post whose answer was lost."""

from datetime import timedelta

from chalicelib.domain.outcome import (
    Checkpoint,
    Done,
    Unknown,
)
from tests.connectors.instagram.rig import InstagramRig
from tests.connectors.shared.meta.graph_answers import graph_error
from tests.connectors.support.places import pass_by, reconcile

CONTAINER = "18000000000000055"
MEDIA = "17900000000000077"


def test_a_story_of_ours_is_the_one_since_its_container_says_published(rig: InstagramRig) -> None:
    checkpoint = pass_by(rig, "story", "publish")

    by_container = reconcile(rig, "story", timedelta(minutes=2), checkpoint)
    restored = reconcile(rig, "story", timedelta(minutes=2), Checkpoint("restored"))

    assert isinstance(by_container, Done)
    assert restored == Unknown()


def test_a_container_that_is_still_processed_is_looked_at_again_and_again(
    rig: InstagramRig,
) -> None:
    rig.platform.publish_errors = [(9007, 2207027)] * 12

    end = rig.drive("photo").run()

    assert isinstance(end, Done)
    assert (len(rig.platform.posts), len(rig.platform.containers)) == (1, 1)


def test_a_story_whose_container_cannot_be_read_is_not_taken_for_ours(rig: InstagramRig) -> None:
    checkpoint = pass_by(rig, "story", "publish")
    gone = graph_error(100, 33)
    rig.platform.script = {f"GET {CONTAINER}": [gone]}

    assert reconcile(rig, "story", timedelta(minutes=6), checkpoint) == Unknown()
