"""How posts on X do: docs.x.com/x-api/posts/lookup, "public_metrics"."""

from chalicelib.connectors.connector import LivePost
from chalicelib.connectors.shared.transport.http import Call, PlatformHttp
from chalicelib.connectors.shared.transport.responses import count, find
from chalicelib.connectors.x.account import XHosts
from chalicelib.connectors.x.errors import names_of_gone
from chalicelib.connectors.x.reconciliation import FIELDS
from chalicelib.domain.analytics.metrics import Metrics
from chalicelib.domain.outcome import Json

BATCH = 100


def metrics_of(http: PlatformHttp, hosts: XHosts, lives: list[LivePost]) -> list[Metrics | None]:
    """Return the public counts, None for posts that X no longer has."""
    found: dict[str, Metrics | None] = {}
    for start in range(0, len(lives), BATCH):
        some = lives[start : start + BATCH]
        response = http.send(
            Call(
                method="GET",
                url=f"{hosts.x}/2/tweets",
                token=some[0].account.token,
                params={
                    "ids": ",".join(live.remote_id for live in some),
                    FIELDS: "public_metrics",
                },
            )
        )
        found |= {str(find(post, "id")): _metrics(post) for post in response.items("data")}
        found |= dict.fromkeys(names_of_gone(response))
    return [found.get(live.remote_id, Metrics()) for live in lives]


def _metrics(post: Json) -> Metrics:
    counts = find(post, "public_metrics")
    if not isinstance(counts, dict):
        return Metrics()
    # X renames the one to the other; while it sends both they are the same number.
    reposts = max(count(counts, "retweet_count"), count(counts, "repost_count"))
    return Metrics(
        views=count(counts, "impression_count"),
        likes=count(counts, "like_count"),
        comments=count(counts, "reply_count"),
        shares=reposts + count(counts, "quote_count"),
    )
