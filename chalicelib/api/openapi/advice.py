"""What to do after each refusal, and what a failed target's code means: for people who read docs.

`/v1/docs/errors` and the tables of docs/api.md are made of it. Each code must have its line.
"""

from collections.abc import Mapping
from typing import Final

from chalicelib.domain.outcome import FailureCode

ERRORS: Final[Mapping[str, str]] = {
    "unwritable": "Try again in a minute; the operator should check the disk or the tables.",
    "not_ready": "Try again in a minute; the operator should look at `engine status`.",
    "bad_api_key": "Check the key and its `Bearer ` prefix; make a new one if it was revoked.",
    "plan_limit": "Use a larger plan, or wait for the next month if an allowance is used up.",
    "session_required": "Do this in the app or on the command line; keys cannot.",
    "scope_missing": "Make a key with the scope that the message names.",
    "forbidden": "Ask an owner to change the member's role.",
    "post_not_found": "Check the id; deleted posts are gone for every call.",
    "account_not_found": "List `GET /v1/accounts`; the account may be disconnected.",
    "media_not_found": "Upload the file again, or wait until a direct upload is `ready`.",
    "target_not_found": "Read the post; the target may have been removed.",
    "label_not_found": "List `GET /v1/labels`.",
    "series_not_found": "List `GET /v1/series`.",
    "queue_slot_not_found": "List `GET /v1/queue-slots`.",
    "not_found": "Check the path against `/v1/openapi.json`.",
    "method_not_allowed": "Use a method that the header `Allow` names.",
    "stale": "Read the post again and repeat the change with its new `ETag`, in its quotes.",
    "label_exists": "Use the label that there is, or another name.",
    "no_time_to_repeat": "Schedule the post, or give the rule a later end, and repeat it then.",
    "too_many_series": "End a series that is not needed: `DELETE /v1/series/{id}`.",
    "nothing_to_schedule": "Every target has a time or is live: PATCH a time instead.",
    "nothing_to_publish": "Nothing is left to send.",
    "nothing_to_cancel": "Nothing is scheduled; a target that is publishing cannot be stopped.",
    "nothing_to_retry": "Only failed targets can be retried.",
    "already_live": "Duplicate the post; a post that is live or going out cannot be changed.",
    "queue_full": "Add queue times or pick a time yourself.",
    "file_removed": "Upload the file again and add it to the post, or to a new one if it is live.",
    "account_removed": "Connect the account again, or remove the target.",
    "not_live": "Only live targets can be unpublished.",
    "cant_remove": "Delete it in the platform's own app: its API cannot.",
    "tiktok_unsupported": "Pick a TikTok account that can be posted to now.",
    "too_large": "Send less than 1 MB of JSON.",
    "file_too_large": "Send a file of at most 1 GB.",
    "unsupported_media": "Convert it to MP4, MOV, JPG, PNG or WebP.",
    "address_refused": "Give a public https address, or upload the file.",
    "address_unreachable": "Try the address in a browser; upload the file instead.",
    "caption_too_long": "Shorten it, or give that target a `caption_override`.",
    "media_required": "Add the kind of file that the message names.",
    "tiktok_rules": "Choose a `privacy_level` that the creator offers.",
    "duplicate_account": "List each account once.",
    "no_platforms": "Leave at least one target on the post, or delete the post.",
    "file_missing": "Send the file in the form field `file`.",
    "too_slow": "Send it again, over a connection that holds.",
    "option_required": "Give the option that `field` names; `choices` lists what fits.",
    "option_unknown": "Use a value from `GET /v1/accounts/{id}/choices`.",
    "busy": "Wait as long as `Retry-After` says and send it again.",
    "workspace_moving": "Try again in a minute; nothing was changed.",
    "workspace_moved": "Set the client's base URL to the address that the message names.",
    "too_many_requests": "Wait as long as `Retry-After` says; send fewer requests a second.",
    "internal": "Try again; if it persists, report `X-Request-Id`.",
    "tiktok_unreachable": "Try again later.",
    "platform_unreachable": "Try again later.",
    "remove_failed": "Try again; the post is still live.",
}

