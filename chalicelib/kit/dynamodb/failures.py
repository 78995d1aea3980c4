"""How DynamoDB fails: a condition refused, a call that may work a moment later, or silence.

What nobody expects is raised, for the lease and the dead-letter queue are the safety net; only a
command line explains it to a person. Writers that clash would clash again if they waited equally
long, so each waits a random time within a bound that doubles with every try. Several rows at once
are `transaction.py`'s.
"""

import random
import time
from collections.abc import Callable
from typing import TypeVar

from botocore.exceptions import BotoCoreError, ClientError, HTTPClientError
from botocore.exceptions import ConnectionError as NotConnectedError


def is_refused(error: ClientError) -> bool:
    """Tell whether a write failed because the row was not as its condition demands."""
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
    """Tell whether a write met a transaction over the same row."""
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


def is_passing(error: Exception) -> bool:
    """Tell whether the same call may work a moment later; botocore names the codes alike."""
    if isinstance(error, ClientError):
        return error.response["Error"]["Code"] in _PASSING
    return isinstance(error, BotoCoreError)


def is_invalid(error: Exception) -> bool:
    """Tell whether a call can never work, as that of a row that is too large."""
    if not isinstance(error, ClientError):
        return False
    return error.response["Error"]["Code"] == "ValidationException"


class Retrying:
    """Makes a single write of the engine again, with growing waits, while its failure may pass.

    It may have been applied the first time, so only writes that name what they change, by token
    and version, go through here; their callers recognize their own.
    """

    def __init__(self, wait: Callable[[float], None] = time.sleep) -> None:
        self._wait = wait

    def __call__(self, call: Callable[[], _T]) -> _T:
        """Return what the call returns; raise its last failure."""
        for tried in range(_TRIES - 1):
            try:
                return call()
            except (ClientError, BotoCoreError) as error:
                if not is_passing(error):
                    raise
            self._wait(backoff_s(tried + 1))
        return call()


STORE_SILENT = (NotConnectedError, HTTPClientError)
"""A table, a bucket or a queue could not be reached, or broke off."""
AwsFailure = (ClientError, BotoCoreError)
"""Everything that a call of AWS can raise."""


def explain(failure: ClientError | BotoCoreError, *, advice: str) -> str:
    """Say what AWS refused, with an advice, or that it could not be asked."""
    if isinstance(failure, ClientError):
        code = failure.response["Error"]["Code"]
        return f"AWS refused {failure.operation_name} ({code}). {advice}"
    return f"AWS could not be asked: {failure}. Check network, region and credentials."
