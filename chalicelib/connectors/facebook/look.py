"""How a post of ours is found on a Page again, and how it does.

A video tells itself whether it was finished. Everything else is only to be found in the Page's
lists, of which nobody says how far behind they are: so what is not there is not sent again, except
when a person asks for it much later.
"""

from datetime import UTC, datetime, timedelta

from chalicelib.connectors.connector import CALL_DEADLINE, LivePost, Publication
from chalicelib.connectors.facebook.api import FacebookApi
from chalicelib.connectors.facebook.post import Route, route_of
from chalicelib.connectors.facebook.videos import FAILED, FacebookVideos, is_accepted, is_live
from chalicelib.connectors.meta_graph import GraphRejectedError, insight, moment
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
LIST_LAG, LONGEST_LAG = timedelta(minutes=2), timedelta(minutes=30)
RESTORED = "restored"
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


def look(api: FacebookApi, publication: Publication, checkpoint: Checkpoint, sent: Sent) -> Finding:
    """Find out what became of the call that shows a post."""
    if checkpoint.data.get("failed"):
        return Absent()
    video = checkpoint.data.get("video")
    if video is not None:
        return _look_at_video(api, publication, checkpoint, sent)
    found = _found(api, publication, checkpoint, sent)
    if len(found) == 1:
        return _done(api, found[0])
    return Unknown() if found else _not_listed(publication, checkpoint, sent)


def _not_listed(publication: Publication, checkpoint: Checkpoint, sent: Sent) -> Finding:
    """Return what it means that no list shows it: nothing certain for a long while."""
    since = publication.now - sent.at
    if since >= LONGEST_LAG:
        return Absent()
    is_overdue = since >= LIST_LAG and checkpoint.step != RESTORED
    return Unknown() if is_overdue else Wait(checkpoint, _LOOK_EVERY)


def _look_at_video(
    api: FacebookApi, publication: Publication, checkpoint: Checkpoint, sent: Sent
) -> Finding:
    reply = api.video(publication.account, str(checkpoint.data["video"]))
    if is_live(reply):
        seen = FacebookVideos(api).seen(publication, reply)
        return Done(remote_id=str(seen["remote"]), url=str(seen["url"]))
    if reply.find("status", "video_status") in FAILED:
        # What failed shows nothing: the next look says so, and the upload begins anew.
        return Wait(Checkpoint("open", {"failed": True}))
    certain = sent.at + CALL_DEADLINE + READ_LAG
    if is_accepted(reply) or publication.now < certain:
        return Wait(checkpoint, _LOOK_EVERY)
    return Absent()


def _found(
    api: FacebookApi, publication: Publication, checkpoint: Checkpoint, sent: Sent
) -> list[Json]:
    route, since = route_of(publication), sent.at - _CLOCKS_DIFFER
    edge, fields = _LISTS[route]
    photo = checkpoint.data.get("photo")
    ours = []
    for post in api.listed(publication.account, edge, fields, since):
        at = _time_of(post)
        if at is not None and at >= since and _fits(post, sent, photo, route):
            ours.append(post)
    return ours


def _time_of(post: Json) -> datetime | None:
    times = (find(post, name) for name in ("created_time", "updated_time", "creation_time"))
    told = next((time for time in times if time is not None), None)
    if isinstance(told, int | str) and str(told).isdigit():
        return datetime.fromtimestamp(int(told), UTC)
    return moment(told)


def _fits(post: Json, sent: Sent, photo: Json, route: Route) -> bool:
    """Tell whether a post carries our photo, or else our text."""
    if route.is_story:
        return photo is None or str(find(post, "media_id")) == str(photo)
    if photo is not None:
        shown = find(post, "attachments", "data", 0, "target", "id")
        return str(shown) == str(photo)
    text = find(post, "message") or find(post, "description") or ""
    return str(text).strip() == sent.text.strip()


def _done(api: FacebookApi, post: Json) -> Done:
    link = find(post, "permalink_url") or find(post, "url")
    remote = find(post, "id") or find(post, "post_id")
    return Done(remote_id=str(remote), url=api.web(link) if isinstance(link, str) else None)


def figures(api: FacebookApi, live: LivePost) -> Figures | None:
    """Return a post's figures; a name that this kind of post has not costs only itself."""
    try:
        api.read(live.account, live.remote_id, "id")
    except GraphRejectedError as error:
        if error.is_gone:
            return None
        raise
    if "_" in live.remote_id:
        return _of_post(api, live)
    return _of_video(api, live)


def _of_post(api: FacebookApi, live: LivePost) -> Figures:
    path = f"{live.remote_id}/insights"
    actions = _row(api, live, path, "post_activity_by_action_type")
    return Figures(
        views=_figure(_row(api, live, path, "post_media_view")),
        likes=_figure(_row(api, live, path, "post_reactions_by_type_total")),
        comments=_part(actions, "comment"),
        shares=_part(actions, "share"),
    )


def _of_video(api: FacebookApi, live: LivePost) -> Figures:
    path = f"{live.remote_id}/video_insights"
    plays = ("fb_reels_total_plays", "blue_reels_play_count", "total_video_views")
    views = (_figure(_row(api, live, path, name)) for name in plays)
    actions = _row(api, live, path, "post_video_social_actions")
    return Figures(
        views=next((count for count in views if count is not None), None),
        likes=_figure(_row(api, live, path, "post_video_likes_by_reaction_type")),
        comments=_part(actions, "comment"),
        shares=_part(actions, "share"),
        followers=_figure(_row(api, live, path, "post_video_followers")),
    )


def _row(api: FacebookApi, live: LivePost, path: str, metric: str) -> Json:
    """Return one metric, None when this post has none such."""
    try:
        return api.insight(live.account, path, metric)
    except GraphRejectedError as error:
        if error.code is not FailureCode.INVALID_OPTIONS:
            raise
        return None


def _figure(row: Json) -> int | None:
    return None if row is None else insight(row)


def _part(row: Json, name: str) -> int | None:
    """Return one part of a figure: its keys differ in case, and a plain number has no parts."""
    value = find(row, "values", 0, "value")
    if not isinstance(value, dict):
        return None
    return next((v for key, v in value.items() if key.lower() == name and isinstance(v, int)), 0)
