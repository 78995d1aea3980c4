"""Results: views and engagement by day and platform, best posts, and which hours do well."""

from chalicelib.api.http.messages import Response
from chalicelib.services.in_parallel import in_parallel
from chalicelib.web.routing import Visit, page

_SPANS = (7, 28, 90)
_DEFAULT = 28


@page("GET", "/app/results")
def results(visit: Visit) -> Response:
    """Show how what went live in the last days does; a table says what the plots draw."""
    asked = visit.query["days"]
    days = int(asked) if asked in {str(span) for span in _SPANS} else _DEFAULT
    platforms = list({account.platform: None for account in visit.who.accounts})
    api, caller = visit.services, visit.caller
    summary, learned = in_parallel(
        lambda: api.analytics.summary(caller, days=days),
        lambda: api.golden_hours.with_hours(caller, platforms) if platforms else None,
    )
    golden, hours = (None, {}) if learned is None else learned
    engaged = summary.engagement_by_day
    return visit.show(
        "workspace/results.html",
        summary=summary,
        spans=_SPANS,
        by_day=[(f"{day}", views, engaged[day]) for day, views in summary.views_by_day.items()],
        curve=list(golden.activity) if golden is not None else [],
        curve_zone=golden.timezone if golden is not None else caller.timezone,
        earned=list(summary.activity_by_hour),
        hours=hours,
        most=max(summary.views_by_platform.values(), default=0),
        most_engaged=max(summary.engagement_by_platform.values(), default=0),
    )
