"""One post: what it says where, what can be done with it, how it goes, and what happened to it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from chalicelib.domain.error_kinds import ServiceError
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import MediaKind
from chalicelib.domain.platforms.texts.captions import count
from chalicelib.domain.posts.history import Attempt, Event
from chalicelib.domain.posts.post import Approval, Post
from chalicelib.domain.posts.target import Target, TargetStatus
from chalicelib.domain.workspace.access import Scope
from chalicelib.domain.workspace.accounts import Account
from chalicelib.services.in_parallel import in_parallel
from chalicelib.services.workspace.choices import subreddit_of
from chalicelib.web.forms.option_fields import Offered, OptionField, option_fields
from chalicelib.web.forms.post_forms import is_nothing, read_changes
from chalicelib.web.forms.previews import previews_of
from chalicelib.web.messages import Answer, Form, redirect
from chalicelib.web.routing import Visit, page

FILES = "/app/media/"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A target as the page shows it."""

    target: Target
    length: int
    limit: int
    options: Sequence[OptionField]


@page("GET", "/app/posts/{post_id}")
def show_post(visit: Visit) -> Answer:
    """Show a post with its history."""
    return _post_page(visit, saved="saved" in visit.query)


@page("GET", "/app/posts/{post_id}/check")
def check(visit: Visit) -> Answer:
    """Answer what will or may keep the post from going out, for a script or as a page."""
    post_id, services = visit.path["post_id"], visit.services.api
    post, checked = in_parallel(
        lambda: services.posts_reader.get(visit.caller, post_id),
        lambda: services.checks.check(visit.caller, post_id),
    )
    template = "posts/check_part.html" if visit.wants_part else "posts/check.html"
    return visit.show(template, post=post, checked=checked)


@page("POST", "/app/posts/{post_id}", scope=Scope.WRITE, pays=True)
def edit_post(visit: Visit) -> Answer:
    """Keep what was typed, all or nothing; show the page again with what is wrong."""
    post_id = visit.path["post_id"]
    visit.show_again = partial(show_refused, visit)
    post = visit.services.api.posts_reader.get(visit.caller, post_id)
    changes = read_changes(visit.form, post, visit.zone)
    if not is_nothing(changes):
        visit.services.api.drafts.edit(visit.writer, post_id, changes)
    return redirect(f"/app/posts/{post_id}?saved")


@page("POST", "/app/posts/{post_id}/looks", scope=Scope.WRITE)
def looks(visit: Visit) -> Answer:
    """Answer how the post will look with what is typed so far; a script asks while one types."""
    post = visit.services.api.posts_reader.get(visit.caller, visit.path["post_id"])
    previews = previews_of(post, visit.form)
    return visit.show("posts/looks.html", previews=previews, files=FILES)


@page("GET", "/app/posts/{post_id}/progress")
def progress(visit: Visit) -> Answer:
    """Answer how the targets are right now; a script asks again while something is under way.

    The buttons come with it once the post differs from what the page shows, and not before: what
    is being typed there stays.
    """
    post = visit.services.api.posts_reader.get(visit.caller, visit.path["post_id"])
    return visit.show(
        "posts/progress_part.html",
        post=post,
        moving=is_moving(post),
        is_part=True,
        is_changed=post.revision != visit.query["seen"],
        actions=_actions(visit, post),
        removable=_removable(visit, post),
    )


def is_moving(post: Post) -> bool:
    """Tell whether a target's state is about to change by itself."""
    return any(target.status is TargetStatus.PUBLISHING for target in post.targets) or any(
        target.status is TargetStatus.SCHEDULED and target.error_code is None
        for target in post.targets
    )


def show_refused(visit: Visit, refused: str, status: int) -> Answer:
    """Show the post with why what was asked was not done, and with what was typed."""
    return _post_page(visit, refused=refused, status=status)


