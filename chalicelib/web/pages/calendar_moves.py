"""Changes on the calendar: moving one entry by dragging, moving or cancelling several by a form.

An entry is a post's targets of one instant: moving or cancelling it leaves the post's other targets
as they are. Deleting deletes whole posts. A move can be undone: the undo names the targets that it
took, since others may have had the new time before.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from http import HTTPStatus
from typing import Final

from chalicelib.domain.error_kinds import Forbidden, InvalidInput, ServiceError
from chalicelib.domain.posts.editing import PostChanges, TargetChange
from chalicelib.domain.posts.post import Approval, Post
from chalicelib.domain.posts.target import Target
from chalicelib.domain.times.local_time import first_instant
from chalicelib.domain.workspace.access import Scope
from chalicelib.kit.asgi.messages import Response
from chalicelib.kit.dataclass import dataclass
from chalicelib.web.forms.times import near, read_day, read_time, typed_time
from chalicelib.web.pages.calendar import dates_of, read_place, show_calendar
from chalicelib.web.pages.post import show_post
from chalicelib.web.pages.sending import AWAITS_REVIEW
from chalicelib.web.routing import Visit, page
from chalicelib.web.sentences import sentence

MOST_CHOSEN: Final = 50
_ID_END = 8
"""So many signs at the end of a target's id are chance, and tell it from the post's others."""
_MOST_DAYS = 366
_DONE_WORDS = {
    "move": "moved",
    "shift": "moved",
    "back": "moved back",
    "cancel": "cancelled",
    "delete": "deleted",
}
_NOTHING_MOVES = "No part of this post can be moved any more."
_CHOOSE_TIME = "Choose a date and time first."


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """An entry that a form names; `back` is the time to which an undo moves it.

    `only` names its targets where others of the post may have its time, too; "" names them all.
    """

    post_id: str
    at: datetime
    back: datetime | None
    only: str

    def spell_move(self, at: datetime, only: str) -> str:
        """Return the entry as a form names it after a move to `at`, with its time before."""
        return f"{self.post_id}|{at.isoformat()}|{self.at.isoformat()}|{only}"


def _show_where(visit: Visit) -> Response:
    """Show the page that the form was on: the calendar, or the post."""
    return show_calendar(visit) if visit.form["view"] else show_post(visit)


@page("POST", "/app/posts/{post_id}/move", scope=Scope.WRITE, pays=True, again=_show_where)
def move(visit: Visit) -> Response:
    """Move the targets of one instant to another time, or to the same time of another day."""
    post_id = visit.path["post_id"]
    post = visit.read_post(post_id)
    before = read_time(visit.form["from"], visit.zone)
    moving = _moving_targets(post, before, visit.form["only"])
    at = _wanted_time(visit, before)
    kept = visit.services.posting.drafts.edit(visit.writer, post_id, _changes(moving, at))
    undo = {
        "from": at.isoformat(),
        "at": typed_time(before, visit.zone),
        "only": _spell_only(post, moving),
        "revision": kept.revision,
        **read_place(visit, visit.form).fields(),
    }
    return visit.lead_to(
        _place_with(visit, at),
        f"Moved to {near(at, visit.zone, visit.now)}.{_waits(kept, is_new=before is None)}",
        undo=("" if before is None else f"/app/posts/{post_id}/move", undo),
        accepted=post_id,
    )


def _waits(kept: Post, *, is_new: bool) -> str:
    """Return a sentence about what still keeps a post from going out; empty if nothing does."""
    if kept.approval is Approval.PENDING:
        return f" {AWAITS_REVIEW}"
    return " It is a draft until you schedule it." if is_new else ""


def _wanted_time(visit: Visit, before: datetime | None) -> datetime:
    at = read_time(visit.form["at"], visit.zone)
    if at is None and visit.form["to_day"] and before is not None:
        at = _same_clock(visit, before, read_day(visit.form["to_day"], date.min))
    if at is None:
        raise InvalidInput(_CHOOSE_TIME, loc=("body", "at"))
    return at


@page("POST", "/app/calendar/chosen", scope=Scope.WRITE, pays=True, again=show_calendar)
def change_chosen(visit: Visit) -> Response:
    """Move or cancel entries, or delete their posts, each on its own. Raises InvalidInput."""
    do = visit.form["do"] if visit.form["do"] in _DONE_WORDS else "move"
    visit.require(Scope.PUBLISH if do == "cancel" else Scope.WRITE)
    chosen = list(_chosen_entries(visit))
    if not chosen:
        raise InvalidInput("Choose some entries first.", loc=("body", "entry"))
    if len(chosen) > MOST_CHOSEN:
        message = f"Choose at most {MOST_CHOSEN} entries at a time; you chose {len(chosen)}."
        raise InvalidInput(message, loc=("body", "entry"))
    if do == "delete":
        chosen = list({one.post_id: one for one in chosen}.values())
    times = _new_times(visit, do, chosen)
    # An entry must not join another of its post that is still to be moved: that would take both.
    chosen.sort(key=lambda one: one.at, reverse=any(at > one.at for one, at in times.items()))
    failed: list[ServiceError] = []
    moved: list[str] = []
    for one in chosen:
        try:
            moved += _change_one(visit, do, one, times)
        except ServiceError as error:
            failed.append(error)
    said = f"{len(chosen) - len(failed)} of {len(chosen)} {_DONE_WORDS[do]}."
    why = dict.fromkeys(sentence(error, visit.now, visit.zone) for error in failed)
    said = " ".join([said, *why])
    if len(failed) == len(chosen):
        is_forbidden = all(isinstance(error, Forbidden) for error in failed)
        status = HTTPStatus.FORBIDDEN if is_forbidden else HTTPStatus.CONFLICT
        return visit.show_again(show_calendar, said, status)
    place = _place_with(visit, min(times.values(), default=None))
    if do == "back" or not moved:
        return visit.lead_to(place, said)
    fields = {"do": "back", "entry": " ".join(moved), **read_place(visit, visit.form).fields()}
    return visit.lead_to(place, said, undo=("/app/calendar/chosen", fields))


def _chosen_entries(visit: Visit) -> Iterator[Chosen]:
    for entry in " ".join(visit.form.all("entry")).split():
        post_id, at, back, only, *_ = [*entry.split("|"), "", "", ""]
        instant, before = (read_time(time, visit.zone) for time in (at, back))
        if instant is not None:
            yield Chosen(post_id=post_id, at=instant, back=before, only=only)


def _new_times(visit: Visit, do: str, chosen: Sequence[Chosen]) -> dict[Chosen, datetime]:
    """Return the new time of each entry; empty if nothing is to move. Raises InvalidInput."""
    match do:
        case "move":
            at = read_time(visit.form["at"], visit.zone)
            if at is None:
                raise InvalidInput(_CHOOSE_TIME, loc=("body", "at"))
            return dict.fromkeys(chosen, at)
        case "shift":
            ahead = timedelta(days=_days_ahead(visit.form["days"]))
            days = {one: one.at.astimezone(visit.zone).date() + ahead for one in chosen}
            return {one: _same_clock(visit, one.at, day) for one, day in days.items()}
        case "back":
            return {one: one.back for one in chosen if one.back is not None}
        case _:
            return {}


def _change_one(visit: Visit, do: str, one: Chosen, times: dict[Chosen, datetime]) -> list[str]:
    """Change an entry; if it moved, return its new name for a form. Raises ServiceError."""
    posting = visit.services.posting
    match do:
        case "cancel":
            posting.scheduling.cancel(visit.caller, one.post_id, at=one.at)
        case "delete":
            posting.drafts.delete(visit.caller, one.post_id)
        case _ if one in times:
            post = visit.read_post(one.post_id)
            moving, at = _moving_targets(post, one.at, one.only), times[one]
            posting.drafts.edit(visit.caller, one.post_id, _changes(moving, at))
            return [one.spell_move(at, _spell_only(post, moving))]
    return []


def _spell_only(post: Post, moving: Sequence[Target]) -> str:
    """Return the ends of the targets' ids; nothing for all targets, which none can join."""
    is_whole = len(moving) == len(post.targets)
    return "" if is_whole else ",".join(target.id[-_ID_END:] for target in moving)


