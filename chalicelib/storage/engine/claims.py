"""What a claim of a target names, and how it may be lost."""

from dataclasses import replace
from datetime import datetime

from botocore.exceptions import ClientError

from chalicelib.domain.posts.target import Target
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.dynamodb.items import plain
from chalicelib.kit.dynamodb.table import Expression
from chalicelib.storage.posts.items import target_from


class LeaseLostError(Exception):
    """Another worker, or a person's edit, took the target: stop without another call."""


@dataclass(frozen=True, slots=True)
class TargetRef:
    """The name of a target, and when it wants to be woken as far as the sender knew.

    `is_check` asks for a look at what may go wrong with it instead of work on it. `is_routine` says
    that the tick sent it, and no write: it may read rows as they were a moment ago, as every write
    since has a message of its own. `is_copy` says that another message was sent for the same time,
    and this one matters only if that was lost. `is_ahead` says that the sender saw it wake before
    it is due: which of its two claims is tried first, and nothing more.
    """

    post_id: str
    target_id: str
    workspace_id: str
    wake_at: datetime
    is_check: bool = False
    is_routine: bool = False
    is_copy: bool = False
    is_ahead: bool = False

    def waking_at(self, at: datetime, target: Target) -> "TargetRef":
        """Return the name of the same target, which a write has just let wake then."""
        ahead = target.is_prepared_next
        return TargetRef(self.post_id, self.target_id, self.workspace_id, at, is_ahead=ahead)


class WornOutError(Exception):
    """The row was claimed too often without progress; end it by its key alone."""


def still_held(token: str, version: int) -> Expression:
    """Name the condition that a worker still holds a target as it last kept or claimed it."""
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
