"""What Instagram says no with, in our words.

developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/error-codes. Keys are
Graph's codes and subcodes; a container that failed names the subcode within its status.
"""

import re
from collections.abc import Sequence
from datetime import timedelta

from chalicelib.connectors.shared.calls.failures import ErrorEntry, ErrorTable
from chalicelib.connectors.shared.meta import graph
from chalicelib.connectors.shared.meta.common_errors import (
    COMMON_ERRORS,
    COMMON_WORDINGS,
    fetch_refusal,
)
from chalicelib.domain.outcome import Blame, FailureCode
from chalicelib.kit.transport.responses import PlatformResponse

ACTION_BLOCKED = "/2207051"
"""Publishing was blocked as spam, or so it says: posts have gone live in spite of it."""

NOT_READY = {"9007": 20, "/2207027": 20, "/2207008": 2}
"""At publishing: how often to try a container that is still processed, or not known there yet."""

WAITS = {"9/2207042": timedelta(hours=6)}
"""The day's posts are used up: they come back one by one, 24 hours after each."""

UNLISTED = "/2207"
"""Key of ours for a subcode of Instagram's that no page lists."""

_HELD_UP = ErrorEntry(
    FailureCode.ACCOUNT_RESTRICTED,
    "Instagram does not let the account post: it is inactive or restricted, or has something to"
    " confirm. Open the Instagram app and settle what it asks, then retry.",
)
_UNFETCHED = fetch_refusal("Instagram")
_LIGHTER = ErrorEntry(
    FailureCode.PROCESSING_FAILED,
    "Instagram could not process the video. Retry the post; if that fails too, upload a smaller"
    " video, with a sound track.",
)
_NOT_IN_TIME = ErrorEntry(
    FailureCode.PROCESSING_FAILED,
    "Instagram did not have the post ready in time. It is no fault of the file. Retry the post.",
)
_LARGE = ErrorEntry(
    FailureCode.MEDIA_TOO_LARGE, "Instagram takes photos of at most 8 MB. Make it smaller."
)
_NO_JPEG = ErrorEntry(
    FailureCode.MEDIA_REJECTED,
    "Instagram does not take the format of the photo. Upload it as JPEG.",
)
_NO_MP4 = ErrorEntry(
    FailureCode.MEDIA_REJECTED,
    "Instagram does not take the format of the video. Upload it as MP4 with H.264 and AAC.",
)
_SHAPE = ErrorEntry(
    FailureCode.MEDIA_REJECTED, "Instagram takes photos from 4:5 to 1.91:1. Change its shape."
)
_CAPTION = ErrorEntry(
    FailureCode.CAPTION_REJECTED,
    "Instagram takes captions of at most 2,200 characters with 30 hashtags and 20 mentions."
    " Shorten it.",
)
ERRORS: ErrorTable = {
    **COMMON_ERRORS,
    ACTION_BLOCKED: ErrorEntry(
        FailureCode.ACCOUNT_RESTRICTED,
        "Instagram took the post for spam. Open the Instagram app to see whether the account is all"
        " right, wait some hours, and change the post before you retry it.",
    ),
    "9/2207042": ErrorEntry(
        FailureCode.RATE_LIMITED,
        "Instagram takes no more posts of services from this account for now. Each counts for 24"
        " hours; they come back one by one.",
    ),
    "/2207050": _HELD_UP,
    "25": _HELD_UP,
    "/2207001": FailureCode.PLATFORM_UNAVAILABLE,
    "/2207032": FailureCode.PROCESSING_FAILED,
    "/2207053": FailureCode.PROCESSING_FAILED,
    "/2207082": _LIGHTER,
    "/2207076": FailureCode.PROCESSING_FAILED,
    UNLISTED: FailureCode.PROCESSING_FAILED,
    "/2207085": _LIGHTER,
    **dict.fromkeys(("/2207003", "/2207052", "9004", "/2207077"), _UNFETCHED),
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
    **dict.fromkeys(("/2207008", "/2207027", "9007"), _NOT_IN_TIME),
    **dict.fromkeys(("/2207004", "36000"), _LARGE),
    **dict.fromkeys(("/2207005", "36001"), _NO_JPEG),
    **dict.fromkeys(("/2207026", "352"), _NO_MP4),
    **dict.fromkeys(("/2207009", "36003"), _SHAPE),
    "/2207023": ErrorEntry(
        FailureCode.MEDIA_REJECTED,
        "Instagram does not know the kind of post that this service asked for. Its operator should"
        " update it.",
        blame=Blame.APPLICATION,
    ),
    **dict.fromkeys(("/2207010", "36004"), _CAPTION),
    "/2207040": ErrorEntry(
        FailureCode.CAPTION_REJECTED,
        "Instagram allows at most 20 mentions in a caption. Take some out.",
    ),
    "/2207057": ErrorEntry(
        FailureCode.INVALID_OPTIONS,
        "The time of the cover lies outside the video. Change cover_offset_ms.",
    ),
    "/2207028": ErrorEntry(
        FailureCode.INVALID_OPTIONS,
        "Instagram takes 2 to 10 files in a carousel. Change how many the post has.",
    ),
    "INSTAGRAM_PLATFORM_API__INVALID_LOCATION_ID": ErrorEntry(
        FailureCode.INVALID_OPTIONS,
        "Instagram does not know the place in location_id. Choose another, or take it out.",
    ),
    "collaborators": ErrorEntry(
        FailureCode.INVALID_OPTIONS,
        "Instagram did not take the post's collaborators. Change them, or take them out.",
    ),
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

WORDINGS = {
    **COMMON_WORDINGS,
    "user is not an Instagram Business": "personal",
    "param collaborators": "collaborators",
}
"""What comes as "invalid" or without a code: a part of its sentence, our key (docs/adr/0008)."""

_SUBCODE = re.compile(r"\b2207\d{3}\b")


def error_codes(response: PlatformResponse) -> Sequence[str]:
    """Read an answer's keys; a container's status is the only place of its subcode."""
    status = response.find("status")
    of_container = _SUBCODE.findall(status) if isinstance(status, str) else []
    if response.find("status_code") == "EXPIRED":
        of_container.append("2207020")
    keys = list(graph.error_codes(response, WORDINGS))
    if _SUBCODE.fullmatch(str(response.find("error", "error_subcode"))):
        # An "invalid" (100) says less than that the subcode is Instagram's.
        keys.insert(keys.index("100") if "100" in keys else len(keys), UNLISTED)
    return [*keys, *(f"/{subcode}" for subcode in of_container)]
