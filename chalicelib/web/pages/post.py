"""The page of one post: its state, the composer, its metrics and its history."""

from collections.abc import Sequence
from datetime import timedelta
from http import HTTPStatus
from itertools import zip_longest

from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.posts.comments import comments_of
from chalicelib.domain.posts.history import Action, Attempt, Event, History
from chalicelib.domain.posts.post import Approval, Post, PostStatus, may_reach_scheduled
from chalicelib.domain.posts.query import PostQuery
from chalicelib.domain.posts.target import Target, TargetStatus
from chalicelib.domain.workspace.access import Scope
from chalicelib.kit.asgi.messages import Response
from chalicelib.kit.dataclass import dataclass
from chalicelib.services.in_parallel import in_parallel
from chalicelib.web.forms.chosen_accounts import with_group
from chalicelib.web.forms.chosen_labels import give_chosen, label_values, read_chosen
from chalicelib.web.forms.composition import Composition, of_post, read_composition
from chalicelib.web.forms.conflicts import conflicts_of
from chalicelib.web.forms.previews import previews_of
from chalicelib.web.messages import redirect
from chalicelib.web.pages.composer import (
    FILES,
    LOOK,
    as_sent_of,
    composer_values,
    lead_on,
    with_storage,
)
from chalicelib.web.pages.keeping import rewrite_from_form
from chalicelib.web.pages.review import review_values
from chalicelib.web.pages.sending import read_verb
from chalicelib.web.routing import Visit, page

_ABOUT_TO_MOVE = timedelta(seconds=30)
_UNCHANGED = Response(status=HTTPStatus.NO_CONTENT)


@page("GET", "/app/posts/{post_id}")
def show_post(visit: Visit) -> Response:
    """Show a post with its history, and with what was typed."""
    post_id, services = visit.path["post_id"], visit.services
    post, history, metrics, series = in_parallel(
        lambda: visit.read_post(post_id),
        lambda: services.stores.posts.history(post_id),
        lambda: services.people.analytics.metrics(visit.caller, post_id),
        lambda: services.posting.series.of_post(visit.caller, post_id),
    )
    may_edit = visit.may(Scope.WRITE) and any(_takes_words(visit, one) for one in post.targets)
    written = _composition_of(visit, post)
    composer = composer_values(visit, written, post) if may_edit else label_values(visit, post)
    conflicts = (
        conflicts_of(post, written)
        if visit.status == HTTPStatus.PRECONDITION_FAILED and may_edit
        else []
    )
    review = review_values(visit, post)
    reminded = [target for target in post.targets if target.waits_to_be_posted]
    is_draft = post.status is PostStatus.DRAFT and not reminded
    is_composer = may_edit and is_draft and review is None
    shown = visit.show_with(
        _template(is_composer=is_composer, may_edit=may_edit),
        {
            "post": post,
            "previews": previews_of(post, as_sent_of(visit, post)),
            "files": FILES,
            **composer,
            "story": _story(post, history),
            "moving": is_moving(visit, post),
            "conflicts": conflicts,
            "may_edit": may_edit,
            "held": _is_held(visit, post),
            "metrics": metrics if post.is_live_anywhere else None,
            "counts": {one.target_id: one.counts for one in metrics.targets},
            "late": _lateness(post, history),
            "actions": _actions(visit, post),
            "removable": _removable(visit, post),
            "review": review,
            "reminded": reminded,
            "series": series,
            "comments": comments_of(history.events),
        },
    )
    return with_storage(visit, shown)


@page("GET", "/app/posts/{post_id}/progress")
def progress(visit: Visit) -> Response:
    """Answer with the targets' current states; 204 while the page's are current and may change."""
    post = visit.read_post(visit.path["post_id"])
    if post.revision == visit.query["seen"] and is_moving(visit, post):
        return _UNCHANGED
    return visit.show("posts/progress_part.html", post=post, moving=is_moving(visit, post))


@page("GET", "/app/posts/{post_id}/beside")
def beside(visit: Visit) -> Response:
    """Redirect to the next newer or older post of the same state, or to the list at the end."""
    post = visit.read_post(visit.path["post_id"])
    statuses = frozenset({post.status})
    if visit.query["way"] == "newer":
        newer = visit.services.stores.post_lists.newer
        found = newer(visit.caller.workspace_id, statuses, post.id)
    else:
        older = PostQuery(statuses=statuses, limit=1, cursor=post.id)
        found = next((one.id for one in visit.find_posts(older).posts), None)
    return redirect(f"/app/posts/{found}" if found else f"/app/posts?status={post.status}")


