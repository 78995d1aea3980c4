"""The calendar: a week or a day by the hour, a month or a list, in the workspace's time zone.

Golden hours and free queue times can be hidden. Posts can be filtered by account, platform, state
and label. `calendar_moves` moves them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from urllib.parse import urlencode

from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.labels import Label
from chalicelib.domain.posts.post import Post, PostStatus, may_reach_scheduled
from chalicelib.domain.posts.query import PostQuery
from chalicelib.domain.posts.target import Target, TargetStatus
from chalicelib.domain.workspace.access import Scope
from chalicelib.kit.asgi.messages import Response
from chalicelib.kit.dataclass import dataclass
from chalicelib.services.in_parallel import in_parallel
from chalicelib.web.forms.agenda import Day, Fits, days_of, golden_for
from chalicelib.web.forms.chosen_accounts import groups_of
from chalicelib.web.forms.hours import rows_of
from chalicelib.web.forms.times import days_from, monday_of, read_day, start_of, typed_time
from chalicelib.web.messages import Form
from chalicelib.web.routing import Visit, page

_WEEK = 7
_LISTED = 14
_MOST = {"week": 3, "month": 4, "list": 25, "day": 500}
"""The most posts shown: of each hour in a week and a day, of each day in a month and a list."""
_VIEWS = ("month", "week", "day", "list")
_BY_HOUR = ("week", "day")
_HOURS = {f"{hour}" for hour in range(24)}
_SHOWN = 20
"""The most drafts without a time that are shown beside a day."""
_FILTERED = 200
_OF_TARGET = ("account", "platform", "state")
_FILTERS = (*_OF_TARGET, "label")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Which part of the calendar is shown, and by which filters."""

    view: str
    day: date
    chosen: tuple[tuple[str, str], ...]
    golden: bool
    by_label: bool = False
    hour_open: int | None = None

    def at(self, day: date | None = None, view: str | None = None) -> str:
        """Return the address of this part of the calendar, or with another day or view."""
        shown = replace(self, view=view or self.view, day=day or self.day)
        return f"/app/calendar?{urlencode(shown.fields())}"

    def hour(self, day: date, hour: int) -> str:
        """Return the query that asks `one_hour` for every entry of an hour."""
        shown = replace(self, day=day, hour_open=hour)
        return urlencode(shown.fields())

    def switch_best_times(self) -> str:
        """Return the address of the same part with golden hours shown or hidden."""
        return replace(self, golden=not self.golden).at()

    def colour_by(self, what: str) -> str:
        """Return the address of the same part with entries coloured by account or by label."""
        return replace(self, by_label=what == "label").at()

    def toggle_account(self, account_id: str) -> str:
        """Return the address of the same part with one account added or removed as a filter."""
        one = ("account", account_id)
        kept = tuple(pair for pair in self.chosen if pair != one)
        return replace(self, chosen=kept if one in self.chosen else (*kept, one)).at()

    def of_group(self, account_ids: Sequence[str]) -> str:
        """Return the address of the same part with only these accounts; of all if it has them."""
        others = tuple(pair for pair in self.chosen if pair[0] != "account")
        group = () if self.shows(account_ids) else account_ids
        return replace(self, chosen=(*others, *(("account", one) for one in group))).at()

    def shows(self, account_ids: Sequence[str]) -> bool:
        """Tell whether exactly these accounts are chosen as a filter."""
        return self.values("account") == set(account_ids)

    def without(self, name: str) -> str:
        """Return the address of the same part without one filter."""
        kept = tuple(pair for pair in self.chosen if pair[0] != name)
        return replace(self, chosen=kept).at()

    def everything(self) -> str:
        """Return the address of the same part without filters."""
        return replace(self, chosen=()).at()

    def values(self, name: str) -> set[str]:
        """Return the values that are chosen for a filter."""
        return {value for found, value in self.chosen if found == name}

    def fields(self) -> dict[str, str]:
        """Return the fields that a form or address needs to lead back to this part."""
        told = {name: ",".join(sorted(self.values(name))) for name in _FILTERS}
        told |= {"hour": "" if self.hour_open is None else f"{self.hour_open}"}
        told |= {"golden": "" if self.golden else "off", "colour": "label" if self.by_label else ""}
        told = {name: text for name, text in told.items() if text}
        return {"view": self.view, "day": f"{self.day}", **told}

    def keeps(self, target: Target) -> bool:
        """Tell whether a target matches the filters for account, platform and state."""
        told = {
            "account": target.account_id,
            "platform": target.platform.value,
            "state": target.status.value,
        }
        return all(told[name] in (self.values(name) or {told[name]}) for name in _OF_TARGET)


def read_place(visit: Visit, sent: Form) -> Place:
    """Return the part of the calendar that a form or query names; by default, this week."""
    view = sent["view"] if sent["view"] in _MOST else "week"
    return Place(
        view=view,
        day=read_day(sent["day"], visit.local_now.date()),
        chosen=tuple((name, one) for name in _FILTERS for one in sent[name].split(",") if one),
        golden=sent["golden"] != "off",
        by_label=sent["colour"] == "label",
        hour_open=int(sent["hour"]) if sent["hour"] in _HOURS else None,
    )


