"""How a post with a file, whose id Reddit does not tell, is found once Reddit took it."""

from datetime import timedelta

import pytest

from chalicelib.connectors.reddit.api import breather
from chalicelib.connectors.reddit.connector import PATIENCE
from chalicelib.connectors.reddit.reconciliation import made_at
from chalicelib.connectors.shared.calls.failures import RejectedError
from chalicelib.domain.outcome import Absent, Checkpoint, Done, Failed, FailureCode, Wait
from chalicelib.kit.transport.responses import PlatformResponse
from tests.connectors.reddit.answers import refused
from tests.connectors.reddit.rig import RedditRig, reconcile, signed
from tests.support.frozen_clock import NOON

TAKEN = Checkpoint(
    "find",
    {
        "asset": "fk7asset01",
        "accepted": NOON.isoformat(),
        "since": NOON.isoformat(),
        "witness": NOON.isoformat(),
        "late": 1,
        "late_for": NOON.isoformat(),
    },
)


class TestFinding:
    """A post that Reddit took, until it shows."""

    def test_one_that_never_shows_is_a_timeout_that_proves_nothing(self, rig: RedditRig) -> None:
        rig.platform.lags["video"] = timedelta(hours=2)

        end = rig.drive("video").run()

        assert isinstance(end, Failed)
        assert end.code == FailureCode.PROCESSING_TIMEOUT
        assert not end.proves_absence
        assert PATIENCE <= rig.clock() - NOON < PATIENCE + timedelta(minutes=1)
        assert len(rig.platform.posts) == 1

    def test_a_retry_of_it_looks_before_anything_is_sent(self, rig: RedditRig) -> None:
        rig.platform.lags["video"] = timedelta(minutes=12)
        drive = rig.drive("video")
        assert isinstance(drive.run(), Failed)

        early = reconcile(rig, "video", drive.checkpoint, after=timedelta(minutes=11))
        late = reconcile(rig, "video", drive.checkpoint, after=timedelta(minutes=13))

        assert isinstance(early, Wait)
        assert isinstance(late, Done)
        assert [late.remote_id] == list(rig.platform.posts)

    def test_a_second_submission_remembers_the_doubt_about_the_first(self, rig: RedditRig) -> None:
        upload = rig.connector.advance(signed(rig, "photo"), Checkpoint("image"))
        assert isinstance(upload, Wait)
        again = Checkpoint("submit", {**upload.checkpoint.data, "since": "2026-11-20T11:50:00Z"})

        taken = rig.connector.advance(signed(rig, "photo"), again)

        assert isinstance(taken, Wait)
        assert taken.checkpoint.step == "find"
        assert taken.checkpoint.data["since"] == "2026-11-20T11:50:00Z"

    def test_what_reddit_said_it_took_is_waited_for_longest(self, rig: RedditRig) -> None:
        early = reconcile(rig, "photo", TAKEN, after=timedelta(minutes=30))
        late = reconcile(rig, "photo", TAKEN, after=timedelta(minutes=31))

        assert isinstance(early, Wait)
        assert late == Absent()

    def test_a_listing_that_is_refused_says_nothing_of_the_post(self, rig: RedditRig) -> None:
        """A refusal that proved something would clear the doubt, and a retry send again."""
        rig.platform.listing_refusal = refused(("VERIFIED_USER_REQUIRED", "No.", "user"))

        with pytest.raises(RejectedError) as refusal:
            rig.connector.advance(signed(rig, "photo"), TAKEN)

        failed = Failed(code=refusal.value.code, message=refusal.value.message)
        assert not failed.proves_absence
        assert not failed.is_transient

    def test_looks_leave_the_last_calls_of_a_window_to_others(self, rig: RedditRig) -> None:
        rig.platform.quota |= {"x-ratelimit-remaining": "4.0", "x-ratelimit-reset": "45"}

        found = reconcile(rig, "photo", TAKEN)

        assert isinstance(found, Wait)
        assert found.delay == timedelta(seconds=45)

    @pytest.mark.parametrize(
        ("left", "reset", "seconds"),
        [("6", "45", 0), ("5.0", "45", 45), ("0", "9999", 600), ("0", "soon", 0), ("nan", "9", 0)],
    )
    def test_headers_are_read_with_care(self, left: str, reset: str, seconds: int) -> None:
        headers = {"X-Ratelimit-Remaining": left, "X-Ratelimit-Reset": reset}

        rest = breather(PlatformResponse(status=200, headers=headers, body=b""))

        assert rest == timedelta(seconds=seconds)


def test_a_time_that_no_calendar_has_is_none() -> None:
    assert made_at({"created_utc": 1e30}) is None
