"""What YouTube says no with, in our words: developers.google.com/youtube/v3/docs/errors.

Keys are Google's reasons, and what became of a video that was taken but not kept: `failed …` and
`rejected …` are the reasons in its status.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from chalicelib.connectors.shared.auth.google import reasons, until_quota_returns
from chalicelib.connectors.shared.auth.google_errors import errors_of_project
from chalicelib.connectors.shared.calls.failures import ErrorEntry, ErrorTable
from chalicelib.domain.outcome import Blame, FailureCode
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.responses import PlatformResponse, find

GONE = "videoNotFound"
_CHANNELS_DAY = "uploadLimitExceeded"

_PROCESSING = ("processingDetails", "processingStatus")

NO_CHANNEL = ErrorEntry(
    FailureCode.ACCOUNT_RESTRICTED,
    "The Google account has no YouTube channel. Create one on youtube.com and reconnect.",
    blame=Blame.PERSON,
)
_SWITCHED_OFF = ErrorEntry(
    FailureCode.PLATFORM_UNAVAILABLE,
    "The YouTube API is not enabled for this service. Its operator must enable it at Google.",
    ours=True,
    app_wide=True,
)
_SPENT = ErrorEntry(
    FailureCode.RATE_LIMITED,
    "This service has used up its YouTube quota for today, which all its channels share. It is no"
    " limit of the channel: it is new after midnight Pacific time, and only this service's operator"
    " can have Google raise it.",
    ours=True,
    app_wide=True,
)
_TOO_FAST = ErrorEntry(
    FailureCode.RATE_LIMITED,
    "This service asked YouTube too often at once. It is no limit of the channel.",
    blame=Blame.APPLICATION,
)
_OUR_REQUEST = ErrorEntry(
    FailureCode.UNKNOWN,
    "YouTube did not take how this service asked. Its operator should update it.",
    ours=True,
)
_LONG = ErrorEntry(
    FailureCode.VIDEO_TOO_LONG,
    "YouTube takes videos over 15 minutes only from verified channels. Verify the channel on"
    " youtube.com/verify.",
    blame=Blame.ACCOUNT,
)
_REJECTED_FOR: Mapping[str, str] = {
    "inappropriate": "as inappropriate",
    "copyright": "over copyright",
    "claim": "over somebody's claim to it",
    "trademark": "over a trademark",
    "legal": "for a legal reason",
    "termsOfUse": "because it breaks YouTube's terms of use",
}
_DELETED = ErrorEntry(
    FailureCode.PROCESSING_FAILED,
    "The video was deleted on YouTube before it was published. Retry to upload it again.",
)
_REASONS: Mapping[FailureCode, tuple[str, ...]] = {
    # By status: the reasons `required` and `expired` also stand for what is wrong with a call.
    FailureCode.AUTH_EXPIRED: ("401",),
    FailureCode.PERMISSION_MISSING: (
        "insufficientPermissions",
        "ACCESS_TOKEN_SCOPE_INSUFFICIENT",
        "forbidden",
    ),
    FailureCode.CAPTION_REJECTED: ("invalidVideoMetadata",),
    FailureCode.INVALID_OPTIONS: (
        "invalidPublishAt",
        "invalidRecordingDetails",
        "invalidVideoGameRating",
        "defaultLanguageNotSet",
        "invalidValue",
    ),
    FailureCode.MEDIA_REJECTED: (
        "mediaBodyRequired",
        "invalidFilename",
        "badContent",
        *(f"failed {reason}" for reason in ("codec", "invalidFile", "emptyFile", "tooSmall")),
    ),
    FailureCode.MEDIA_TOO_LARGE: ("uploadTooLarge", "413"),
    FailureCode.PROCESSING_FAILED: ("failed conversion", "failed uploadAborted", "failed"),
}
_SUSPENDED = ErrorEntry(
    FailureCode.ACCOUNT_RESTRICTED,
    "YouTube has suspended the channel, or Google its account. Sign in there to see why.",
)
_CLOSED = ErrorEntry(
    FailureCode.ACCOUNT_RESTRICTED,
    "The channel, or its Google account, was closed. Connect another channel.",
)
_ANOTHERS_CHANNEL = ErrorEntry(
    FailureCode.PERMISSION_MISSING,
    "The Google account that was connected may not upload to the channel. Reconnect it, and choose"
    " the channel on Google's page.",
)
_OF_A_FIELD: Mapping[str, tuple[FailureCode, str]] = {
    "invalidTitle": (
        FailureCode.CAPTION_REJECTED,
        "YouTube takes titles of 1 to 100 characters, without < and >. Change it.",
    ),
    "invalidDescription": (
        FailureCode.CAPTION_REJECTED,
        "YouTube takes descriptions of at most 5,000 bytes, without < and >. Change it.",
    ),
    "invalidTags": (
        FailureCode.CAPTION_REJECTED,
        "YouTube takes tags of at most 500 characters together. Take some out.",
    ),
    "invalidCategoryId": (
        FailureCode.INVALID_OPTIONS,
        "YouTube does not know the category, or takes no video in it. Choose another.",
    ),
    "forbiddenPrivacySetting": (
        FailureCode.INVALID_OPTIONS,
        "YouTube does not let this video have that privacy. Choose another.",
    ),
    "forbiddenLicenseSetting": (
        FailureCode.INVALID_OPTIONS,
        "YouTube does not let this video have that license. Choose another.",
    ),
    "playlistNotFound": (
        FailureCode.INVALID_OPTIONS,
        "The channel has no such playlist any more. Choose another, or take it out.",
    ),
}
"""developers.google.com/youtube/v3/docs/videos: what a field may hold."""

ERRORS: ErrorTable = {
    **errors_of_project("YouTube"),
    **{reason: code for code, named in _REASONS.items() for reason in named},
    "youtubeSignupRequired": NO_CHANNEL,
    **dict.fromkeys(
        (
            *("authenticatedUserAccountSuspended", "channelSuspended", "accountDisabled"),
            "rejected uploaderAccountSuspended",
        ),
        _SUSPENDED,
    ),
    **dict.fromkeys(
        (
            *("authenticatedUserAccountClosed", "channelClosed", "accountDeleted"),
            "rejected uploaderAccountClosed",
        ),
        _CLOSED,
    ),
    **dict.fromkeys(
        ("accountDelegationForbidden", "authenticatedUserNotChannel"), _ANOTHERS_CHANNEL
    ),
    **{reason: ErrorEntry(code, told) for reason, (code, told) in _OF_A_FIELD.items()},
    _CHANNELS_DAY: ErrorEntry(
        FailureCode.RATE_LIMITED,
        "The channel has uploaded as many videos as YouTube takes from it in a day, whichever way"
        " they come. It can upload again about a day later.",
    ),
    **dict.fromkeys(
        ("rateLimitExceeded", "userRateLimitExceeded", "uploadRateLimitExceeded"), _TOO_FAST
    ),
    **dict.fromkeys(
        (
            "incompatibleParameters",
            "missingRequiredParameter",
            "unexpectedParameter",
            "invalidFilters",
        ),
        _OUR_REQUEST,
    ),
    "rejected duplicate": ErrorEntry(
        FailureCode.DUPLICATE_CONTENT,
        "YouTube refused the video because the channel has it already. Upload another.",
        blame=Blame.FILE,
    ),
    **{
        f"rejected {reason}": ErrorEntry(
            FailureCode.MEDIA_REJECTED,
            f"YouTube refused the video {why}. See it in YouTube Studio.",
        )
        for reason, why in _REJECTED_FOR.items()
    },
    "rejected length": _LONG,
    "rejected": ErrorEntry(
        FailureCode.MEDIA_REJECTED,
        "YouTube refused the video and gives no reason. See it in YouTube Studio.",
    ),
    "accessNotConfigured": _SWITCHED_OFF,
    "SERVICE_DISABLED": _SWITCHED_OFF,
    "quotaExceeded": _SPENT,
    "dailyLimitExceeded": _SPENT,
    "deleted": _DELETED,
}

_PROJECTS_DAY = frozenset({"quotaExceeded", "dailyLimitExceeded"})
_ALMOST_A_DAY = timedelta(hours=23)
"""A channel may upload again about a day later; one more hour, and the worker would not wait."""


def error_codes(response: PlatformResponse) -> Sequence[str]:
    """Return what an answer says no with, most specific first."""
    return (*_of_video(response.find("items", 0)), *reasons(response))


def rest_after(response: PlatformResponse, now: datetime) -> timedelta | None:
    """Return how long to leave YouTube alone after a refusal, None for a little while."""
    said = set(error_codes(response))
    if said & _PROJECTS_DAY:
        return until_quota_returns(now)
    return _ALMOST_A_DAY if _CHANNELS_DAY in said else None


def _of_video(video: Json) -> Iterator[str]:
    status = str(find(video, "status", "uploadStatus"))
    if status in {"failed", "rejected"}:
        reason = find(video, "status", "failureReason" if status == "failed" else "rejectionReason")
        yield f"{status} {reason}"
    if status in {"failed", "rejected", "deleted"}:
        yield status
    elif status == "uploaded" and find(video, *_PROCESSING) == "failed":
        yield "failed"
