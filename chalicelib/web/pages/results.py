"""Results: views and engagement by day and platform, best posts, and the best hours.

They can be filtered by account, platform and label, are compared with as many days before, and can
be downloaded as CSV.
"""

import csv
import io
from calendar import day_name
from collections.abc import Callable, Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Final
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from chalicelib.domain.analytics.metrics import DaySums, Summary
from chalicelib.domain.analytics.summary import Window
from chalicelib.domain.analytics.week import Week, best_hour, hours_to_show, week_activity
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.target import Target
from chalicelib.domain.spoken.cells import guard
from chalicelib.domain.times.golden_hour import GoldenHourResult, Hours
from chalicelib.kit.asgi.messages import Response
from chalicelib.kit.dataclass import dataclass
from chalicelib.services.in_parallel import in_parallel
from chalicelib.web.forms.bars import bars
from chalicelib.web.forms.drawn import Tile
from chalicelib.web.forms.ribbon import in_zone
from chalicelib.web.routing import Visit, page

SPANS = (7, 28, 90)
_DEFAULT = 28
_FILTERS = ("account", "platform", "label")
_COLUMNS = ("Published", "Platform", "Account", "Text", "Link")
_COUNTED = ("views", "likes", "comments", "shares", "followers")
_GONE = 8
"""The colour of a platform that no longer has an account."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Which results are shown: the number of days and the filters."""

    days: int
    chosen: tuple[tuple[str, str], ...]

    def at(self, days: int | None = None, *, page: str = "/app/results") -> str:
        """Return the address of these results, or for another number of days."""
        return f"{page}?{urlencode((('days', days or self.days), *self.chosen))}"

    def keeps(self, target: Target) -> bool:
        """Tell whether a target matches the account and platform; labels are a post's."""
        told = {"account": target.account_id, "platform": target.platform.value}
        return all(told[name] == value for name, value in self.chosen if name in told)

    @property
    def label(self) -> str | None:
        """Return the id of the label to filter by, None without one."""
        return dict(self.chosen).get("label")


def read_asked(visit: Visit) -> Asked:
    """Return the results that a query asks for; 28 days by default."""
    asked = visit.query["days"]
    return Asked(
        days=int(asked) if asked in {str(span) for span in SPANS} else _DEFAULT,
        chosen=tuple((name, visit.query[name]) for name in _FILTERS if visit.query[name]),
    )


@page("GET", "/app/results")
def results(visit: Visit) -> Response:
    """Show the results of the last days, as plots and as a table."""
    asked = read_asked(visit)
    api, caller, platforms = visit.services, visit.caller, visit.platforms
    window = api.people.analytics.window(caller, days=asked.days)
    summary, before, learned, labels = in_parallel(
        lambda: _summary(visit, asked, window),
        lambda: _summary(visit, asked, window.before),
        lambda: api.posting.golden_hours.with_hours(caller, platforms) if platforms else None,
        lambda: api.posting.labels.list(caller),
    )
    top = [post.id for post in summary.top_posts]
    labelled, best = in_parallel(
        lambda: api.posting.labels.of_known(labels, top),
        lambda: api.stores.posts.several(top, is_consistent=False),
    )
    golden, hours = (None, {}) if learned is None else learned
    of_accounts = {one.platform: visit.hues[one.id] for one in reversed(visit.who.accounts)}
    colours = {one: of_accounts.get(one, _GONE) for one in summary.views_by_platform}
    week = _week(visit, summary, golden)
    *tiles, shares = _tiles(summary, before)
    return visit.show(
        "workspace/results.html",
        asked=asked,
        filters=dict(asked.chosen),
        platforms=sorted(platforms),
        labels=labels,
        labelled=labelled,
        best=best,
        window=window,
        summary=summary,
        tiles=tiles,
        shares=shares,
        spans=SPANS,
        colours=colours,
        chart=bars(summary.by_day, list(before.by_day.values()), colours),
        rows=[] if golden is None else _heat(visit, summary, hours, ZoneInfo(golden.timezone)),
        week=week,
        shown=None if week is None else hours_to_show(week),
        told=best_hour(summary.by_week_hour),
        day_names=day_name,
        zone=golden.timezone if golden is not None else caller.timezone,
        hours=hours,
    )


