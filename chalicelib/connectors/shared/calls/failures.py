"""Platforms' refusals, beside the failures of any call (`kit/transport/failures.py`).

`http.py` and the connectors raise these exceptions, which say how certain a refusal is; the worker
makes outcomes of them in one function. On an irreversible step only those in REFUSED prove that
nothing was done. A connector's ERRORS table maps the platform's codes to our error codes; codes are
looked up, message text is never searched.
"""

from collections.abc import Iterable, Mapping
from datetime import timedelta

from chalicelib.connectors.shared.calls.platform_words import read_platform_answer
from chalicelib.domain.outcome import Blame, Failed, FailureCode, PlatformAnswer
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import Platform
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.transport.failures import NotSentError, PlatformError, UnansweredError
from chalicelib.kit.transport.responses import PlatformResponse


class UnlistedError(UnansweredError):
    """The platform refused in a way that the connector's table does not list.

    That proves nothing, so on an irreversible step it is a doubt like a missing answer.
    """


class RateLimitedError(PlatformError):
    """The platform refused for now, and may have said for how long.

    `row` is the table's, if that has a sentence of its own: whose limit it is.
    """

    row: "ErrorEntry | None" = None

    def __init__(self, retry_after: timedelta | None = None) -> None:
        super().__init__("rate limited")
        self.retry_after = retry_after

    def waiting(self, retry_after: timedelta | None) -> "RateLimitedError":
        """Return the same refusal with another wait."""
        another = RateLimitedError(retry_after)
        another.row, another.answer = self.row, self.answer
        return another


class TokenRejectedError(PlatformError):
    """The platform refused the account's token for good; `row` as at RateLimitedError."""

    row: "ErrorEntry | None" = None


