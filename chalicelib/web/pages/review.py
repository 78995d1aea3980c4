"""Posts that wait: in the app for members, at `/review/<token>` for anybody who has it."""

from chalicelib.domain.workspace.access import Scope
from chalicelib.services.in_parallel import in_parallel
from chalicelib.web.forms.previews import previews_of
from chalicelib.web.messages import Answer, redirect
from chalicelib.web.protection import check_origin, origin_of
from chalicelib.web.routing import Visit, page

_FOUND = 302


@page("GET", "/app/review")
def list_pending(visit: Visit) -> Answer:
    """Show what waits, and the links that are open."""
    return _review(visit)


@page("POST", "/app/review/{post_id}", scope=Scope.PUBLISH, pays=True)
def decide(visit: Visit) -> Answer:
    """Approve or reject."""
    visit.services.reviews.decide(
        visit.caller, visit.path["post_id"], approve=_approves(visit), note=visit.form["note"]
    )
    return redirect("/app/review")


@page("POST", "/app/review/{post_id}/link", scope=Scope.PUBLISH, pays=True)
def share(visit: Visit) -> Answer:
    """Show a link that lets anybody review one post."""
    token = visit.services.reviews.make_link(visit.caller, visit.path["post_id"])
    return _review(visit, link=f"{visit.base_url}/review/{token}")


@page("POST", "/app/links/{link_hash}/revoke", scope=Scope.PUBLISH)
def revoke(visit: Visit) -> Answer:
    """End a link."""
    visit.services.reviews.revoke(visit.caller, visit.path["link_hash"])
    return redirect("/app/review")


@page("GET", "/review/{token}", open_to_all=True)
def shared(visit: Visit) -> Answer:
    """Show a pending post as it will look."""
    found = visit.services.reviews.shared(visit.path["token"])
    return visit.show(
        "review/shared.html",
        shared=found,
        previews=previews_of(found.post),
        file=f"/review/{visit.path['token']}/file",
        decided=None,
    )


@page("GET", "/review/{token}/file", open_to_all=True)
def shared_file(visit: Visit) -> Answer:
    """Lead to the file of the post."""
    url = visit.services.reviews.shared_file(visit.path["token"])
    return Answer(status=_FOUND, headers={"Location": url})


@page("POST", "/review/{token}", open_to_all=True)
def decide_by_link(visit: Visit) -> Answer:
    """Take the link's one decision; the token in the address is what a form of ours carries."""
    check_origin(visit.request, origin=origin_of(visit.base_url))
    approve = _approves(visit)
    visit.services.reviews.decide_by_link(
        visit.path["token"],
        approve=approve,
        name=visit.form["name"].strip(),
        note=visit.form["note"],
    )
    return visit.show("review/shared.html", shared=None, previews=(), decided=approve)


def _approves(visit: Visit) -> bool:
    return visit.form["decision"] == "approve"


def _review(visit: Visit, *, link: str | None = None) -> Answer:
    reviews = visit.services.reviews
    pending, links = in_parallel(
        lambda: reviews.pending(visit.caller), lambda: reviews.open_links(visit.caller)
    )
    return visit.show("review/list.html", pending=pending, links=links, link=link)
