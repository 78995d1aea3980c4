"""What TikTok says no with, in our words: developers.tiktok.com/doc/tiktok-api-v2-error-handling.

Keys are `error.code` of any answer, whatever its HTTP status, and `fail_reason` of a post that
failed later.
"""

from collections.abc import Mapping, Sequence
from datetime import timedelta

from chalicelib.connectors.shared.calls.failures import PLAIN_NO, ErrorEntry, ErrorTable
from chalicelib.domain.outcome import Blame, FailureCode
from chalicelib.kit.transport.responses import PlatformResponse

OK = "ok"
INTERNAL_ERROR = "internal_error"
TOO_MANY_POSTS = "spam_risk_too_many_posts"
TOO_MANY_DRAFTS = "spam_risk_too_many_pending_share"
BANNED = "spam_risk_user_banned_from_posting"
TOO_MANY_USERS = "reached_active_user_cap"

CANNOT_POST = frozenset({TOO_MANY_POSTS, BANNED, TOO_MANY_USERS})
"""What the creator's options are answered with, HTTP 200 on purpose, when no post can be made."""

LEAST_WAIT = timedelta(seconds=60)
"""TikTok counts calls by the minute and names no time."""

WAITS: Mapping[str, timedelta] = {
    # About 15 posts in any 24 hours, by all applications together: places return one by one.
    TOO_MANY_POSTS: timedelta(hours=6),
    TOO_MANY_USERS: timedelta(hours=3),
    # Five drafts of any 24 hours: places return one by one, sooner where drafts are finished.
    TOO_MANY_DRAFTS: timedelta(hours=6),
}

_UNKNOWN_ID = ErrorEntry(
    FailureCode.OUTCOME_UNKNOWN,
    "TikTok no longer knows the upload. Check TikTok before you retry.",
    blame=Blame.APPLICATION,
)
_OUR_REQUEST = ErrorEntry(
    FailureCode.INVALID_OPTIONS,
    "TikTok did not take a field of what this service sent for the post. Its operator should"
    " update it.",
    blame=Blame.APPLICATION,
)

ERRORS: ErrorTable = {
    "access_token_invalid": FailureCode.AUTH_EXPIRED,
    "auth_removed": FailureCode.AUTH_EXPIRED,
    "scope_not_authorized": FailureCode.PERMISSION_MISSING,
    "scope_permission_missed": ErrorEntry(
        FailureCode.PERMISSION_MISSING,
        "This service's application does not ask TikTok for a permission that the post needs. Its"
        " operator must add it in TikTok's developer portal; reconnect the account after that.",
        ours=True,
    ),
    "unaudited_client_can_only_post_to_private_accounts": ErrorEntry(
        FailureCode.PERMISSION_MISSING,
        "TikTok has not audited this application yet. Until it has, posts go out only on private"
        " accounts, visible only to their owner. Make the account private in TikTok and choose"
        " SELF_ONLY; only this service's operator can have the application audited.",
        ours=True,
    ),
    "rate_limit_exceeded": ErrorEntry(
        FailureCode.RATE_LIMITED,
        "This service asked TikTok too often within a minute. It is no limit of the account.",
        blame=Blame.APPLICATION,
    ),
    TOO_MANY_POSTS: ErrorEntry(
        FailureCode.RATE_LIMITED,
        "TikTok takes about 15 posts within 24 hours from one account, by all applications"
        " together, and this one has reached that. They come back one by one.",
    ),
    TOO_MANY_DRAFTS: ErrorEntry(
        FailureCode.RATE_LIMITED,
        "Too many drafts of the last 24 hours wait in the account's TikTok inbox. Finish or delete"
        " them in the TikTok app first.",
    ),
    TOO_MANY_USERS: ErrorEntry(
        FailureCode.RATE_LIMITED,
        "This application has reached TikTok's limit of people who can post through it today. It is"
        " no limit of the account; only this service's operator can have TikTok raise it.",
        ours=True,
    ),
    "app_version_check_failed": ErrorEntry(
        FailureCode.INVALID_OPTIONS,
        "TikTok delivers drafts only to newer versions of its app. Update the TikTok app on the"
        " phone that the account uses.",
        blame=Blame.PERSON,
    ),
    BANNED: ErrorEntry(
        FailureCode.ACCOUNT_RESTRICTED,
        "TikTok does not let this account post. Sign in to TikTok to see why.",
    ),
    "spam_risk": ErrorEntry(
        FailureCode.ACCOUNT_RESTRICTED,
        "TikTok took the post, or the account, for spam and gives no reason. Sign in to TikTok to"
        " see whether the account is all right, and change the post before you retry it.",
    ),
    "spam_risk_text": FailureCode.CAPTION_REJECTED,
    "url_ownership_unverified": ErrorEntry(
        FailureCode.MEDIA_UNAVAILABLE,
        "TikTok fetches photos only from addresses that this service's operator has verified "
        "in TikTok's developer portal.",
        ours=True,
    ),
    "privacy_level_option_mismatch": ErrorEntry(
        FailureCode.INVALID_OPTIONS,
        "The account no longer offers this privacy_level. Read its options and choose again.",
        blame=Blame.ACCOUNT,
    ),
    "invalid_param": _OUR_REQUEST,
    "invalid_params": _OUR_REQUEST,
    "invalid_file_upload": FailureCode.MEDIA_REJECTED,
    "invalid_publish_id": _UNKNOWN_ID,
    "token_not_authorized_for_specified_publish_id": _UNKNOWN_ID,
    # What a post can fail with once TikTok has its file.
    "file_format_check_failed": ErrorEntry(
        FailureCode.MEDIA_REJECTED,
        "TikTok does not accept this kind of file. Upload it as MP4 or JPEG.",
    ),
    "duration_check_failed": ErrorEntry(
        FailureCode.MEDIA_REJECTED,
        "TikTok says the video is too long or too short. Change its length.",
    ),
    "frame_rate_check_failed": ErrorEntry(
        FailureCode.MEDIA_REJECTED,
        "TikTok accepts videos of 23 to 60 frames per second. Convert it.",
    ),
    "picture_size_check_failed": ErrorEntry(
        FailureCode.MEDIA_REJECTED,
        "TikTok accepts videos with sides of 360 to 4096 pixels, and photos of up to 1080p."
        " Change the file's measures.",
    ),
    "video_pull_failed": FailureCode.MEDIA_UNAVAILABLE,
    "photo_pull_failed": FailureCode.MEDIA_UNAVAILABLE,
    "internal": ErrorEntry(
        FailureCode.PROCESSING_FAILED,
        "Something went wrong at TikTok. It is no fault of the file. Retry the post.",
    ),
    "publish_cancelled": ErrorEntry(
        FailureCode.PROCESSING_FAILED,
        "The post was cancelled at TikTok before it was out. It is no fault of the file. Retry the"
        " post if you want it out.",
        blame=Blame.APPLICATION,
    ),
    PLAIN_NO: FailureCode.UNKNOWN,
}


def error_codes(response: PlatformResponse) -> Sequence[str]:
    """Return what an answer says no with: its error, else why the post failed."""
    code = response.find("error", "code")
    if isinstance(code, str) and code != OK:
        return (code,)
    reason = response.find("data", "fail_reason")
    return (reason,) if isinstance(reason, str) and reason else ()
