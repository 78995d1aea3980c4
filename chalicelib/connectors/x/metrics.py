"""How posts on X do: docs.x.com/x-api/posts/lookup, "public_metrics".

Each post that is read costs money (docs.x.com/x-api/getting-started/pricing): an operator may
switch that off by GOLDENHOUR_X_METRICS=off.
"""

from chalicelib.connectors.connector import LivePost
from chalicelib.connectors.x.account import XHosts
from chalicelib.connectors.x.api import XApi
from chalicelib.connectors.x.errors import names_of_gone
from chalicelib.domain.analytics.metrics import Metrics
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.responses import count, find

BATCH = 100


def metrics_of(api: XApi, hosts: XHosts, lives: list[LivePost]) -> list[Metrics | None]:
    """Return the public counts, None for posts that X no longer has."""
    if hosts.x_metrics == "off":
        return [Metrics()] * len(lives)
    found: dict[str, Metrics | None] = {}
    for start in range(0, len(lives), BATCH):
        some = lives[start : start + BATCH]
        asked = {"ids": ",".join(live.remote_id for live in some)}
        response = api.posts(f"{hosts.x}/2/tweets", some[0].account.token, asked, "public_metrics")
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
