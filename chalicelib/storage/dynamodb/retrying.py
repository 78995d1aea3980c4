"""Single writes of the engine, made again while DynamoDB is busy or does not answer.

A write that is repeated may have been applied the first time, so only writes that name what they
change, by token and version, go through here; their callers recognize their own.
"""

import time
from collections.abc import Callable
from typing import TypeVar

from botocore.exceptions import BotoCoreError, ClientError

from chalicelib.domain.backoff import backoff_s

_T = TypeVar("_T")
_TRIES = 6
_PASSING = frozenset(
    {
        "TransactionConflictException",
        "TransactionInProgressException",
        "ThrottlingException",
        "ProvisionedThroughputExceededException",
        "RequestLimitExceeded",
        "InternalServerError",
        "ServiceUnavailable",
    }
)


def is_passing(error: Exception) -> bool:
    """Tell whether the same call may work a moment later."""
    if isinstance(error, ClientError):
        return error.response["Error"]["Code"] in _PASSING
    return isinstance(error, BotoCoreError)


class Retrying:
    """Makes a call again, with growing waits, as long as its failure may pass."""

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