_TILES: Final[Sequence[tuple[str, Callable[[DaySums], int]]]] = (
    ("Posts", lambda day: day.posts),
    ("Views", lambda day: day.counts.views),
    ("Likes", lambda day: day.counts.likes),
    ("Comments", lambda day: day.counts.comments),
    ("New followers", lambda day: day.counts.followers),
    ("Shares", lambda day: day.counts.shares),  # the last one is shown below the table
)


def _tiles(now: Summary, before: Summary) -> list[Tile]:
    """Return each total, compared with that of as many days before."""
    totals = [_total(one) for one in (now, before)]
    return [
        Tile.of(name, totals[0][name], totals[1][name], [of(day) for day in now.by_day.values()])
        for name, of in _TILES
    ]


def _total(one: Summary) -> dict[str, int]:
    whole = DaySums(posts=one.posts_published, counts=one.totals, views_by_platform={})
    return {name: of(whole) for name, of in _TILES}


def _heat(
    visit: Visit, summary: Summary, hours: Mapping[Platform, Hours], zone: ZoneInfo
) -> list[tuple[str, list[int]]]:
    """Return names with 24 numbers, one for each hour in `zone`; the best hour has 100."""
    rows = [
        (FACTS[platform].name, list(one.learned or one.sourced)) for platform, one in hours.items()
    ]
    earned = in_zone(summary.activity_by_hour, visit.zone, zone, visit.now)
    if any(earned):
        rows.append(("Your posts", [100 * one // max(earned) for one in earned]))
    return rows


def _week(visit: Visit, summary: Summary, golden: GoldenHourResult | None) -> Week | None:
    """Return the activity of a week's hours, in the workspace's zone; None without accounts."""
    if golden is None:
        return None
    activity = in_zone(golden.activity, ZoneInfo(golden.timezone), visit.zone, visit.now)
    return week_activity(activity, summary.by_week_hour)


def _summary(visit: Visit, asked: Asked, window: Window) -> Summary:
    analytics = visit.services.people.analytics
    if asked.chosen:
        return analytics.summary_of(visit.caller, window, asked.keeps, label=asked.label)
    return analytics.summary_in(visit.caller, window)


@page("GET", "/app/results/table")
def results_table(visit: Visit) -> Response:
    """Answer with a CSV file, one line per target that went live, times in the workspace's zone."""
    asked = read_asked(visit)
    window = visit.services.people.analytics.window(visit.caller, days=asked.days)
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow((*_COLUMNS, *(name.capitalize() for name in _COUNTED)))
    writer.writerows(_lines(visit, asked, window))
    name = f"results-{window.first}-to-{window.last}.csv"
    headers = {
        "Content-Type": "text/csv; charset=utf-8",
        "Content-Disposition": f'attachment; filename="{name}"',
    }
    return Response(status=HTTPStatus.OK, headers=headers, body=out.getvalue().encode("utf-8-sig"))


def _lines(visit: Visit, asked: Asked, window: Window) -> Iterator[list[object]]:
    for post, stored in visit.services.people.analytics.live_in(
        visit.caller, window, label=asked.label
    ):
        for target in filter(asked.keeps, post.targets):
            known = stored.targets.get(target.id)
            if known is None or known.removed:
                continue
            yield [
                f"{known.live_at.astimezone(visit.zone):%Y-%m-%d %H:%M:%S}",
                FACTS[target.platform].name,
                guard(target.handle),
                guard(target.caption(post.caption)),
                target.url or "",
                *(getattr(known.counts, name, "") for name in _COUNTED),
            ]
