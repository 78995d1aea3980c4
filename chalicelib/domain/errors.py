"""Everything the service refuses on purpose: one class per code of docs/api.md "Errors".

A class's docstring is the message the client reads; `field` names the one input at fault. Its
kind (`error_kinds.py`) decides the HTTP status.
"""

from chalicelib.domain.error_kinds import (
    Conflict,
    Forbidden,
    Limited,
    Misdirected,
    NotFound,
    Overloaded,
    PaymentRequired,
    PlatformFailure,
    PreconditionFailed,
    RuleViolation,
    ServiceError,
    TooLarge,
    Unauthenticated,
    Unsupported,
)


class Unwritable(Overloaded):
    """Storage is unavailable at the moment. Try again in a minute, or contact the operator."""

    code = "unwritable"


class NotReady(Overloaded):
    """This service answers, but nothing is published at the moment. Try again in a minute."""

    code = "not_ready"


class Busy(Overloaded):
    """Too many requests of this kind are in progress. Try again in a few seconds."""

    code = "busy"


class WorkspaceMoving(Overloaded):
    """This workspace is being moved to another server. Try again in a minute."""

    code = "workspace_moving"


class WorkspaceMoved(Misdirected):
    """This workspace has moved to another server. Use its new address, with the same key."""

    code = "workspace_moved"


class TooManyRequests(Limited):
    """The workspace has used up its share of this service's requests for a few seconds."""

    code = "too_many_requests"


class BadApiKey(Unauthenticated):
    """The API key is missing, wrong or revoked. Send it as "Authorization: Bearer <API_KEY>"."""

    code = "bad_api_key"


class PlanLimit(PaymentRequired):
    """The workspace's plan does not cover this. Upgrade the plan or wait for the next month."""

    code = "plan_limit"


class SessionRequired(Forbidden):
    """Account-level actions need a signed-in session; API keys cannot do this."""

    code = "session_required"


class ScopeMissing(Forbidden):
    """The key lacks the scope this endpoint needs. Create a key that carries it."""

    code = "scope_missing"


class RoleForbids(Forbidden):
    """The role of the key's owner does not allow this. Ask an owner or admin of the workspace."""

    code = "forbidden"


class PostNotFound(NotFound):
    """There is no such post in this workspace."""

    code = "post_not_found"


class AccountNotFound(NotFound):
    """There is no such account in this workspace. GET /v1/accounts lists them."""

    code = "account_not_found"


class MediaNotFound(NotFound):
    """There is no such file in this workspace. GET /v1/media lists those that can be posted."""

    code = "media_not_found"


class TargetNotInPost(NotFound):
    """The post has no such target."""

    code = "target_not_found"


class QueueSlotNotFound(NotFound):
    """There is no such queue time in this workspace. GET /v1/queue-slots lists them."""

    code = "queue_slot_not_found"


class LabelNotFound(NotFound):
    """There is no such label in this workspace. GET /v1/labels lists them."""

    code = "label_not_found"


class SeriesNotFound(NotFound):
    """There is no such series in this workspace. GET /v1/series lists them."""

    code = "series_not_found"


class PathNotFound(NotFound):
    """There is nothing at this path. GET /v1/openapi.json lists every endpoint."""

    code = "not_found"


class MethodNotAllowed(ServiceError):
    """This path does not support that method; the Allow header lists those it does."""

    code = "method_not_allowed"


class LabelExists(Conflict):
    """The workspace has a label of this name already, perhaps in other capitals."""

    code = "label_exists"


class NoTimeToRepeat(Conflict):
    """The post has no time that could be repeated. Schedule it first."""

    code = "no_time_to_repeat"


class TooManySeries(Conflict):
    """50 series are running in this workspace, as many as can. End one first."""

    code = "too_many_series"


class NothingToSchedule(Conflict):
    """Every target is already scheduled or posted."""

    code = "nothing_to_schedule"


