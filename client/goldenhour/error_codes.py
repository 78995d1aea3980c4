"""The rest of the error classes, and the way from an answer to its class."""

from collections.abc import Iterator, Mapping

from goldenhour.errors import (
    ApiError,
    Conflict,
    Invalid,
    KeyRefused,
    NotFound,
    PlanLimit,
    PlatformFailed,
    Problem,
    Refusal,
    ServiceFailed,
    TooLarge,
)


class AlreadyLive(Conflict):
    """It is live or being posted, so it can no longer be changed."""

    code = "already_live"


class QueueFull(Conflict):
    """No queue time is free in the next 60 days."""

    code = "queue_full"


class FileRemoved(Conflict):
    """The post's file was removed from the service."""

    code = "file_removed"


class AccountRemoved(Conflict):
    """The account was disconnected."""

    code = "account_removed"


class NotLive(Conflict):
    """The target has no live post."""

    code = "not_live"


class CantRemove(Conflict):
    """The platform does not let a service delete posts."""

    code = "cant_remove"


class TikTokUnsupported(Conflict):
    """The account cannot be posted to as a TikTok account."""

    code = "tiktok_unsupported"


class BodyTooLarge(TooLarge):
    """The request's body is larger than 1 MB."""

    code = "too_large"


class FileTooLarge(TooLarge):
    """The file is larger than 1 GB."""

    code = "file_too_large"


class UnsupportedMedia(Invalid):
    """The file is neither a video nor a photo that the service takes."""

    code = "unsupported_media"


class WrongRequest(Invalid):
    """The request has the wrong shape; `problems` says where."""

    code = "detail"


class CaptionTooLong(Invalid):
    """The caption is longer than a platform allows."""

    code = "caption_too_long"


class MediaRequired(Invalid):
    """A platform needs another kind of file, or a caption or file at all."""

    code = "media_required"


class TikTokRules(Invalid):
    """TikTok needs a privacy level that the account offers."""

    code = "tiktok_rules"


class OptionRequired(Invalid):
    """A platform demands an option that the target lacks."""

    code = "option_required"


class OptionUnknown(Invalid):
    """An option names something that does not exist on the platform."""

    code = "option_unknown"


class DuplicateAccount(Invalid):
    """An account stands on a post only once."""

    code = "duplicate_account"


class NoPlatforms(Invalid):
    """At least one platform must stay on a post."""

    code = "no_platforms"


class AddressRefused(Invalid):
    """Files are fetched from public https addresses only."""

    code = "address_refused"


class AddressUnreachable(PlatformFailed):
    """The file could not be fetched from its address."""

    code = "address_unreachable"


class FileMissing(Invalid):
    """No file was sent."""

    code = "file_missing"


class TikTokUnreachable(PlatformFailed):
    """TikTok did not answer."""

    code = "tiktok_unreachable"


class PlatformUnreachable(PlatformFailed):
    """The platform did not answer."""

    code = "platform_unreachable"


class RemoveFailed(PlatformFailed):
    """The platform did not remove the post."""

    code = "remove_failed"


class Internal(ServiceFailed):
    """The service failed."""

    code = "internal"


class Unwritable(ServiceFailed):
    """The service cannot store anything now; its operator must look at it."""

    code = "unwritable"


class Busy(ServiceFailed):
    """The service takes no more at this moment."""

    code = "busy"


def _subclasses(kind: type[ApiError]) -> Iterator[type[ApiError]]:
    for below in kind.__subclasses__():
        yield below
        yield from _subclasses(below)


BY_CODE: Mapping[str, type[ApiError]] = {
    kind.code: kind for kind in _subclasses(ApiError) if kind.code
}

_BY_STATUS: Mapping[int, type[ApiError]] = {
    401: KeyRefused,
    402: PlanLimit,
    403: KeyRefused,
    404: NotFound,
    405: NotFound,
    409: Conflict,
    412: Conflict,
    413: TooLarge,
    415: Invalid,
    422: Invalid,
    429: ServiceFailed,
    502: PlatformFailed,
}


def error_from(
    status: int, answer: object, *, request_id: str | None, retry_after_s: float | None
) -> ApiError:
    """Return the error of an answer that is no success; any body is understood somehow."""
    problems = tuple(_problems(answer))
    said = answer.get("error") if isinstance(answer, dict) else None
    told: Mapping[str, object] = said if isinstance(said, dict) else {}
    code = "detail" if problems else str(told.get("code") or f"http_{status}")
    field = told.get("field")
    refusal = Refusal(
        status=status,
        code=code,
        message=_sentence(status, told, problems),
        field=field if isinstance(field, str) else None,
        request_id=request_id,
        retry_after_s=retry_after_s,
        problems=problems,
    )
    fallback = ServiceFailed if status >= 500 else ApiError  # noqa: PLR2004 - the HTTP class
    return BY_CODE.get(code, _BY_STATUS.get(status, fallback))(refusal)


def _problems(answer: object) -> Iterator[Problem]:
    detail = answer.get("detail") if isinstance(answer, dict) else None
    for entry in detail if isinstance(detail, list) else ():
        if isinstance(entry, dict):
            yield Problem(
                loc=tuple(entry.get("loc") or ()),
                msg=str(entry.get("msg") or ""),
                type=str(entry.get("type") or ""),
            )


def _sentence(status: int, told: Mapping[str, object], problems: tuple[Problem, ...]) -> str:
    if problems:
        return "; ".join(f"{'.'.join(map(str, each.loc))}: {each.msg}" for each in problems)
    if message := told.get("message"):
        return str(message)
    return f"The service answered {status} without saying why."
