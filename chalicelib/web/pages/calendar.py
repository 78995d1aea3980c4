"""The calendar: a month, a week, a list or a day in the workspace's zone, and moving what is on it.

Posts come first; golden hours and free queue times are quiet and can be switched off. An entry is
the targets of one instant: whatever moves it moves those alone, and can be undone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import partial
from urllib.parse import urlencode

from chalicelib.api.http.messages import Response
from chalicelib.domain.error_kinds import InvalidInput, ServiceError
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.posts.drafting import PostChanges, TargetChange
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.target import Target, TargetStatus
from chalicelib.domain.times.local_time import first_instant
from chalicelib.domain.workspace.access import Scope
from chalicelib.services.in_parallel import in_parallel
from chalicelib.web.forms.agenda import Day, days_of
from chalicelib.web.forms.sheet import near
from chalicelib.web.forms.times import days_from, read_day, read_time, start_of, typed_time
from chalicelib.web.messages import Form
from chalicelib.web.notices import Notice
from chalicelib.web.pages.post import show_refused
from chalicelib.web.routing import Visit, page

_WEEK = 7
_LISTED = 14
_MOST = {"month": 4, "week": 15, "list": 25, "day": 500}
_MOST_CHOSEN = 50
_FILTERED = 200
_FILTERS = ("account", "platform", "state")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Which part of the calendar is shown, and by which filters."""

    view: str
    day: date
    chosen: tuple[tuple[str, str], ...]
    golden: bool

    def at(self, day: date | None = None, view: str | None = None) -> str:
        """Return the address of this or another part."""
        quiet = () if self.golden else (("golden", "off"),)
        parts = (("view", view or self.view), ("day", f"{day or self.day}"), *self.chosen, *quiet)
        return f"/app/calendar?{urlencode(parts)}"

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
    return _calendar(visit)


def _calendar(visit: Visit, refused: str | None = None, status: int = 200) -> Response:
    sent = visit.query if visit.request.method == "GET" else visit.form
    place = read_place(visit, sent)
    dates = _dates(place)
    days = _fill_days(visit, place, dates)
    return visit.show(
        "workspace/calendar.html",
        status=status,
        refused=refused,
        place=place,
        days=days,
        title=_title(place, dates),
        earlier=_step(place, forward=False),
        later=_step(place, forward=True),
        today=visit.now.astimezone(visit.zone).date(),
        is_grid=place.view in ("week", "month"),
        views=list(_MOST),
        states=list(TargetStatus),
        platforms=sorted({account.platform for account in visit.who.accounts}),
        filters=dict(place.chosen),
    )


def _fill_days(visit: Visit, place: Place, dates: Sequence[date]) -> list[Day]:
    """Return the days with posts, and with the quiet marks that are asked for."""
    most = max(_MOST[place.view], _FILTERED) if place.chosen else _MOST[place.view]
    since = start_of(dates[0], visit.zone)
    until = start_of(dates[-1] + timedelta(days=1), visit.zone)
    platforms = list({account.platform: None for account in visit.who.accounts})
    days, (golden, (_, free)) = in_parallel(
        lambda: days_of(visit, dates, most=most, keeps=place.keeps),
        lambda: in_parallel(
            lambda: (
                visit.services.golden_hours.between(visit.caller, platforms, since, until)
                if place.golden
                else {}
            ),
            lambda: visit.services.queue_slots.free_until(visit.caller, until),
        ),
    )
    by_date = {day.date: day for day in days}
    for at in sorted(golden):
        named = [FACTS[platform].mark for platform in golden[at]]
        by_date[at.astimezone(visit.zone).date()].golden.append((at, named))
    for at in free if place.golden and place.view != "month" else ():
        found = by_date.get(at.astimezone(visit.zone).date())
        if found is not None:
            found.free.append(at)
    return days


@page("POST", "/app/posts/{post_id}/move", scope=Scope.WRITE, pays=True)
def move(visit: Visit) -> Response:
    """Move the targets of one instant to another time, or to the same time of another day."""
    post_id = visit.path["post_id"]
    visit.show_again = partial(show_refused, visit)
    post = visit.services.posts.get(visit.caller.workspace_id, post_id)
    moved, before = _new_times(visit, post), read_time(visit.form["from"], visit.zone)
    changes = PostChanges(targets=tuple(TargetChange(id=t.id, scheduled_at=at) for t, at in moved))
    if not moved:
        raise InvalidInput("Nothing of this post can move any more.", loc=("body", "at"))
    kept = visit.services.drafts.edit(visit.writer, post_id, changes)
    at = moved[0][1]
    place = read_place(visit, visit.form)
    undo = {
        "from": at.isoformat(),
        "at": typed_time(before, visit.zone),
        "revision": kept.revision,
        **_fields_of(place),
    }
    notice = Notice(
        said=f"Moved to {near(at, visit.zone, visit.now)}.",
        undo="" if before is None else f"/app/posts/{post_id}/move",
        undo_fields=undo,
        accepted=post_id,
    )
    return visit.lead_to(place.at(at.astimezone(visit.zone).date()), notice)


