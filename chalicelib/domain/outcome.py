"""The possible outcomes of one step of publishing, as plain values.

Connectors return them, the worker acts on them, targets store checkpoints and doubts between steps.
The types follow docs/engine.md "Never twice": only a refusal is an answer; everything else on an
irreversible step is `Unanswered` and is settled by reconciliation, never by sending again.
"""

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TypeAlias

from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import Json

_LONGEST_BEGINNING = timedelta(minutes=1)
CALL_DEADLINE = timedelta(seconds=30)
"""How long an irreversible call may take in all; what takes longer is in doubt."""
CLOCK_SKEW = timedelta(seconds=10)
"""How far the clocks of two machines of ours, or ours and a platform's, may differ."""


class FailureCode(StrEnum):
    """Why a target did not post (docs/api.md "Error codes")."""

    AUTH_EXPIRED = "auth_expired"
    PERMISSION_MISSING = "permission_missing"
    RATE_LIMITED = "rate_limited"
    MEDIA_REJECTED = "media_rejected"
    MEDIA_TOO_LARGE = "media_too_large"
    MEDIA_UNAVAILABLE = "media_unavailable"
    VIDEO_TOO_LONG = "video_too_long"
    FILE_REMOVED = "file_removed"
    CAPTION_REJECTED = "caption_rejected"
    DUPLICATE_CONTENT = "duplicate_content"
    ACCOUNT_RESTRICTED = "account_restricted"
    ACCOUNT_REMOVED = "account_removed"
    PLATFORM_UNAVAILABLE = "platform_unavailable"
    PROCESSING_FAILED = "processing_failed"
    PROCESSING_TIMEOUT = "processing_timeout"
    OUTCOME_UNKNOWN = "outcome_unknown"
    INVALID_OPTIONS = "invalid_options"
    TOO_LATE = "too_late"
    UNKNOWN = "unknown"


class Blame(StrEnum):
    """Who or what must change.

    `person` is whoever connected the account, `account` its state on the platform, `application`
    this deployment: its registration, its limits, its set-up.
    """

    PERSON = "person"
    ACCOUNT = "account"
    FILE = "file"
    TEXT = "text"
    APPLICATION = "application"
    PLATFORM = "platform"


TRANSIENT = frozenset(
    {FailureCode.RATE_LIMITED, FailureCode.PLATFORM_UNAVAILABLE, FailureCode.MEDIA_UNAVAILABLE}
)


_PROVE_NOTHING = TRANSIENT | {
    FailureCode.AUTH_EXPIRED,
    FailureCode.PERMISSION_MISSING,
    FailureCode.PROCESSING_TIMEOUT,
    FailureCode.OUTCOME_UNKNOWN,
    FailureCode.UNKNOWN,
}


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Where publishing stands: the next step's name and small JSON that it needs.

    The data is not shown in a repr: it may hold an upload's address, which needs no other key.
    """

    step: str
    data: Mapping[str, Json] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """Exactly what an irreversible call sends, saved before the call is made.

    The call is not begun after `not_after`, which is checked just before its first byte.
    """

    text: str
    media_ids: tuple[str, ...]
    at: datetime
    not_after: datetime | None = None

    @property
    def is_suspicion(self) -> bool:
        """Tell whether the call is only suspected, because a restored backup may lack it."""
        return self.not_after is not None and self.not_after - self.at > _LONGEST_BEGINNING

    @property
    def begun_by(self) -> datetime:
        """The latest time when the call can have begun, by any clock: absence counts from it."""
        return self.at if self.not_after is None else self.not_after + CLOCK_SKEW


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """The post is live; `note` is a sentence about something that is not as it was asked for.

    `first_poll` is how long after that its metrics are read first, None for the usual time. `then`
    is a further step, such as a comment, for a post that was found under a key of the target's own;
    otherwise it must be None: a post that was found by its text may be another target's.
    """

    remote_id: str
    url: str | None
    note: str | None = None
    first_poll: timedelta | None = None
    then: Checkpoint | None = None


@dataclass(frozen=True, slots=True)
class Wait:
    """Go on with this checkpoint, not before the delay has passed (zero: at once)."""

    checkpoint: Checkpoint
    delay: timedelta = timedelta(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlatformAnswer:
    """What a platform itself said with a refusal; its support asks for `trace_id`.

    `sentence` repeats nothing that was sent; `is_for_people` tells that the platform wrote it for
    people who post. `is_page` tells that a page of HTML came in place of an answer: networks on the
    way refuse with one, but no API does.
    """

    status: int
    code: str | None = None
    subcode: str | None = None
    trace_id: str | None = None
    sentence: str | None = None
    is_for_people: bool = False
    is_page: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """The platform refused. Transient when `retry_after` is set or the code is in TRANSIENT.

    `final` marks a refusal that no repetition can change, whatever its code; `answer` is what the
    platform said, None if the refusal is our own; `blame` is None if the code says who must change
    something (`domain/blame.py`). `app_wide` tells that every post of the application is refused
    like this (`domain/engine/holds.py`), `own_pace` that the wait is ours and not the platform's.
    """

    code: str
    message: str
    retry_after: timedelta | None = None
    final: bool = False
    answer: PlatformAnswer | None = None
    blame: Blame | None = None
    app_wide: bool = False
    own_pace: bool = False

    @property
    def is_transient(self) -> bool:
        """Tell whether the service itself tries again."""
        return not self.final and (self.retry_after is not None or self.code in TRANSIENT)

    @property
    def proves_absence(self) -> bool:
        """Tell whether the platform judged the post itself, so that it cannot be live."""
        return self.final or (not self.is_transient and self.code not in _PROVE_NOTHING)


@dataclass(frozen=True, slots=True)
class Unanswered:
    """An irreversible call whose outcome nobody knows yet; `answer` is what came, if anything did.

    The answer proves nothing, but a person who asks why can read it.
    """

    checkpoint: Checkpoint
    answer: PlatformAnswer | None = None


@dataclass(frozen=True, slots=True)
class Absent:
    """The platform provably does not have the post: the step may be made again.

    `by_own_key` tells that it was looked for under a key that only this target has, whatever its
    text: this also holds after a restore from a backup, when the text may have been another one.
    `is_idempotent` tells that a call under way and the repeated step make only one post: then there
    is no need to wait for the end of that call.
    """

    by_own_key: bool = False
    is_idempotent: bool = False


@dataclass(frozen=True, slots=True)
class Unknown:
    """The platform cannot tell, and will not be able to."""


Outcome: TypeAlias = Done | Wait | Failed | Unanswered
Reconciliation: TypeAlias = Done | Wait | Absent | Unknown
