"""What this service refuses itself, in a platform's place: the sentences, each in one place.

Each platform's closed set stands in its `refusals.py`; what is alike on several is `Shared`. A
connector names the member and what the sentence tells of the post, and composes nothing.
docs/connectors/refusals.md is written from the same sets.
"""

from dataclasses import replace
from datetime import timedelta
from enum import Enum

from chalicelib.connectors.shared.calls.failures import RejectedError
from chalicelib.domain.outcome import Blame, Failed, FailureCode


class OwnRefusal(Enum):
    """A code and a sentence; what stands in braces is told of the post at hand.

    `blame` stands where the code alone would name the wrong one.
    """

    def __init__(self, code: FailureCode, sentence: str, blame: Blame | None = None) -> None:
        self.code = code
        self.sentence = sentence
        self.blame = blame

    def end(self, **told: object) -> Failed:
        """Return the end of a post: sending the same again would change nothing."""
        return replace(self.open_end(**told), final=True)

    def open_end(self, **told: object) -> Failed:
        """Return an end that proves nothing of the post, or that passes by itself."""
        return Failed(code=self.code, message=self.sentence.format(**told), blame=self.blame)

    def end_for(self, wait: timedelta, **told: object) -> Failed:
        """Return an end that is over after a wait."""
        return replace(self.open_end(**told), retry_after=wait)

    def error(self, **told: object) -> RejectedError:
        """Return it as a step raises it."""
        return RejectedError(self.code, self.sentence.format(**told), self.blame)


class Shared(OwnRefusal):
    """What several platforms' posts end with."""

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
    """The sentence that `check` tells of a file of which no copy is taken."""

    NOT_OFFERED = FailureCode.INVALID_OPTIONS, "{why}"
    """The sentence that a choice is refused with which the account does not offer."""

    FULL_TODAY = (
        FailureCode.RATE_LIMITED,
        "{platform} takes no more posts from this account today.",
    )