class RejectedError(PlatformError):
    """The platform refused with an answer that the connector knows.

    `is_bare` tells that only the status made it a refusal: a network in between may have answered,
    so that it proves nothing when a post is searched for.
    """

    answer: PlatformAnswer | None = None
    app_wide = False
    is_bare = False

    def __init__(self, code: FailureCode, message: str, blame: Blame | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.message = message
        self.blame = blame


REFUSED = (NotSentError, RateLimitedError, TokenRejectedError, RejectedError)


@dataclass(frozen=True, slots=True)
class ErrorEntry:
    """One row of a table that needs a sentence of its own.

    `ours` marks errors that only this deployment's operator can mend: an application that is not
    approved, has no credits or is set up wrongly. `http.py` logs it, for an alarm. `blame` is set
    where the code alone would name the wrong party. `app_wide` marks a refusal of every post of the
    application, so that its other posts wait. `wait` is the least time to the next try, if the
    refusal lasts longer than the answer says.
    """

    code: FailureCode
    sentence: str
    ours: bool = False
    blame: Blame | None = None
    app_wide: bool = False
    wait: timedelta = timedelta(0)

    @property
    def blamed(self) -> Blame | None:
        """Return the blame, None if the code tells it."""
        return Blame.APPLICATION if self.ours or self.app_wide else self.blame


ErrorTable = Mapping[str, FailureCode | ErrorEntry]
"""A platform's codes. AUTH_EXPIRED means that the token was refused, RATE_LIMITED to slow down."""

PLAIN_NO = "plain no"
"""Key of ours for a refusal that the table does not list, in the platform's own form: a 4xx with a
code (RFC 9110, 15.5). A table has it where no post is known to have followed one; posts have
followed 5xx and lost answers on every platform. Instagram and Threads are asked first: posts went
live in spite of a 4xx there (github.com/gitroomhq/postiz-app, pull request 1681)."""

_REFUSING = frozenset(range(400, 500)) - {408, 425, 499}
"""Except the statuses of a call that ended before it was processed."""


def is_plain_no(response: PlatformResponse, answer: PlatformAnswer) -> bool:
    """Tell whether an answer is certainly a refusal, whatever its code."""
    has_form = answer.code is not None or response.find("status") == response.status
    return response.status in _REFUSING and has_form


SENTENCES: Mapping[FailureCode, str] = {
    FailureCode.AUTH_EXPIRED: "{0} no longer accepts the account's sign-in. Reconnect it.",
    FailureCode.PERMISSION_MISSING: "{0} does not let this account post. Reconnect it, and"
    " allow all that is asked; if that does not help, ask this service's operator.",
    FailureCode.RATE_LIMITED: "{0} asks to post less often.",
    FailureCode.MEDIA_REJECTED: "{0} refused the file. Check its format and measures.",
    FailureCode.MEDIA_TOO_LARGE: "The file is larger than {0} allows. Make it smaller.",
    FailureCode.MEDIA_UNAVAILABLE: "{0} could not get the file.",
    FailureCode.VIDEO_TOO_LONG: "The video is longer than {0} allows. Shorten it.",
    FailureCode.CAPTION_REJECTED: "{0} refused the text. Change it, then retry.",
    FailureCode.DUPLICATE_CONTENT: "{0} refused the post because it has the same one already."
    " Change the text to post it again.",
    FailureCode.ACCOUNT_RESTRICTED: "{0} has restricted the account. Sign in there to see why.",
    FailureCode.PLATFORM_UNAVAILABLE: "{0} is unavailable for the moment.",
    FailureCode.PROCESSING_FAILED: "{0} could not process the file. Retry the post; if that"
    " fails too, upload the file in another format.",
    FailureCode.INVALID_OPTIONS: "{0} refused one of the post's options. Change it, then retry.",
    FailureCode.UNKNOWN: "{0} refused the post and did not say why.",
}
_SAID_WHY = "{0} refused the post."


def answer_behind(error: BaseException) -> PlatformAnswer | None:
    """Return the platform's answer, also behind an exception that a connector made of it."""
    behind: BaseException | None = error
    while behind is not None:
        answer = behind.answer if isinstance(behind, PlatformError) else None
        if isinstance(answer, PlatformResponse):
            return read_platform_answer(answer)
        if isinstance(answer, PlatformAnswer):
            return answer
        behind = behind.__cause__
    return None


def add_words(sentence: str, platform: Platform, answer: PlatformAnswer | None) -> str:
    """Return our sentence with the platform's own after it, if there is one."""
    if answer is None or answer.sentence is None:
        return sentence
    return f"{sentence} {FACTS[platform].name} said: {answer.sentence}"


def failure_of(entry: ErrorEntry, answer: PlatformAnswer | None) -> Failed:
    """Return a post's failure by a row of the table, with the platform's words."""
    return Failed(
        code=entry.code,
        message=entry.sentence,
        final=True,
        answer=answer,
        blame=entry.blamed,
        app_wide=entry.app_wide,
    )


def refusal_of(error: RejectedError, *, final: bool = False) -> Failed:
    """Return the exception for a refusal, with all that the table and the platform say of it."""
    return Failed(
        code=error.code,
        message=error.message,
        final=final,
        answer=error.answer,
        blame=error.blame,
        app_wide=error.app_wide,
    )


def unlisted_refusal(platform: Platform, error: PlatformError) -> RejectedError:
    """Return the exception for an unlisted refusal that gives a reason, as one that proves it."""
    entry = complete_entry(platform, FailureCode.UNKNOWN, says_why=True)
    refused = RejectedError(entry.code, entry.sentence)
    refused.answer = answer_behind(error)
    return refused


def find_key(errors: ErrorTable, error_codes: Iterable[str]) -> str | None:
    """Return the first code that the table knows."""
    return next((code for code in error_codes if code in errors), None)


def find_entry(errors: ErrorTable, error_codes: Iterable[str]) -> FailureCode | ErrorEntry | None:
    """Return the row of the first code that the table knows."""
    key = find_key(errors, error_codes)
    return None if key is None else errors[key]


def complete_entry(
    platform: Platform, row: FailureCode | ErrorEntry, *, says_why: bool = False
) -> ErrorEntry:
    """Return a row's code with the sentence for people; the platform's words may follow."""
    if isinstance(row, ErrorEntry):
        return row
    if says_why and row is FailureCode.UNKNOWN:
        return ErrorEntry(row, _SAID_WHY.format(FACTS[platform].name))
    return ErrorEntry(row, SENTENCES[row].format(FACTS[platform].name))
