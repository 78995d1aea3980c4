"""What Instagram says no with, in our words.

developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/error-codes. Keys are
Graph's codes and subcodes; a container that failed names the subcode within its status.
"""

import re
from collections.abc import Sequence
from datetime import timedelta

from chalicelib.connectors.shared.calls.failures import ErrorEntry, ErrorTable
from chalicelib.connectors.shared.meta import graph
from chalicelib.connectors.shared.meta.common_errors import COMMON_ERRORS
from chalicelib.domain.outcome import Blame, FailureCode
from chalicelib.kit.transport.responses import PlatformResponse

ACTION_BLOCKED = "/2207051"
"""Publishing was blocked as spam, or so it says: posts have gone live in spite of it."""

NOT_READY = {"9007": 20, "/2207027": 20, "/2207008": 2}
"""At publishing: how often to try a container that is still processed, or not known there yet."""

WAITS = {"9/2207042": timedelta(hours=6)}
"""The day's posts are used up: they come back one by one, 24 hours after each."""

ERRORS: ErrorTable = {
    **COMMON_ERRORS,
    ACTION_BLOCKED: FailureCode.ACCOUNT_RESTRICTED,
    "9/2207042": FailureCode.RATE_LIMITED,
    "/2207050": FailureCode.ACCOUNT_RESTRICTED,
    "/2207001": FailureCode.PLATFORM_UNAVAILABLE,
    "/2207032": FailureCode.PROCESSING_FAILED,
    "/2207053": FailureCode.PROCESSING_FAILED,
    "/2207082": FailureCode.PROCESSING_FAILED,
    "/2207076": FailureCode.PROCESSING_FAILED,
    "/2207085": FailureCode.PROCESSING_FAILED,
    "/2207003": FailureCode.MEDIA_UNAVAILABLE,
    "/2207052": FailureCode.MEDIA_UNAVAILABLE,
    "9004": FailureCode.MEDIA_UNAVAILABLE,
    "/2207077": FailureCode.MEDIA_UNAVAILABLE,
    "/2207020": ErrorEntry(
        FailureCode.PROCESSING_FAILED,
        "What Instagram had got of the post was older than a day. Retry the post.",
        blame=Blame.APPLICATION,
    ),
    "/2207006": ErrorEntry(
        FailureCode.PROCESSING_FAILED,
        "Instagram does not show this account what was uploaded for it. Retry the post; if that"
        " fails too, reconnect the account.",
        blame=Blame.ACCOUNT,
    ),
    "/2207008": FailureCode.PROCESSING_FAILED,
    "/2207027": FailureCode.PROCESSING_FAILED,
    "9007": FailureCode.PROCESSING_FAILED,
    "/2207004": FailureCode.MEDIA_TOO_LARGE,
    "36000": FailureCode.MEDIA_TOO_LARGE,
    "/2207005": FailureCode.MEDIA_REJECTED,
    "36001": FailureCode.MEDIA_REJECTED,
    "/2207026": FailureCode.MEDIA_REJECTED,
    "352": FailureCode.MEDIA_REJECTED,
    "/2207009": FailureCode.MEDIA_REJECTED,
    "36003": FailureCode.MEDIA_REJECTED,
    "/2207023": ErrorEntry(
        FailureCode.MEDIA_REJECTED,
        "Instagram does not know the kind of post that this service asked for. Its operator should"
        " update it.",
        blame=Blame.APPLICATION,
    ),
    "/2207010": FailureCode.CAPTION_REJECTED,
    "36004": FailureCode.CAPTION_REJECTED,
    "/2207040": ErrorEntry(
        FailureCode.CAPTION_REJECTED,
        "Instagram allows at most 20 mentions in a caption. Take some out.",
    ),
    "/2207057": FailureCode.INVALID_OPTIONS,
    "/2207028": FailureCode.INVALID_OPTIONS,
    "/2207035": FailureCode.INVALID_OPTIONS,
    "/2207036": FailureCode.INVALID_OPTIONS,
    "/2207037": FailureCode.INVALID_OPTIONS,
    "/2207018": ErrorEntry(
        FailureCode.INVALID_OPTIONS,
        "Instagram does not know one of the people in collaborators or user_tags, or does not let"
        " them be named. Take the name out, or change it.",
    ),
    "100/33": ErrorEntry(
        FailureCode.PERMISSION_MISSING,
        "Instagram does not show this service the account, or something that the post names: it was"
        " deleted, or access to it was taken away. Open the account in Instagram to see.",
        blame=Blame.ACCOUNT,
    ),
    "/2207081": ErrorEntry(
        FailureCode.INVALID_OPTIONS,
        "Instagram does not let this account post trial reels. Take out trial_reel.",
        blame=Blame.ACCOUNT,
    ),
    "personal": ErrorEntry(
        FailureCode.PERMISSION_MISSING,
        "The Instagram account is a personal one, to which no service can post. Switch it to a"
        " professional account in the Instagram app, then reconnect it.",
        blame=Blame.ACCOUNT,
    ),
}

WORDINGS = {"user is not an Instagram Business": "personal"}
"""What comes as "invalid" or without a code: a part of its sentence, our key (docs/adr/0008)."""

_SUBCODE = re.compile(r"\b2207\d{3}\b")


def error_codes(response: PlatformResponse) -> Sequence[str]:
    """Read an answer's keys; a container's status is the only place of its subcode."""
    status = response.find("status")
    of_container = _SUBCODE.findall(status) if isinstance(status, str) else []
    return [*graph.error_codes(response, WORDINGS), *(f"/{subcode}" for subcode in of_container)]
