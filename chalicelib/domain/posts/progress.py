"""What the engine stores on a target: when it wakes, its lease, how far it is, what is in doubt.

The worker and the storage read it; clients never see it. docs/architecture.md "One idea": whatever
must happen later is a row with a time to wake.
"""

from dataclasses import replace
from datetime import datetime, timedelta

from chalicelib.domain.outcome import Checkpoint, PlatformAnswer, Sent
from chalicelib.kit.dataclass import dataclass

LEASE = timedelta(seconds=60)
TAKEOVER_GRACE = timedelta(seconds=5)
"""A target is taken over only this long after its lease's end: clocks may differ so much."""
CATCHING_UP = timedelta(minutes=10)
"""What is later than this was missed in an outage: it is looked for, and waits its turn."""
MOST_WAKES = 10
"""How often a target may be claimed without progress before `engine/wear.py` decides."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """A worker's right to a target: no other worker changes it until a grace after the end."""

    token: str
    until: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """What the engine keeps on a target that must be looked at later.

    `wake_at` is when (None: never), `wakes` how often it was claimed since progress was last saved,
    `tries` how many attempts have ended since it was scheduled. `sent` is set from the beginning of
    an irreversible step until its outcome is known; `unanswered` tells that the call's answer is
    missing, so that a reconciliation comes next; `said` is the last answer that proved nothing.
    `catching_up` tells that a late target has its place in its account's catch-up order,
    `late_since` that its post may be out since then and is to be looked for, `looked_for` names the
    restore from a backup (by the time of the resume) after which the platform was shown not to have
    the post. `sends_as` names the recipe of the copy that this run sends, "" for the file itself,
    and `trims` that it is a part of the video: a run continues with the same bytes.
    """

    wake_at: datetime | None = None
    lease: Lease | None = None
    wakes: int = 0
    tries: int = 0
    checkpoint: Checkpoint | None = None
    checkpoint_since: datetime | None = None
    sent: Sent | None = None
    unanswered: bool = False
    said: PlatformAnswer | None = None
    retries: bool = False
    catching_up: bool = False
    late_since: datetime | None = None
    looked_for: datetime | None = None
    sends_as: str | None = None
    trims: bool = False

    def hold(self, lease: Lease) -> "Progress":
        """Return it held under a lease; if the holder dies, it wakes after the lease's end."""
        return replace(self, lease=lease, wake_at=lease.until + TAKEOVER_GRACE)

    def sending_as(self, recipe: str, *, trims: bool) -> "Progress":
        """Return it with the recipe of the copy that it sends, "" for the file itself."""
        return replace(self, sends_as=recipe, trims=trims)

    def waking(self, at: datetime | None) -> "Progress":
        """Return it with another time to wake; None takes it off the wake index."""
        return replace(self, wake_at=at)

    def reach(self, checkpoint: Checkpoint | None, now: datetime) -> "Progress":
        """Return it with progress made: a step's timeout counts from when it was entered."""
        same_step = (
            self.checkpoint is not None
            and checkpoint is not None
            and self.checkpoint.step == checkpoint.step
        )
        since = self.checkpoint_since if same_step else now
        return replace(self, checkpoint=checkpoint, checkpoint_since=since, wakes=0)

    def pause(self, time: timedelta) -> "Progress":
        """Return it with a wait that does not count towards its step's timeout."""
        since = self.checkpoint_since
        return replace(self, checkpoint_since=None if since is None else since + time)

    def suspect(self, sent: Sent) -> "Progress":
        """Return it as if the visible step had been made and its answer lost."""
        checkpoint = self.checkpoint or Checkpoint("restored")
        return replace(self, checkpoint=checkpoint, sent=sent, unanswered=True)

    def release(self, wake_at: datetime, *, unanswered: bool) -> "Progress":
        """Return it without a lease until `wake_at`."""
        return replace(self, lease=None, retries=False, unanswered=unanswered, wake_at=wake_at)

    def at_rest(self) -> "Progress":
        """Return it without a time to wake; what it must be looked for after stays."""
        if not self.sent:
            return Progress(late_since=self.late_since)
        return Progress(
            checkpoint=self.checkpoint,
            sent=self.sent,
            late_since=self.late_since,
            sends_as=self.sends_as,
            trims=self.trims,
        )

    def set_off(self, wake_at: datetime | None, *, now: datetime) -> "Progress":
        """Return it at the start of a new run: in doubt and late as before, or missed until now."""
        missed = self.wake_at if self.wake_at and now - self.wake_at > CATCHING_UP else None
        return Progress(
            wake_at=wake_at,
            checkpoint=self.checkpoint if self.sent else None,
            checkpoint_since=self.checkpoint_since if self.sent else None,
            sent=self.sent,
            unanswered=self.sent is not None,
            late_since=self.late_since or missed,
            sends_as=self.sends_as if self.sent else None,
            trims=self.trims and self.sent is not None,
        )


AT_REST = Progress()
