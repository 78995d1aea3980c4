"""What became of a visible call whose answer is missing: settled by looking, never by sending.

A restored backup may have forgotten an edit as well as a call, so that what went out cannot be
known by its text. Where such a target has no key of its own on the platform, its absence is
believed only if every post that the account made since the backup is accounted for: known here as
some target's.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import assert_never

from chalicelib.connectors.connector import (
    CALL_DEADLINE,
    Connector,
    ListsPosts,
    Posted,
    Publication,
)
from chalicelib.connectors.shared.reconciliation import is_witness
from chalicelib.domain.outcome import (
    CLOCK_SKEW,
    Absent,
    Checkpoint,
    Done,
    Failed,
    FailureCode,
    Reconciliation,
    Sent,
    Unanswered,
    Unknown,
    Wait,
)
from chalicelib.domain.platforms.platform import Platform
from chalicelib.workers.publishing.endings import DELETED, UNTOLD, Endings, Next
from chalicelib.workers.publishing.error_mapping import BUDGET, answer_of

SHOWN_WITHIN = timedelta(minutes=30)
"""After that long a list shows what was posted before, even without a newer post to prove it."""

Owners = Callable[[Platform, Sequence[str]], Mapping[str, str]]
"""Returns which target each of some posts of a platform belongs to, for those that are known."""


def settle(
    connector: object,
    publication: Publication,
    checkpoint: Checkpoint,
    sent: Sent,
    owners: Owners,
) -> Reconciliation:
    """Return what the account's own list says of a restored target that no look has found.

    A list proves nothing unless it shows a post that is known to be ours: it may be empty for many
    reasons. If that is newer than the restore, the list has come as far; else it is given time.
    """
    if not isinstance(connector, ListsPosts):
        return Unknown()
    posts = connector.list_posts(publication, sent.at)
    if posts is None:
        return Unknown()
    known = owners(publication.account.platform, [name for post in posts for name in post.ids])
    for post in posts:
        if publication.target_id in {known.get(name) for name in post.ids}:
            return post.live
    ours = [post for post in posts if any(name in known for name in post.ids)]
    if not ours or any(_is_of_the_gap(post, sent) for post in posts if post not in ours):
        return Unknown()
    if any(is_witness(post.made, sent) for post in ours):
        return Absent()
    left = sent.begun_by + SHOWN_WITHIN - publication.now
    return Wait(checkpoint, left) if left > timedelta(0) else Absent()


def _is_of_the_gap(post: Posted, sent: Sent) -> bool:
    """Tell whether a post may have been made between the backup and the restore."""
    if post.made is None:
        return True
    return sent.at - CLOCK_SKEW <= post.made <= sent.begun_by + CALL_DEADLINE


_AFTER_FAILURE = timedelta(seconds=30)
_AFTER_SILENCE = timedelta(seconds=10)
_MADE_AGAIN = timedelta(seconds=1)
UNACCOUNTED = Failed(
    code=FailureCode.OUTCOME_UNKNOWN,
    message="The service was restored from a backup and cannot tell whether this post went out"
    " since. Check the platform; if it is not there, duplicate the post and schedule the copy.",
)
_NEVER_TOOK = Failed(
    code=FailureCode.PLATFORM_UNAVAILABLE,
    message="The platform did not accept the post while the service was retrying. Retry it later.",
)


class Reconciler:
    """Settles the doubt of one claimed target."""

    def __init__(self, endings: Endings, connector: Connector) -> None:
        self._endings = endings
        self._claimed = endings.claimed
        self._connector = connector

    def settle(self, checkpoint: Checkpoint, publication: Callable[[], Publication]) -> Next:
        """Look on the platform and act on what is found."""
        sent = self._claimed.target.progress.sent
        if sent is None:
            raise AssertionError("A doubt without what was sent cannot be settled.")
        finding = answer_of(lambda: self._reconcile(publication(), checkpoint, sent))
        match finding:
            case Done():
                now = self._endings.tools.clock()
                return self._endings.live(finding, at=now, found="published")
            case Absent():
                return self._on_absent(finding, checkpoint, sent)
            case Wait():
                return self._endings.look_later(finding.checkpoint, finding.delay)
            case Unknown():
                untold = UNACCOUNTED if sent.is_suspicion else UNTOLD
                return self._endings.fail(untold, found="cannot tell")
            case Failed():
                delay = finding.retry_after or _AFTER_FAILURE
                return self._endings.look_later(checkpoint, delay)
            case Unanswered():
                return self._endings.look_later(checkpoint, _AFTER_SILENCE)
            case _:
                assert_never(finding)

    def _reconcile(
        self, publication: Publication, checkpoint: Checkpoint, sent: Sent
    ) -> Reconciliation:
        """Look for what was sent; after a restore, see that the account's other posts are known."""
        finding = self._connector.reconcile(publication, checkpoint, sent)
        if not isinstance(finding, Absent) or finding.by_own_key or not sent.is_suspicion:
            return finding
        owners = self._endings.tools.attempts.outcomes.owners
        return settle(self._connector, publication, checkpoint, sent, owners)

    def _on_absent(self, absent: Absent, checkpoint: Checkpoint, sent: Sent) -> Next:
        """Believe that the post is not there only once its call must have ended.

        Where both calls would come to one post, the step is made again before that, but not often.
        """
        now, due_at = self._endings.tools.clock(), self._endings.due_at
        certain = sent.begun_by + CALL_DEADLINE
        if absent.is_idempotent and now <= due_at + BUDGET and not self._endings.is_deleted():
            certain = sent.at + min(max(_MADE_AGAIN, (sent.at - due_at) / 4), _AFTER_FAILURE)
        if now < certain:
            return self._endings.look_later(checkpoint, certain - now)
        return self._step_again(checkpoint, sent)

    def _step_again(self, checkpoint: Checkpoint, sent: Sent) -> Next:
        """Go on after the platform provably had nothing: from the same step, or from the start."""
        refused = self._claimed.target.clear_doubt()
        self._claimed.become(refused)
        if self._endings.is_deleted():
            return self._endings.fail(DELETED, found="absent")
        is_over = self._endings.tools.clock() > self._endings.due_at + BUDGET
        if is_over and not sent.is_suspicion:
            return self._endings.fail(_NEVER_TOOK, found="absent")
        same_step = checkpoint.step in self._connector.irreversible
        self._claimed.save(refused if same_step else refused.from_the_start())
        return Next.STEP
