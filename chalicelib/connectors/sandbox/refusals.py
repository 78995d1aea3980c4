"""What a test account is refused for what its caption asks of the sandbox."""

from chalicelib.connectors.shared.own_refusals import OwnRefusal
from chalicelib.domain.outcome import FailureCode


class SandboxRefusal(OwnRefusal):
    """The closed set."""

    UNFIT_ANSWER = FailureCode.INVALID_OPTIONS, "{why}"
    ASKED_FOR = (
        FailureCode.UNKNOWN,
        "The sandbox platform refused the post because its caption asks for it.",
    )
    EXPIRED = (
        FailureCode.AUTH_EXPIRED,
        "The account's sign-in has expired. Reconnect it and retry.",
    )
    FLAKY = (
        FailureCode.PLATFORM_UNAVAILABLE,
        "The sandbox platform is unavailable for the moment.",
    )
    SLOWER = FailureCode.RATE_LIMITED, "The sandbox platform asks to slow down."
    NOT_PLAYED = (
        FailureCode.INVALID_OPTIONS,
        "Answers of this platform cannot be played. Take sandbox:answer out of the caption.",
    )
