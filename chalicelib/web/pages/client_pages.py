"""A client's page: made by members who may publish, at `/review/client/<token>` for its client."""

from functools import partial

from chalicelib.domain.workspace.access import Scope
from chalicelib.kit.asgi.messages import Response
from chalicelib.services.app.client_pages import DAYS
from chalicelib.web.messages import redirect
from chalicelib.web.pages.review import decision_sentence, reviewed, show_review, verdict_of
from chalicelib.web.protection import check_origin, origin_of
from chalicelib.web.routing import Visit, page

_PAGE = "/review/client/{token}"
_FOUND = 302


@page("POST", "/app/review/clients", scope=Scope.PUBLISH, pays=True, again=show_review)
def make(visit: Visit) -> Response:
    """Make a link to a client's page."""
    visit.show_again = partial(show_review, visit)
    form = visit.form
    days = int(form["days"]) if form["days"] in {str(one) for one in DAYS} else 0
    token = visit.services.people.client_pages.make(
        visit.caller, form["name"].strip(), form.all("account"), days
    )
    said = f"Whoever has this link sees and decides on these posts for {days} days."
    return visit.lead_to("/app/review", said, secret=f"{visit.base_url}/review/client/{token}")


@page("GET", _PAGE, open_to_all=True)
def show(visit: Visit) -> Response:
    """Show the posts that wait and those that are to come."""
    return _show(visit)


@page("GET", f"{_PAGE}/{{post_id}}/file", open_to_all=True)
def file(visit: Visit) -> Response:
    """Lead to the file of a post."""
    url = visit.services.people.client_pages.file(visit.path["token"], visit.path["post_id"])
    return Response(status=_FOUND, headers={"Location": url})


@page("POST", f"{_PAGE}/{{post_id}}", open_to_all=True)
def decide(visit: Visit) -> Response:
    """Decide on a post; the token is what a form of ours carries."""
    check_origin(visit.request, origin=origin_of(visit.base_url))
    visit.show_again = partial(_show, visit)
    verdict, name = verdict_of(visit), visit.form["name"].strip()
    visit.services.people.client_pages.decide(
        visit.path["token"], visit.path["post_id"], name, verdict, client=visit.request.client
    )
    return _show(visit, done=decision_sentence(verdict))


@page("POST", f"{_PAGE}/{{post_id}}/comments", open_to_all=True)
def comment(visit: Visit) -> Response:
    """Say something of a post, or reply."""
    check_origin(visit.request, origin=origin_of(visit.base_url))
    visit.show_again = partial(_show, visit)
    token, post_id, form = visit.path["token"], visit.path["post_id"], visit.form
    visit.services.people.client_pages.comment(
        token, post_id, form["name"].strip(), form["comment"], reply_to=form["reply_to"]
    )
    return redirect(f"/review/client/{token}?done=comment#{post_id}")


def _show(
    visit: Visit, refused: str | None = None, status: int = 200, *, done: str | None = None
) -> Response:
    pages = visit.services.people.client_pages
    opened = pages.open(visit.path["token"])
    posts = [(one, reviewed(visit, one.post, opened.zone)) for one in pages.shown(opened)]
    said = "Your comment is there." if visit.query["done"] == "comment" else done
    return visit.show(
        "review/client.html",
        status=status,
        opened=opened,
        zone=opened.zone,
        posts=posts,
        refused=refused,
        done=said,
    )