@page("GET", "/app/calendar")
def show_calendar(visit: Visit) -> Response:
    """Show the part of the calendar that the address or a form names."""
    place = read_place(visit, visit.sent)
    dates = dates_of(place)
    is_day = place.view == "day"
    days, labels, (around, undated), groups = in_parallel(
        lambda: _fill_days(visit, place, dates),
        lambda: visit.services.posting.labels.list(visit.caller),
        lambda: (_around(visit, place), _undated_drafts(visit)) if is_day else ([], []),
        lambda: groups_of(visit),
    )
    return visit.show(
        f"calendar/{place.view}.html",
        place=place,
        days=days,
        labels=labels,
        groups=groups,
        labelled=_labels_by_post(visit, labels, days),
        rows=rows_of(days, frees=visit.may(Scope.WRITE)) if place.view == "week" else [],
        around=around,
        undated=undated,
        takes_scheduled=may_reach_scheduled(visit.caller),
        title=_title(place, dates, visit.local_now.year),
        earlier=_step(place, forward=False),
        later=_step(place, forward=True),
        today=visit.local_now.date(),
        local=visit.local_now,
        now=typed_time(visit.now, visit.zone),
        views=_VIEWS,
        states=list(TargetStatus),
        platforms=sorted(visit.platforms),
    )


@page("GET", "/app/calendar/hour")
def one_hour(visit: Visit) -> Response:
    """Answer with every entry of an hour, for a script that unfolds it."""
    place = read_place(visit, visit.query)
    days = _fill_days(visit, replace(place, view="day"), [place.day])
    labels = visit.services.posting.labels.list(visit.caller)
    return visit.show(
        "calendar/hour_part.html",
        place=place,
        stretch=days[0].stretches[place.hour_open or 0],
        labelled=_labels_by_post(visit, labels, days),
        takes_scheduled=may_reach_scheduled(visit.caller),
    )


def _labels_by_post(
    visit: Visit, labels: Sequence[Label], days: Sequence[Day]
) -> Mapping[str, Sequence[Label]]:
    """Return the labels of each post that is shown."""
    shown = list(dict.fromkeys(entry.post.id for day in days for entry in day.entries))
    return visit.services.posting.labels.of_known(labels, shown)


def _around(visit: Visit, place: Place) -> list[Day]:
    """Return the days of a day's week with only their numbers of posts."""
    return days_of(visit, days_from(monday_of(place.day), _WEEK), most=0)


def _undated_drafts(visit: Visit) -> list[Post]:
    """Return the newest drafts that have no time yet."""
    query = PostQuery(statuses=frozenset({PostStatus.DRAFT}), limit=_SHOWN)
    found = visit.find_posts(query).posts
    return [post for post in found if not any(t.scheduled_at for t in post.targets)]


def _fill_days(visit: Visit, place: Place, dates: Sequence[date]) -> list[Day]:
    """Return the days with their posts, and with golden hours and free queue times if shown."""
    most = max(_MOST[place.view], _FILTERED) if place.chosen else _MOST[place.view]
    by_hour = place.view in _BY_HOUR
    since = start_of(dates[0], visit.zone)
    until = start_of(dates[-1] + timedelta(days=1), visit.zone)
    label = next(iter(place.values("label")), None)
    days, (golden, free) = in_parallel(
        lambda: days_of(
            visit, dates, most=most, by_hour=by_hour, fits=Fits(keeps=place.keeps, label=label)
        ),
        lambda: _suggested_times(visit, since, until) if place.golden else ({}, []),
    )
    by_date = {day.date: day for day in days}
    for at in sorted(golden):
        local = at.astimezone(visit.zone)
        day = by_date[local.date()]
        day.best += [f"{FACTS[platform].name} {local:%H:%M}" for platform in golden[at]]
        day.around(local).golden += [
            golden_for(*one) for one in sorted(golden[at].items(), key=lambda one: one[1] or 0)
        ]
    for at in free if place.view != "month" else ():
        local = at.astimezone(visit.zone)
        if local.date() in by_date:
            by_date[local.date()].around(local).free.append(at)
    return days


def _suggested_times(
    visit: Visit, since: datetime, until: datetime
) -> tuple[dict[datetime, dict[Platform, float | None]], Sequence[datetime]]:
    """Return golden hours with their platforms and factors, and free queue times, in UTC."""
    caller, posting = visit.caller, visit.services.posting
    golden, (_, free) = in_parallel(
        lambda: posting.golden_hours.between(caller, visit.platforms, since, until),
        lambda: posting.queue_slots.free_until(caller, until),
    )
    return golden, free


def dates_of(place: Place) -> list[date]:
    """Return the days of a part of the calendar."""
    match place.view:
        case "month":
            first = place.day.replace(day=1)
            last = (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)
            monday = monday_of(first)
            return days_from(monday, (last - monday).days // _WEEK * _WEEK + _WEEK)
        case "week":
            return days_from(monday_of(place.day), _WEEK)
        case "list":
            return days_from(place.day, _LISTED)
        case _:
            return [place.day]


def _title(place: Place, dates: Sequence[date], this_year: int) -> str:
    """Return the title of the days that are shown; with the year for months and other years."""
    first, last = dates[0], dates[-1]
    year = f" {last.year}" if last.year != this_year else ""
    match place.view:
        case "month":
            return f"{place.day:%B %Y}"
        case "day":
            return f"{first:%A %-d %B}{year}"
        case _ if first.month == last.month:
            return f"{first.day} to {last:%-d %B}{year}"
        case _:
            return f"{first:%-d %b} to {last:%-d %b}{year}"


def _step(place: Place, *, forward: bool) -> str:
    sign = 1 if forward else -1
    if place.view == "month":
        first = place.day.replace(day=1)
        return place.at((first + timedelta(days=32 if forward else -1)).replace(day=1))
    ahead = {"week": _WEEK, "list": _LISTED, "day": 1}[place.view]
    return place.at(place.day + timedelta(days=sign * ahead))
