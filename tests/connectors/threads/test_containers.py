"""Threads's containers: those that fail, that are not ready, and a day that is full."""

from collections.abc import Iterator
from datetime import timedelta

import pytest

from chalicelib.domain.outcome import (
    Done,
    Failed,
    FailureCode,
)
from tests.connectors.support.fake_platform import Answer
from tests.connectors.support.places import names
from tests.connectors.support.rig import Rig
from tests.connectors.threads.fake import USER
from tests.connectors.threads.rig import a_rig, platform
from tests.support.frozen_clock import NOON

CONTAINER, TOO_LONG = "18050000000000010", "must be at most 500 characters"


@pytest.fixture
def rig() -> Iterator[Rig]:
    made = a_rig()
    yield made
    made.platform.close()


@pytest.mark.parametrize("failure", ["FAILED_DOWNLOADING_VIDEO", "UNKNOWN", "EXPIRED", "NEW_ONE"])
def test_a_container_that_failed_is_made_once_more(rig: Rig, failure: str) -> None:
    platform(rig).failures = [failure]

    end = rig.drive("video").run()

    assert isinstance(end, Done)
    assert len(platform(rig).containers) == 2


@pytest.mark.parametrize(
    ("failures", "code"),
    [
        (["INVALID_ASPEC_RATIO"], FailureCode.MEDIA_REJECTED),
        (["INVALID_DURATION"], FailureCode.MEDIA_REJECTED),
        (["FAILED_PROCESSING_AUDIO"] * 2, FailureCode.PROCESSING_FAILED),
        (["FAILED_DOWNLOADING_VIDEO"] * 2, FailureCode.MEDIA_UNAVAILABLE),
    ],
    ids=str,
)
def test_a_container_that_fails_for_good_fails_the_post(
    rig: Rig, failures: list[str], code: FailureCode
) -> None:
    made = len(failures)
    platform(rig).failures = failures

    end = rig.drive("video").run()

    assert isinstance(end, Failed)
    assert (end.code, end.is_transient) == (code, False)
    assert len(platform(rig).containers) == made
    assert rig.platform.posts == {}


def test_a_full_quota_is_waited_for_before_anything_is_shown(rig: Rig) -> None:
    platform(rig).quota = (250, 250)
    drive = rig.drive("text")
    while "quota" not in " ".join(drive.seen):
        assert drive._step() is None
    platform(rig).quota = (249, 250)

    end = drive.run()

    assert isinstance(end, Done)
    assert rig.clock() - NOON > timedelta(minutes=30)


def test_publishing_too_early_looks_again_and_at_last_makes_another_container(rig: Rig) -> None:
    platform(rig).publish_errors = [(24, 4279009)] * 4

    end = rig.drive("text").run()

    assert isinstance(end, Done)
    assert (len(rig.platform.posts), len(platform(rig).containers)) == (1, 2)


def test_a_text_of_unknown_status_goes_out_after_three_looks(rig: Rig) -> None:
    odd = Answer(200, {"status": None, "id": CONTAINER})
    waiting = Answer(200, {"status": "IN_PROGRESS", "id": CONTAINER})
    looks = [waiting, waiting, odd, waiting, odd, odd]
    platform(rig).polls_needed = 0
    platform(rig).script = {f"GET {CONTAINER}": [*looks]}

    end = rig.drive("text").run()

    assert isinstance(end, Done)
    assert names(rig)[1 : 1 + len(looks) + 1] == [
        *[f"GET /v1.0/{CONTAINER}"] * len(looks),
        f"GET /v1.0/{USER}/threads_publishing_limit",
    ]
