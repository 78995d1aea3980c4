"""How posts do, asked for a hundred at a time: www.reddit.com/dev/api#GET_api_info.

Reddit leaves out posts that it does not know, blurs votes a little, and tells neither views nor
followers.
"""

from collections.abc import Iterator

from chalicelib.connectors.connector import LivePost
from chalicelib.connectors.reddit.api import RedditApi, caller
from chalicelib.domain.analytics.metrics import Metrics
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.failures import UnansweredError
from chalicelib.kit.transport.responses import count, find

BATCH = 100
"""Asked about more, Reddit tells of none, so no posts at all say nothing of each."""


_DELETED = "[deleted]"


def metrics_of(api: RedditApi, lives: list[LivePost]) -> list[Metrics | None]:
    """Return the figures of posts of one account, None for those that nobody can see any more."""
    found: dict[str, Metrics | None] = {}
    for start in range(0, len(lives), BATCH):
        found |= dict(_ask(api, lives[start : start + BATCH]))
    return [found.get(live.remote_id) for live in lives]


def _ask(api: RedditApi, lives: list[LivePost]) -> Iterator[tuple[str, Metrics | None]]:
    ids = ",".join(live.remote_id for live in lives)
    response = api.listing(caller(lives[0].account), "/api/info", {"id": ids})
    children = response.items("data", "children")
    if not children and len(lives) > 1:
        raise UnansweredError("Reddit told of none of the posts that it was asked about.")
    for child in children:
        post = find(child, "data")
        yield str(find(post, "name")), None if _is_gone(post) else _metrics(post)


def is_up(api: RedditApi, live: LivePost) -> bool:
    """Tell whether a post is still its author's, whoever may see it."""
    response = api.listing(caller(live.account), "/api/info", {"id": live.remote_id})
    posts = [find(child, "data") for child in response.items("data", "children")]
    return any(find(post, "author") != _DELETED for post in posts)


def _is_gone(post: Json) -> bool:
    """Tell whether its author, its community or Reddit has taken it down."""
    return find(post, "author") == _DELETED or find(post, "removed_by_category") is not None


def _metrics(post: Json) -> Metrics:
    return Metrics(
        likes=max(0, count(post, "score")),
        comments=count(post, "num_comments"),
        shares=count(post, "num_crossposts"),
    )
