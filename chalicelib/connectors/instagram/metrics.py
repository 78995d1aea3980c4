"""How an Instagram post does: …/docs/instagram-platform/reference/instagram-media/insights.

Which metrics there are depends on the kind of post, which its link shows: a wrong name spoils the
whole question. Stories tell for a day only; `follows` is who came by way of the post.
"""

from datetime import timedelta

from chalicelib.connectors.connector import LivePost
from chalicelib.connectors.instagram.api import InstagramApi
from chalicelib.connectors.shared.meta.graph import GraphRejectedError
from chalicelib.connectors.shared.meta.insights import Insights
from chalicelib.connectors.shared.meta.reconciliation import NAMELESS
from chalicelib.domain.analytics.metrics import Metrics
from chalicelib.kit.transport.failures import UnansweredError
from chalicelib.kit.transport.responses import find

_STORY_TELLS_FOR = timedelta(hours=24)


_OF_A_REEL = ("views", "likes", "comments", "shares")


_OF_A_STORY = ("views", "replies", "shares", "follows")


_OF_A_PHOTO = (*_OF_A_REEL, "follows")


def metrics(api: InstagramApi, live: LivePost) -> Metrics | None:
    """Return a post's figures, None for one that is gone."""
    link = live.url or ""
    if live.remote_id.startswith(NAMELESS) or _is_over(live, link):
        return Metrics()
    try:
        return _add_insights(api, live, _metrics(link))
    except GraphRejectedError as error:
        if error.is_gone:
            return None
        raise


def _is_over(live: LivePost, link: str) -> bool:
    """Tell whether it is a story that everybody sees no more: it was not deleted."""
    return "/stories/" in link and live.now - live.published_at >= _STORY_TELLS_FOR


def _metrics(link: str) -> tuple[str, ...]:
    if "/stories/" in link:
        return _OF_A_STORY
    return _OF_A_REEL if "/reel/" in link else _OF_A_PHOTO


def _add_insights(api: InstagramApi, live: LivePost, metrics: tuple[str, ...]) -> Metrics:
    insights = Insights(lambda names: api.insights(live.account, live.remote_id, names))
    insights.gather(metrics)
    likes, comments = insights.known_count("likes"), insights.known_count("comments")
    if "likes" in metrics and (likes is None or comments is None):
        carried = _own_counts(api, live)
        likes = carried.get("like_count") if likes is None else likes
        comments = carried.get("comments_count") if comments is None else comments
    told = Metrics(
        views=insights.known_count("views"),
        likes=likes,
        comments=insights.known_count("replies") if comments is None else comments,
        shares=insights.known_count("shares"),
        followers=insights.known_count("follows"),
    )
    if told == Metrics():
        insights.require_answer()
    return told


def _own_counts(api: InstagramApi, live: LivePost) -> dict[str, int]:
    """Return the counts that the post carries itself, none where they cannot be read."""
    try:
        response = api.counts(live.account, live.remote_id)
    except UnansweredError:
        return {}
    except GraphRejectedError as error:
        if error.is_gone:
            raise
        return {}
    read = {name: find(response.json(), name) for name in ("like_count", "comments_count")}
    return {name: value for name, value in read.items() if isinstance(value, int)}
