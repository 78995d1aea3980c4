"""How an Instagram post of ours is found again, and how it does.

A container says whether it was published; which post it became only the account's own list shows,
where caption, kind and time must fit exactly one. Stories have no caption: their time must do.
"""

from datetime import timedelta

from chalicelib.connectors.connector import (
    CALL_DEADLINE,
    ConnectedAccount,
    LivePost,
    Publication,
)
from chalicelib.connectors.instagram.api import InstagramApi
from chalicelib.connectors.instagram.post import is_story, product_of
from chalicelib.connectors.meta_graph import GraphRejectedError, insight, moment
from chalicelib.connectors.replies import RejectedError
from chalicelib.connectors.reply import find
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
from chalicelib.domain.results import Figures

READ_LAG = timedelta(seconds=60)
NAMELESS = "container:"
"""Begins the id of a post that is live for certain, though the list never showed which it is."""

_LOOK_EVERY = timedelta(seconds=10)
_LISTED_WITHIN = timedelta(minutes=5)
_CLOCKS_DIFFER = timedelta(seconds=10)
_METRICS = ("views", "likes", "comments", "shares")
_REEL = "/reel/"


def look(
    api: InstagramApi, publication: Publication, checkpoint: Checkpoint, sent: Sent
) -> Finding:
    """Find out what became of publishing a container."""
    container = checkpoint.data.get("container")
    status = None if container is None else _status(api, publication.account, str(container))
    if status in ("FINISHED", "IN_PROGRESS"):
        return _absent(publication, checkpoint, sent)
    found = _found(api, publication, sent)
    if len(found) == 1 and (status == "PUBLISHED" or not is_story(publication)):
        return _done(api, publication.account, found[0])
    if status != "PUBLISHED":
        absent = _absent(publication, checkpoint, sent)
        return Unknown() if found and absent == Absent() else absent
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


def _status(api: InstagramApi, account: ConnectedAccount, container: str) -> Json:
    """Return what a container says of itself, None when Instagram knows it no more."""
    try:
        return api.status(account, container).find("status_code")
    except RejectedError:
        return None


def _found(api: InstagramApi, publication: Publication, sent: Sent) -> list[Json]:
    since, product = sent.at - _CLOCKS_DIFFER, product_of(publication)
    edge = "stories" if is_story(publication) else "media"
    ours = []
    for post in api.posts(publication.account, edge):
        at, caption = moment(find(post, "timestamp")), find(post, "caption") or ""
        fits = is_story(publication) or str(caption).strip() == sent.text.strip()
        fits = fits and find(post, "media_product_type") == product
        if fits and at is not None and at >= since:
            ours.append(post)
    return ours


def _done(api: InstagramApi, account: ConnectedAccount, post: Json) -> Done:
    link = find(post, "permalink")
    url = link if isinstance(link, str) else api.profile(account)
    return Done(remote_id=str(find(post, "id")), url=url)


def figures(api: InstagramApi, live: LivePost) -> Figures | None:
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
        told = _carried(api, live) | told
    if live.url is None or _REEL not in live.url:
        told |= _told_alone(api, live, "follows")
    return Figures(
        views=told.get("views"),
        likes=told.get("likes"),
        comments=told.get("comments"),
        shares=told.get("shares"),
        followers=told.get("follows"),
    )


def _carried(api: InstagramApi, live: LivePost) -> dict[str, int]:
    """Return likes and comments as the post itself has them."""
    reply = api.counts(live.account, live.remote_id)
    read = {"likes": reply.find("like_count"), "comments": reply.find("comments_count")}
    return {name: value for name, value in read.items() if isinstance(value, int)}


def _told_alone(api: InstagramApi, live: LivePost, metric: str) -> dict[str, int]:
    """Return one metric, nothing when this kind of post has none such."""
    try:
        return _told(api, live, metric)
    except GraphRejectedError as error:
        if error.code is not FailureCode.INVALID_OPTIONS:
            raise
        return {}


def _told(api: InstagramApi, live: LivePost, metrics: str) -> dict[str, int]:
    rows = api.insights(live.account, live.remote_id, metrics)
    read = ((str(find(row, "name")), insight(row)) for row in rows)
    return {name: value for name, value in read if value is not None}
