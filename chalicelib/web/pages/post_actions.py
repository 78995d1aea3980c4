"""What is done with a post as it stands, beside writing it: stop, try again, copy, delete.

What is refused is said on the post's own page, with what was typed there.
"""

from contextlib import suppress

from chalicelib.domain.errors import AccountRemoved
from chalicelib.domain.workspace.access import Scope
from chalicelib.kit.asgi.messages import Response
from chalicelib.web.forms.brought_back import FIELD, pack, unpack
from chalicelib.web.pages.post import show_refused
from chalicelib.web.routing import Visit, page

_OK = 200


@page("POST", "/app/posts/{post_id}/cancel", scope=Scope.PUBLISH, again=show_refused)
def cancel(visit: Visit) -> Response:
    """Stop what has not gone out; what was typed beside the button stays in its fields, unsaved."""
    visit.services.posting.scheduling.cancel(visit.caller, visit.path["post_id"])
    if "caption" in visit.form:
        said = "Nothing goes out any more. What you typed is still here and is not saved yet."
        return show_refused(visit, said, _OK)
    return _show_post(visit, "Nothing goes out any more. The post keeps its times.")


@page("POST", "/app/posts/{post_id}/retry", scope=Scope.PUBLISH, pays=True, again=show_refused)
def retry(visit: Visit) -> Response:
    """Send what failed again, as it is."""
    visit.services.posting.scheduling.retry(visit.caller, visit.path["post_id"])
    return _show_post(visit, "It is going out again.")


@page("POST", "/app/posts/{post_id}/dismiss", scope=Scope.PUBLISH, again=show_refused)
def dismiss(visit: Visit) -> Response:
    """Put a failure away: it stays failed in the post's history and asks for nobody any more."""
    visit.services.posting.scheduling.dismiss(visit.caller, visit.path["post_id"])
    return visit.lead_to("/app", "Put away. You find it among the posts.")


@page("POST", "/app/posts/{post_id}/duplicate", scope=Scope.WRITE, pays=True)
def duplicate(visit: Visit) -> Response:
    """Make a draft of it and show that."""
    copy, _ = visit.services.posting.drafts.duplicate(visit.caller, visit.path["post_id"])
    return visit.lead_to(f"/app/posts/{copy.id}", "This is the copy, a draft.")


@page("POST", "/app/posts/{post_id}/delete", scope=Scope.WRITE)
def delete(visit: Visit) -> Response:
    """Delete it from the service; what is live stays on its platforms.

    What is live nowhere can be brought back by the notice that says so.
    """
    post_id, undo = visit.path["post_id"], ""
    post = visit.services.stores.posts.get(visit.caller.workspace_id, post_id)
    if not post.is_live_anywhere:
        with suppress(AccountRemoved):  # nowhere to bring it back to
            undo = pack(post, visit.caller)
    visit.services.posting.drafts.delete(visit.caller, post_id)
    form = ("/app/posts/brought-back", {FIELD: undo}) if undo else ("", {})
    return visit.lead_to("/app/posts", "The post was deleted.", accepted=post_id, undo=form)


@page("POST", "/app/posts/brought-back", scope=Scope.WRITE, pays=True)
def bring_back(visit: Visit) -> Response:
    """Make a draft of what was deleted, with its times; nothing of it goes out by itself."""
    draft = unpack(visit.form[FIELD], visit.now)
    post, _ = visit.services.posting.drafts.create(visit.caller, draft)
    return visit.lead_to(f"/app/posts/{post.id}", "The post is back, as a draft.")


@page(
    "POST",
    "/app/posts/{post_id}/targets/{target_id}/unpublish",
    scope=Scope.DELETE_PUBLISHED,
    again=show_refused,
)
def unpublish(visit: Visit) -> Response:
    """Delete one live post on its platform."""
    post_id, target_id = visit.path["post_id"], visit.path["target_id"]
    visit.services.checking.live_posts.unpublish(visit.caller, post_id, target_id)
    return _show_post(visit, "The live post was deleted on its platform.")


@page(
    "POST", "/app/posts/{post_id}/targets/{target_id}/posted", scope=Scope.WRITE, again=show_refused
)
def note_posted(visit: Visit) -> Response:
    """Note that a member posted by hand what they were reminded of."""
    post_id, target_id = visit.path["post_id"], visit.path["target_id"]
    visit.services.posting.scheduling.post_by_hand(
        visit.caller, post_id, target_id, url=visit.form["url"]
    )
    return _show_post(visit, "It counts as posted now.")


def _show_post(visit: Visit, said: str) -> Response:
    return visit.lead_to(f"/app/posts/{visit.path['post_id']}", said)
