"""Queue times, the first page of settings: a week of hours to tick, saved together.

The form contains ticks that are not saved yet, so that a member can look at an account's golden
hours, or tick them all, before saving. Saving changes only what this member ticked or unticked:
what somebody else changed meanwhile stays.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta
from typing import Final

from chalicelib.domain.error_kinds import InvalidInput
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.times.queue_slots import Moment, Rearranged
from chalicelib.domain.workspace.access import Scope
from chalicelib.kit.asgi.messages import Response
from chalicelib.services.app.team import MANAGERS
from chalicelib.services.in_parallel import in_parallel
from chalicelib.web.forms.queue_grid import (
    WeekHour,
    grid_of,
    moment_from,
    moments_of,
    week_hour,
    words_of,
)
from chalicelib.web.routing import Visit, page

WEEKDAYS: Final = (
    *("Monday", "Tuesday", "Wednesday", "Thursday", "Friday"),
    *("Saturday", "Sunday"),
)
PARTS: Final = {
    "queue": ("Queue times", "clock"),
    "members": ("Members", "users"),
    "notices": ("Notices", "bell"),
    "you": ("You and your keys", "user"),
    "workspace": ("Workspace", "webhook"),
}
"""The pages of settings, each with its title and icon."""
_PAGE: Final = "/app/settings"
_LONGEST_LABEL: Final = 100


def show_part(visit: Visit, part: str, values: Mapping[str, object]) -> Response:
    """Show one page of settings, with links to all."""
    frame = {"part": part, "parts": PARTS, "manages": visit.caller.role in MANAGERS}
    return visit.show_with("settings/frame.html", {**frame, **values})


def show_queue(
    visit: Visit,
    account_id: str,
    *,
    ticked: Collection[Moment] | None = None,
    takes_golden: bool = False,
) -> Response:
    """Show the week as saved or as `ticked`; `takes_golden` ticks the golden hours as well."""
    account = visit.find_account(account_id)
    slots, golden = in_parallel(
        lambda: visit.services.posting.queue_slots.list(visit.caller),
        lambda: _golden(visit, visit.platforms if account is None else [account.platform]),
    )
    was = moments_of(slots.slots)
    shown = was if ticked is None else set(ticked)
    if takes_golden:
        shown |= {(day, f"{hour:02}:00") for day, hour in golden}
    values = {
        "rows": grid_of(slots.slots, shown, golden),
        "was": words_of(was),
        "is_changed": shown != was,
        "next_free": slots.next_free,
        "weekdays": WEEKDAYS,
        "account": account,
        "typed": visit.form,
    }
    return show_part(visit, "queue", values)


def _again(visit: Visit) -> Response:
    """Show the week as it was ticked."""
    ticked = {one for one in _moments(visit, "at") if one is not None}
    return show_queue(visit, visit.form["account"], ticked=ticked)


@page("POST", f"{_PAGE}/queue", scope=Scope.PUBLISH, pays=True, again=_again)
def save_queue(visit: Visit) -> Response:
    """Save the week as ticked; or show it unsaved, with other golden hours or with them ticked."""
    ticked, was = _moments_in_form(visit, "at"), _moments_in_form(visit, "was")
    if "look" in visit.form:
        return show_queue(visit, visit.form["look"], ticked=ticked)
    if "golden" in visit.form:
        return show_queue(visit, visit.form["account"], ticked=ticked, takes_golden=True)
    change = visit.services.posting.queue_slots.rearrange(
        visit.caller,
        added=(ticked - was) | _moments_typed(visit),
        removed=was - ticked,
        label=visit.form["label"].strip()[:_LONGEST_LABEL],
    )
    account = visit.form["account"]
    place = f"{_PAGE}?account={account}" if visit.find_account(account) else _PAGE
    said = "The queue times were saved. Scheduled posts keep their times."
    return visit.lead_to(place, said, undo=_undo(change, account))


def _golden(visit: Visit, platforms: Sequence[Platform]) -> Mapping[WeekHour, list[str]]:
    """Return the golden hours of the next seven days, with the names of their platforms."""
    found = visit.services.posting.golden_hours.between(
        visit.caller, platforms, visit.now, visit.now + timedelta(days=7)
    )
    named: dict[WeekHour, list[str]] = {}
    for at, whose in found.items():
        names = named.setdefault(week_hour(at, visit.zone), [])
        names += [FACTS[platform].name for platform in whose]
    return named


def _moments(visit: Visit, name: str) -> list[Moment | None]:
    """Return the moments in a field, such as `0 09:00,4 17:30`; None for an unreadable one."""
    texts = [text for one in visit.form.all(name) for text in one.split(",") if text]
    return [moment_from(text) for text in texts]


def _moments_in_form(visit: Visit, name: str) -> set[Moment]:
    """Return the moments in a field. Raises InvalidInput for an unreadable one."""
    found = set(_moments(visit, name))
    if None in found:
        raise _no_moment()
    return {one for one in found if one is not None}


def _moments_typed(visit: Visit) -> set[Moment]:
    """Return the typed time on each chosen weekday, if any. Raises InvalidInput."""
    time, days = visit.form["time"].strip(), visit.form.all("weekday")
    found = {moment_from(f"{day} {time}") for day in days}
    if None in found or bool(time) != bool(days):
        raise _no_moment()
    return {one for one in found if one is not None}


def _no_moment() -> InvalidInput:
    return InvalidInput("Choose weekdays and type a time such as 19:00.", loc=("body", "time"))


def _undo(change: Rearranged, account: str) -> tuple[str, Mapping[str, str]]:
    """Return the form that undoes a change; an empty one if a label would be lost."""
    gone, new = moments_of(change.gone), moments_of(change.new)
    if any(slot.label for slot in (*change.gone, *change.new)) or gone == new:
        return "", {}
    fields = {"at": words_of(gone - new), "was": words_of(new - gone), "account": account}
    return f"{_PAGE}/queue", fields
