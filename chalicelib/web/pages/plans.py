"""Plans from a spreadsheet: reading one, correcting its lines, and making posts of them."""

from http import HTTPStatus
from typing import Final

from chalicelib.domain.posts.plans import MOST_LINES
from chalicelib.domain.posts.post import may_reach_scheduled
from chalicelib.domain.spoken.rows import OWN_CAPTION, WrongPlan
from chalicelib.domain.spoken.unclear import UnclearError
from chalicelib.domain.workspace.access import Scope
from chalicelib.kit.asgi.messages import Response
from chalicelib.kit.dynamodb.transaction import StaleWriteError
from chalicelib.kit.json_value import whole_number
from chalicelib.web.messages import Form, is_too_large, read_file, redirect
from chalicelib.web.routing import Visit, page

_PAGE: Final = "/app/plans"
_LONGEST_NUMBER = 7
_NAMES: Final = {
    "to": "Accounts",
    "caption": "Text",
    "at": "When",
    "file": "File",
    "zone": "Time zone",
    "options": "Options",
    "key": "Key",
}
_CHANGED = "Somebody else changed this line. This is how it is now."


def column_name(column: str) -> str:
    """Return a column's name for people."""
    if column.startswith(OWN_CAPTION):
        return f"Text for {column.removeprefix(OWN_CAPTION)}"
    return _NAMES.get(column, column)


@page("GET", _PAGE)
def show_plans(visit: Visit) -> Response:
    """Show the workspace's plans, and the form for a new one."""
    return visit.show(
        "plans/list.html",
        plans=visit.services.checking.plans.list(visit.caller),
        most=MOST_LINES,
    )


@page("POST", _PAGE, scope=Scope.WRITE, pays=True, reads_file=True, again=show_plans)
def add_plan(visit: Visit) -> Response:
    """Read a sheet into a new plan."""
    try:
        if is_too_large(visit.request):
            raise WrongPlan("A sheet can have at most 1 MB. Split it into several.")
        name, content = read_file(visit.request)
        plan = visit.services.checking.plans.add(visit.caller, name or "", content)
    except UnclearError as wrong:
        return visit.show_again(show_plans, str(wrong), HTTPStatus.UNPROCESSABLE_ENTITY)
    return redirect(f"{_PAGE}/{plan.id}")


@page("GET", f"{_PAGE}/{{plan_id}}")
def show_plan(visit: Visit) -> Response:
    """Show a plan's lines, or how many of its posts are made so far."""
    if not visit.query["going"]:
        return _show(visit)
    plan = visit.services.checking.plans.get(visit.caller, visit.path["plan_id"])
    return visit.show(
        "plans/going.html", plan=plan, way=visit.query["going"], after=_after(visit.query)
    )


def _show(visit: Visit) -> Response:
    plan = visit.services.checking.plans.get(visit.caller, visit.path["plan_id"])
    only_wrong = visit.sent["only"] == "wrong"
    after = _after(visit.sent)
    found = visit.services.checking.plans.page(
        visit.caller, plan, after=after, only_wrong=only_wrong
    )
    return visit.show(
        "plans/plan.html",
        plan=plan,
        found=found,
        only_wrong=only_wrong,
        after=after,
        typed=visit.form if visit.refused else None,
        name_of=column_name,
        asks=not visit.may(Scope.PUBLISH) and visit.caller.approvals,
        may_schedule=may_reach_scheduled(visit.caller),
    )


@page("POST", f"{_PAGE}/{{plan_id}}/lines/{{number}}", scope=Scope.WRITE, pays=True, again=_show)
def correct(visit: Visit) -> Response:
    """Replace the cells of a line with what was typed."""
    plans, form = visit.services.checking.plans, visit.form
    plan = plans.get(visit.caller, visit.path["plan_id"])
    typed = {column: form[f"cell.{column}"] for column in plan.columns}
    number = _number(visit.path["number"])
    try:
        plans.correct(visit.caller, plan.id, number, typed)
    except UnclearError as wrong:
        said = f"Line {number}: {wrong}"
        return visit.show_again(_show, said, HTTPStatus.UNPROCESSABLE_ENTITY)
    except StaleWriteError:
        return visit.show_again(_show, _CHANGED, HTTPStatus.CONFLICT)
    only = "&only=wrong" if form["only"] == "wrong" else ""
    return visit.lead_to(
        f"{_PAGE}/{plan.id}?after={_after(form)}{only}#line-{number}", f"Line {number} was changed."
    )


@page("POST", f"{_PAGE}/{{plan_id}}/make", scope=Scope.WRITE, pays=True, again=_show)
def make(visit: Visit) -> Response:
    """Make posts of the next lines; redirect to a page that continues until the last."""
    plans, form = visit.services.checking.plans, visit.form
    plan = plans.get(visit.caller, visit.path["plan_id"])
    schedules = form["way"] == "schedule"
    way = "schedule" if schedules else "draft"
    last = plans.make(visit.caller, plan.id, schedules=schedules, after=_after(form))
    if last is not None:
        return redirect(f"{_PAGE}/{plan.id}?going={way}&after={last}")
    return visit.lead_to(f"{_PAGE}/{plan.id}", "Done. Lines with a mistake are still below.")


@page("POST", f"{_PAGE}/{{plan_id}}/delete", scope=Scope.WRITE, pays=True)
def delete(visit: Visit) -> Response:
    """Delete a plan; the posts made from it stay."""
    visit.services.checking.plans.remove(visit.caller, visit.path["plan_id"])
    return visit.lead_to(_PAGE, "The plan was deleted. The posts made from it stay.")


def _after(sent: Form) -> int:
    return _number(sent["after"])


def _number(text: str) -> int:
    return whole_number(text, _LONGEST_NUMBER) or 0
