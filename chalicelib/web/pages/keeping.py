"""A draft that keeps itself while somebody writes, so that another device can go on.

A script asks for it after a pause. Nothing goes out by it, and nothing that others look at changes
under their eyes: only a draft that waits for nobody is kept so. Where saving means asking for a
review, a text that is half written stays in the browser.
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


def keeps_itself(visit: Visit, post: Post | None) -> bool:
    """Tell whether a form keeps itself: a draft that saving does not bring before others."""
    if visit.caller.approvals and not visit.may(Scope.PUBLISH):
        return False
    waits = post is not None and post.approval in (Approval.PENDING, Approval.REJECTED)
    return not waits and (post is None or post.status is PostStatus.DRAFT)


@page("POST", "/app/compose/kept", scope=Scope.WRITE, pays=True)
def keep(visit: Visit) -> Response:
    """Keep what is written as a draft; answer which, and as of which revision.

    Raises Stale if it is no draft any more, or was changed since it was read.
    """
    post_id = visit.form["post"]
    post = visit.services.stores.posts.get(visit.caller.workspace_id, post_id) if post_id else None
    if not keeps_itself(visit, post):
        raise Stale
    labels = read_chosen(visit)
    kept = _begin(visit) if post is None else go_on(visit, post, Verb.SAVE)
    give_chosen(visit, kept.id, labels)
    return json_answer({"post": kept.id, "revision": kept.revision})


@page("GET", "/app/compose/taken", scope=Scope.WRITE)
def find_taken(visit: Visit) -> Response:
    """Answer which post a form that was sent has made; empty if it never arrived."""
    post = visit.services.posting.drafts.find_made(visit.caller, visit.query["once"][:80])
    return json_answer({"post": "" if post is None else post.id})


def _begin(visit: Visit) -> Post:
    written = read_composition(visit.form, visit.who.accounts, visit.zone)
    post, making = visit.services.posting.drafts.create(
        visit.caller,
        as_new_post(written, visit.zone),
        idempotency_key=visit.form["once"][:80] or None,
    )
    if not keeps_itself(visit, post):  # it was sent meanwhile
        raise Stale
    count_chosen(visit, written, making)
    return post if making is Making.NEW else go_on(visit, post, Verb.SAVE)


def go_on(visit: Visit, post: Post, verb: Verb) -> Post:
    """Make of a draft what the form holds now, and do what its button says, both or neither."""
    written = read_composition(visit.form, visit.who.accounts, visit.zone, post)
    then = partial(visit.services.posting.scheduling.ways, visit.writer, verb, besides=post.id)
    changes = as_changes(written, post, visit.zone)
    return visit.services.posting.drafts.rewrite(visit.writer, post.id, changes, then)
