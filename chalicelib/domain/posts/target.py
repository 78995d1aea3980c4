"""A target: one account on one post, and the only place that moves its status.

docs/api.md "States and transitions" is the table behind the methods; each returns the next target
and leaves this one as it was. What the engine keeps on a target between steps is its `Progress`.
"""

from collections.abc import Mapping
from dataclasses import field, replace
from datetime import datetime, timedelta
from enum import StrEnum

from chalicelib.domain.outcome import Checkpoint, Done, PlatformAnswer, Sent
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.progress import AT_REST, Lease, Progress
from chalicelib.domain.workspace.plans import Charge
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import Json

PREPARE_AHEAD = timedelta(minutes=10)
CHECK_AHEAD = timedelta(minutes=15)
"""How long before its time a target is checked once more for problems."""


class TargetStatus(StrEnum):
    """Where a target stands (docs/api.md "Target")."""

    DRAFT = "draft"
    SCHEDULED = "scheduled"
    PUBLISHING = "publishing"
    PUBLISHED = "published"
    FAILED = "failed"
    CANCELLED = "cancelled"
    REMOVED = "removed"


class Reminder(StrEnum):
    """Marks a target that is not sent: its author posts it by hand (`reminders`)."""

    PLANNED = "planned"
    GIVEN = "given"


