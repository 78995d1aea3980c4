"""A class for each `code` of a refusal, with the service's own sentence.

Written by `make openapi` of the service from its declarations, not by hand.
"""

from collections.abc import Mapping

from goldenhour.errors import (
    ApiError,
    Conflict,
    Invalid,
    KeyRefused,
    NotFound,
    PlatformFailed,
    ServiceFailed,
    TooLarge,
)


class AccountNotFound(NotFound):
    """There is no such account in this workspace. GET /v1/accounts lists them."""

    code = "account_not_found"


class AccountRemoved(Conflict):
    """The account was disconnected. Connect it again and make a new post for it."""

    code = "account_removed"


class AddressRefused(Invalid):
    """Files are fetched from public https addresses only."""

    code = "address_refused"


class AddressUnreachable(PlatformFailed):
    """The file could not be fetched from its address. Check the address, or upload the file."""

    code = "address_unreachable"


class AlreadyLive(Conflict):
    """The post is already live or being posted somewhere, so this can no longer be changed."""

    code = "already_live"


class BadApiKey(KeyRefused):
    """The API key is missing, wrong or revoked. Send it as "Authorization: Bearer <API_KEY>"."""

    code = "bad_api_key"


class Busy(ServiceFailed):
    """Too many requests of this kind are in progress. Try again in a few seconds."""

    code = "busy"


class CantRemove(Conflict):
    """This platform does not let a service delete posts. Delete it in the platform's own app."""

    code = "cant_remove"


class CaptionTooLong(Invalid):
    """The caption is longer than the platform allows."""

    code = "caption_too_long"


class WrongRequest(Invalid):
    """The request has the wrong shape; `problems` says where."""

    code = "detail"


class DuplicateAccount(Invalid):
    """Each account can appear only once per post."""

    code = "duplicate_account"


class FileMissing(Invalid):
    """Send one file in the form field "file" of a multipart/form-data body."""

    code = "file_missing"


class FileRemoved(Conflict):
    """The file was removed. Upload it again, for this post or, if it is live, a new one."""

    code = "file_removed"


class FileTooLarge(TooLarge):
    """The file is larger than 1 GB."""

    code = "file_too_large"


class Forbidden(KeyRefused):
    """The role of the key's owner does not allow this. Ask an owner or admin of the workspace."""

    code = "forbidden"


class Internal(ServiceFailed):
    """Something went wrong on the service's side. Try again."""

    code = "internal"


class LabelExists(Conflict):
    """The workspace has a label of this name already, perhaps in other capitals."""

    code = "label_exists"


class LabelNotFound(NotFound):
    """There is no such label in this workspace. GET /v1/labels lists them."""

    code = "label_not_found"


class MediaNotFound(NotFound):
    """There is no such file in this workspace. GET /v1/media lists those that can be posted."""

    code = "media_not_found"


class MediaRequired(Invalid):
    """The platform needs a different kind of file, or a caption or file where there is none."""

    code = "media_required"


class MethodNotAllowed(NotFound):
    """This path does not support that method; the Allow header lists those it does."""

    code = "method_not_allowed"


class NoPlatforms(Invalid):
    """At least one platform must stay on the post. Delete the post instead."""

    code = "no_platforms"


class NoTimeToRepeat(Conflict):
    """The post has no time that could be repeated. Schedule it first."""

    code = "no_time_to_repeat"


class PathNotFound(NotFound):
    """There is nothing at this path. GET /v1/openapi.json lists every endpoint."""

    code = "not_found"


class NotLive(Conflict):
    """This target has no live post to remove."""

    code = "not_live"


class NotReady(ServiceFailed):
    """This service answers, but nothing is published at the moment. Try again in a minute."""

    code = "not_ready"


class NothingToCancel(Conflict):
    """No target is scheduled."""

    code = "nothing_to_cancel"


class NothingToPublish(Conflict):
    """Every target is already live or being posted."""

    code = "nothing_to_publish"


class NothingToRetry(Conflict):
    """No target has failed."""

    code = "nothing_to_retry"


class NothingToSchedule(Conflict):
    """Every target is already scheduled or posted."""

    code = "nothing_to_schedule"


class OptionRequired(Invalid):
    """The platform needs an option that is missing. GET /v1/accounts/{account_id}/choices helps."""

    code = "option_required"


class OptionUnknown(Invalid):
    """The account has no such choice. GET /v1/accounts/{account_id}/choices lists its choices."""

    code = "option_unknown"


class PlanLimit(ApiError):
    """The workspace's plan does not cover this. Upgrade the plan or wait for the next month."""

    code = "plan_limit"


class PlatformUnreachable(PlatformFailed):
    """The platform did not answer. Try again in a few minutes."""

    code = "platform_unreachable"


class PostNotFound(NotFound):
    """There is no such post in this workspace."""

    code = "post_not_found"


class QueueFull(Conflict):
    """There is no free queue time in the next 60 days. Add queue times or schedule with "at"."""

    code = "queue_full"


class QueueSlotNotFound(NotFound):
    """There is no such queue time in this workspace. GET /v1/queue-slots lists them."""

    code = "queue_slot_not_found"


