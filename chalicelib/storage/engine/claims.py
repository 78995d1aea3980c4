"""What a claim of a target names, and the errors when it is lost."""

from dataclasses import replace
from datetime import datetime
from enum import StrEnum

from botocore.exceptions import ClientError

from chalicelib.domain.posts.target import Target
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.dynamodb.items import plain
from chalicelib.kit.dynamodb.table import Expression
from chalicelib.storage.posts.items import target_from


class LeaseLostError(Exception):
    """Another worker, or a person's edit, took the target: stop without another call."""


class MessageKind(StrEnum):
    """What a message asks for, and what its sender knew.

    For messages of the tick, rows may be read as they were a moment ago: every later write sends a
    message of its own.
    """

    WAKE = "wake"
    """Work on the target: a write let it wake, or it is overdue."""
    WAKE_AHEAD = "wake_ahead"
    """The same, of a target that was seen to wake before it is due: that claim is tried first."""
    TICK = "tick"
    """Work on the target, whose time is near."""
    COPY = "copy"
    """The same, sent after its time: it matters only if the first message was lost."""
    CHECK = "check"
    """Look at what may go wrong with the target: a write changed it."""
    TICK_CHECK = "tick_check"
    """The same, as the target is due in a quarter of an hour."""

    @property
    def is_check(self) -> bool:
        """Tell whether a look is asked for instead of work."""
        return self in {MessageKind.CHECK, MessageKind.TICK_CHECK}


@dataclass(frozen=True, slots=True)
class TargetRef:
    """The ids of a target, when it wakes as far as its sender knew, and what is to be done."""

    post_id: str
    target_id: str
    workspace_id: str
    wake_at: datetime
    kind: MessageKind = MessageKind.WAKE

    def waking_at(self, at: datetime, target: Target) -> "TargetRef":
        """Return the name of the same target, which a write has just let wake then."""
        return TargetRef(self.post_id, self.target_id, self.workspace_id, at, wake_kind(target))


def wake_kind(target: Target | None) -> MessageKind:
    """Return what a message asks for that wakes a target, as far as that was read."""
    is_ahead = target is not None and target.is_prepared_next
    return MessageKind.WAKE_AHEAD if is_ahead else MessageKind.WAKE


class WornOutError(Exception):
    """The row could not be read too many times: it is failed by its key alone."""


def still_held(token: str, version: int) -> Expression:
    """Return the condition that a worker still holds a target as it last saved or claimed it."""
    return Expression(
        "#lease_token = :token AND #version = :version", {"token": token, "version": version}
    )


def as_saved(target: Target) -> Target:
    """Return a target as the row has it after one more write."""
    return replace(target, version=target.version + 1)


def besides_lease(target: Target) -> tuple[Target, str | None]:
    """Return what a renewal leaves as it is: everything but the times of the lease."""
    lease = target.progress.lease
    if lease is None:
        return target, None
    progress = replace(target.progress, lease=None, wake_at=None)
    return replace(target, progress=progress), lease.token


def is_kept(error: ClientError, saved: Target) -> bool:
    """Tell whether a refused write is one of ours that had already gone through."""
    found = error.response.get("Item")
    if not found:
        return False
    kept = target_from(plain(found))  # type: ignore[arg-type]  # the stubs know no such answer
    return besides_lease(kept) == besides_lease(saved)
