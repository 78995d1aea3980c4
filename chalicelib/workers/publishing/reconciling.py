"""Finds out what became of a visible call without an answer, by reading and never by sending.

A restored backup may lack an edit as well as a call, so a post may have gone out with another text.
If such a target has no key of its own on the platform, its absence counts only if every post on the
account since the backup is accounted for: known here as the post of some target.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta

from chalicelib.connectors.connector import (
    MOST_PAGES,
    Connector,
    ListsPosts,
    Posted,
    Publication,
)
from chalicelib.connectors.shared.reconciliation import is_witness
from chalicelib.domain.engine.absence import Evidence, decide
from chalicelib.domain.outcome import (
    CALL_DEADLINE,
    CLOCK_SKEW,
    Absent,
    Checkpoint,
    Reconciliation,
    Sent,
    Wait,
)
from chalicelib.domain.platforms.platform import Platform

SHOWN_WITHIN = timedelta(minutes=30)
"""After this time a list shows every older post, even without a newer one to prove it."""

_UNTELLABLE = Evidence(untellable=True)

Owners = Callable[[Platform, Sequence[str]], Mapping[str, str]]
"""Returns which target each of some posts of a platform belongs to, for those that are known."""


def reconcile_restored(
    connector: object,
    publication: Publication,
    checkpoint: Checkpoint,
    sent: Sent,
    owners: Owners,
) -> Reconciliation:
    """Return what the account's own list says about a restored target that was not found.

    A list proves nothing unless it shows a post that is known to be ours: it may be empty for many
    reasons. If that post is newer than the restore, the list is recent enough; else time must pass.
    """
    if not isinstance(connector, ListsPosts):
        return decide(_UNTELLABLE, publication.now)
    posts = connector.list_posts(publication, sent.at)
    if posts is None:
        return decide(_UNTELLABLE, publication.now)
    known = owners(publication.account.platform, [name for post in posts for name in post.ids])
    for post in posts:
        if publication.target_id in {known.get(name) for name in post.ids}:
            return post.live
    ours = [post for post in posts if any(name in known for name in post.ids)]
    strangers = [post for post in posts if post not in ours]
    has_witness = any(is_witness(post.made, sent) for post in ours)
    shown_by = sent.begun_by + SHOWN_WITHIN
    evidence = Evidence(
        next_look=Wait(checkpoint, shown_by - publication.now),
        certain_from=None if has_witness else shown_by,
        untellable=not ours or any(_is_of_the_gap(post, sent) for post in strangers),
        witness=has_witness,
        accounted=True,
    )
    return decide(evidence, publication.now)


def _is_of_the_gap(post: Posted, sent: Sent) -> bool:
    """Tell whether a post may have been made between the backup and the restore."""
    if post.made is None:
        return True
    return sent.at - CLOCK_SKEW <= post.made <= sent.begun_by + CALL_DEADLINE


def look_once(
    connector: Connector, publication: Publication, checkpoint: Checkpoint, sent: Sent
) -> Reconciliation:
    """Look as far as that goes without waiting: page by page, or from one question to the next."""
    finding: Reconciliation = Wait(checkpoint)
    for _ in range(MOST_PAGES):
        if not isinstance(finding, Wait) or finding.delay > timedelta(0):
            break
        finding = connector.reconcile(publication, finding.checkpoint, sent)
    return finding


def reconcile(
    connector: Connector,
    publication: Publication,
    checkpoint: Checkpoint,
    sent: Sent,
    owners: Owners,
) -> Reconciliation:
    """Look for what was sent; after a restore, check that the account's other posts are known."""
    finding = connector.reconcile(publication, checkpoint, sent)
    if not isinstance(finding, Absent) or finding.by_own_key or not sent.is_suspicion:
        return finding
    return reconcile_restored(connector, publication, checkpoint, sent, owners)
