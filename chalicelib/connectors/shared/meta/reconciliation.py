"""Reconciles the publishing of a container when the answer was lost.

The container itself says whether it was published; only the account's own list shows which post it
became: text, kind and time must fit exactly one. Nothing here changes anything.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

from chalicelib.connectors.connector import ConnectedAccount, Posted, Publication
from chalicelib.connectors.shared.calls.failures import RejectedError
from chalicelib.connectors.shared.meta.container_calls import ContainerCalls
from chalicelib.connectors.shared.reconciliation import certain_from, wait_until
from chalicelib.domain.engine.absence import Evidence, decide
from chalicelib.domain.outcome import Checkpoint, Done, Reconciliation, Sent, Wait
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.responses import find, identifier_in, moment

CLOCKS_DIFFER = timedelta(seconds=10)
"""By how much a list's times may precede the call that made the post."""

NAMELESS = "container:"
"""Prefix of the id of a post that is certainly live, though the list never showed which it is."""

_DEAD = "dead"
_POLL_EVERY = timedelta(seconds=10)
_TOLD_WITHIN = timedelta(minutes=5)


def as_done(post: Json, profile: str) -> Done:
    """Return a post of a list; some links are left out."""
    link = find(post, "permalink")
    return Done(remote_id=identifier_in(post, "id"), url=link if isinstance(link, str) else profile)


def as_posted(posts: list[Json], profile: str) -> list[Posted]:
    """Return the posts of a list, each with its time."""
    return [
        Posted(live=as_done(one, profile), made=moment(find(one, "timestamp"))) for one in posts
    ]


def is_since(post: Json, sent: Sent) -> bool:
    """Tell whether a post of a list may be what was sent, by its time."""
    at = moment(find(post, "timestamp"))
    return at is not None and at >= sent.at - CLOCKS_DIFFER


def _evidence_until_certain(
    publication: Publication, checkpoint: Checkpoint, sent: Sent
) -> Evidence:
    """Return from when on a reading is certain, and the one before."""
    certain = certain_from(publication.account.platform, sent)
    next_look = wait_until(certain, publication, checkpoint, _POLL_EVERY)
    return Evidence(certain_from=certain, next_look=next_look)


class ContainerReconciliation:
    """Searches one platform's posts.

    `found` lists the posts that could be ours, newest first: what is only suspected to have been
    sent is the last of them, as later ones with its text are other targets'. `is_telling` says
    whether the list shows enough of such a post to know it among others.
    """

    def __init__(
        self,
        api: ContainerCalls,
        found: Callable[[Publication, Sent], list[Done]],
        is_telling: Callable[[Publication], bool] = lambda _: True,
    ) -> None:
        self._api = api
        self._found = found
        self._is_telling = is_telling

    def reconcile(
        self, publication: Publication, checkpoint: Checkpoint, sent: Sent
    ) -> Reconciliation:
        """Ask the container, then the list."""
        data, account = checkpoint.data, publication.account
        if checkpoint.step == _DEAD:
            return decide(Evidence(made_nothing=True), publication.now)
        if "media" in data:
            url = data.get("url") or self._api.profile(account)
            return Done(remote_id=str(data["media"]), url=str(url))
        if "container" not in data:
            return self._by_list_alone(publication, checkpoint, sent)
        return self._by_container(publication, checkpoint, sent)

    def _by_container(
        self, publication: Publication, checkpoint: Checkpoint, sent: Sent
    ) -> Reconciliation:
        status = self._status(publication.account, str(checkpoint.data["container"]))
        if status in ("FINISHED", "IN_PROGRESS"):
            unpublished = _evidence_until_certain(publication, checkpoint, sent)
            return decide(replace(unpublished, made_nothing=True), publication.now)
        # What the container says itself is no mere suspicion.
        told = replace(sent, not_after=None) if status == "PUBLISHED" else sent
        found = self._found(publication, told)
        is_only = len(found) == 1 and status == "PUBLISHED"
        ours = found[0] if is_only else self._find_ours(found, publication, sent)
        if ours is not None:
            return ours
        if status in ("ERROR", "EXPIRED"):
            # Such a container was never visible and never will be: the next reading begins again.
            return Wait(Checkpoint(_DEAD))
        told_by = sent.at + _TOLD_WITHIN
        if status == "PUBLISHED" and publication.now >= told_by:
            return self.nameless(publication.account, str(checkpoint.data["container"]))
        untold = Evidence(gives_up_at=told_by, next_look=Wait(checkpoint, _POLL_EVERY))
        return decide(untold, publication.now)

    def _find_ours(self, found: list[Done], publication: Publication, sent: Sent) -> Done | None:
        """Return which of some posts is ours, None where that cannot be told."""
        is_told = len(found) == 1 or (found and sent.is_suspicion)
        return found[-1] if is_told and self._is_telling(publication) else None

    def nameless(self, account: ConnectedAccount, container: str) -> Done:
        """Return a live post whose id is unknown."""
        return Done(remote_id=f"{NAMELESS}{container}", url=self._api.profile(account))

    def _by_list_alone(
        self, publication: Publication, checkpoint: Checkpoint, sent: Sent
    ) -> Reconciliation:
        """Search for a post of which a restored backup has neither container nor id."""
        found = self._found(publication, sent)
        ours = self._find_ours(found, publication, sent)
        if ours is not None:
            return ours
        unlisted = _evidence_until_certain(publication, checkpoint, sent)
        return decide(replace(unlisted, is_restored=True, near=bool(found)), publication.now)

    def _status(self, account: ConnectedAccount, container: str) -> str | None:
        """Return a container's status, None if the platform does not know it now."""
        try:
            return self._api.status_of(self._api.status(account, container))
        except RejectedError:
            return None
