"""The engine's inside of a target: when it wakes, who holds it, how far it got, what is in doubt.

Targets carry one; the worker and the storage read it, clients never see it. docs/architecture.md
"One idea": whatever must happen later is a row with a time to wake.
"""

from dataclasses import replace
from datetime import datetime, timedelta

from chalicelib.domain.outcome import Checkpoint, PlatformAnswer, Sent
from chalicelib.kit.dataclass import dataclass

LEASE = timedelta(seconds=60)
TAKEOVER_GRACE = timedelta(seconds=5)
"""Nobody takes over before this much has passed after a lease: clocks may differ that much."""
MOST_WAKES = 10
"""How often a target is claimed without progress before somebody asks why (`engine/wear.py`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """A worker's hold on a target: nobody else touches it until the end plus a grace."""

    token: str
    until: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """What the engine keeps on a target that must be looked at later.

    `wake_at` is when (None: never), `wakes` how often it was claimed since progress was last saved,
    `tries` how many attempts ended since it was set in motion. `sent` stands from the moment an
    irreversible step begins until the outcome is known; `unanswered` tells that the call's answer
    is missing, so that the next thing to do is to look; `said` is what came last in place of one
    that proves something. `catching_up` tells that a late target has
    its place in its account's catch-up order, `looked_for` names the restore from a backup (by when
    the engine went on) after which the platform proved not to have the post. `sends_as` names the
    recipe of the copy that this run sends, "" for the file itself, and `trims` that it is a part of
    the video: a run that was begun goes on with the same bytes.
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
    looked_for: datetime | None = None
    sends_as: str | None = None
    trims: bool = False

    def hold(self, lease: Lease) -> "Progress":
        """Return it held under a lease, to be noticed by itself should the holder die."""
        return replace(self, lease=lease, wake_at=lease.until + TAKEOVER_GRACE)

    def sending_as(self, recipe: str, *, trims: bool) -> "Progress":
        """Return it with the copy chosen that it sends, "" for the file itself."""
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
        """Return it held by nobody until `wake_at`."""
        return replace(self, lease=None, retries=False, unanswered=unanswered, wake_at=wake_at)

    def at_rest(self) -> "Progress":
        """Return it with nothing to wake for; what may have been sent stays for a later look."""
        if not self.sent:
            return Progress()
        return Progress(
            checkpoint=self.checkpoint, sent=self.sent, sends_as=self.sends_as, trims=self.trims
        )

    def set_off(self, wake_at: datetime | None) -> "Progress":
        """Return it at the start of a new run; what was sent before stays, to be looked for."""
        return Progress(
            wake_at=wake_at,
            checkpoint=self.checkpoint if self.sent else None,
            checkpoint_since=self.checkpoint_since if self.sent else None,
            sent=self.sent,
            unanswered=self.sent is not None,
            sends_as=self.sends_as if self.sent else None,
            trims=self.trims and self.sent is not None,
        )


AT_REST = Progress()