def _new_times(visit: Visit, post: Post) -> list[tuple[Target, datetime]]:
    """Return the targets of the instant that was named (all, if none was), with their new time."""
    before = read_time(visit.form["from"], visit.zone)
    named = [t for t in post.targets if t.is_editable and t.scheduled_at is not None]
    chosen = [t for t in named if before in (None, t.scheduled_at)]
    at = read_time(visit.form["at"], visit.zone)
    if at is None and visit.form["to_day"] and before is not None:
        at = _same_clock(visit, before, read_day(visit.form["to_day"], date.min))
    if at is None:
        raise InvalidInput("Choose a date and time first.", loc=("body", "at"))
    return [(target, at) for target in chosen]


def _same_clock(visit: Visit, before: datetime, day: date) -> datetime:
    clock: time = before.astimezone(visit.zone).time()
    return first_instant(datetime.combine(day, clock), visit.zone)


@page("POST", "/app/calendar/chosen", scope=Scope.WRITE, pays=True)
def change_chosen(visit: Visit) -> Response:
    """Move, cancel or delete several entries, each on its own; say how many could not."""
    place, chosen = read_place(visit, visit.form), visit.form.all("entry")[:_MOST_CHOSEN]
    visit.show_again = partial(_calendar, visit)
    if not chosen:
        raise InvalidInput("Choose some entries first.", loc=("body", "entry"))
    visit.require(Scope.WRITE if visit.form["do"] != "cancel" else Scope.PUBLISH)
    failed = [problem for entry in chosen if (problem := _change_one(visit, entry)) is not None]
    told = {"move": "moved", "cancel": "cancelled", "delete": "deleted"}[_do(visit)]
    said = f"{len(chosen) - len(failed)} of {len(chosen)} {told}."
    return visit.lead_to(place.at(), Notice(said=" ".join([said, *dict.fromkeys(failed)])))


def _change_one(visit: Visit, entry: str) -> str | None:
    post_id, _, instant = entry.partition("|")
    services = visit.services
    try:
        match _do(visit):
            case "cancel":
                services.scheduling.cancel(visit.caller, post_id)
            case "delete":
                services.drafts.delete(visit.caller, post_id)
            case _:
                _shift(visit, services.posts.get(visit.caller.workspace_id, post_id), instant)
    except ServiceError as error:
        return error.message
    return None


def _shift(visit: Visit, post: Post, instant: str) -> None:
    """Move an entry by whole days, at the same time of the clock."""
    before = read_time(instant, visit.zone)
    if before is None:
        return
    day = before.astimezone(visit.zone).date() + timedelta(days=_days_ahead(visit.form["days"]))
    at = _same_clock(visit, before, day)
    named = [t for t in post.targets if t.is_editable and t.scheduled_at == before]
    changes = PostChanges(targets=tuple(TargetChange(id=t.id, scheduled_at=at) for t in named))
    visit.services.drafts.edit(visit.caller, post.id, changes)


def _days_ahead(typed: str) -> int:
    try:
        days = int(typed)
    except ValueError as error:
        raise InvalidInput(
            "Type a number of days, such as 7 or -1.", loc=("body", "days")
        ) from error
    if abs(days) > 366:  # noqa: PLR2004 - a year
        raise InvalidInput("Move by a year at most.", loc=("body", "days"))
    return days


def _do(visit: Visit) -> str:
    return visit.form["do"] if visit.form["do"] in {"cancel", "delete"} else "move"


def _fields_of(place: Place) -> dict[str, str]:
    return {"view": place.view, "day": f"{place.day}", **dict(place.chosen)}


def _dates(place: Place) -> list[date]:
    match place.view:
        case "month":
            first = place.day.replace(day=1)
            last = (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)
            monday = first - timedelta(days=first.weekday())
            return days_from(monday, (last - monday).days // _WEEK * _WEEK + _WEEK)
        case "week":
            return days_from(place.day - timedelta(days=place.day.weekday()), _WEEK)
        case "list":
            return days_from(place.day, _LISTED)
        case _:
            return [place.day]


def _title(place: Place, dates: Sequence[date]) -> str:
    match place.view:
        case "month":
            return f"{place.day:%B %Y}"
        case "week":
            return f"Week of {dates[0]:%-d %B %Y}"
        case "list":
            return f"From {place.day:%-d %B %Y}"
        case _:
            return f"{place.day:%A, %-d %B %Y}"


def _step(place: Place, *, forward: bool) -> str:
    sign = 1 if forward else -1
    if place.view == "month":
        first = place.day.replace(day=1)
        return place.at((first + timedelta(days=32 if forward else -1)).replace(day=1))
    ahead = {"week": _WEEK, "list": _LISTED, "day": 1}[place.view]
    return place.at(place.day + timedelta(days=sign * ahead))
