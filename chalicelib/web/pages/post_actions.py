"""Actions on a post other than editing it: cancel, retry, duplicate, delete, unpublish.

A refused action is explained on the post's own page, which keeps what was typed there.
"""

from contextlib import suppress
from http import HTTPStatus

from chalicelib.domain.error_kinds import InvalidInput
from chalicelib.domain.errors import AccountRemoved
from chalicelib.domain.posts.editing import PostChanges
from chalicelib.domain.workspace.access import Scope
from chalicelib.kit.asgi.messages import Response
from chalicelib.web.forms.brought_back import FIELD, pack, unpack
from chalicelib.web.forms.composition import as_changes, read_composition
from chalicelib.web.pages.post import show_post
from chalicelib.web.routing import Visit, page


@page("POST", "/app/posts/{post_id}/cancel", scope=Scope.PUBLISH, again=show_post)
def cancel(visit: Visit) -> Response:
    """Cancel what has not gone out; what was typed in the form stays there, unsaved."""
    visit.services.posting.scheduling.cancel(visit.caller, visit.path["post_id"])
    is_form = "caption" in visit.form
    if is_form and _is_changed(visit):
        said = "It will not go out. What you typed is still here and is not saved yet."
        return visit.show_again(show_post, said, HTTPStatus.OK)
    accepted = visit.path["post_id"] if is_form else ""
    return _show_post(visit, "It will not go out. The post keeps its times.", accepted)


def _is_changed(visit: Visit) -> bool:
    """Tell whether something was typed that the post does not have."""
    post = visit.read_post(visit.path["post_id"])
    written = read_composition(visit.form, visit.who.accounts, visit.zone, post)
    try:
        return as_changes(written, post, visit.zone) != PostChanges()
    except InvalidInput:  # a time that cannot be
        return True


@page("POST", "/app/posts/{post_id}/retry", scope=Scope.PUBLISH, pays=True, again=show_post)
def retry(visit: Visit) -> Response:
    """Retry what failed, without changes."""
    visit.services.posting.scheduling.retry(visit.caller, visit.path["post_id"])
    return _show_post(visit, "It is going out again.")


@page("POST", "/app/posts/{post_id}/dismiss", scope=Scope.PUBLISH, again=show_post)
def dismiss(visit: Visit) -> Response:
    """Dismiss a failure: it is no longer listed as waiting, and stays in the post's history."""
    visit.services.posting.scheduling.dismiss(visit.caller, visit.path["post_id"])
    return visit.lead_to("/app", "Dismissed. The post is still in the list of posts.")


@page("POST", "/app/posts/{post_id}/duplicate", scope=Scope.WRITE, pays=True)
def duplicate(visit: Visit) -> Response:
    """Copy a post into a new draft and show that."""
    copy, _ = visit.services.posting.drafts.duplicate(visit.caller, visit.path["post_id"])
    return visit.lead_to(f"/app/posts/{copy.id}", "This is the copy, a draft.")


@page("POST", "/app/posts/{post_id}/delete", scope=Scope.WRITE)
def delete(visit: Visit) -> Response:
    """Delete a post here; what is live stays. If nothing is live, the notice can undo it."""
    post_id, undo = visit.path["post_id"], ""
    post = visit.read_post(post_id)
    if not post.is_live_anywhere:
        with suppress(AccountRemoved):  # it cannot be made again without an account
            undo = pack(post, visit.caller)
    visit.services.posting.drafts.delete(visit.caller, post_id)
    form = ("/app/posts/brought-back", {FIELD: undo}) if undo else ("", {})
    return visit.lead_to("/app/posts", "The post was deleted.", accepted=post_id, undo=form)


@page("POST", "/app/posts/brought-back", scope=Scope.WRITE, pays=True)
def bring_back(visit: Visit) -> Response:
    """Make a deleted post again as a draft with its times; it does not go out by itself."""
    draft = unpack(visit.form[FIELD], visit.now)
    post, _ = visit.services.posting.drafts.create(visit.caller, draft)
    return visit.lead_to(f"/app/posts/{post.id}", "The post is back, as a draft.")


@page(
    "POST",
    "/app/posts/{post_id}/targets/{target_id}/unpublish",
    scope=Scope.DELETE_PUBLISHED,
    again=show_post,
)
def unpublish(visit: Visit) -> Response:
    """Delete one live post on its platform."""
    post_id, target_id = visit.path["post_id"], visit.path["target_id"]
    visit.services.checking.live_posts.unpublish(visit.caller, post_id, target_id)
    return _show_post(visit, "The live post was deleted on its platform.")


@page("POST", "/app/posts/{post_id}/targets/{target_id}/posted", scope=Scope.WRITE, again=show_post)
def note_posted(visit: Visit) -> Response:
    """Mark a target as posted by hand, after a reminder."""
    post_id, target_id = visit.path["post_id"], visit.path["target_id"]
    visit.services.posting.scheduling.post_by_hand(
        visit.caller, post_id, target_id, url=visit.form["url"]
    )
    return _show_post(visit, "It counts as posted now.")


def _show_post(visit: Visit, said: str, accepted: str = "") -> Response:
    return visit.lead_to(f"/app/posts/{visit.path['post_id']}", said, accepted=accepted)
