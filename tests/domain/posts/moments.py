"""Every moment of a target's life that the rules tell apart, each as a target that stands there.

A target at rest after its call was answered differs from one whose call was not: what was sent
stays on the latter, whatever its status, until a look at the platform has settled it.
"""

from dataclasses import replace
from datetime import timedelta

from chalicelib.domain.outcome import Checkpoint, Done, Sent
from chalicelib.domain.posts.progress import Lease
from chalicelib.domain.posts.target import PREPARE_AHEAD, Target, TargetStatus
from tests.support.builders import a_target
from tests.support.frozen_clock import NOON

TEN = NOON - timedelta(hours=2)
TWO = NOON + timedelta(hours=2)
SENT = Sent(text="Fresh bread at seven", media_ids=(), at=NOON)
CALL = Checkpoint("create_post", {"container": "17"})
LEASE = Lease(token="a worker's", until=NOON + timedelta(seconds=60))

_SCHEDULED = a_target().schedule(TWO, now=NOON, lead=timedelta(0))
_PREPARED = a_target().schedule(TWO, now=NOON, lead=PREPARE_AHEAD)
_SENDING = _SCHEDULED.hold(LEASE).doubt(CALL, SENT, now=TWO)
_WAITING = replace(_SCHEDULED, status=TargetStatus.PUBLISHING)
_LIVE = _SENDING.publish(Done(remote_id="99", url="https://social.example/99"), now=TWO)

MOMENTS: dict[str, Target] = {
    "a draft": a_target(),
    "a draft with a time of its own": a_target(scheduled_at=TWO),
    "scheduled": _SCHEDULED,
    "scheduled, to be prepared ahead": _PREPARED,
    "scheduled, being prepared": _PREPARED.hold(LEASE),
    "scheduled, prepared": _PREPARED.reach(CALL, now=NOON).postpone(TWO),
    "scheduled, catching up": _SCHEDULED.queue_up(TWO, now=TWO),
    "scheduled, waiting for approval": a_target().schedule(TWO, now=NOON, lead=None),
    "publishing, a step runs": _WAITING.hold(LEASE),
    "publishing, the visible call runs": _SENDING,
    "publishing, waiting for the platform": _WAITING.resume_at(CALL, TWO, now=NOON),
    "publishing, waiting for a retry": _WAITING.retry_at(TWO, now=NOON),
    "publishing, to be looked for": _SENDING.reconcile_at(CALL, TWO, now=NOON),
    "published": _LIVE,
    "failed, refused": _SCHEDULED.fail("caption_rejected", "It was refused.", now=NOON),
    "failed, in doubt": _SENDING.fail("outcome_unknown", "Nobody knows.", now=NOON),
    "cancelled": _SCHEDULED.cancel(now=NOON),
    "cancelled, in doubt": _SENDING.fail("outcome_unknown", "Nobody knows.", now=NOON).cancel(
        now=NOON
    ),
    "removed": _LIVE.remove(),
}
