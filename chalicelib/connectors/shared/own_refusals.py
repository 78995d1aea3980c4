"""The sentences with which this service itself refuses, in a platform's place, each in one place.

Each platform's closed set is in its `refusals.py`; sentences of several platforms are in `Shared`.
A connector names the member and its values, and composes no sentence. docs/connectors/refusals.md
is written from the same sets.
"""

from dataclasses import replace
from datetime import timedelta
from enum import Enum

from chalicelib.connectors.shared.calls.failures import RejectedError
from chalicelib.domain.outcome import Blame, Failed, FailureCode


class OwnRefusal(Enum):
    """A code and a sentence; names in braces are filled in with the post's values.

    `blame` is set if the code alone would name the wrong one.
    """

    def __init__(self, code: FailureCode, sentence: str, blame: Blame | None = None) -> None:
        self.code = code
        self.sentence = sentence
        self.blame = blame

    def end(self, **told: object) -> Failed:
        """Return a final failure: sending the same again would change nothing."""
        return replace(self.open_end(**told), final=True)

    def open_end(self, **told: object) -> Failed:
        """Return a failure that proves nothing about the post, or is temporary."""
        return Failed(code=self.code, message=self.sentence.format(**told), blame=self.blame)

    def end_for(self, wait: timedelta, **told: object) -> Failed:
        """Return a failure that ends after a wait."""
        return replace(self.open_end(**told), retry_after=wait)

    def error(self, **told: object) -> RejectedError:
        """Return it as an exception for a step to raise."""
        return RejectedError(self.code, self.sentence.format(**told), self.blame)


class Shared(OwnRefusal):
    """Failures of several platforms' posts."""

    UNREACHABLE = (
        FailureCode.MEDIA_UNAVAILABLE,
        (
            "{platform} fetches files itself and cannot reach this service. "
            "Its operator must set GOLDENHOUR_PUBLIC_URL to the https address that leads to it."
        ),
    )
    WITHHELD = (
        FailureCode.PERMISSION_MISSING,
        "{platform} was not allowed to grant {missing}. Sign in again and allow it.",
    )
    NO_COPY = FailureCode.MEDIA_REJECTED, "{why}"
    """The sentence of `check` about a file of which no copy is accepted."""

    NOT_OFFERED = FailureCode.INVALID_OPTIONS, "{why}"
    """The sentence about a choice that the account does not offer."""

    FULL_TODAY = (
        FailureCode.RATE_LIMITED,
        "{platform} takes no more posts from this account today.",
    )
