"""The calendar: a week or a day by the hour, a month or a list, in the workspace's zone.

Posts come first; best times and free queue times are quiet and can be switched off. What is shown
can be narrowed by account, platform and state. `calendar_moves` moves what is on it.
"""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from urllib.parse import urlencode

from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.post import may_reach_scheduled
from chalicelib.domain.posts.target import Target, TargetStatus
from chalicelib.kit.asgi.messages import Response
from chalicelib.kit.dataclass import dataclass
from chalicelib.services.in_parallel import in_parallel
from chalicelib.web.forms.agenda import Day, days_of
from chalicelib.web.forms.times import days_from, read_day, start_of, typed_time
from chalicelib.web.messages import Form
from chalicelib.web.routing import Visit, page

_WEEK = 7
_LISTED = 14
_MOST = {"week": 3, "month": 4, "list": 25, "day": 500}
"""So many posts are shown of an hour in a week and a day, of a day in a month and a list."""
_BY_HOUR = ("week", "day")
_FILTERED = 200
_FILTERS = ("account", "platform", "state")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Which part of the calendar is shown, and by which filters."""

    view: str
    day: date
    chosen: tuple[tuple[str, str], ...]
    golden: bool

    def at(self, day: date | None = None, view: str | None = None, *, turn: bool = False) -> str:
        """Return the address of this or another part; `turn` switches best times on or off."""
        shown = dict(self.fields(), view=view or self.view, day=f"{day or self.day}")
        if turn:
            shown["golden"] = "off" if self.golden else ""
        return f"/app/calendar?{urlencode({name: text for name, text in shown.items() if text})}"

    def fields(self) -> dict[str, str]:
        """Return what a form or an address must carry to come back here."""
        quiet = {} if self.golden else {"golden": "off"}
        return {"view": self.view, "day": f"{self.day}", **dict(self.chosen), **quiet}

    def keeps(self, target: Target) -> bool:
        """Tell whether a target fits the filters."""
        told = {
            "account": target.account_id,
            "platform": target.platform.value,
            "state": target.status.value,
        }
        return all(told[name] == value for name, value in self.chosen)


def read_place(visit: Visit, sent: Form) -> Place:
    """Return where a form or an address is on the calendar."""
    view = sent["view"] if sent["view"] in _MOST else "week"
    today = visit.now.astimezone(visit.zone).date()
    return Place(
        view=view,
        day=read_day(sent["day"], today),
        chosen=tuple((name, sent[name]) for name in _FILTERS if sent[name]),
        golden=sent["golden"] != "off",
    )


@page("GET", "/app/calendar")
def calendar(visit: Visit) -> Response:
    """Show a part of the calendar."""
    return show_calendar(visit)


def show_calendar(visit: Visit, refused: str | None = None, status: int = 200) -> Response:
    """Show the part of the calendar that the address or a form names."""
    sent = visit.query if visit.request.method == "GET" else visit.form
    place = read_place(visit, sent)
    dates = dates_of(place)
    return visit.show(
        "workspace/calendar.html",
        status=status,
        refused=refused,
        place=place,
        days=_fill_days(visit, place, dates),
        takes_scheduled=may_reach_scheduled(visit.caller),
        title=_title(place, dates),
        earlier=_step(place, forward=False),
        later=_step(place, forward=True),
        today=visit.now.astimezone(visit.zone).date(),
        now=typed_time(visit.now, visit.zone),
        by_hour=place.view in _BY_HOUR,
        views=list(_MOST),
        states=list(TargetStatus),
        platforms=sorted({account.platform for account in visit.who.accounts}),
        filters=dict(place.chosen),
    )


def _fill_days(visit: Visit, place: Place, dates: Sequence[date]) -> list[Day]:
    """Return the days with posts, and with the quiet marks that are asked for."""
    most = max(_MOST[place.view], _FILTERED) if place.chosen else _MOST[place.view]
    by_hour = place.view in _BY_HOUR
    since = start_of(dates[0], visit.zone)
    until = start_of(dates[-1] + timedelta(days=1), visit.zone)
    days, (golden, free) = in_parallel(
        lambda: days_of(visit, dates, most=most, by_hour=by_hour, keeps=place.keeps),
        lambda: _quiet_marks(visit, since, until) if place.golden else ({}, []),
    )
    by_date = {day.date: day for day in days}
    for at in sorted(golden):
        local = at.astimezone(visit.zone)
        names = [FACTS[platform].name for platform in golden[at]]
        day = by_date[local.date()]
        day.best += [f"{name} {local:%H:%M}" for name in names]
        day.around(local).golden += names
    for at in free if place.view != "month" else ():
        local = at.astimezone(visit.zone)
        if local.date() in by_date:
            by_date[local.date()].around(local).free.append(at)
    return days


def _quiet_marks(
    visit: Visit, since: datetime, until: datetime
) -> tuple[dict[datetime, list[Platform]], Sequence[datetime]]:
    """Return best times with their platforms, and free queue times."""
    platforms = list({account.platform: None for account in visit.who.accounts})
    golden, (_, free) = in_parallel(
        lambda: visit.services.golden_hours.between(visit.caller, platforms, since, until),
        lambda: visit.services.queue_slots.free_until(visit.caller, until),
    )
    return golden, free


def dates_of(place: Place) -> list[date]:
    """Return the days of a part of the calendar."""
    match place.view:
        case "month":
            first = place.day.replace(day=1)
            last = (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)
            monday = first - timedelta(days=first.weekday())
            return days_from(monday, (last - monday).days // _WEEK * _WEEK + _WEEK)
        case "week":
            return days_from(place.day, _WEEK)
        case "list":
            return days_from(place.day, _LISTED)
        case _:
            return [place.day]


def _title(place: Place, dates: Sequence[date]) -> str:
    first, last = dates[0], dates[-1]
    match place.view:
        case "month":
            return f"{place.day:%B %Y}"
        case "day":
            return f"{first:%A, %-d %B %Y}"
        case _ if first.month == last.month:
            return f"{first.day} to {last:%-d %B %Y}"
        case _:
            return f"{first:%-d %b} to {last:%-d %b %Y}"


def _step(place: Place, *, forward: bool) -> str:
    sign = 1 if forward else -1
    if place.view == "month":
        first = place.day.replace(day=1)
        return place.at((first + timedelta(days=32 if forward else -1)).replace(day=1))
    ahead = {"week": _WEEK, "list": _LISTED, "day": 1}[place.view]
    return place.at(place.day + timedelta(days=sign * ahead))
