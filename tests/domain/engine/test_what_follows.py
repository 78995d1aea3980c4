"""What a person reads after a refusal that the service does not try again."""

import pytest

from chalicelib.domain.engine.what_follows import after_the_last_try
from chalicelib.domain.outcome import TRANSIENT, Failed, FailureCode
from tests.support.frozen_clock import NOON


@pytest.mark.parametrize("code", list(FailureCode))
def test_a_refusal_for_good_never_speaks_of_tries_that_were_not_made(code: FailureCode) -> None:
    failed = Failed(code=code, message="No.", final=True)

    follows = after_the_last_try(failed, now=NOON)

    assert (follows is not None) == (code in TRANSIENT)
    assert follows is None or ("gave up" not in follows and "does not retry" in follows)


def test_a_refusal_for_good_after_some_tries_does_not_say_that_there_were_none() -> None:
    failed = Failed(code=FailureCode.MEDIA_UNAVAILABLE, message="No.", final=True)

    follows = after_the_last_try(failed, now=NOON, tries=2)

    assert follows == "The service gave up. Retry once the cause is gone."