class RemoveFailed(PlatformFailed):
    """The platform did not remove the post. Try again, or delete it in the platform's own app."""

    code = "remove_failed"


class ScopeMissing(KeyRefused):
    """The key lacks the scope this endpoint needs. Create a key that carries it."""

    code = "scope_missing"


class SeriesNotFound(NotFound):
    """There is no such series in this workspace. GET /v1/series lists them."""

    code = "series_not_found"


class SessionRequired(KeyRefused):
    """Account-level actions need a signed-in session; API keys cannot do this."""

    code = "session_required"


class Stale(Conflict):
    """The post has changed since the version in If-Match. Fetch the post again and retry."""

    code = "stale"


class TargetNotFound(NotFound):
    """The post has no such target."""

    code = "target_not_found"


class TikTokRules(Invalid):
    """TikTok needs a privacy_level that the account offers; branded content cannot be private."""

    code = "tiktok_rules"


class TikTokUnreachable(PlatformFailed):
    """TikTok did not answer. Try again in a few minutes."""

    code = "tiktok_unreachable"


class TikTokUnsupported(Conflict):
    """This account cannot be posted to as a TikTok account yet."""

    code = "tiktok_unsupported"


class BodyTooLarge(TooLarge):
    """The request body is larger than 1 MB."""

    code = "too_large"


class TooManyRequests(ServiceFailed):
    """The workspace has used up its share of this service's requests for a few seconds."""

    code = "too_many_requests"


class TooManySeries(Conflict):
    """50 series are running in this workspace, as many as can. End one first."""

    code = "too_many_series"


class TooSlow(Invalid):
    """Nothing of the file came for 20 seconds. Send it again."""

    code = "too_slow"


class UnsupportedMedia(Invalid):
    """The file is not an MP4 or MOV video, or a JPG, PNG or WebP photo, that can be read."""

    code = "unsupported_media"


class Unwritable(ServiceFailed):
    """Storage is unavailable at the moment. Try again in a minute, or contact the operator."""

    code = "unwritable"


class WorkspaceMoved(ServiceFailed):
    """This workspace has moved to another server. Use its new address, with the same key."""

    code = "workspace_moved"


class WorkspaceMoving(ServiceFailed):
    """This workspace is being moved to another server. Try again in a minute."""

    code = "workspace_moving"


BY_CODE: Mapping[str, type[ApiError]] = {
    "account_not_found": AccountNotFound,
    "account_removed": AccountRemoved,
    "address_refused": AddressRefused,
    "address_unreachable": AddressUnreachable,
    "already_live": AlreadyLive,
    "bad_api_key": BadApiKey,
    "busy": Busy,
    "cant_remove": CantRemove,
    "caption_too_long": CaptionTooLong,
    "detail": WrongRequest,
    "duplicate_account": DuplicateAccount,
    "file_missing": FileMissing,
    "file_removed": FileRemoved,
    "file_too_large": FileTooLarge,
    "forbidden": Forbidden,
    "internal": Internal,
    "label_exists": LabelExists,
    "label_not_found": LabelNotFound,
    "media_not_found": MediaNotFound,
    "media_required": MediaRequired,
    "method_not_allowed": MethodNotAllowed,
    "no_platforms": NoPlatforms,
    "no_time_to_repeat": NoTimeToRepeat,
    "not_found": PathNotFound,
    "not_live": NotLive,
    "not_ready": NotReady,
    "nothing_to_cancel": NothingToCancel,
    "nothing_to_publish": NothingToPublish,
    "nothing_to_retry": NothingToRetry,
    "nothing_to_schedule": NothingToSchedule,
    "option_required": OptionRequired,
    "option_unknown": OptionUnknown,
    "plan_limit": PlanLimit,
    "platform_unreachable": PlatformUnreachable,
    "post_not_found": PostNotFound,
    "queue_full": QueueFull,
    "queue_slot_not_found": QueueSlotNotFound,
    "remove_failed": RemoveFailed,
    "scope_missing": ScopeMissing,
    "series_not_found": SeriesNotFound,
    "session_required": SessionRequired,
    "stale": Stale,
    "target_not_found": TargetNotFound,
    "tiktok_rules": TikTokRules,
    "tiktok_unreachable": TikTokUnreachable,
    "tiktok_unsupported": TikTokUnsupported,
    "too_large": BodyTooLarge,
    "too_many_requests": TooManyRequests,
    "too_many_series": TooManySeries,
    "too_slow": TooSlow,
    "unsupported_media": UnsupportedMedia,
    "unwritable": Unwritable,
    "workspace_moved": WorkspaceMoved,
    "workspace_moving": WorkspaceMoving,
}

BY_STATUS: Mapping[int, type[ApiError]] = {
    401: KeyRefused,
    402: PlanLimit,
    403: KeyRefused,
    404: NotFound,
    405: NotFound,
    409: Conflict,
    412: Conflict,
    413: TooLarge,
    415: Invalid,
    408: Invalid,
    421: ServiceFailed,
    422: Invalid,
    429: ServiceFailed,
    500: ServiceFailed,
    502: PlatformFailed,
    503: ServiceFailed,
}
