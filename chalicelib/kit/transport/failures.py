"""What can go wrong with a call, by how sure one is of what the other side did.

`PlatformError` is the root, also of errors that a caller derives for refusals it can read.
"""


class PlatformError(Exception):
    """The platform did not do what was asked; `answer` is what it said, if it answered.

    That is a PlatformResponse where nobody has read it yet.
    """

    answer: object = None


class NotSentError(PlatformError):
    """No connection was made: the platform cannot have seen the call."""


class FencedError(PlatformError):
    """The time in which the call may begin has passed: not a byte of it was written."""


class UnansweredError(PlatformError):
    """The call went out and no usable answer came back: nobody knows what it did."""
