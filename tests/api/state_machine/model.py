"""The state table once more, as small as it can be: what every call must answer and lead to.

Written from docs/api.md, sharing no code with the service; `test_state_machine`
compares the two. A call that must be refused raises `Refusal`; nothing changes then. Times that
only the service knows (golden hours) are taken from its answer and checked for what is certain.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import datetime, timedelta

FIXED = {"publishing", "published", "removed"}
LIVE = {"published", "removed"}
COUNTED = {"scheduled", "publishing", "published", "removed"}
ALLOWANCES = {"trial": 10, "starter": 30, "studio": 500}
NEEDS_FILE = {"instagram"}
CANT_DELETE = {"instagram"}
HORIZON = timedelta(days=60)


class Refusal(Exception):
    """The call must be refused like this."""

    def __init__(self, status: int, code: str) -> None:
        self.answer = (status, code)
        super().__init__(code)


@dataclass(slots=True)
class Target:
    """A target as a client knows it, and what the platform will do with it."""

    id: str
    platform: str
    override: str | None = None
    time: datetime | None = None
    status: str = "draft"
    error: str | None = None
    doubt: bool = False
    waits: bool = False
    flaky: int = 0
    taken: int = 0
    ready_at: datetime | None = None
    sent_text: str = ""
    charge: tuple[str, int] | None = None

    @property
    def is_fixed(self) -> bool:
        return self.status in FIXED or self.doubt

    @property
    def can_stop(self) -> bool:
        return self.status == "scheduled" or (self.waits and not self.doubt)

    def text(self, caption: str) -> str:
        return caption if self.override is None else self.override

    def set_off(self, at: datetime, now: datetime) -> None:
        self.status, self.time, self.error, self.waits = "scheduled", max(at, now), None, False

    def stop(self) -> None:
        self.status, self.waits, self.ready_at = "cancelled", False, None


@dataclass(slots=True)
class Post:
    """A post and what its history must say."""

    id: str
    caption: str
    targets: list[Target]
    key: str | None = None
    deleted: bool = False
    actions: Counter[str] = field(default_factory=Counter)

    @property
    def status(self) -> str:
        """Sum the targets up: the first rule of docs/api.md "Posts" that fits."""
        statuses = [target.status for target in self.targets]
        for first in ("publishing", "scheduled"):
            if first in statuses:
                return first
        begun = [status for status in statuses if status != "draft"]
        if not begun:
            return "draft"
        live = sum(status in LIVE for status in begun)
        if live:
            return "published" if live == len(begun) else "partial"
        return "failed" if "failed" in begun else "cancelled"

    def target(self, target_id: str) -> Target | None:
        return next((target for target in self.targets if target.id == target_id), None)


@dataclass(slots=True)
class Model:
    """A workspace in UTC, its posts and its clock."""

    plan: str
    now: datetime
    slots: list[tuple[frozenset[int], str]]
    posts: list[Post] = field(default_factory=list)

    # Times and allowances.

    def free_times(self, besides: Post) -> Iterator[datetime]:
        """Yield the queue times at which no other post goes out, within 60 days."""
        taken = {
            target.time
            for post in self.posts
            if post is not besides and post.id != besides.id
            for target in post.targets
            if target.status == "scheduled"
        }
        day = self.now.replace(hour=0, minute=0)
        while day <= self.now + HORIZON:
            times = {time for weekdays, time in self.slots if day.weekday() in weekdays}
            for time in sorted(times):
                at = day.replace(hour=int(time[:2]), minute=int(time[3:]))
                if self.now < at <= self.now + HORIZON and at not in taken:
                    yield at
            day += timedelta(days=1)

    def used(self) -> Counter[str]:
        """Return the X units of each month, or of the trial."""
        charges = [target.charge for post in self.posts for target in post.targets]
        used: Counter[str] = Counter()
        for counter, units in filter(None, charges):
            used[counter] += units
        return used

    def _price(self, at: datetime, text: str) -> tuple[str, int]:
        counter = "trial" if self.plan == "trial" else f"{at:%Y-%m}"
        return counter, 10 if "bakery.com" in text else 1

    def require_room(self, post: Post, targets: Sequence[Target]) -> None:
        """Look whether drafts for X would fit into the allowance."""
        used = self.used()
        for target in targets:
            if target.platform == "x" and target.status == "draft":
                at = max(target.time or self.now, self.now)
                counter, units = self._price(at, target.text(post.caption))
                used[counter] += units
                if used[counter] > ALLOWANCES[self.plan]:
                    raise Refusal(402, "plan_limit")

    def keep(self, before: Post, after: Post, action: str) -> None:
        """Charge for what changed, then make it so."""
        before_used = self.used()
        for target in after.targets:
            if target.status == "scheduled" and target.platform == "x" and target.time:
                target.charge = self._price(target.time, target.text(after.caption))
            elif target.status not in COUNTED:
                target.charge = None
        place = self.posts.index(before)
        self.posts[place] = after
        used = self.used()
        limit = ALLOWANCES[self.plan]
        if any(used[one] > limit and used[one] > before_used[one] for one in used):
            self.posts[place] = before
            raise Refusal(402, "plan_limit")
        after.actions[action] += 1

    # What a client can do. `golden` gives the time of a target that has none.

    def schedule(self, post: Post, at: datetime | None, golden: Mapping[str, datetime]) -> Post:
        after = deepcopy(post)
        for target in self._unscheduled(after):
            target.set_off(at or self.own_or_golden(target, golden), self.now)
        self.keep(post, after, "post.scheduled")
        return after

    def own_or_golden(self, target: Target, golden: Mapping[str, datetime]) -> datetime:
        if target.time is not None and target.time > self.now:
            return target.time
        at = golden.get(target.id, self.now + timedelta(hours=1))
        assert self.now < at <= self.now + timedelta(days=8)
        assert target.id not in golden or (at.minute, at.second) == (0, 0)
        return at

    def queue(self, post: Post) -> Post:
        after = deepcopy(post)
        chosen = self._unscheduled(after)
        at = next(self.free_times(post), None)
        if at is None:
            raise Refusal(409, "queue_full")
        for target in chosen:
            target.set_off(at, self.now)
        self.keep(post, after, "post.queued")
        return after

    def _unscheduled(self, post: Post) -> list[Target]:
        chosen = [target for target in post.targets if target.status in ("draft", "cancelled")]
        return self._ready(post, chosen, "nothing_to_schedule")

    def _ready(self, post: Post, chosen: list[Target], otherwise: str) -> list[Target]:
        if not chosen:
            raise Refusal(409, otherwise)
        for target in chosen:
            check_sendable(post, target)
        return chosen

    def send(self, post: Post, statuses: set[str], otherwise: str, action: str) -> Post:
        """Send what is in one of these statuses now: publish-now and retry."""
        after = deepcopy(post)
        chosen = [target for target in after.targets if target.status in statuses]
        for target in self._ready(after, chosen, otherwise):
            target.set_off(self.now, self.now)
        self.keep(post, after, action)
        return after

    def cancel(self, post: Post) -> Post:
        after = deepcopy(post)
        chosen = [target for target in after.targets if target.can_stop]
        if not chosen:
            raise Refusal(409, "nothing_to_cancel")
        for target in chosen:
            target.stop()
        self.keep(post, after, "post.cancelled")
        return after

    def delete(self, post: Post) -> Post:
        after = deepcopy(post)
        after.deleted = True
        for target in after.targets:
            if target.can_stop:
                target.stop()
        self.keep(post, after, "post.deleted")
        return after

    def unpublish(self, post: Post, target_id: str) -> Post:
        after = deepcopy(post)
        target = after.target(target_id)
        if target is None:
            raise Refusal(404, "target_not_found")
        if target.status != "published":
            raise Refusal(409, "not_live")
        if target.platform in CANT_DELETE:
            raise Refusal(409, "cant_remove")
        if "sandbox:remove_failed" in target.sent_text:
            raise Refusal(502, "remove_failed")
        target.status = "removed"
        self.keep(post, after, "target.unpublished")
        return after


def check_sendable(post: Post, target: Target) -> None:
    """Check that a target has what it needs to go out."""
    if target.platform in NEEDS_FILE or not target.text(post.caption).strip():
        raise Refusal(422, "media_required")


def check_length(post: Post, target: Target) -> None:
    """Check a text against X's limit, the only one that the machine's texts exceed."""
    if target.platform == "x" and len(target.text(post.caption)) > 280:
        raise Refusal(422, "caption_too_long")
