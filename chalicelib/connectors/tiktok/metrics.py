"""Counts of public posts: developers.tiktok.com/doc/tiktok-api-v2-video-query.

A post that went live without an id of its own is asked after first. What the answer leaves out is
deleted or private, nobody can tell which: nothing is reported of it.
"""

from chalicelib.connectors.connector import LivePost
from chalicelib.connectors.shared.calls.failures import RejectedError
from chalicelib.connectors.tiktok.account import LISTING, scopes_of
from chalicelib.connectors.tiktok.api import TikTokApi
from chalicelib.connectors.tiktok.processing import progress_of
from chalicelib.domain.analytics.metrics import Metrics
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.failures import UnansweredError
from chalicelib.kit.transport.responses import find


def metrics_of(api: TikTokApi, lives: list[LivePost]) -> list[Metrics | None]:
    """Return the figures of one account's posts; at most 20 go into a call."""
    account = lives[0].account
    granted = scopes_of(account.extra)
    if granted and LISTING not in granted:
        return [Metrics()] * len(lives)
    ids = [_post_id(api, live) for live in lives]
    known = [one for one in dict.fromkeys(ids) if one is not None]
    counted = api.metrics(account, known) if known else []
    told = {str(find(post, "id")): _metrics(post) for post in counted}
    return [told.get(one or "", Metrics()) for one in ids]


def _post_id(api: TikTokApi, live: LivePost) -> str | None:
    """Return a post's id, asking for it where only the upload's is known."""
    if live.remote_id.isdigit():
        return live.remote_id
    try:
        response = api.status(live.account, live.remote_id)
    except (RejectedError, UnansweredError):
        return None
    return next(iter(progress_of(response).post_ids), None)


def _metrics(post: Json) -> Metrics:
    def told(name: str) -> int | None:
        value = find(post, name)
        return value if isinstance(value, int) else None

    return Metrics(
        views=told("view_count"),
        likes=told("like_count"),
        comments=told("comment_count"),
        shares=told("share_count"),
    )
