"""Threads's containers: those that fail, that are not ready, and a day that is full."""

from datetime import timedelta

import pytest

from chalicelib.domain.outcome import (
    Done,
    Failed,
    FailureCode,
)
from tests.connectors.support.fake_platform import Answer
from tests.connectors.support.places import names
from tests.connectors.threads.fake import USER
from tests.connectors.threads.rig import ThreadsRig
from tests.support.frozen_clock import NOON

CONTAINER, TOO_LONG = "18050000000000010", "must be at most 500 characters"


@pytest.mark.parametrize("failure", ["FAILED_DOWNLOADING_VIDEO", "UNKNOWN", "EXPIRED", "NEW_ONE"])
def test_a_container_that_failed_is_made_once_more(rig: ThreadsRig, failure: str) -> None:
    rig.platform.failures = [failure]

    end = rig.drive("video").run()

    assert isinstance(end, Done)
    assert len(rig.platform.containers) == 2


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
    rig: ThreadsRig, failures: list[str], code: FailureCode
) -> None:
    made = len(failures)
    rig.platform.failures = failures

    end = rig.drive("video").run()

    assert isinstance(end, Failed)
    assert (end.code, end.is_transient) == (code, False)
    assert len(rig.platform.containers) == made
    assert rig.platform.posts == {}


def test_a_full_quota_is_waited_for_before_anything_is_shown(rig: ThreadsRig) -> None:
    rig.platform.quota = (250, 250)
    drive = rig.drive("text")
    while "quota" not in " ".join(drive.seen):
        assert drive._step() is None
    rig.platform.quota = (249, 250)

    end = drive.run()

    assert isinstance(end, Done)
    assert rig.clock() - NOON > timedelta(minutes=30)


def test_publishing_too_early_looks_again_and_at_last_makes_another_container(
    rig: ThreadsRig,
) -> None:
    rig.platform.publish_errors = [(24, 4279009)] * 4

    end = rig.drive("text").run()

    assert isinstance(end, Done)
    assert (len(rig.platform.posts), len(rig.platform.containers)) == (1, 2)


def test_a_text_of_unknown_status_goes_out_after_three_looks(rig: ThreadsRig) -> None:
    odd = Answer(200, {"status": None, "id": CONTAINER})
    waiting = Answer(200, {"status": "IN_PROGRESS", "id": CONTAINER})
    looks = [waiting, waiting, odd, waiting, odd, odd]
    rig.platform.polls_needed = 0
    rig.platform.script = {f"GET {CONTAINER}": [*looks]}

    end = rig.drive("text").run()

    assert isinstance(end, Done)
    assert names(rig)[1 : 1 + len(looks) + 1] == [
        *[f"GET /v1.0/{CONTAINER}"] * len(looks),
        f"GET /v1.0/{USER}/threads_publishing_limit",
    ]
