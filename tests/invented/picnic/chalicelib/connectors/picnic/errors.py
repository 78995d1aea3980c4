"""What Picnic says no with, in our words: an answer is `{"error": code}`."""

from collections.abc import Sequence

from chalicelib.connectors.shared.calls.failures import PLAIN_NO, ErrorTable
from chalicelib.domain.outcome import FailureCode
from chalicelib.kit.transport.responses import PlatformResponse

ERRORS: ErrorTable = {
    "token": FailureCode.AUTH_EXPIRED,
    "slow_down": FailureCode.RATE_LIMITED,
    "no_blanket": FailureCode.INVALID_OPTIONS,
    "bad_photo": FailureCode.MEDIA_REJECTED,
    "bad_text": FailureCode.CAPTION_REJECTED,
    PLAIN_NO: FailureCode.UNKNOWN,
}


def error_codes(response: PlatformResponse) -> Sequence[str]:
    """Return the code of an answer."""
    return (str(response.find("error")),)
