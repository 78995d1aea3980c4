"""The errors of a call, by how certain it is what the platform did.

`PlatformError` is their base class, and that of the errors that connectors define for refusals.
"""


class PlatformError(Exception):
    """The platform did not do what was asked; `answer` is its PlatformResponse, if it answered."""

    answer: object = None


class NotSentError(PlatformError):
    """No connection was made: the platform cannot have seen the call."""


class FencedError(PlatformError):
    """The time in which the call may begin has passed; nothing of it was sent."""


class UnansweredError(PlatformError):
    """The call may have been sent and has no usable answer: nobody knows what it did."""
