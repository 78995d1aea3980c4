"""What can go wrong between us and a platform, as exceptions that say how sure we are.

`http.py` and the connectors raise them; the worker makes outcomes of them in one function. On an
irreversible step only those in REFUSED prove that nothing was done.
"""

from datetime import timedelta

from chalicelib.domain.outcome import FailureCode


class PlatformError(Exception):
    """The platform did not do what was asked."""


class NotSentError(PlatformError):
    """No connection was made: the platform cannot have seen the call."""


class FencedError(PlatformError):
    """The time in which the call may begin has passed: not a byte of it was written."""


class UnansweredError(PlatformError):
    """The call went out and no usable answer came back: nobody knows what it did."""


class UnlistedError(UnansweredError):
    """The platform refused in a way that the connector's table does not list.

    That proves nothing, so on an irreversible step it is a doubt like a missing answer.
    """


class RateLimitedError(PlatformError):
    """The platform refused for now, and may have said for how long."""

    def __init__(self, retry_after: timedelta | None = None) -> None:
        super().__init__("rate limited")
        self.retry_after = retry_after


class TokenRejectedError(PlatformError):
    """The platform refused the account's token for good."""


class RejectedError(PlatformError):
    """The platform refused with an answer that the connector knows."""

    def __init__(self, code: FailureCode, message: str) -> None:
        super().__init__(code)
        self.code = code
        self.message = message


REFUSED = (NotSentError, RateLimitedError, TokenRejectedError, RejectedError)
