"""Posts that repeat: the list of the workspace's series, starting one from a post, ending one."""

from chalicelib.domain.error_kinds import InvalidInput
from chalicelib.domain.posts.post import Post
from chalicelib.domain.times.recurrence import Every, Rule
from chalicelib.domain.times.series import MOST_INTERVAL, MOST_TIMES, Series, State
from chalicelib.domain.workspace.access import Scope
from chalicelib.kit.asgi.messages import Response
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import whole_number
from chalicelib.web.forms.times import read_last_day
from chalicelib.web.pages.post import show_post
from chalicelib.web.routing import Visit, page

_PAGE = "/app/series"
_ALL_DAYS = set("0123456")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A series with the post that it repeats; None if that was deleted."""

    series: Series
    post: Post | None


@page("GET", _PAGE)
def list_series(visit: Visit) -> Response:
    """Show the running series, and those that ended in the last 30 days."""
    found = visit.services.posting.series.list(visit.caller)
    posts = visit.services.stores.posts.several({one.post_id for one in found}) if found else {}
    there = {post.id: post for post in posts.values() if post.deleted_at is None}
    return visit.show(
        "posts/all_series.html",
        shown=[Shown(series=one, post=there.get(one.post_id)) for one in found],
        next_times={one.id: one.next_times(visit.zone, visit.now) for one in found},
    )


@page("POST", "/app/posts/{post_id}/repeat", scope=Scope.PUBLISH, pays=True, again=show_post)
def repeat(visit: Visit) -> Response:
    """Start a series from a post; a form that is sent twice starts one."""
    post_id, series = visit.path["post_id"], visit.services.posting.series
    rule, times = _rule(visit), _number(visit, "times", MOST_TIMES)
    begun, _ = series.begin(visit.caller, post_id, rule, times=times, key=visit.once or None)
    if begun.state is State.STOPPED:
        return visit.lead_to(f"/app/posts/{post_id}", f"The series stopped: {begun.reason}")
    said = "It repeats now. The posts of the next 35 days are on the calendar."
    return visit.lead_to(f"/app/posts/{post_id}", said)


@page("POST", f"{_PAGE}/{{series_id}}/end", scope=Scope.PUBLISH, pays=True)
def end(visit: Visit) -> Response:
    """End a series; its coming posts that nobody edited are deleted."""
    visit.services.posting.series.end(visit.caller, visit.path["series_id"])
    said = "The series was ended. Coming posts that somebody edited stay."
    return visit.lead_to(_PAGE, said)


def _rule(visit: Visit) -> Rule:
    try:
        every = Every(visit.form["every"])
    except ValueError as error:
        raise InvalidInput("Choose day, week or month.", loc=("body", "every")) from error
    days = {int(day) for day in visit.form.all("weekday") if day in _ALL_DAYS}
    return Rule(
        every=every,
        interval=_number(visit, "interval", MOST_INTERVAL) or 1,
        weekdays=tuple(sorted(days)) if every is Every.WEEK else (),
        until=read_last_day(visit.form["until"], "until", "the last day"),
    )


def _number(visit: Visit, name: str, most: int) -> int | None:
    typed = visit.form[name].strip()
    if not typed:
        return None
    number = whole_number(typed, len(f"{most}"))
    if not number or number > most:
        raise InvalidInput(f"Type a number from 1 to {most}.", loc=("body", name))
    return number
