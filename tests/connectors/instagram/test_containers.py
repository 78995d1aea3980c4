"""Instagram's containers: those that fail, that are not ready, and a day that is full."""

from datetime import timedelta

import pytest

from chalicelib.domain.outcome import Done, Failed, FailureCode
from chalicelib.kit.json_value import Json
from tests.connectors.instagram.rig import InstagramRig
from tests.support.frozen_clock import NOON


def _error(subcode: int) -> dict[str, Json]:
    text = f"Error: Media upload has failed with error code {subcode}"
    return {"status_code": "ERROR", "status": text}


@pytest.mark.parametrize(
    ("failures", "code"),
    [
        ([_error(2207026)], FailureCode.MEDIA_REJECTED),
        ([{"status": _error(2207026)["status"]}], FailureCode.MEDIA_REJECTED),
        ([_error(2207053)] * 2, FailureCode.PROCESSING_FAILED),
        ([_error(2207999)] * 2, FailureCode.PROCESSING_FAILED),
        ([{"status_code": "EXPIRED"}] * 2, FailureCode.PROCESSING_FAILED),
        ([_error(2207003)] * 2, FailureCode.MEDIA_UNAVAILABLE),
    ],
    ids=["format", "no status_code", "server", "unlisted", "expired", "download"],
)
def test_a_container_that_fails_for_good_fails_the_post(
    rig: InstagramRig, failures: list[dict[str, Json]], code: FailureCode
) -> None:
    made = len(failures)
    rig.platform.failures = [*failures]

    end = rig.drive("video").run()

    assert isinstance(end, Failed)
    assert (end.code, end.is_transient) == (code, False)
    assert (len(rig.platform.containers), rig.platform.posts) == (made, {})
    assert end.answer is not None
    assert end.answer.sentence == failures[-1].get("status")


@pytest.mark.parametrize("subcode", [2207001, 2207085])
def test_a_container_that_fails_in_passing_gets_another_one(
    rig: InstagramRig, subcode: int
) -> None:
    rig.platform.failures = [_error(subcode)]

    end = rig.drive("video").run()

    assert isinstance(end, Done)
    assert len(rig.platform.containers) == 2


def test_a_container_that_cannot_be_read_at_first_is_read_again(rig: InstagramRig) -> None:
    rig.platform.unreadable = 2

    end = rig.drive("photo").run()

    assert isinstance(end, Done)
    assert len(rig.platform.containers) == 1


@pytest.mark.parametrize(
    "full",
    [{"quota_usage": 100, "config": {"quota_total": 100}}, {"quota_usage": 50}],
    ids=["as told", "fifty where no total is told"],
)
def test_a_full_quota_is_waited_for_before_anything_is_shown(
    rig: InstagramRig, full: dict[str, Json]
) -> None:
    rig.platform.quota = full
    drive = rig.drive("photo")
    while "quota" not in " ".join(drive.seen):
        assert drive._step() is None
    rig.platform.quota = {"quota_usage": 1, "config": {"quota_total": 100}}

    end = drive.run()

    assert isinstance(end, Done)
    assert rig.clock() - NOON > timedelta(minutes=60)


@pytest.mark.parametrize(
    ("errors", "containers"),
    [([(9007, 2207027)] * 2, 1), ([(24, 2207008)] * 4, 2), ([(24, 2207006)], 2)],
    ids=["too early", "not known", "gone"],
)
def test_a_container_that_cannot_be_published_yet_is_looked_at_or_made_again(
    rig: InstagramRig, errors: list[tuple[int, int]], containers: int
) -> None:
    rig.platform.publish_errors = errors

    end = rig.drive("photo").run()

    assert isinstance(end, Done)
    assert (len(rig.platform.posts), len(rig.platform.containers)) == (1, containers)


def test_a_day_that_is_used_up_after_all_is_waited_for(rig: InstagramRig) -> None:
    rig.platform.publish_errors = [(9, 2207042)]

    end = rig.drive("photo").run()

    assert isinstance(end, Done)
    assert rig.clock() - NOON > timedelta(hours=6)
