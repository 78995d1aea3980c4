"""What Facebook says no with: developers.facebook.com/docs/graph-api/guides/error-handling.

Of a video's upload: developers.facebook.com/documentation/video-api/reference/error-codes.
Keys are Graph's codes and subcodes, the kinds of error of the upload host, the codes of a video
that failed, which stand in its status, and names of ours for what is told apart in words only.
"""

from collections.abc import Sequence
from datetime import timedelta

from chalicelib.connectors.shared.calls.failures import PLAIN_NO, ErrorEntry, ErrorTable
from chalicelib.connectors.shared.meta import graph
from chalicelib.connectors.shared.meta.common_errors import COMMON_ERRORS, COMMON_WORDINGS
from chalicelib.domain.outcome import Blame, FailureCode
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.responses import PlatformResponse, find

OUT_OF_STEP = frozenset({"OffsetInvalidError", "PartialRequestError"})
"""Kinds of error of the upload host: it has more or less of the file than we think."""

WAITS = {"1390008": timedelta(hours=2)}

_UNCONFIRMED = ErrorEntry(
    FailureCode.ACCOUNT_RESTRICTED,
    "Facebook asks the Page's administrator to confirm their identity. Open the Page on Facebook.",
)
_NOT_SHOWN = ErrorEntry(
    FailureCode.PERMISSION_MISSING,
    "Facebook does not show this account the Page, or something that the post names: it was"
    " deleted, or access to it was taken away. Open the Page on Facebook to see.",
    blame=Blame.ACCOUNT,
)
_BROKEN_UPLOAD = (
    *("1363019", "1363021", "1363030", "1363033"),
    *("1363041", "1363045"),
)
"""The upload was cut off, took too long or has another length than was said: never the file.

1363045 stands on no page of Meta's; github.com/yikart/AiToEarn, issue 592, found the length.
"""