@page("POST", "/app/posts/{post_id}", scope=Scope.WRITE, pays=True, again=show_post)
def edit_post(visit: Visit) -> Response:
    """Save what was typed and do what the button says, both or neither."""
    post_id = visit.path["post_id"]
    if LOOK in visit.query:
        return show_post(visit)
    verb, labels = read_verb(visit), read_chosen(visit)
    post = visit.read_post(post_id)
    kept = rewrite_from_form(visit, post, verb)
    give_chosen(visit, post_id, labels)
    return lead_on(visit, kept, verb, accepted=post_id)


def is_moving(visit: Visit, post: Post) -> bool:
    """Tell whether a target's state is about to change: from 30 seconds before its time."""
    soon = visit.now + _ABOUT_TO_MOVE
    return post.may_go_out and any(
        target.status is TargetStatus.PUBLISHING
        or (
            target.status is TargetStatus.SCHEDULED
            and target.due_at is not None
            and target.due_at <= soon
        )
        for target in post.targets
    )


def _template(*, is_composer: bool, may_edit: bool) -> str:
    """Return the page's template: the composer alone, the post with a composer, or without."""
    if is_composer:
        return "composer/new.html"
    return "posts/post.html" if may_edit else "posts/read.html"


def _takes_words(visit: Visit, target: Target) -> bool:
    """Tell whether this member may edit a target."""
    is_scheduled = target.status is TargetStatus.SCHEDULED
    return target.is_editable and (not is_scheduled or may_reach_scheduled(visit.caller))


def _is_held(visit: Visit, post: Post) -> bool:
    """Tell whether something is scheduled that this member may not change."""
    is_scheduled = any(target.status is TargetStatus.SCHEDULED for target in post.targets)
    return visit.may(Scope.WRITE) and is_scheduled and not may_reach_scheduled(visit.caller)


def _composition_of(visit: Visit, post: Post) -> Composition:
    """Return what the form contains: what was typed, or the post with the query's file."""
    typed = any(name == "caption" or name.startswith("a.") for name in visit.form.names())
    if visit.request.method == "POST" and typed:
        return read_composition(with_group(visit, visit.form), visit.who.accounts, visit.zone, post)
    written = of_post(post, visit.zone)
    return written.with_file(visit.query["media"]) if "media" in visit.query else written


def _actions(visit: Visit, post: Post) -> set[str]:
    """Return the actions to offer, by the post's state and the member's role."""
    may = {"duplicate", "delete"} if visit.may(Scope.WRITE) else set()
    if visit.may(Scope.PUBLISH):
        if any(target.is_cancellable for target in post.targets):
            may.add("cancel")
        if any(target.status is TargetStatus.FAILED for target in post.targets):
            may |= {"dismiss"} if post.approval is not Approval.REJECTED else set()
    if visit.may(Scope.DELETE_PUBLISHED):
        may.add("unpublish")
    return may


def _removable(visit: Visit, post: Post) -> list[Target]:
    """Return the targets whose live post can be deleted on its platform."""
    return [
        target
        for target in post.targets
        if target.status is TargetStatus.PUBLISHED
        and target.remote_id is not None
        and target.account_id in visit.caller.accounts
        and FACTS[target.platform].limits.can_delete
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of a post's history: an event, or an attempt at a target."""

    event: Event | None = None
    attempt: Attempt | None = None
    target: Target | None = None


def _story(post: Post, history: History) -> Sequence[Line]:
    lines = [Line(event=e, target=_target_of(post, e)) for e in history.events]
    lines += [Line(attempt=a, target=post.target(a.target_id)) for a in history.attempts]
    told = sorted(lines, key=_at)
    return [line for line, after in zip_longest(told, told[1:]) if not _goes_on(line, after)]


def _goes_on(line: Line, after: Line | None) -> bool:
    """Tell whether the same member edits again next, as autosave does: one line stands for both."""
    one, other = line.event, None if after is None else after.event
    if one is None or other is None:
        return False
    return {one.action, other.action} == {Action.EDITED} and one.by == other.by


def _lateness(post: Post, history: History) -> dict[str, int]:
    """Return how many milliseconds late each live target went out, by its id, where known."""
    late = {
        one.target_id: round(1000 * one.lateness_s)
        for one in history.attempts
        if one.ok and one.lateness_s is not None
    }
    return {
        target.id: max(late[target.id], 0)
        for target in post.targets
        if target.published_at and target.id in late
    }


def _target_of(post: Post, event: Event) -> Target | None:
    return post.target(str(event.detail.get("target_id", "")))


def _at(line: Line) -> tuple[str, str]:
    one = line.event or line.attempt
    return ("", "") if one is None else (one.at.isoformat(), one.id)
