"""How calls of DynamoDB fail: a false condition, a passing failure, an invalid call, no answer.

Unexpected failures are raised. Writers that clashed would clash again if they waited equally long,
so each waits a random time, up to a bound that doubles with every try. `transaction` handles
failures of several rows.
"""

import random
import time
from collections.abc import Callable
from typing import TypeVar

from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    HTTPClientError,
    IncompleteReadError,
)
from botocore.exceptions import ConnectionError as NotConnectedError


def is_refused(error: ClientError) -> bool:
    """Tell whether a write failed because its condition did not hold."""
    return error.response["Error"]["Code"] == "ConditionalCheckFailedException"


def is_carried_out(write: Callable[[], object]) -> bool:
    """Make a conditional write and tell whether its condition held. Other failures are raised."""
    try:
        write()
    except ClientError as error:
        if not is_refused(error):
            raise
        return False
    return True


def is_clash(error: Exception) -> bool:
    """Tell whether a write failed because a transaction was changing the same row."""
    if not isinstance(error, ClientError):
        return False
    return error.response["Error"]["Code"] == "TransactionConflictException"


_FIRST_S = 0.01
_MOST_DOUBLINGS = 6


def backoff_s(tried: int) -> float:
    """Return the seconds to wait after `tried` earlier tries: at random, up to 0.64 s."""
    return random.uniform(0, _FIRST_S * 2 ** min(tried, _MOST_DOUBLINGS))  # noqa: S311  # jitter


_T = TypeVar("_T")
_TRIES = 6
_PASSING = frozenset(
    {
        "InternalServerError",
        "LimitExceededException",
        "PriorRequestNotComplete",
        "ProvisionedThroughputExceededException",
        "RequestLimitExceeded",
        "RequestThrottled",
        "RequestThrottledException",
        "RequestTimeout",
        "RequestTimeoutException",
        "ServiceUnavailable",
        "SlowDown",
        "ThrottledException",
        "Throttling",
        "ThrottlingException",
        "TooManyRequestsException",
        "TransactionConflictException",
        "TransactionInProgressException",
    }
)

_PASSING_STATUSES = frozenset({500, 502, 503, 504})
"""S3 says no more than these where an answer has no body, and `InternalError` where it has one."""


def is_passing(error: Exception) -> bool:
    """Tell whether the same call may succeed a moment later (what botocore retries)."""
    if isinstance(error, ClientError):
        status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode")
        return error.response["Error"]["Code"] in _PASSING or status in _PASSING_STATUSES
    return isinstance(error, BotoCoreError)


def is_invalid(error: Exception) -> bool:
    """Tell whether a call can never succeed, such as one with a row that is too large."""
    if not isinstance(error, ClientError):
        return False
    return error.response["Error"]["Code"] == "ValidationException"


class Retrying:
    """Retries a write, with growing waits, while its failure may pass; six tries in all.

    A write may have been applied although it failed. So use it only for writes whose condition
    names a token or version, and whose caller recognizes its own write.
    """

    def __init__(self, wait: Callable[[float], None] = time.sleep) -> None:
        self._wait = wait

    def __call__(self, call: Callable[[], _T]) -> _T:
        """Return what the call returns. Raises its last failure, or one that cannot pass."""
        for tried in range(_TRIES - 1):
            try:
                return call()
            except (ClientError, BotoCoreError) as error:
                if not is_passing(error):
                    raise
            self._wait(backoff_s(tried + 1))
        return call()


STORE_SILENT = (NotConnectedError, HTTPClientError, IncompleteReadError)
"""Raised when a table, bucket or queue cannot be reached or breaks off its answer."""
AwsFailure = (ClientError, BotoCoreError)
"""Everything that a call to AWS can raise."""


def explain(failure: ClientError | BotoCoreError, *, advice: str) -> str:
    """Return a sentence on what AWS refused, with `advice`, or why it could not be called."""
    if isinstance(failure, ClientError):
        code = failure.response["Error"]["Code"]
        return f"AWS refused {failure.operation_name} ({code}). {advice}"
    return f"AWS could not be called: {failure}. Check network, region and credentials."