_UPLOAD_BROKE_OFF = ErrorEntry(
    FailureCode.PROCESSING_FAILED,
    "The upload of the video to Facebook broke off. It is no fault of the file. Retry the post.",
)
_FLAGGED = ErrorEntry(
    FailureCode.CAPTION_REJECTED,
    "Facebook says that the post, or what its link leads to, breaks its rules. Change it, then"
    " retry.",
)
_FORMAT = ErrorEntry(
    FailureCode.MEDIA_REJECTED,
    "Facebook does not support the video's format. Upload it as MP4 with H.264 and AAC.",
)
ERRORS: ErrorTable = {
    **COMMON_ERRORS,
    "100/33": _NOT_SHOWN,
    "803": _NOT_SHOWN,
    "21": ErrorEntry(
        FailureCode.PERMISSION_MISSING,
        "Facebook has moved the Page to another one. Connect that Page.",
        blame=Blame.ACCOUNT,
    ),
    "197": FailureCode.CAPTION_REJECTED,
    "1404078": _UNCONFIRMED,
    "4854002": _UNCONFIRMED,
    "1404112": ErrorEntry(
        FailureCode.ACCOUNT_RESTRICTED,
        "Facebook has limited for some days what the account may do. Sign in there to see until"
        " when. Retry after that.",
    ),
    "1404006": ErrorEntry(
        FailureCode.ACCOUNT_RESTRICTED,
        "Facebook asks for a security check. Sign in at facebook.com, pass it, then retry.",
    ),
    **dict.fromkeys(("1404102", "1346003"), _FLAGGED),
    "1390008": ErrorEntry(
        FailureCode.RATE_LIMITED,
        "The Page posted too much within a short time. Of reels, Facebook takes 30 within 24"
        " hours.",
    ),
    "1366051": ErrorEntry(
        FailureCode.DUPLICATE_CONTENT,
        "The Page has this photo already. Choose another.",
        blame=Blame.FILE,
    ),
    "1366046": ErrorEntry(
        FailureCode.MEDIA_TOO_LARGE,
        "Facebook takes photos of at most 4 MB, as JPEG or PNG. Make it smaller, or save it so.",
    ),
    "324": FailureCode.MEDIA_REJECTED,
    "389": FailureCode.MEDIA_UNAVAILABLE,
    "1363057": FailureCode.MEDIA_UNAVAILABLE,
    "351": FailureCode.MEDIA_REJECTED,
    "352": FailureCode.MEDIA_REJECTED,
    "382": FailureCode.MEDIA_REJECTED,
    "6000": FailureCode.MEDIA_REJECTED,
    "2069019": FailureCode.MEDIA_REJECTED,
    **dict.fromkeys(_BROKEN_UPLOAD, _UPLOAD_BROKE_OFF),
    "1363037": ErrorEntry(
        FailureCode.PROCESSING_FAILED,
        "Facebook and this service did not agree on how much of the video had arrived. It is no"
        " fault of the file. Retry the post.",
        blame=Blame.APPLICATION,
    ),
    "1363022": ErrorEntry(
        FailureCode.MEDIA_REJECTED,
        "Facebook takes no video of less than 1 KB. Look whether the file is whole.",
    ),
    "1363023": FailureCode.MEDIA_TOO_LARGE,
    **dict.fromkeys(("1363024", "1363031"), _FORMAT),
    "low resolution": ErrorEntry(
        FailureCode.MEDIA_REJECTED,
        "The resolution of the video is lower than Facebook takes. Upload a larger one.",
    ),
    # No page and no report is known that says what 1363026 means; Meta's words follow.
    "1363026": ErrorEntry(
        FailureCode.MEDIA_REJECTED,
        "Facebook refused the video. Check its length, its size and its format.",
    ),
    "1363040": FailureCode.MEDIA_REJECTED,
    "1363127": FailureCode.MEDIA_REJECTED,
    "1363128": FailureCode.MEDIA_REJECTED,
    "1363129": FailureCode.MEDIA_REJECTED,
    "6001": FailureCode.PROCESSING_FAILED,
    "ProcessingFailedError": FailureCode.PROCESSING_FAILED,
    "1609005": ErrorEntry(
        FailureCode.INVALID_OPTIONS,
        "Facebook could not read the page that the post's link leads to. Open the link to see"
        " whether it works, or take it out.",
    ),
    **dict.fromkeys(
        ("2061006", "1609008"),
        ErrorEntry(
            FailureCode.INVALID_OPTIONS,
            "Facebook refused the post's link. Change it, or take it out.",
        ),
    ),
    "1349125": FailureCode.INVALID_OPTIONS,
    "1363047": FailureCode.PLATFORM_UNAVAILABLE,
    "1609010": FailureCode.PLATFORM_UNAVAILABLE,
    "1363042": FailureCode.PERMISSION_MISSING,
    "1363005": FailureCode.PERMISSION_MISSING,
    "unpermitted": FailureCode.PERMISSION_MISSING,
    "title too long": ErrorEntry(
        FailureCode.CAPTION_REJECTED,
        "The video's title is longer than Facebook allows. Shorten it.",
    ),
    "text too long": FailureCode.CAPTION_REJECTED,
    PLAIN_NO: FailureCode.UNKNOWN,
}
_LOW_RESOLUTION = "Resolution too low"
WORDINGS = {
    **COMMON_WORDINGS,
    _LOW_RESOLUTION: "low resolution",
    "No permission to publish the video": "unpermitted",
    "Name parameter too long": "title too long",
    "message too long": "text too long",
    "already posted this": "506",
}
_PHASES = ("uploading_phase", "processing_phase", "publishing_phase")
_LONE_SUBCODES_FROM = 100_000


def error_codes(response: PlatformResponse) -> Sequence[str]:
    """Read an answer's keys; long subcodes stand for themselves, whatever code they come with."""
    subcode = response.find("error", "error_subcode")
    alone = isinstance(subcode, int) and subcode >= _LONE_SUBCODES_FROM
    kind = response.find("debug_info", "type")
    return [
        *([str(subcode)] if alone else []),
        *graph.error_codes(response, WORDINGS),
        *([kind] if isinstance(kind, str) else []),
        *_of_video(response.find("status")),
    ]


def _of_video(status: Json) -> list[str]:
    phases = [find(status, phase) for phase in _PHASES]
    errors = [find(phase, *path) for phase in phases for path in (("errors", 0), ("error",))]
    codes = [str(find(error, "code")) for error in errors if find(error, "code") is not None]
    is_low = any(_LOW_RESOLUTION in str(find(error, "message")) for error in errors)
    return [*codes, "low resolution"] if is_low else codes