FAILURES: Final[Mapping[FailureCode, str]] = {
    FailureCode.AUTH_EXPIRED: "Reconnect the account, then `/retry`.",
    FailureCode.PERMISSION_MISSING: "Reconnect and grant every permission that is asked for.",
    FailureCode.RATE_LIMITED: "Wait; the account has posted too often for the platform.",
    FailureCode.MEDIA_REJECTED: (
        "The platform cannot use this file: convert it and upload it again."
    ),
    FailureCode.MEDIA_TOO_LARGE: "Send a smaller file.",
    FailureCode.MEDIA_UNAVAILABLE: "The file could not be fetched; see the message.",
    FailureCode.VIDEO_TOO_LONG: "Shorten it, or set the option `trim`.",
    FailureCode.FILE_REMOVED: "Upload the file again.",
    FailureCode.CAPTION_REJECTED: "Change the caption; the platform refuses its text.",
    FailureCode.DUPLICATE_CONTENT: "The platform has this post already: change it.",
    FailureCode.ACCOUNT_RESTRICTED: (
        "Check the account on the platform; it cannot post at the moment."
    ),
    FailureCode.ACCOUNT_REMOVED: "Connect the account again.",
    FailureCode.PLATFORM_UNAVAILABLE: "Retry later; nothing was posted.",
    FailureCode.PROCESSING_FAILED: "Convert the file and upload it again.",
    FailureCode.PROCESSING_TIMEOUT: "Check the platform; `/retry` checks it too before it sends.",
    FailureCode.OUTCOME_UNKNOWN: "Check the platform; `/retry` checks it too before it sends.",
    FailureCode.INVALID_OPTIONS: "Change the option that the message names.",
    FailureCode.TOO_LATE: "It was more than 24 hours late: schedule it again.",
    FailureCode.UNKNOWN: "Read the message; `/retry` if the cause is gone.",
}

MEANINGS: Final[Mapping[FailureCode, str]] = {
    FailureCode.AUTH_EXPIRED: "The platform no longer accepts the account's sign-in.",
    FailureCode.PERMISSION_MISSING: "The account's sign-in does not include the right to post.",
    FailureCode.RATE_LIMITED: "The platform asks to post less often.",
    FailureCode.MEDIA_REJECTED: "The platform refused the file.",
    FailureCode.MEDIA_TOO_LARGE: "The file is larger than the platform allows.",
    FailureCode.MEDIA_UNAVAILABLE: "The file or its copy could not be reached.",
    FailureCode.VIDEO_TOO_LONG: "The video is longer than the platform allows.",
    FailureCode.FILE_REMOVED: "The file was removed before the post went out.",
    FailureCode.CAPTION_REJECTED: "The platform refused the text.",
    FailureCode.DUPLICATE_CONTENT: "The platform refused the post because it has the same already.",
    FailureCode.ACCOUNT_RESTRICTED: "The platform has restricted the account.",
    FailureCode.ACCOUNT_REMOVED: "The account was disconnected before the post went out.",
    FailureCode.PLATFORM_UNAVAILABLE: "The platform did not answer, or could not work.",
    FailureCode.PROCESSING_FAILED: "The platform took the file and could not process it.",
    FailureCode.PROCESSING_TIMEOUT: "The platform did not say in time what became of the file.",
    FailureCode.OUTCOME_UNKNOWN: (
        "The post was handed over and the answer was lost, so it may be live. It is never sent "
        "again unless a look at the platform shows that it is not there."
    ),
    FailureCode.INVALID_OPTIONS: "The platform refused one of the target's options.",
    FailureCode.TOO_LATE: "The time had passed by more than 24 hours before the post could go out.",
    FailureCode.UNKNOWN: "The platform refused the post for a reason that has no code of its own.",
}