class NothingToPublish(Conflict):
    """Every target is already live or being posted."""

    code = "nothing_to_publish"


class NothingToCancel(Conflict):
    """No target is scheduled."""

    code = "nothing_to_cancel"


class NothingToRetry(Conflict):
    """No target has failed."""

    code = "nothing_to_retry"


class AlreadyLive(Conflict):
    """The post is already live or being posted somewhere, so this can no longer be changed."""

    code = "already_live"


class QueueFull(Conflict):
    """There is no free queue time in the next 60 days. Add queue times or schedule with "at"."""

    code = "queue_full"


class FileRemoved(Conflict):
    """The file was removed. Upload it again, for this post or, if it is live, a new one."""

    code = "file_removed"


class AccountRemoved(Conflict):
    """The account was disconnected. Connect it again and make a new post for it."""

    code = "account_removed"


class NotLive(Conflict):
    """This target has no live post to remove."""

    code = "not_live"


class CantRemove(Conflict):
    """This platform does not let a service delete posts. Delete it in the platform's own app."""

    code = "cant_remove"


class TiktokUnsupported(Conflict):
    """This account cannot be posted to as a TikTok account yet."""

    code = "tiktok_unsupported"


class Stale(PreconditionFailed):
    """The post has changed since the version in If-Match. Fetch the post again and retry."""

    code = "stale"


class BodyTooLarge(TooLarge):
    """The request body is larger than 1 MB."""

    code = "too_large"


class FileTooLarge(TooLarge):
    """The file is larger than 1 GB."""

    code = "file_too_large"


class UnsupportedMedia(Unsupported):
    """The file is not an MP4 or MOV video, or a JPG, PNG or WebP photo, that can be read."""

    code = "unsupported_media"


class AddressRefused(RuleViolation):
    """Files are fetched from public https addresses only."""

    code = "address_refused"


class AddressUnreachable(PlatformFailure):
    """The file could not be fetched from its address. Check the address, or upload the file."""

    code = "address_unreachable"


class CaptionTooLong(RuleViolation):
    """The caption is longer than the platform allows."""

    code = "caption_too_long"


class MediaRequired(RuleViolation):
    """The platform needs a different kind of file, or a caption or file where there is none."""

    code = "media_required"


class TiktokRules(RuleViolation):
    """TikTok needs a privacy_level that the account offers; branded content cannot be private."""

    code = "tiktok_rules"


class OptionRequired(RuleViolation):
    """The platform needs an option that is missing. GET /v1/accounts/{account_id}/choices helps."""

    code = "option_required"


class OptionUnknown(RuleViolation):
    """The account has no such choice. GET /v1/accounts/{account_id}/choices lists its choices."""

    code = "option_unknown"


class UnknownAccount(RuleViolation):
    """There is no such account in this workspace. GET /v1/accounts lists them."""

    code = "account_not_found"


class UnknownTarget(RuleViolation):
    """The post has no such target."""

    code = "target_not_found"


class DuplicateAccount(RuleViolation):
    """Each account can appear only once per post."""

    code = "duplicate_account"


class NoPlatforms(RuleViolation):
    """At least one platform must stay on the post. Delete the post instead."""

    code = "no_platforms"


class TooSlow(ServiceError):
    """Nothing of the file came for 20 seconds. Send it again."""

    code = "too_slow"


class FileMissing(RuleViolation):
    """Send one file in the form field "file" of a multipart/form-data body."""

    code = "file_missing"


class TiktokUnreachable(PlatformFailure):
    """TikTok did not answer. Try again in a few minutes."""

    code = "tiktok_unreachable"


class PlatformUnreachable(PlatformFailure):
    """The platform did not answer. Try again in a few minutes."""

    code = "platform_unreachable"


class RemoveFailed(PlatformFailure):
    """The platform did not remove the post. Try again, or delete it in the platform's own app."""

    code = "remove_failed"
