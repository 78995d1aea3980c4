"""Autosave: a draft is saved while somebody writes, so that they can continue on another device.

A script sends the form after a pause in typing. It never publishes, and it saves only drafts that
await no review: nobody sees a post change while they review it. Where saving means asking for a
review, an unfinished text stays in the browser.
"""

from functools import partial

from chalicelib.domain.errors import Stale
from chalicelib.domain.posts.post import Approval, Post, PostStatus
from chalicelib.domain.posts.verbs import Verb
from chalicelib.domain.repeating import Making
from chalicelib.domain.workspace.access import Scope
from chalicelib.kit.asgi.messages import Response
from chalicelib.web.forms.chosen_accounts import count_chosen
from chalicelib.web.forms.chosen_labels import give_chosen, read_chosen
from chalicelib.web.forms.composition import as_changes, as_new_post, read_composition
from chalicelib.web.messages import json_answer
from chalicelib.web.routing import Visit, page


def is_autosaved(visit: Visit, post: Post | None) -> bool:
    """Tell whether a form is saved automatically: saving it asks nobody for a review."""
    if visit.caller.approvals and not visit.may(Scope.PUBLISH):
        return False
    waits = post is not None and post.approval in (Approval.PENDING, Approval.REJECTED)
    return not waits and (post is None or post.status is PostStatus.DRAFT)


def draft_of(visit: Visit) -> Post | None:
    """Return the post that a form names, None for a new one. Raises PostNotFound."""
    return visit.read_post(visit.form["post"]) if visit.form["post"] else None


@page("POST", "/app/compose/kept", scope=Scope.WRITE, pays=True)
def keep(visit: Visit) -> Response:
    """Save the form as a draft; answer with the draft's id and revision.

    Raises Stale if it is no longer a draft, or was changed since the form was opened.
    """
    post = draft_of(visit)
    if not is_autosaved(visit, post):
        raise Stale
    labels = read_chosen(visit)
    kept = _begin(visit) if post is None else rewrite_from_form(visit, post, Verb.SAVE)
    give_chosen(visit, kept.id, labels)
    return json_answer({"post": kept.id, "revision": kept.revision})


@page("GET", "/app/compose/taken", scope=Scope.WRITE)
def find_taken(visit: Visit) -> Response:
    """Answer with the id of the post that a sent form made; empty if the form never arrived."""
    post = visit.services.posting.drafts.find_made(visit.caller, visit.once)
    return json_answer({"post": "" if post is None else post.id})


def _begin(visit: Visit) -> Post:
    written = read_composition(visit.form, visit.who.accounts, visit.zone)
    post, making = visit.services.posting.drafts.create(
        visit.caller,
        as_new_post(written, visit.zone),
        idempotency_key=visit.once or None,
    )
    if not is_autosaved(visit, post):  # it was sent meanwhile
        raise Stale
    count_chosen(visit, written, making)
    return post if making is Making.NEW else rewrite_from_form(visit, post, Verb.SAVE)


def rewrite_from_form(visit: Visit, post: Post, verb: Verb) -> Post:
    """Change a post to what its form contains and do what its button says, both or neither."""
    written = read_composition(visit.form, visit.who.accounts, visit.zone, post)
    then = partial(visit.services.posting.scheduling.ways, visit.writer, verb, besides=post.id)
    changes = as_changes(written, post, visit.zone)
    return visit.services.posting.drafts.rewrite(visit.writer, post.id, changes, then)
