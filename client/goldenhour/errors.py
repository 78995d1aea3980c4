"""What can go wrong; `error_codes.py` has a class for each `code` of the API.

    try: client.posts.schedule(post.id)
    except NothingToSchedule: ...            # one code
    except Conflict: ...                     # every 409
    except ApiError as refusal: print(refusal.code, refusal.field, refusal.request_id)

Where two classes fit, the one of the code is raised.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, TypeAlias

if TYPE_CHECKING:
    from goldenhour.models.answers import (
        DirectUpload,
        FetchedUpload,
        Label,
        Media,
        QueueSlot,
        Series,
    )
    from goldenhour.models.posts import Post

    Made: TypeAlias = Post | Media | DirectUpload | FetchedUpload | QueueSlot | Label | Series


class GoldenhourError(Exception):
    """Whatever this package raises on purpose."""


class NoAnswer(GoldenhourError):
    """The service could not be reached, or the connection broke before it answered."""

    def __init__(self, message: str, *, maybe_done: bool) -> None:
        super().__init__(message)
        self.maybe_done = maybe_done
        """Whether the service may have carried out the call all the same."""


class UnexpectedAnswer(GoldenhourError):
    """Something answered that is not this API: another address, or a proxy on the way."""


class FileChanged(GoldenhourError):
    """A file was longer or shorter at its end than when its upload began; nothing was uploaded."""


class WaitedTooLong(GoldenhourError):
    """What was waited for did not happen in the time that was given."""


class KeyReused(GoldenhourError):
    """An Idempotency-Key made something of another request before; nothing was made now.

    `made` is what it made then, as that call returned it: a post, a file, an upload, a queue time
    or a label.
    """

    def __init__(self, key: str, made: "Made") -> None:
        made_id = getattr(made, "media_id", None) or getattr(made, "id", "")
        super().__init__(
            f"The key {key!r} was used for another request before, which made {made_id}; nothing"
            " was made now. Use another key, or what was made then."
        )
        self.made = made


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """The parts of an answer that says no."""

    status: int
    code: str
    message: str
    field: str | None = None
    request_id: str | None = None
    retry_after_s: float | None = None
    problems: tuple["Problem", ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One wrong part of a request; `loc` leads to it, as `("body", "targets", 0, "account_id")`."""

    loc: tuple[str | int, ...]
    msg: str
    type: str


class ApiError(GoldenhourError):
    """The service answered and refused."""

    code: ClassVar[str] = ""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal
        self.status = refusal.status
        self.received_code = refusal.code
        self.message = refusal.message
        self.field = refusal.field
        self.request_id = refusal.request_id
        self.retry_after_s = refusal.retry_after_s
        self.problems = refusal.problems

    def __str__(self) -> str:
        """Return what a person needs: the sentence, the code, the input at fault, the request."""
        where = f", field {self.field}" if self.field else ""
        request = f", request {self.request_id}" if self.request_id else ""
        return f"{self.message} ({self.received_code}{where}{request})"


class KeyRefused(ApiError):
    """The key is wrong, or lacks a right (401, 403)."""


class NotFound(ApiError):
    """There is no such thing in the key's workspace (404)."""


class Conflict(ApiError):
    """The post is not in a state for this call (409, 412)."""


class TooLarge(ApiError):
    """The body or the file is too large (413)."""


class Invalid(ApiError):
    """The input breaks a rule (415, 422)."""


class PlatformFailed(ApiError):
    """The platform did not answer or did not act (502)."""


class ServiceFailed(ApiError):
    """The service itself failed or is too busy (500, 503, 429), or has moved (421)."""
