"""What a person reads after a refusal that the service does not try again."""

from datetime import datetime, timedelta

import pytest

from chalicelib.domain.engine.what_follows import after_the_last_try, before_the_next_try
from chalicelib.domain.outcome import TRANSIENT, Failed, FailureCode
from tests.support.frozen_clock import NOON

SECOND, MINUTE = timedelta(seconds=1), timedelta(minutes=1)


@pytest.mark.parametrize("code", list(FailureCode))
def test_a_refusal_for_good_never_speaks_of_tries_that_were_not_made(code: FailureCode) -> None:
    failed = Failed(code=code, message="No.", final=True)

    follows = after_the_last_try(failed, now=NOON)

    assert (follows is not None) == (code in TRANSIENT)
    assert follows is None or ("gave up" not in follows and "does not retry" in follows)


@pytest.mark.parametrize(
    ("failed", "follows"),
    [
        (
            Failed(code=FailureCode.RATE_LIMITED, message="No."),
            "The service gave up. Wait until the platform takes more posts, then retry.",
        ),
        (
            Failed(code=FailureCode.RATE_LIMITED, message="No.", retry_after=SECOND),
            "The service gave up. Wait until the platform takes more posts, then retry.",
        ),
        (
            Failed(code=FailureCode.RATE_LIMITED, message="No.", retry_after=MINUTE),
            "The service gave up. Retry after 2026-11-20 12:02 UTC, as the platform asks.",
        ),
        (
            Failed(code=FailureCode.RATE_LIMITED, message="No.", own_pace=True),
            (
                "The service gave up. Retry once this service's operator has settled it with the"
                " platform."
            ),
        ),
    ],
    ids=["no time", "a moment", "a time", "the application's"],
)
def test_after_the_last_try_a_person_reads_what_to_wait_for(failed: Failed, follows: str) -> None:
    assert after_the_last_try(failed, now=NOON) == follows


@pytest.mark.parametrize(
    ("at", "next_try"),
    [
        (NOON + MINUTE - SECOND, ""),
        (NOON + MINUTE, " The next try is at 2026-11-20 12:01 UTC."),
        (NOON + 3 * MINUTE, " The next try is at 2026-11-20 12:03 UTC."),
    ],
)
def test_a_try_within_the_minute_needs_no_time(at: datetime, next_try: str) -> None:
    assert before_the_next_try(at, NOON + 60 * MINUTE, now=NOON) == (
        f"The service retries by itself.{next_try} It goes on until 2026-11-20 13:00 UTC at the"
        " latest."
    )


def test_a_refusal_for_good_after_some_tries_does_not_say_that_there_were_none() -> None:
    failed = Failed(code=FailureCode.MEDIA_UNAVAILABLE, message="No.", final=True)

    follows = after_the_last_try(failed, now=NOON, tries=2)

    assert follows == "The service gave up. Retry once the cause is gone."
