"""What Threads says no with, in our words: developers.facebook.com/docs/threads/troubleshooting.

Keys are Graph's codes and subcodes (`graph.codes`), the names of errors, what a container says
of itself when it failed, and names of ours for errors that Threads tells apart in words only.
"""

from collections.abc import Sequence

from chalicelib.connectors.shared.calls.failures import ErrorEntry, ErrorTable
from chalicelib.connectors.shared.meta import graph
from chalicelib.connectors.shared.meta.common_errors import COMMON_ERRORS
from chalicelib.domain.outcome import Blame, FailureCode
from chalicelib.kit.transport.responses import PlatformResponse

ACTION_BLOCKED = "/2207051"
"""Publishing was blocked as spam, or so it says: posts have gone live in spite of it."""

NOT_READY = {"24/4279009": 3}
"""At publishing: how often to try a container that is not known there yet, or no more."""

ERRORS: ErrorTable = {
    **COMMON_ERRORS,
    "token": FailureCode.AUTH_EXPIRED,
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
    "/4279013": FailureCode.ACCOUNT_RESTRICTED,
    "/2207050": FailureCode.ACCOUNT_RESTRICTED,
    ACTION_BLOCKED: FailureCode.ACCOUNT_RESTRICTED,
    "/2207052": FailureCode.MEDIA_UNAVAILABLE,
    "9004": FailureCode.MEDIA_UNAVAILABLE,
    "unfetched": FailureCode.MEDIA_UNAVAILABLE,
    "/2207004": FailureCode.MEDIA_TOO_LARGE,
    "36000": FailureCode.MEDIA_TOO_LARGE,
    "text too long": ErrorEntry(
        FailureCode.CAPTION_REJECTED,
        "Threads counts more than 500 characters in the text. Shorten it.",
    ),
    "THREADS_API__LINK_LIMIT_EXCEEDED": ErrorEntry(
        FailureCode.CAPTION_REJECTED,
        "Threads allows at most 5 different links in a post. Take some out.",
    ),
    "THREADS_API__GEO_GATING_INVALID_COUNTRY_CODES": FailureCode.INVALID_OPTIONS,
    "24/4279009": FailureCode.PROCESSING_FAILED,
    # What a container's error_message can be.
    "FAILED_DOWNLOADING_VIDEO": FailureCode.MEDIA_UNAVAILABLE,
    "FAILED_PROCESSING_AUDIO": FailureCode.PROCESSING_FAILED,
    "FAILED_PROCESSING_VIDEO": FailureCode.PROCESSING_FAILED,
    "UNKNOWN": FailureCode.PROCESSING_FAILED,
    "INVALID_ASPEC_RATIO": FailureCode.MEDIA_REJECTED,  # their spelling
    "INVALID_ASPECT_RATIO": FailureCode.MEDIA_REJECTED,
    "INVALID_BIT_RATE": FailureCode.MEDIA_REJECTED,
    "INVALID_DURATION": FailureCode.MEDIA_REJECTED,
    "INVALID_FRAME_RATE": FailureCode.MEDIA_REJECTED,
    "INVALID_AUDIO_CHANNELS": FailureCode.MEDIA_REJECTED,
    "INVALID_AUDIO_CHANNEL_LAYOUT": FailureCode.MEDIA_REJECTED,
}

WORDINGS = {
    "must be at most 500 characters": "text too long",
    "could not be fetched from this URI": "unfetched",
    "does not have permission": "unpermitted",
    "Error validating access token": "token",
}


def error_codes(response: PlatformResponse) -> Sequence[str]:
    """Read an answer's keys; a container's own error stands beside its status."""
    of_container = response.find("error_message")
    keys = graph.error_codes(response, WORDINGS)
    return [of_container, *keys] if isinstance(of_container, str) else keys
