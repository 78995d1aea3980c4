"""How posts do, which the public view tells everybody: …/docs/api/app-bsky-feed-get-posts."""

from datetime import timedelta

from chalicelib.connectors.bluesky.account import method
from chalicelib.connectors.connector import LivePost
from chalicelib.connectors.shared.calls.http import Call, PlatformHttp
from chalicelib.domain.analytics.metrics import Metrics
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.responses import count, find

_INDEXED_AFTER = timedelta(minutes=10)


def metrics_of(http: PlatformHttp, host: str, lives: list[LivePost]) -> list[Metrics | None]:
    """Return the counts of posts, None for those that are gone."""
    asked = [("uris", live.remote_id) for live in lives]
    place = method(host, "app.bsky.feed.getPosts")
    response = http.send(Call(method="GET", url=place, params=asked))
    found = {str(find(post, "uri")): _metrics(post) for post in response.items("posts")}
    return [found.get(live.remote_id) or _metrics_of_unseen(live) for live in lives]


def _metrics_of_unseen(live: LivePost) -> Metrics | None:
    """Return what is known of a post that the view does not have: a new one may still come."""
    return Metrics() if live.now - live.published_at < _INDEXED_AFTER else None


def _metrics(post: Json) -> Metrics:
    """Read what is counted; Bluesky counts no views and no followers for a post."""
    shares = count(post, "repostCount") + count(post, "quoteCount")
    return Metrics(
        likes=count(post, "likeCount"), comments=count(post, "replyCount"), shares=shares
    )