def _moving_targets(post: Post, before: datetime | None, only: str) -> list[Target]:
    """Return the editable targets of an instant, or of any if None. Raises InvalidInput.

    Where `only` says something, it names those that are meant.
    """
    meant = [one for one in post.targets if not only or one.id[-_ID_END:] in only.split(",")]
    editable = [target for target in meant if target.is_editable]
    named = [target for target in editable if target.scheduled_at is not None]
    moving = [target for target in named if before in (None, target.scheduled_at)]
    if before is None and not named:
        moving = editable
    if not moving:
        raise InvalidInput(_NOTHING_MOVES, loc=("body", "at"))
    return moving


def _changes(moving: Sequence[Target], at: datetime) -> PostChanges:
    return PostChanges(targets=tuple(TargetChange(id=t.id, scheduled_at=at) for t in moving))


def _same_clock(visit: Visit, before: datetime, day: date) -> datetime:
    clock: time = before.astimezone(visit.zone).time()
    return first_instant(datetime.combine(day, clock), visit.zone).astimezone(UTC)


def _days_ahead(typed: str) -> int:
    try:
        days = int(typed)
    except ValueError as error:
        message = "Type a number of days, such as 7 or -1."
        raise InvalidInput(message, loc=("body", "days")) from error
    if abs(days) > _MOST_DAYS:
        raise InvalidInput("Move by a year at most.", loc=("body", "days"))
    return days


def _place_with(visit: Visit, at: datetime | None) -> str:
    """Return the address of the shown part of the calendar, or of the part that contains `at`."""
    place = read_place(visit, visit.form)
    if at is None:
        return place.at()
    day = at.astimezone(visit.zone).date()
    return place.at() if day in dates_of(place) else place.at(day)
