"""The blame for a refusal: who or what must change before a platform accepts the post.

A row of a connector's table may name it (`ErrorEntry.blame`); else it follows from the code. The
platforms' own lists say whom each code concerns; a choice in the post's options counts as its text.
"""

from collections.abc import Mapping
from typing import Final

from chalicelib.domain.outcome import Blame, Failed, FailureCode

_BY_CODE: Final[Mapping[str, Blame]] = {
    FailureCode.AUTH_EXPIRED: Blame.PERSON,
    FailureCode.PERMISSION_MISSING: Blame.PERSON,
    FailureCode.RATE_LIMITED: Blame.ACCOUNT,
    FailureCode.MEDIA_REJECTED: Blame.FILE,
    FailureCode.MEDIA_TOO_LARGE: Blame.FILE,
    FailureCode.MEDIA_UNAVAILABLE: Blame.APPLICATION,
    FailureCode.VIDEO_TOO_LONG: Blame.FILE,
    FailureCode.FILE_REMOVED: Blame.FILE,
    FailureCode.CAPTION_REJECTED: Blame.TEXT,
    FailureCode.DUPLICATE_CONTENT: Blame.TEXT,
    FailureCode.ACCOUNT_RESTRICTED: Blame.ACCOUNT,
    FailureCode.ACCOUNT_REMOVED: Blame.PERSON,
    FailureCode.PLATFORM_UNAVAILABLE: Blame.PLATFORM,
    FailureCode.PROCESSING_FAILED: Blame.PLATFORM,
    FailureCode.PROCESSING_TIMEOUT: Blame.PLATFORM,
    FailureCode.OUTCOME_UNKNOWN: Blame.PLATFORM,
    FailureCode.INVALID_OPTIONS: Blame.TEXT,
    FailureCode.TOO_LATE: Blame.APPLICATION,
    FailureCode.UNKNOWN: Blame.PLATFORM,
}


def blame_of(failed: Failed) -> Blame:
    """Return the blame for a refusal; an unknown code counts as the platform's."""
    return failed.blame or _BY_CODE.get(failed.code, Blame.PLATFORM)
