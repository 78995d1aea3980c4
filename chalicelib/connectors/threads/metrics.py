"""How a Threads post does: developers.facebook.com/docs/threads/insights.

What passes a post on counts as shares: reposts, quotes, and being sent to somebody.
"""

from chalicelib.connectors.connector import LivePost
from chalicelib.connectors.shared.meta.graph import GraphRejectedError
from chalicelib.connectors.shared.meta.insights import Insights
from chalicelib.connectors.shared.meta.reconciliation import NAMELESS
from chalicelib.connectors.threads.api import ThreadsApi
from chalicelib.domain.analytics.metrics import Metrics

_PASSED_ON = ("reposts", "quotes", "shares")


_METRICS = ("views", "likes", "replies", *_PASSED_ON)


def metrics(api: ThreadsApi, live: LivePost) -> Metrics | None:
    """Return a post's figures, None for one that is gone."""
    if live.remote_id.startswith(NAMELESS):
        return Metrics()
    insights = Insights(lambda names: api.insights(live.account, live.remote_id, names))
    try:
        insights.gather(_METRICS)
    except GraphRejectedError as error:
        if error.is_gone:
            return None
        raise
    insights.require_answer()
    told = (insights.known_count(name) for name in _PASSED_ON)
    passed_on = [figure for figure in told if figure is not None]
    return Metrics(
        views=insights.known_count("views"),
        likes=insights.known_count("likes"),
        comments=insights.known_count("replies"),
        shares=sum(passed_on) if passed_on else None,
    )