UNSCHEDULED = frozenset({TargetStatus.DRAFT, TargetStatus.CANCELLED})
LIVE = frozenset({TargetStatus.PUBLISHED, TargetStatus.REMOVED})
SENDABLE = UNSCHEDULED | {TargetStatus.SCHEDULED, TargetStatus.FAILED}


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """One account on a post. Times are UTC.

    `place` is its position on the post, `due_at` the time from which lateness counts, `charge` what
    it uses of the plan. `version` grows with every write; `post_version` is the oldest version of
    the post that fits this row. `reminder` tells that it is not sent.
    """

    id: str
    account_id: str
    platform: Platform
    handle: str
    place: int = 0
    status: TargetStatus = TargetStatus.DRAFT
    caption_override: str | None = None
    options: Mapping[str, Json] = field(default_factory=dict)
    scheduled_at: datetime | None = None
    due_at: datetime | None = None
    url: str | None = None
    remote_id: str | None = None
    error_code: str | None = None
    error_message: str | None = None
    trimmed: bool = False
    published_at: datetime | None = None
    failed_at: datetime | None = None
    charge: Charge | None = None
    reminder: Reminder | None = None
    progress: Progress = AT_REST
    version: int = 0
    post_version: int = 0

    @property
    def is_live(self) -> bool:
        """Tell whether it went out; what was removed later still counts."""
        return self.status in LIVE

    def has_failed_since(self, then: datetime) -> bool:
        """Tell whether it failed after a moment; a row of before goes by the time it had."""
        at = self.failed_at or self.scheduled_at
        return self.status is TargetStatus.FAILED and at is not None and at >= then

    @property
    def is_unscheduled(self) -> bool:
        """Tell whether `/schedule` and `/queue` take it."""
        return self.status in UNSCHEDULED

    @property
    def is_sendable(self) -> bool:
        """Tell whether `/publish-now` takes it."""
        return self.status in SENDABLE

    @property
    def is_in_doubt(self) -> bool:
        """Tell whether something was sent whose outcome nobody knows."""
        return self.progress.sent is not None

    @property
    def is_cancellable(self) -> bool:
        """Tell whether it can still be stopped for certain."""
        waits_for_retry = (
            self.status is TargetStatus.PUBLISHING
            and self.progress.retries
            and self.progress.lease is None
            and not self.is_in_doubt
        )
        waits_for_its_time = self.status is TargetStatus.SCHEDULED and not self.is_in_doubt
        return waits_for_its_time or waits_for_retry

    @property
    def fires_next(self) -> bool:
        """Tell whether the next thing to happen is its first visible call, at its own second."""
        progress = self.progress
        begun = progress.tries or progress.wakes or progress.lease or self.is_in_doubt
        is_late = progress.catching_up or progress.late_since is not None
        is_sent = self.status is TargetStatus.SCHEDULED and self.reminder is None
        return is_sent and not (begun or is_late) and progress.wake_at == self.due_at

    @property
    def waits_to_be_posted(self) -> bool:
        """Tell whether its author was reminded of it and has not said that it is posted."""
        return self.reminder is Reminder.GIVEN and self.status is TargetStatus.DRAFT

    @property
    def is_tried_again(self) -> bool:
        """Tell whether it belongs to the retry lane: refused for a while, or to be reconciled."""
        return self.progress.retries or self.is_in_doubt

    @property
    def is_prepared_next(self) -> bool:
        """Tell whether it wakes before it is due."""
        wake_at, due_at = self.progress.wake_at, self.due_at
        waits = self.status is TargetStatus.SCHEDULED
        return waits and wake_at is not None and due_at is not None and wake_at < due_at

    @property
    def is_editable(self) -> bool:
        """Tell whether a PATCH may name it: not posting, not live, nothing in doubt."""
        fixed = self.is_live or self.status is TargetStatus.PUBLISHING
        return not fixed and not self.is_in_doubt

    def caption(self, shared: str) -> str:
        """Return the text that goes out: its own override, else the post's caption.

        Its lines end with line feeds, also in rows from before requests were normalized.
        """
        text = shared if self.caption_override is None else self.caption_override
        return text.replace("\r\n", "\n").replace("\r", "\n")

    def schedule(self, at: datetime, *, now: datetime, lead: timedelta | None) -> "Target":
        """Return it scheduled for `at` (never before now).

        It wakes `lead` before its time, or not at all while `lead` is None (approval pending). A
        doubt stays, so that a reconciliation comes first: the target may be live, and counts as
        being posted. While approval is missing it stays as it is.
        """
        time, in_doubt = max(at, now), self.is_in_doubt
        if in_doubt and lead is None:
            return self
        return replace(
            self,
            status=TargetStatus.PUBLISHING if in_doubt else TargetStatus.SCHEDULED,
            scheduled_at=time,
            due_at=time,
            error_code=None,
            error_message=None,
            failed_at=None,
            progress=self.progress.set_off(
                None if lead is None else time if in_doubt else max(now, time - lead), now=now
            ),
        )

    def send_now(self, *, now: datetime, lead: timedelta | None) -> "Target":
        """Return it due at this moment: publish-now and retry."""
        return self.schedule(now, now=now, lead=lead)

    def rearm(self, *, now: datetime, lead: timedelta | None) -> "Target":
        """Return it, scheduled for the same time, without its preparation: it was edited."""
        if self.status is not TargetStatus.SCHEDULED or self.due_at is None:
            return self
        wake_at = None if lead is None else max(now, self.due_at - lead)
        return replace(self, progress=self.progress.set_off(wake_at, now=now))

    def release(self, *, now: datetime, lead: timedelta | None) -> "Target":
        """Return it free to go after an approval; one whose time has passed is due now."""
        if self.status is not TargetStatus.SCHEDULED or self.due_at is None:
            return self
        return replace(self, due_at=max(self.due_at, now)).rearm(now=now, lead=lead)

    def cancel(self, *, now: datetime) -> "Target":
        """Return it cancelled; its time stays as its own, so it can be scheduled again.

        A doubt stays too: if it is set in motion again, a reconciliation comes first.
        """
        progress = self.progress.set_off(None, now=now).at_rest()
        return replace(self, status=TargetStatus.CANCELLED, progress=progress)

    def publish(self, done: Done, *, now: datetime) -> "Target":
        """Return it live."""
        return replace(
            self,
            status=TargetStatus.PUBLISHED,
            remote_id=done.remote_id,
            url=done.url,
            published_at=now,
            trimmed=self.progress.trims,
            error_code=None,
            error_message=None,
            progress=AT_REST,
        )

    def remind(self) -> "Target":
        """Return it a draft again, of which its author was reminded; it keeps its time."""
        return replace(
            self,
            status=TargetStatus.DRAFT,
            reminder=Reminder.GIVEN,
            error_code=None,
            error_message=None,
            progress=self.progress.at_rest(),
        )

    def post_by_hand(self, url: str | None, *, now: datetime) -> "Target":
        """Return it live, as its author says."""
        return replace(
            self,
            status=TargetStatus.PUBLISHED,
            url=url,
            published_at=now,
            error_code=None,
            error_message=None,
            progress=AT_REST,
        )

    def fail(self, code: str, message: str, *, now: datetime) -> "Target":
        """Return it failed; a doubt stays on it, for a later reconciliation."""
        return replace(
            self,
            status=TargetStatus.FAILED,
            error_code=code,
            error_message=message,
            failed_at=now,
            progress=self.progress.at_rest(),
        )

    def remove(self) -> "Target":
        """Return it as deleted on its platform; it stays in history."""
        return replace(self, status=TargetStatus.REMOVED)

    def resume_at(self, checkpoint: Checkpoint, wake_at: datetime, *, now: datetime) -> "Target":
        """Return it with saved progress, to go on at `wake_at`; no answer is missing."""
        progress = self.progress.reach(checkpoint, now).release(wake_at, unanswered=False)
        return replace(self, progress=progress)

    def reach(self, checkpoint: Checkpoint, *, now: datetime) -> "Target":
        """Return it with saved progress, still held by the same worker."""
        progress = self.progress.reach(checkpoint, now)
        return replace(self, progress=replace(progress, unanswered=False, retries=False))

    def doubt(self, checkpoint: Checkpoint, sent: Sent, *, now: datetime) -> "Target":
        """Return it marked as in doubt, before the irreversible call is made.

        From here on it may be live: requests to stop or change it are answered as for `publishing`.
        """
        progress = replace(self.progress.reach(checkpoint, now), sent=sent, unanswered=True)
        return replace(self, status=TargetStatus.PUBLISHING, progress=progress)

    def take_back_doubt(self, before: Progress) -> "Target":
        """Return it with the doubt taken back: not a byte of the call was written."""
        progress = replace(self.progress, sent=before.sent, unanswered=before.unanswered)
        return replace(self, progress=progress)

    def doubt_again(self, taken: "Target", *, now: datetime) -> "Target":
        """Return it in doubt again: the post that it adopted is another target's."""
        progress = replace(self.progress, lease=None, wakes=0, unanswered=True)
        return replace(
            self,
            status=TargetStatus.PUBLISHING,
            charge=taken.charge,
            version=taken.version + 1,
            progress=progress.waking(now),
        )

    def miss(self, since: datetime | None) -> "Target":
        """Return it as found late: its post may be out since then. None: it was looked for."""
        return replace(self, progress=replace(self.progress, late_since=since))

    def suspect(self, sent: Sent) -> "Target":
        """Return it as one that may be live already: a reconciliation comes before any call."""
        return replace(self, progress=self.progress.suspect(sent))

    def reconcile_at(self, checkpoint: Checkpoint, wake_at: datetime, *, now: datetime) -> "Target":
        """Return it still in doubt, to be looked for on the platform again at `wake_at`."""
        progress = self.progress.reach(checkpoint, now).release(wake_at, unanswered=True)
        return replace(self, progress=progress)

    def hear(self, said: PlatformAnswer | None) -> "Target":
        """Return it with what the platform said to a call in doubt, if it said anything."""
        return replace(self, progress=replace(self.progress, said=said or self.progress.said))

    def sending_as(self, recipe: str, *, trims: bool) -> "Target":
        """Return it with the copy of its file chosen; `trimmed` tells so once that is live."""
        return replace(self, progress=self.progress.sending_as(recipe, trims=trims))

    def clear_doubt(self) -> "Target":
        """Return it with the doubt cleared: the platform provably took nothing.

        After a restore this also settles what the backup may lack; the refusal of a call that was
        made here does not.
        """
        sent, looked_for = self.progress.sent, self.progress.looked_for
        if sent is not None and sent.is_suspicion:
            looked_for = sent.not_after
        progress = replace(self.progress, sent=None, unanswered=False, looked_for=looked_for)
        return replace(self, progress=progress)

    def from_the_start(self) -> "Target":
        """Return it without a checkpoint: every step is made again."""
        progress = replace(self.progress, checkpoint=None, checkpoint_since=None)
        return replace(self, progress=progress)

    def retry_at(self, wake_at: datetime, *, now: datetime, wakes: int = 0) -> "Target":
        """Return it waiting for its next try; `wakes` are the claims that count against it."""
        progress = self.progress.pause(wake_at - now)
        tries = progress.tries + 1
        progress = replace(progress, tries=tries, retries=True, lease=None, wakes=wakes)
        return replace(self, progress=progress.waking(wake_at))

    def hold(self, lease: Lease) -> "Target":
        """Return it held under a lease."""
        return replace(self, progress=self.progress.hold(lease))

    def postpone(self, wake_at: datetime, *, wakes: int = 0) -> "Target":
        """Return it without a lease, to wake then; `wakes` are the claims that count against it."""
        progress = replace(self.progress, lease=None, wakes=wakes)
        return replace(self, progress=progress.waking(wake_at))

    def queue_up(self, place: datetime, *, now: datetime) -> "Target":
        """Return it put back to `scheduled` after an outage, with its place in the catch-up."""
        waiting = self.progress.pause(place - now)
        progress = replace(waiting, lease=None, wakes=0, catching_up=True)
        return replace(self, status=TargetStatus.SCHEDULED, progress=progress.waking(place))