def _post_page(
    visit: Visit, *, refused: str | None = None, saved: bool = False, status: int = 200
) -> Answer:
    post_id = visit.path["post_id"]
    reader = visit.services.api.posts_reader
    post, history = in_parallel(
        lambda: reader.get(visit.caller, post_id), lambda: reader.history(visit.caller, post_id)
    )
    accounts = {account.id: account for account in visit.who.accounts}
    taken = {target.account_id for target in post.targets}
    return visit.show(
        "posts/post.html",
        status=status,
        post=post,
        shown=[_shown(visit, post, target, accounts) for target in post.targets],
        addable=[account for account in visit.who.accounts if account.id not in taken],
        story=_story(post, history.events, history.attempts),
        moving=is_moving(post),
        refused=refused,
        saved=saved,
        is_part=False,
        removable=_removable(visit, post),
        typed=visit.form if refused is not None and _is_edit(visit.form) else None,
        previews=previews_of(post),
        files=FILES,
        actions=_actions(visit, post),
        is_image=post.attachment is not None and post.attachment.kind is MediaKind.IMAGE,
    )


def _is_edit(form: Form) -> bool:
    """Tell whether a form is the post's own, and not one of its buttons."""
    return any(name == "caption" or name.startswith("t.") for name in form.names())


def _shown(visit: Visit, post: Post, target: Target, accounts: Mapping[str, Account]) -> Shown:
    account = accounts.get(target.account_id)
    return Shown(
        target=target,
        length=count(target.platform, target.caption(post.caption)),
        limit=FACTS[target.platform].limits.caption,
        options=option_fields(target.platform, target.options, _offered(visit, target, account)),
    )


def _offered(visit: Visit, target: Target, account: Account | None) -> Offered:
    """Return what the account can choose, as far as its platform says so."""
    if account is None or not target.is_editable or not visit.may(Scope.WRITE):
        return {}
    subreddit = subreddit_of(target)
    try:
        found = visit.services.api.choices.read(account, subreddit=subreddit)
    except ServiceError:
        return {}
    return {name: [(c.id, c.name) for c in choices] for name, choices in found.offered.items()}


def _actions(visit: Visit, post: Post) -> set[str]:
    """Return what the state of the post and the member's role leave to do; services decide."""
    targets = post.targets
    may = set()
    if visit.may(Scope.WRITE):
        may |= {"duplicate", "delete"}
        if any(target.is_editable for target in targets):
            may.add("edit")
    if visit.may(Scope.PUBLISH) and post.approval is not Approval.REJECTED:
        if any(target.is_unscheduled for target in targets):
            may |= {"schedule", "queue"}
        if any(target.is_sendable for target in targets):
            may.add("publish-now")
        if any(target.status is TargetStatus.FAILED for target in targets):
            may.add("retry")
    if visit.may(Scope.PUBLISH) and any(target.is_cancellable for target in targets):
        may.add("cancel")
    if visit.may(Scope.DELETE_PUBLISHED):
        may.add("unpublish")
    return may


def _removable(visit: Visit, post: Post) -> list[Target]:
    """Return the targets whose live post can be deleted on its platform."""
    return [
        target
        for target in post.targets
        if target.status is TargetStatus.PUBLISHED
        and target.account_id in visit.caller.accounts
        and FACTS[target.platform].limits.can_delete
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of a post's story: an event, or an attempt at a target."""

    event: Event | None = None
    attempt: Attempt | None = None
    target: Target | None = None


def _story(post: Post, events: Sequence[Event], attempts: Sequence[Attempt]) -> list[Line]:
    lines = [Line(event=e, target=_named(post, e)) for e in events]
    lines += [Line(attempt=a, target=post.target(a.target_id)) for a in attempts]
    return sorted(lines, key=_at, reverse=True)


def _named(post: Post, event: Event) -> Target | None:
    return post.target(str(event.detail.get("target_id", "")))


def _at(line: Line) -> tuple[str, str]:
    one = line.event or line.attempt
    return ("", "") if one is None else (one.at.isoformat(), one.id)
