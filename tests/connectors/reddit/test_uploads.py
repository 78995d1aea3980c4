"""Files on their way to Reddit's buckets: leases, what S3 says no to, and hosts that are none."""

from dataclasses import dataclass, replace
from datetime import timedelta

import pytest
from requests.structures import CaseInsensitiveDict

from chalicelib.connectors.reddit.media import BUCKET_ERRORS, bucket_codes, place_of
from chalicelib.connectors.shared.calls.failures import RateLimitedError, RejectedError
from chalicelib.connectors.shared.calls.http import PlatformHttp
from chalicelib.domain.outcome import Checkpoint, Done, Failed, FailureCode, Outcome
from chalicelib.domain.platforms.platform import Platform
from chalicelib.kit.transport.failures import UnansweredError
from chalicelib.kit.transport.responses import PlatformResponse
from tests.connectors.reddit.fake_uploads import LEASE_LIFE, SIGNATURE, refusal, too_large
from tests.connectors.reddit.rig import IN_TEST, RedditRig, a_film, signed
from tests.connectors.support.fake_platform import Answer
from tests.connectors.support.rig import PatternSource, a_photo, a_publication
from tests.support.frozen_clock import FrozenClock

AMAZON = "https://amazonaws.com"


class TestHosts:
    """Where a lease may send a file: the token stays behind, the file does not."""

    @pytest.mark.parametrize(
        "host",
        [
            "reddit-uploaded-media.s3-accelerate.amazonaws.com",
            "reddit-uploaded-video.s3.us-east-1.amazonaws.com",
        ],
    )
    def test_buckets_are_taken(self, host: str) -> None:
        assert place_of(f"//{host}", AMAZON) == f"https://{host}/"

    @pytest.mark.parametrize(
        "action",
        [
            "//evil.example",
            "//evilamazonaws.com",
            "//amazonaws.com.evil.example",
            "//bucket.amazonaws.com@evil.example",
            "//bucket.amazonaws.com:8443",
            "//bucket.amazonaws.com/../elsewhere",
            "//evil.example/.amazonaws.com",
            "//evil.example#.amazonaws.com",
            "//evil.example\\.amazonaws.com",
            "//169.254.169.254",
            "http://bucket.amazonaws.com",
            "https://bucket.amazonaws.com",
            "bucket.amazonaws.com",
            "//bucket.amazonaws.com\n",
            "//",
            "",
        ],
        ids=repr,
    )
    def test_others_are_not(self, action: str) -> None:
        with pytest.raises(UnansweredError):
            place_of(action, AMAZON)

    def test_a_lease_for_another_host_sends_nothing(self, rig: RedditRig) -> None:
        rig.platform.uploads.action = "//127.0.0.1:9"

        with pytest.raises(UnansweredError):
            rig.connector.advance(signed(rig, "photo"), Checkpoint("image"))

        assert [call.path for call in rig.platform.calls] == ["/api/media/asset.json"]


class TestBuckets:
    """What S3 says, in our words."""

    @pytest.mark.parametrize("code", BUCKET_ERRORS)
    def test_every_row_maps(self, code: str) -> None:
        bucket = PlatformHttp(Platform.REDDIT, BUCKET_ERRORS, bucket_codes)
        named = refusal(403, code).body
        response = PlatformResponse(
            status=int(code) if code.isdigit() else 418,
            headers=CaseInsensitiveDict(),
            body=b"" if code.isdigit() else named,
        )

        error = bucket.read_error(response)

        assert isinstance(error, RejectedError)
        assert error.code is BUCKET_ERRORS[code]

    def test_what_is_too_large_for_its_lease_fails_unseen(self, rig: RedditRig) -> None:
        rig.platform.uploads.failure = too_large(30_000_000, 20_971_520)

        end = rig.drive("photo").run()

        assert _code(end) is FailureCode.MEDIA_TOO_LARGE
        assert rig.platform.posts == {}

    def test_a_lease_that_has_ended_is_followed_by_another(self, rig: RedditRig) -> None:
        uploads = rig.platform.uploads
        photo = replace(a_photo(), source=SlowOnce(3_000, clock=rig.clock))
        rig.shapes = {"photo": a_publication(rig.account, "Rye", photo, IN_TEST)}

        end = rig.drive("photo").run()

        assert isinstance(end, Done)
        assert [lease.size > 0 for lease in uploads.leases.values()] == [False, True]

    def test_a_crowded_bucket_is_tried_again(self, rig: RedditRig) -> None:
        uploads = rig.platform.uploads
        uploads.failure = refusal(503, "SlowDown")
        drive = rig.drive("photo")
        assert drive._step() is None
        assert drive._step() is None
        uploads.failure = None

        end = drive.run()

        assert isinstance(end, Done)

    def test_a_lease_that_reddit_took_too_long_for_is_asked_for_again(self, rig: RedditRig) -> None:
        uploads = rig.platform.uploads
        uploads.refusal = Answer(408, b"")
        drive = rig.drive("photo")
        assert drive._step() is None
        assert drive._step() is None
        uploads.refusal = None

        end = drive.run()

        assert isinstance(end, Done)

    def test_a_type_that_reddit_does_not_lease_for_is_the_files_fault(self, rig: RedditRig) -> None:
        rig.platform.uploads.refusal = Answer(400, {"message": "Bad Request", "error": 400})

        end = rig.drive("photo").run()

        assert _code(end) is FailureCode.MEDIA_REJECTED

    def test_a_limit_on_leases_is_waited_out(self, rig: RedditRig) -> None:
        rig.platform.uploads.refusal = Answer(429, b"", {"X-Ratelimit-Reset": "12"})

        with pytest.raises(RateLimitedError) as limited:
            rig.connector.advance(signed(rig, "photo"), Checkpoint("image"))

        assert limited.value.retry_after == timedelta(seconds=12)


class TestSteps:
    """What is kept between steps."""

    def test_no_checkpoint_holds_a_lease(self, rig: RedditRig) -> None:
        drive = rig.drive("video")
        kept = []

        while drive.checkpoint is None or drive.checkpoint.step != "find":
            drive._step()
            kept.append(repr(drive.checkpoint))

        assert len(kept) == 4
        assert not any(SIGNATURE in text or "policy" in text for text in kept)

    def test_a_still_that_is_gone_by_its_turn_fails_the_post(self, rig: RedditRig) -> None:
        drive = rig.drive("video")
        assert drive._step() is None
        assert drive._step() is None
        media = replace(a_film(), poster=None)
        drive.publication = replace(drive.publication, media=media)

        end = drive.run()

        assert _code(end) is FailureCode.PROCESSING_FAILED
        assert rig.platform.posts == {}

    def test_the_persons_name_of_a_file_stays_with_us(self, rig: RedditRig) -> None:
        media = replace(a_film(), filename="nora in bed.mp4")
        rig.shapes = {"video": a_publication(rig.account, "Rye", media, IN_TEST)}

        rig.drive("video").run()

        assert not any(b"nora" in call.body for call in rig.platform.calls)
        assert rig.platform.calls[0].form["filepath"] == "video.mp4"


@dataclass(slots=True)
class SlowOnce(PatternSource):
    """A file whose first reading takes as long as a lease holds."""

    clock: FrozenClock | None = None

    def read(self, offset: int, length: int) -> bytes:
        """Let the time pass, once."""
        if self.clock is not None:
            self.clock.pass_time(LEASE_LIFE)
            self.clock = None
        return PatternSource.read(self, offset, length)


def _code(outcome: Outcome) -> str | None:
    return outcome.code if isinstance(outcome, Failed) else None
