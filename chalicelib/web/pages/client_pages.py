"""Clients' pages: members who may publish make them, clients open `/review/client/<token>`."""

from datetime import date, timedelta
from functools import partial
from http import HTTPStatus
from urllib.parse import urlencode

from chalicelib.domain.workspace.access import Scope
from chalicelib.kit.asgi.messages import Response
from chalicelib.services.app.client_pages import DAYS, MOST_TO_COME
from chalicelib.web.forms.chosen_accounts import with_group
from chalicelib.web.forms.times import monday_of
from chalicelib.web.messages import redirect
from chalicelib.web.pages.review import (
    comment_typed,
    decision_sentence,
    picture_of,
    read_review,
    reader_of,
    remember_name,
    show_review,
    verdict_of,
)
from chalicelib.web.routing import Visit, page

_PAGE = "/review/client/{token}"


@page("POST", "/app/review/clients", scope=Scope.PUBLISH, pays=True, again=show_review)
def make(visit: Visit) -> Response:
    """Make a link to a client's page."""
    form = with_group(visit, visit.form)
    days = int(form["days"]) if form["days"] in {str(one) for one in DAYS} else 0
    token = visit.services.people.client_pages.make(
        visit.caller, form["name"].strip(), list(dict.fromkeys(form.all("account"))), days
    )
    said = f"Whoever has this link sees and decides on these posts for {days} days."
    return visit.lead_to("/app/review", said, secret=f"{visit.base_url}/review/client/{token}")


@page("GET", _PAGE, open_to_all=True)
def show(visit: Visit) -> Response:
    """Show a client the posts that await review and those that are planned."""
    return _show(visit, "Your comment was added." if visit.query["done"] == "comment" else None)


def _show(visit: Visit, done: str | None) -> Response:
    pages = visit.services.people.client_pages
    opened = pages.open(visit.path["token"])
    contents = pages.contents(opened)
    parts = contents.parts
    part = next((one for one in parts if one.name == visit.query["part"]), next(iter(parts), None))
    shown = [] if part is None else pages.list_posts(opened, part)
    return visit.show(
        "review/client.html",
        opened=opened,
        picture=picture_of(visit, opened.workspace.id),
        zone=opened.zone,
        reader=visit.form["name"] or reader_of(visit),
        parts=parts,
        most_to_come=MOST_TO_COME if contents.is_cut else None,
        part=part,
        posts=[(one, read_review(visit, one.post, opened.zone)) for one in shown],
        week_of=partial(_week_of, visit.now.astimezone(opened.zone).date()),
        done=done,
    )


@page("GET", f"{_PAGE}/{{post_id}}/file", open_to_all=True)
def file(visit: Visit) -> Response:
    """Redirect to the file of a post."""
    url = visit.services.people.client_pages.file(visit.path["token"], visit.path["post_id"])
    return redirect(url, status=HTTPStatus.FOUND)


@page("POST", f"{_PAGE}/{{post_id}}", open_to_all=True, again=show)
def decide(visit: Visit) -> Response:
    """Accept a decision on a post; the link's token stands in for the form token."""
    verdict, name = verdict_of(visit), visit.form["name"].strip()
    visit.services.people.client_pages.decide(
        visit.path["token"], visit.path["post_id"], name, verdict, client=visit.request.client
    )
    return remember_name(visit, _show(visit, decision_sentence(verdict)))


@page("POST", f"{_PAGE}/{{post_id}}/comments", open_to_all=True, again=show)
def comment(visit: Visit) -> Response:
    """Add a comment or a reply to a post."""
    token, post_id, form = visit.path["token"], visit.path["post_id"], visit.form
    visit.services.people.client_pages.comment(
        token, post_id, form["name"].strip(), comment_typed(visit), reply_to=form["reply_to"]
    )
    part = {"part": visit.query["part"]} if "part" in visit.query else {}
    where = urlencode({"done": "comment", **part})
    return remember_name(visit, redirect(f"/review/client/{token}?{where}#{post_id}"))


def _week_of(today: date, monday: date) -> str:
    """Return the name of a week that begins on `monday`, such as "Next week"."""
    if monday == monday_of(today):
        return "This week"
    if monday == monday_of(today) + timedelta(days=7):
        return "Next week"
    year = f" {monday.year}" if monday.year != today.year else ""
    return f"Week of {monday:%-d %b}{year}"
