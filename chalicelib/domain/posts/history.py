"""What happened to a post: events (what people and the service did) and attempts to publish.

Both are append-only and outlive the post's deletion. docs/api.md "History" lists the actions.
"""

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from enum import StrEnum

from chalicelib.domain.ids import new_id
from chalicelib.domain.outcome import Blame, PlatformAnswer
from chalicelib.domain.workspace.access import Caller
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import Json

SYSTEM = "system"


class Action(StrEnum):
    """The complete list of what a history can name."""

    CREATED = "post.created"
    EDITED = "post.edited"
    SCHEDULED = "post.scheduled"
    QUEUED = "post.queued"
    PUBLISH_REQUESTED = "post.publish_requested"
    CANCELLED = "post.cancelled"
    RETRIED = "post.retried"
    DUPLICATED = "post.duplicated"
    COMMENTED = "post.commented"
    RESOLVED = "post.comment_resolved"
    REPEATED = "post.repeated"
    SERIES_STOPPED = "series.stopped"
    DELETED = "post.deleted"
    APPROVED = "post.approved"
    REJECTED = "post.rejected"
    TARGET_PUBLISHED = "target.published"
    TARGET_FAILED = "target.failed"
    TARGET_UNPUBLISHED = "target.unpublished"
    TARGET_AT_RISK = "target.at_risk"
    TARGET_REMINDED = "target.reminded"


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One thing that was done to a post, by a member's name or `system`."""

    id: str
    action: Action
    by: str
    at: datetime
    detail: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One attempt to post one target and what came of it.

    `lateness_s` is the time from the target's `due_at` to the visible step. `found` tells that a
    reconciliation ended it. `answer` is what the platform said with a refusal, `blame` who must
    change something. If the service tries again, `next_try_at` and `tries_until` say when.
    """

    id: str
    target_id: str
    ok: bool
    status: str
    at: datetime
    error_code: str | None = None
    error_message: str | None = None
    remote_id: str | None = None
    found: str | None = None
    lateness_s: float | None = None
    answer: PlatformAnswer | None = None
    blame: Blame | None = None
    next_try_at: datetime | None = None
    tries_until: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """A post's events and attempts, oldest first."""

    events: tuple[Event, ...]
    attempts: tuple[Attempt, ...]


def event(
    action: Action, by: str, now: datetime, detail: Mapping[str, Json] | None = None
) -> Event:
    """Return a new event that happens now."""
    return Event(id=new_id(now), action=action, by=by, at=now, detail=detail or {})


def event_by(
    caller: Caller, action: Action, now: datetime, detail: Mapping[str, Json] | None = None
) -> Event:
    """Return what a caller does now; a key is told by its name beside the member it acts as."""
    key: Mapping[str, Json] = {"key": caller.key_name} if caller.key_name else {}
    return event(action, caller.member_name, now, {**(detail or {}), **key})
