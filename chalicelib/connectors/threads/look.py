"""How a Threads post of ours is found again, and how it does.

A container says whether it was published; which post it became only the profile's own list shows,
where the text, the kind and the time must fit exactly one.
"""

from datetime import timedelta

from chalicelib.connectors.connector import (
    CALL_DEADLINE,
    ConnectedAccount,
    LivePost,
    Publication,
)
from chalicelib.connectors.meta_graph import GraphRejectedError, insight, moment
from chalicelib.connectors.replies import RejectedError
from chalicelib.connectors.reply import find
from chalicelib.connectors.threads.api import ThreadsApi
from chalicelib.domain.outcome import (
    Absent,
    Checkpoint,
    Done,
    FailureCode,
    Finding,
    Json,
    Sent,
    Unknown,
    Wait,
)
from chalicelib.domain.platforms import MediaKind
from chalicelib.domain.results import Figures

READ_LAG = timedelta(seconds=60)
NAMELESS = "container:"
"""Begins the id of a post that is live for certain, though the list never showed which it is."""

_LOOK_EVERY = timedelta(seconds=10)
_LISTED_WITHIN = timedelta(minutes=5)
_CLOCKS_DIFFER = timedelta(seconds=10)
_KINDS = {None: "TEXT_POST", MediaKind.IMAGE: "IMAGE", MediaKind.VIDEO: "VIDEO"}
_METRICS = ("views", "likes", "replies", "reposts", "quotes", "shares")


def look(api: ThreadsApi, publication: Publication, checkpoint: Checkpoint, sent: Sent) -> Finding:
    """Find out what became of publishing a container."""
    container = checkpoint.data.get("container")
    status = None if container is None else _status(api, publication.account, str(container))
    certain = sent.at + CALL_DEADLINE + READ_LAG
    if status in ("FINISHED", "IN_PROGRESS"):
        return _absent(publication, checkpoint, sent)
    found = _found(api, publication, sent)
    if len(found) == 1:
        return _done(api, publication.account, found[0])
    if status != "PUBLISHED":
        is_unclear = bool(found) and publication.now >= certain
        return Unknown() if is_unclear else _absent(publication, checkpoint, sent)
    if publication.now < sent.at + _LISTED_WITHIN:
        return Wait(checkpoint, _LOOK_EVERY)
    profile = api.profile(publication.account)
    return Done(remote_id=f"{NAMELESS}{container}", url=profile)


def _absent(publication: Publication, checkpoint: Checkpoint, sent: Sent) -> Finding:
    """Return that nothing was published, once a late answer can no longer change that."""
    certain = sent.at + CALL_DEADLINE + READ_LAG
    if publication.now >= certain:
        return Absent()
    return Wait(checkpoint, min(_LOOK_EVERY, certain - publication.now))


def _status(api: ThreadsApi, account: ConnectedAccount, container: str) -> Json:
    """Return what a container says of itself, None when Threads knows it no more."""
    try:
        return api.status(account, container).find("status")
    except RejectedError:
        return None


def _found(api: ThreadsApi, publication: Publication, sent: Sent) -> list[Json]:
    since = sent.at - _CLOCKS_DIFFER
    kind = _KINDS[None if publication.media is None else publication.media.kind]
    ours = []
    for post in api.posts(publication.account, since):
        at, text = moment(find(post, "timestamp")), find(post, "text") or ""
        is_ours = find(post, "media_type") == kind and str(text).strip() == sent.text.strip()
        if is_ours and at is not None and at >= since:
            ours.append(post)
    return ours


def _done(api: ThreadsApi, account: ConnectedAccount, post: Json) -> Done:
    link = find(post, "permalink")
    url = link if isinstance(link, str) else api.profile(account)
    return Done(remote_id=str(find(post, "id")), url=url)


def figures(api: ThreadsApi, live: LivePost) -> Figures | None:
    """Return a post's figures, one metric at a time where they do not come together."""
    if live.remote_id.startswith(NAMELESS):
        return Figures()
    try:
        told = _told(api, live, ",".join(_METRICS))
    except GraphRejectedError as error:
        if error.is_gone:
            return None
        if error.code is not FailureCode.INVALID_OPTIONS:
            raise
        told = {}
        for metric in _METRICS:
            told |= _told_alone(api, live, metric)
    passed_on = [told[name] for name in ("shares", "reposts", "quotes") if name in told]
    return Figures(
        views=told.get("views"),
        likes=told.get("likes"),
        comments=told.get("replies"),
        shares=sum(passed_on) if passed_on else None,
    )


def _told_alone(api: ThreadsApi, live: LivePost, metric: str) -> dict[str, int]:
    """Return one metric, nothing when this post has none such."""
    try:
        return _told(api, live, metric)
    except GraphRejectedError as error:
        if error.code is not FailureCode.INVALID_OPTIONS:
            raise
        return {}


def _told(api: ThreadsApi, live: LivePost, metrics: str) -> dict[str, int]:
    rows = api.insights(live.account, live.remote_id, metrics)
    read = ((str(find(row, "name")), insight(row)) for row in rows)
    return {name: value for name, value in read if value is not None}
