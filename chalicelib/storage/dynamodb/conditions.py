"""Conditional writes of one row: was the condition refused, and was the write carried out.

Several rows at once are `transaction.py`'s.
"""

from collections.abc import Callable

from botocore.exceptions import ClientError


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
