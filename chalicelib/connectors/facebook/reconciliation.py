"""How a post of ours is found on a Page again.

developers.facebook.com/docs/graph-api/reference/page has the lists: published_posts, videos,
video_reels, stories. A video tells itself whether it was finished. Everything else is only to be
found in the Page's lists, of which nobody says how far behind they are: so what is not there is not
sent again, except when a person asks for it much later. Facebook refuses the same text twice in a
row, so a refusal of that sort after a doubt leads to another look, from the first time it was sent
on.
"""

from dataclasses import replace
from datetime import datetime, timedelta

from chalicelib.connectors.connector import Posted, Publication
from chalicelib.connectors.facebook.api import NEWEST, FacebookApi
from chalicelib.connectors.facebook.media import FacebookVideos, has_failed, is_accepted, is_live
from chalicelib.connectors.facebook.post import Route, route_of
from chalicelib.connectors.shared.reconciliation import (
    RESTORED,
    WITNESSES_REACH,
    certain_from,
    earliest,
    first_sent,
    is_witness,
    newest_posted,
    shows_text,
)
from chalicelib.domain.engine.absence import Evidence, decide
from chalicelib.domain.outcome import Checkpoint, Done, Reconciliation, Sent, Wait
from chalicelib.domain.platforms.platform import Platform
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.responses import find, moment, of_epoch

LIST_LAG, LONGEST_LAG = timedelta(minutes=2), timedelta(minutes=30)
_LOOK_EVERY = timedelta(seconds=10)
_CLOCKS_DIFFER = timedelta(seconds=10)
_LISTS = {
    Route.FEED: (
        "published_posts",
        "id,message,created_time,permalink_url,attachments{target{id}}",
    ),
    Route.VIDEO: ("videos", "id,description,created_time,permalink_url"),
    Route.REEL: ("video_reels", "id,description,updated_time,permalink_url"),
    Route.PHOTO_STORY: ("stories", "post_id,creation_time,media_id,url"),
    Route.VIDEO_STORY: ("stories", "post_id,creation_time,media_id,url"),
}


def reconcile(
    api: FacebookApi, publication: Publication, checkpoint: Checkpoint, sent: Sent
) -> Reconciliation:
    """Find out what became of the call that shows a post."""
    data = checkpoint.data
    if data.get("failed"):
        return decide(Evidence(made_nothing=True), publication.now)
    if "remote" in data:
        url = data.get("url") or api.web(f"/{publication.account.remote_id}")
        return Done(remote_id=str(data["remote"]), url=str(url))
    if "video" in data:
        return _reconcile_video(api, publication, checkpoint, sent)
    found, has_witness = _find_candidates(api, publication, checkpoint, sent)
    is_telling = "photo" in data or not route_of(publication).is_story
    if is_telling and (len(found) == 1 or (found and sent.is_suspicion)):
        return _as_done(api, publication, earliest(found, _time_of))
    evidence = _evidence_of_lists(checkpoint, sent)
    seen = replace(evidence, untellable=bool(found), witness=has_witness)
    return decide(seen, publication.now)


def _evidence_of_lists(checkpoint: Checkpoint, sent: Sent) -> Evidence:
    """Return when the Page's lists are certain: long after a person was told to look."""
    first = first_sent(checkpoint.data, sent.at).isoformat()
    marked = Checkpoint(checkpoint.step, {**checkpoint.data, "since": first})
    is_restored = checkpoint.step == RESTORED
    return Evidence(
        next_look=Wait(marked, _LOOK_EVERY),
        certain_from=sent.at + LONGEST_LAG,
        gives_up_at=None if is_restored else sent.at + LIST_LAG,
        is_restored=is_restored,
    )


def _reconcile_video(
    api: FacebookApi, publication: Publication, checkpoint: Checkpoint, sent: Sent
) -> Reconciliation:
    response = api.video(publication.account, str(checkpoint.data["video"]))
    if is_live(response):
        seen = FacebookVideos(api).where_seen(publication, response, checkpoint.data)
        return Done(remote_id=str(seen["remote"]), url=str(seen["url"]))
    if has_failed(response):
        # What failed shows nothing: the next look says so, and the upload begins anew.
        return Wait(Checkpoint("open", {"failed": True}))
    next_look = Wait(checkpoint, _LOOK_EVERY)
    if is_accepted(response):
        return next_look
    certain = certain_from(Platform.FACEBOOK, sent)
    unfinished = Evidence(made_nothing=True, certain_from=certain, next_look=next_look)
    return decide(unfinished, publication.now)


def _find_candidates(
    api: FacebookApi, publication: Publication, checkpoint: Checkpoint, sent: Sent
) -> tuple[list[Json], bool]:
    """Return what may be the post, and whether the list shows any that was made after its call."""
    route, since = route_of(publication), first_sent(checkpoint.data, sent.at) - _CLOCKS_DIFFER
    edge, fields = _LISTS[route]
    photo = checkpoint.data.get("photo")
    ours, has_witness = [], False
    for post in api.list_edge(publication.account, edge, fields, since):
        at = _time_of(post)
        has_witness = has_witness or is_witness(at, sent)
        if at is not None and at >= since and _fits(post, sent, photo, route):
            ours.append(post)
    return ours, has_witness


def posts_since(api: FacebookApi, publication: Publication, since: datetime) -> list[Posted] | None:
    """Return all that the Page's lists show since then; a video has an id in each of two lists."""
    found: list[Posted] = []
    for edge, fields in sorted(set(_LISTS.values())):
        shown = api.list_edge(publication.account, edge, fields, since - WITNESSES_REACH)
        posts = [
            Posted(
                live=_as_done(api, publication, post),
                made=_time_of(post),
                also=_file_of(post),
            )
            for post in shown
        ]
        whole = newest_posted(posts, NEWEST, since)
        if whole is None:
            return None
        found += whole
    return found


def _file_of(post: Json) -> tuple[str, ...]:
    file = find(post, "attachments", "data", 0, "target", "id")
    return (file,) if isinstance(file, str) else ()


def _time_of(post: Json) -> datetime | None:
    times = (find(post, name) for name in ("created_time", "updated_time", "creation_time"))
    told = next((time for time in times if time is not None), None)
    return of_epoch(told) or moment(told)


def _fits(post: Json, sent: Sent, photo: Json, route: Route) -> bool:
    """Tell whether a post carries our photo, or else our text."""
    if route.is_story:
        return photo is None or str(find(post, "media_id")) == str(photo)
    if photo is not None:
        shown = find(post, "attachments", "data", 0, "target", "id")
        return str(shown) == str(photo)
    text = find(post, "message") or find(post, "description") or ""
    return shows_text(text, sent)


def _as_done(api: FacebookApi, publication: Publication, post: Json) -> Done:
    link = find(post, "permalink_url") or find(post, "url")
    remote = find(post, "id") or find(post, "post_id")
    method = link if isinstance(link, str) else f"/{publication.account.remote_id}"
    return Done(remote_id=str(remote), url=api.web(method))
