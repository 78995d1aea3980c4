"""All posts that went live in the days of the results, those with most views first."""

from chalicelib.domain.analytics.metrics import TopPost
from chalicelib.kit.asgi.messages import Response
from chalicelib.kit.json_value import whole_number
from chalicelib.services.in_parallel import in_parallel
from chalicelib.web.pages.results import SPANS, read_asked
from chalicelib.web.routing import Visit, page

_A_PAGE = 50
_MOST_DIGITS = 4
_HERE = "/app/results/posts"


@page("GET", _HERE)
def results_by_views(visit: Visit) -> Response:
    """Show 50 of them, from the place that the query's `after` names."""
    asked = read_asked(visit)
    before = whole_number(visit.query["after"], _MOST_DIGITS) or 0
    analytics, labels = visit.services.people.analytics, visit.services.posting.labels
    window = analytics.window(visit.caller, days=asked.days)
    ranked, known = in_parallel(
        lambda: analytics.by_views(visit.caller, window, asked.keeps, label=asked.label),
        lambda: labels.list(visit.caller),
    )
    shown = ranked[before : before + _A_PAGE]
    end, address = before + len(shown), asked.at(page=_HERE)
    return visit.show(
        "workspace/by_views.html",
        asked=asked,
        window=window,
        spans=SPANS,
        first=before + 1,
        end=end,
        in_all=len(ranked),
        usual=sum(views for _, views in ranked) / (len(ranked) or 1),
        posts=[
            TopPost(
                id=post.id,
                caption=post.caption,
                file=post.attachment,
                views=views,
                platforms=tuple({one.platform: None for one in post.targets}),
            )
            for post, views in shown
        ],
        best={post.id: post for post, _ in shown},
        labelled=labels.of_known(known, [post.id for post, _ in shown]),
        following=f"{address}&after={end}" if end < len(ranked) else None,
    )
