"""What Threads says no with, in our words: developers.facebook.com/docs/threads/troubleshooting.

Keys are Graph's codes and subcodes (`graph.codes`), the names of errors, what a container says
of itself when it failed, and names of ours for errors that Threads tells apart in words only.
"""

from collections.abc import Sequence

from chalicelib.connectors.shared.calls.failures import ErrorEntry, ErrorTable
from chalicelib.connectors.shared.meta import graph
from chalicelib.connectors.shared.meta.common_errors import COMMON_ERRORS, NO_ROLE, fetch_refusal
from chalicelib.domain.outcome import Blame, FailureCode
from chalicelib.kit.transport.responses import PlatformResponse

ACTION_BLOCKED = "/2207051"
"""Publishing was blocked as spam, or so it says: posts have gone live in spite of it."""

EXPIRED = "EXPIRED"
"""What a container is a day after it was made, and its key in the table."""

NOT_READY = {"24/4279009": 3}
"""At publishing: how often to try a container that is not known there yet, or no more."""

_HELD_UP = ErrorEntry(
    FailureCode.ACCOUNT_RESTRICTED,
    "Threads does not let the account post: it is restricted, or has something to confirm. Open the"
    " Threads app and settle what it asks, then retry.",
)
_UNFETCHED = fetch_refusal("Threads")
_LARGE = ErrorEntry(
    FailureCode.MEDIA_TOO_LARGE, "Threads takes photos of at most 8 MB. Make it smaller."
)
_TOO_FAST = ErrorEntry(
    FailureCode.RATE_LIMITED,
    "This service asked Threads too often within a short time. It is no limit of the account.",
    blame=Blame.APPLICATION,
)
_SHAPE = ErrorEntry(
    FailureCode.MEDIA_REJECTED, "Threads does not take a video of this shape. Change its shape."
)
_SOUND = ErrorEntry(
    FailureCode.MEDIA_REJECTED, "Threads takes sound in mono or stereo only. Convert the video."
)
ERRORS: ErrorTable = {
    **COMMON_ERRORS,
    NO_ROLE: FailureCode.AUTH_EXPIRED,  # a profile has no Page, and nobody a role on it
    "token": FailureCode.AUTH_EXPIRED,
    **dict.fromkeys(("429", "HTTP 429"), _TOO_FAST),
    "unpermitted": FailureCode.PERMISSION_MISSING,
    "THREADS_API__FEATURE_NOT_AVAILABLE": ErrorEntry(
        FailureCode.PERMISSION_MISSING,
        "Threads does not offer this profile something that the post uses. Some of it needs a"
        " profile that is linked to Instagram. Leave that out, or link the profile.",
        blame=Blame.ACCOUNT,
    ),
    "100/33": ErrorEntry(
        FailureCode.PERMISSION_MISSING,
        "Threads does not show this service the profile, or something that the post names: it was"
        " deleted, or access to it was taken away. Open the profile on Threads to see.",
        blame=Blame.ACCOUNT,
    ),
    **dict.fromkeys(("/4279013", "/2207050"), _HELD_UP),
    ACTION_BLOCKED: ErrorEntry(
        FailureCode.ACCOUNT_RESTRICTED,
        "Threads took the post for spam. Open the Threads app to see whether the account is all"
        " right, wait some hours, and change the post before you retry it.",
    ),
    **dict.fromkeys(("/2207052", "9004", "unfetched"), _UNFETCHED),
    **dict.fromkeys(("/2207004", "36000"), _LARGE),
    "text too long": ErrorEntry(
        FailureCode.CAPTION_REJECTED,
        "Threads counts more than 500 characters in the text. Shorten it.",
    ),
    "THREADS_API__LINK_LIMIT_EXCEEDED": ErrorEntry(
        FailureCode.CAPTION_REJECTED,
        "Threads allows at most 5 different links in a post. Take some out.",
    ),
    "THREADS_API__GEO_GATING_INVALID_COUNTRY_CODES": ErrorEntry(
        FailureCode.INVALID_OPTIONS,
        "Threads does not know one of the countries. Change countries, or take it out.",
    ),
    "24/4279009": ErrorEntry(
        FailureCode.PROCESSING_FAILED,
        "Threads did not have the post ready in time. It is no fault of the file. Retry the post.",
    ),
    # What a container's error_message can be.
    "FAILED_DOWNLOADING_VIDEO": _UNFETCHED,
    "FAILED_PROCESSING_AUDIO": FailureCode.PROCESSING_FAILED,
    "FAILED_PROCESSING_VIDEO": FailureCode.PROCESSING_FAILED,
    "UNKNOWN": FailureCode.PROCESSING_FAILED,
    "INVALID_ASPEC_RATIO": _SHAPE,  # their spelling
    "INVALID_ASPECT_RATIO": _SHAPE,
    "INVALID_BIT_RATE": ErrorEntry(
        FailureCode.MEDIA_REJECTED,
        "Threads takes videos of at most 100 Mbps. Convert it to a lower bit rate.",
    ),
    "INVALID_DURATION": ErrorEntry(
        FailureCode.MEDIA_REJECTED, "Threads takes videos of at most 5 minutes. Shorten it."
    ),
    "INVALID_FRAME_RATE": ErrorEntry(
        FailureCode.MEDIA_REJECTED,
        "Threads takes 23 to 60 frames per second. Convert the video.",
    ),
    **dict.fromkeys(("INVALID_AUDIO_CHANNELS", "INVALID_AUDIO_CHANNEL_LAYOUT"), _SOUND),
    EXPIRED: ErrorEntry(
        FailureCode.PROCESSING_FAILED,
        "What Threads had got of the post was older than a day. Retry the post.",
        blame=Blame.APPLICATION,
    ),
}

WORDINGS = {
    "must be at most 500 characters": "text too long",
    "could not be fetched from this URI": "unfetched",
    "does not have permission": "unpermitted",
    "Error validating access token": "token",
    "session has been invalidated": "token",
}
_TOO_MANY = 429


def error_codes(response: PlatformResponse) -> Sequence[str]:
    """Read an answer's keys; a container's own error stands beside its status."""
    of_container = response.find("error_message")
    keys = [*graph.error_codes(response, WORDINGS)]
    if response.status == _TOO_MANY:
        keys.append("HTTP 429")
    if response.find("status") == EXPIRED:
        keys.append(EXPIRED)
    return [of_container, *keys] if isinstance(of_container, str) else keys
