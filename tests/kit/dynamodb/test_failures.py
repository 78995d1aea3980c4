"""Which failures may pass: what AWS's own library tries again passes here too."""

import pytest
from botocore.exceptions import ClientError
from botocore.retries.standard import ThrottledRetryableChecker, TransientRetryableChecker

from chalicelib.kit.dynamodb.failures import is_passing

# What botocore 1 tries again (its `retries/standard.py`), but for services that are not used here.
THEIRS = {
    *vars(ThrottledRetryableChecker)["_THROTTLED_ERROR_CODES"],
    *vars(TransientRetryableChecker)["_TRANSIENT_ERROR_CODES"],
} - {"EC2ThrottledException", "BandwidthLimitExceeded"}


def _error(code: str) -> ClientError:
    return ClientError({"Error": {"Code": code, "Message": "said"}}, "PutItem")


@pytest.mark.parametrize("code", sorted(THEIRS))
def test_what_the_library_of_aws_tries_again_may_pass(code: str) -> None:
    assert is_passing(_error(code))


@pytest.mark.parametrize(
    "code", ["ValidationException", "AccessDeniedException", "ResourceNotFoundException"]
)
def test_what_stays_wrong_does_not_pass(code: str) -> None:
    assert not is_passing(_error(code))
