"""How a Page's post or video does: developers.facebook.com/docs/graph-api/reference/insights.

Every metric is asked for by itself, because names die without a new version and one dead name
spoils the whole question. Videos and reels have metrics of their own.
"""

from datetime import timedelta

from chalicelib.connectors.connector import LivePost
from chalicelib.connectors.facebook.api import FacebookApi
from chalicelib.connectors.shared.meta.graph import GraphRejectedError
from chalicelib.connectors.shared.meta.insights import Insights, part
from chalicelib.domain.analytics.metrics import Metrics
from chalicelib.kit.transport.failures import UnansweredError
from chalicelib.kit.transport.responses import find

_STORY_LASTS = timedelta(hours=24)
_PLAYS = ("fb_reels_total_plays", "blue_reels_play_count", "total_video_views")


def metrics(api: FacebookApi, live: LivePost) -> Metrics | None:
    """Return a post's figures, None for one that is gone."""
    is_story = "/stories/" in (live.url or "")
    if is_story and live.now - live.published_at >= _STORY_LASTS:
        return Metrics()  # it is over, which is not the same as deleted
    try:
        api.read(live.account, live.remote_id, "id")
    except GraphRejectedError as error:
        if error.is_gone:
            return None
        raise
    return _of_post(api, live) if "_" in live.remote_id else _of_video(api, live)


def _of_post(api: FacebookApi, live: LivePost) -> Metrics:
    insights = _insights(api, live, "insights")
    views = insights.figure("post_media_view")
    actions = insights.row("post_activity_by_action_type")
    told = Metrics(
        views=views,
        likes=insights.figure("post_reactions_by_type_total"),
        comments=part(actions, "comment"),
        shares=_shares(api, live) if actions is None else part(actions, "share"),
    )
    if told == Metrics():
        insights.require_answer()
    return told


def _of_video(api: FacebookApi, live: LivePost) -> Metrics:
    insights = _insights(api, live, "video_insights")
    views = insights.figure(*_PLAYS)
    actions = insights.row("post_video_social_actions")
    told = Metrics(
        views=views,
        likes=insights.figure("post_video_likes_by_reaction_type"),
        comments=part(actions, "comment"),
        shares=part(actions, "share"),
        followers=insights.figure("post_video_followers"),
    )
    if told == Metrics():
        insights.require_answer()
    return told


def _insights(api: FacebookApi, live: LivePost, edge: str) -> Insights:
    path = f"{live.remote_id}/{edge}"
    return Insights(lambda metric: api.insights(live.account, path, metric))


def _shares(api: FacebookApi, live: LivePost) -> int | None:
    """Return the shares that the post carries itself, None where it does not tell."""
    try:
        response = api.read(live.account, live.remote_id, "shares")
    except (GraphRejectedError, UnansweredError):
        return None
    shares = find(response.json(), "shares", "count")
    return shares if isinstance(shares, int) else None
