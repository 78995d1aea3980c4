"""What becomes of a Threads post whose answer was lost."""

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
from tests.connectors.fake_threads import HANDLE
from tests.connectors.places import arrive, confirm, pass_by
from tests.connectors.rig import Rig
from tests.connectors.threads_rig import a_rig, platform


@pytest.fixture
def rig() -> Iterator[Rig]:
    made = a_rig()
    yield made
    made.platform.close()


def test_a_container_that_was_not_published_is_waited_for_and_then_absent(rig: Rig) -> None:
    checkpoint = arrive(rig, "text", "publish")

    early = confirm(rig, "text", timedelta(seconds=89), checkpoint)
    late = confirm(rig, "text", timedelta(seconds=90), checkpoint)

    assert isinstance(early, Wait)
    assert late == Absent()


def test_a_published_container_is_waited_for_in_the_list(rig: Rig) -> None:
    checkpoint = pass_by(rig, "text", "publish")
    platform(rig).unlisted = True

    early = confirm(rig, "text", timedelta(minutes=4), checkpoint)
    late = confirm(rig, "text", timedelta(minutes=5), checkpoint)

    assert isinstance(early, Wait)
    profile = f"https://www.threads.com/@{HANDLE}"
    assert late == Done(remote_id="container:18050000000000010", url=profile)


def test_a_look_after_a_restore_finds_the_post_by_its_text_and_time(rig: Rig) -> None:
    pass_by(rig, "text", "publish")

    found = confirm(rig, "text", timedelta(minutes=2), Checkpoint("restored"))

    assert isinstance(found, Done)
    assert found.remote_id == "18060000000000020"


def test_a_look_after_a_restore_that_finds_nothing_says_absent_after_the_lag(rig: Rig) -> None:
    early = confirm(rig, "text", timedelta(seconds=30), Checkpoint("restored"))
    late = confirm(rig, "text", timedelta(minutes=2), Checkpoint("restored"))

    assert isinstance(early, Wait)
    assert late == Absent()


def test_two_posts_that_could_be_ours_cannot_be_told_apart(rig: Rig) -> None:
    pass_by(rig, "text", "publish")
    pass_by(rig, "text", "publish")

    assert confirm(rig, "text", timedelta(minutes=2), Checkpoint("restored")) == Unknown()
