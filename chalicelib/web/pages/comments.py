"""Comments on a post: adding and resolving them on its page."""

from chalicelib.domain.workspace.access import Scope
from chalicelib.kit.asgi.messages import Response
from chalicelib.web.pages.post import show_post
from chalicelib.web.routing import Visit, page


@page("POST", "/app/posts/{post_id}/comments", scope=Scope.WRITE, pays=True, again=show_post)
def comment(visit: Visit) -> Response:
    """Add a comment or a reply."""
    post_id = visit.path["post_id"]
    visit.services.posting.comments.add(
        visit.caller,
        post_id,
        visit.form["comment"],
        reply_to=visit.form["reply_to"],
        is_shared=bool(visit.form["shared"]),
    )
    return visit.lead_to(f"/app/posts/{post_id}#comments", "Your comment was added.")


@page(
    "POST",
    "/app/posts/{post_id}/comments/{comment_id}/resolve",
    scope=Scope.WRITE,
    pays=True,
    again=show_post,
)
def resolve(visit: Visit) -> Response:
    """Resolve a comment."""
    post_id, comment_id = visit.path["post_id"], visit.path["comment_id"]
    visit.services.posting.comments.resolve(visit.caller, post_id, comment_id)
    return visit.lead_to(f"/app/posts/{post_id}#comments", "The comment was resolved.")
