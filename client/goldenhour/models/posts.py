"""Posts as the client returns them, and targets as they are sent.

A post that a client returned can `wait()` until nothing of it is on its way any more.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from goldenhour.models.answers import Label, Metrics, PostFields
from goldenhour.models.options import Options

ON_ITS_WAY = frozenset({"scheduled", "publishing"})
"""Statuses that change without anybody's doing."""

LIVE = frozenset({"published"})


class Poller(Protocol):
    """What a post asks when it waits; `resources.posts` is one."""

    def wait(
        self, post_id: str, *, timeout_s: float, on_change: Callable[["Post"], None] | None
    ) -> "Post":
        """Return the post once nothing of it is on its way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Post(PostFields):
    """One caption and at most one file for one or more targets.

    `etag` is its version, where the answer told it: given as `if_match`, a call changes only what
    was read.
    """

    metrics: Metrics | None = field(default=None, compare=False)
    labels: tuple[Label, ...] | None = field(default=None, compare=False)
    """Its counts, in lists that were asked for them."""

    etag: str | None = field(default=None, compare=False)
    was_there: bool = field(default=False, compare=False)
    """Whether an earlier call with the same Idempotency-Key had made it."""

    _poller: Poller | None = field(default=None, repr=False, compare=False)

    @property
    def is_settled(self) -> bool:
        """Whether nothing of it will change by itself."""
        return not any(target.status in ON_ITS_WAY for target in self.targets)

    @property
    def next_time(self) -> datetime | None:
        """The nearest time at which a target of it goes out."""
        times = [each.scheduled_at for each in self.targets if each.status == "scheduled"]
        return min((at for at in times if at is not None), default=None)

    def wait(
        self, *, timeout_s: float = 600, on_change: Callable[["Post"], None] | None = None
    ) -> "Post":
        """Return the post once nothing of it is on its way. Raises WaitedTooLong."""
        if self._poller is None:
            raise TypeError("This post was not returned by a client, so it cannot wait.")
        return self._poller.wait(self.id, timeout_s=timeout_s, on_change=on_change)


@dataclass(frozen=True, slots=True, kw_only=True)
class PostPage:
    """One page of posts."""

    data: tuple[Post, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTarget:
    """A target to make; a time needs a time zone."""

    account_id: str
    caption_override: str | None = None
    options: Options | None = None
    scheduled_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetChange:
    """What to change of a target; what is None stays. An empty override clears it."""

    id: str
    caption_override: str | None = None
    options: Options | None = None
    scheduled_at: datetime | None = None


def send_target(target: NewTarget | TargetChange) -> Mapping[str, object]:
    """Return a target as the API takes it. Raises TypeError for anything else."""
    if not isinstance(target, NewTarget | TargetChange):
        raise TypeError(
            "A target is a NewTarget, a TargetChange or an account's id,"
            f" not {type(target).__name__}."
        )
    key = {"account_id": target.account_id} if isinstance(target, NewTarget) else {"id": target.id}
    rest = {
        "caption_override": target.caption_override,
        "options": target.options,
        "scheduled_at": None if target.scheduled_at is None else send_time(target.scheduled_at),
    }
    return {**key, **{name: value for name, value in rest.items() if value is not None}}


def send_targets(
    targets: Sequence[NewTarget | TargetChange],
) -> list[Mapping[str, object]]:
    """Return targets as the API takes them."""
    return [send_target(target) for target in targets]


def send_texts(texts: Sequence[str]) -> list[str]:
    """Return texts as a list; a text by itself is one of them, not its letters."""
    return [texts] if isinstance(texts, str) else [*texts]


def send_time(at: datetime) -> str:
    """Return an aware time in ISO 8601. Raises ValueError for one without a time zone."""
    if not isinstance(at, datetime):
        raise TypeError(f"{at!r} is no datetime; give one with a time zone.")
    if at.utcoffset() is None:
        raise ValueError(
            f"{at.isoformat()} has no time zone; give it one, so that it is one moment."
        )
    return at.isoformat()
