"""The composer: the page of a new post, and the form over an existing one.

There is one form. Each button that sends it carries everything typed, and what it names happens
together with that or not at all. While somebody types, a script asks for the panels of the chosen
accounts, for how each will look, and for what is missing.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from urllib.parse import urlencode

from chalicelib.domain.error_kinds import ServiceError
from chalicelib.domain.errors import MediaNotFound
from chalicelib.domain.ids import is_id
from chalicelib.domain.media.media import Media
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.posts.post import Approval, Post, PostStatus
from chalicelib.domain.posts.target import TargetStatus
from chalicelib.domain.posts.verbs import Verb
from chalicelib.domain.workspace.access import Scope
from chalicelib.kit.asgi.messages import Response
from chalicelib.services.in_parallel import in_parallel
from chalicelib.web.forms.composition import (
    Composition,
    Part,
    as_new_post,
    as_post,
    typed_in,
)
from chalicelib.web.forms.previews import previews_of
from chalicelib.web.forms.sheet import (
    Sending,
    Wrong,
    near,
    offered_to,
    panels_of,
    typed_label,
    wrongs_of,
)
from chalicelib.web.protection import security_headers
from chalicelib.web.routing import Visit, page

FILES = "/app/media/"
LOOK = "look"
"""In the address of a form that wants to be shown again with more fields, and nothing else."""
AWAITS_REVIEW = "It awaits review, and nothing goes out before it is approved."
_FILES_SHOWN = 24
_MOST_NAMED = 3


def _new(visit: Visit, refused: str | None, status: int) -> Response:
    written = _read_typed(visit)
    values = {**composer_values(visit, written, None), "refused": refused}
    shown = visit.show_with("composer/new.html", values, status=status)
    return with_storage(visit, shown)


@page("GET", "/app/posts/new", scope=Scope.WRITE)
def new_post(visit: Visit) -> Response:
    """Show the composer, with a file that was just uploaded, a time or accounts picked."""
    return _new(visit, None, 200)


@page("POST", "/app/posts/new", scope=Scope.WRITE, pays=True, again=_new)
def create_post(visit: Visit) -> Response:
    """Make a post and do with it what the button says; else show again what was typed."""
    visit.show_again = partial(_new, visit)
    if LOOK in visit.query:
        return _new(visit, None, 200)
    written, verb = _read_typed(visit), read_verb(visit)
    post, _ = visit.services.drafts.create(
        visit.caller,
        as_new_post(written, visit.zone),
        idempotency_key=visit.form["once"][:80] or None,
        then=partial(visit.services.scheduling.ways, visit.caller, verb),
    )
    place = f"/app/posts/{post.id}"
    if visit.form["another"]:
        chosen = [("account", part.account_id) for part in written.parts]
        place = f"/app/posts/new?{urlencode([*chosen, ('do', verb), ('another', '1')])}"
    return visit.lead_to(place, done(visit, post, verb), accepted="new")


@page("POST", "/app/compose", scope=Scope.WRITE)
def compose(visit: Visit) -> Response:
    """Answer a part of the composer as it is with what is typed so far, for a script."""
    post = _of_form(visit)
    template = "panels" if visit.query["part"] == "panels" else "beside"
    written = typed_in(visit.form, visit.who.accounts, visit.zone, post)
    values = {**_sheet(visit, written, post), "another": bool(visit.form["another"])}
    return visit.show_with(f"composer/{template}_part.html", values)


def read_verb(visit: Visit) -> Verb:
    """Return what the button says; what would go out needs the permission to publish."""
    try:
        verb = Verb(visit.form["do"])
    except ValueError:
        verb = Verb.SAVE
    if verb is not Verb.SAVE:
        visit.require(Scope.PUBLISH)
    return verb


def done(visit: Visit, post: Post, verb: Verb) -> str:
    """Say what became of a post."""
    times = {t.scheduled_at for t in post.targets if t.status is TargetStatus.SCHEDULED}
    if post.approval is Approval.PENDING:
        return f"Saved. {AWAITS_REVIEW}"
    if verb in (Verb.NOW, Verb.RETRY):
        return "It is going out now."
    if verb is Verb.SAVE or not times:
        return "Saved."
    named = sorted(at for at in times if at is not None)
    more = f" and {len(named) - 1} more" if len(named) > 1 else ""
    return f"Scheduled for {near(named[0], visit.zone, visit.now)}{more}."


def composer_values(
    visit: Visit, written: Composition, post: Post | None, *, is_whole: bool = True
) -> dict[str, object]:
    """Return what the composer's templates need."""
    storage = visit.services.direct_uploads.browsers_origin()
    return {
        **_sheet(visit, written, post, is_whole=is_whole),
        "once": visit.form["once"] or visit.request_mark,
        "another": bool(visit.form["another"] or visit.query["another"]),
        "straight": storage is not None,
    }


def with_storage(visit: Visit, shown: Response) -> Response:
    """Return a page that may send files to the storage of this stage."""
    storage = visit.services.direct_uploads.browsers_origin()
    headers = security_headers(secure=visit.is_secure, leads_away=False, storage=storage)
    return replace(shown, headers={**headers, **shown.headers})


def _read_typed(visit: Visit) -> Composition:
    sent = visit.form if visit.request.method == "POST" else visit.query
    return typed_in(sent, visit.who.accounts, visit.zone)


def _of_form(visit: Visit) -> Post | None:
    post_id = visit.form["post"]
    return visit.services.posts.get(visit.caller.workspace_id, post_id) if post_id else None


def _sheet(
    visit: Visit, written: Composition, post: Post | None, *, is_whole: bool = False
) -> dict[str, object]:
    """Return what the composer's templates are filled with, by the names that they use."""
    services, accounts = visit.services, {one.id: one for one in visit.who.accounts}
    (media, library), sending = in_parallel(
        lambda: in_parallel(
            lambda: _picked_media(visit, written, post),
            lambda: (
                list(services.media_library.list_newest(visit.caller)[:_FILES_SHOWN])
                if is_whole
                else []
            ),
        ),
        lambda: _sending(visit, written, post),
    )
    shown = as_post(written, media, visit.caller, post=post, now=visit.now)
    offered = offered_to(written, accounts, services.choices, shown)
    if media is not None and media.id not in {file.id for file in library}:
        library = [media, *library]
    wrongs, previews = _wrongs(visit, shown, written), previews_of(shown)
    return {
        "written": written,
        "post": post,
        "panels": panels_of(written, previews, offered),
        "previews": previews,
        "wrongs": wrongs,
        "wrong_at": {wrong.name: wrong for wrong in reversed(wrongs) if wrong.name},
        "wrong_in": {wrong.account_id for wrong in wrongs if wrong.is_error},
        "sending": sending,
        "media": media,
        "library": library,
        "chosen": {part.account_id for part in written.parts},
        "stays": {part.account_id for part in written.parts if part.is_fixed},
        "files": FILES,
        "draft_key": "new" if post is None else post.id,
    }


def _wrongs(visit: Visit, shown: Post, written: Composition) -> list[Wrong]:
    """Return what is wrong; nothing is as long as nothing was written or chosen."""
    if not written.parts or not (shown.attachment or written.caption or any_text(written)):
        return []
    try:
        checked = visit.services.checks.check_of(visit.caller, shown)
    except ServiceError:
        return wrongs_of(shown, (), written)
    return wrongs_of(shown, checked.problems, written)


def any_text(written: Composition) -> bool:
    """Tell whether any account has a text of its own."""
    return any(part.text for part in written.parts)


def _picked_media(visit: Visit, written: Composition, post: Post | None) -> Media | None:
    is_kept = post is not None and written.media_id in post.media_ids
    if not is_id(written.media_id) or is_kept:
        return None
    try:
        return visit.services.media_library.get(visit.caller, written.media_id)
    except MediaNotFound:
        return None


def _sending(visit: Visit, written: Composition, post: Post | None) -> Sending:
    """Return the button and its menu, each entry with its time."""
    status = PostStatus.DRAFT if post is None else post.status
    if not visit.may(Scope.PUBLISH):
        asks = visit.caller.approvals
        what = "Ask for review" if asks else "Save draft"
        label = typed_label(written, visit.zone, visit.now, f"{what},") if asks else what
        return Sending(main=Verb.SAVE, labels={Verb.SAVE: label.removesuffix(",")})
    labels: dict[Verb, str] = {}
    fresh = [part for part in written.parts if part.target is None or part.target.is_unscheduled]
    is_open = post is None or (post.approval is not Approval.REJECTED and bool(fresh))
    if is_open:
        labels |= _times(visit, written)
    if post is not None and any(t.status is TargetStatus.FAILED for t in post.targets):
        labels[Verb.RETRY] = "Save and retry"
    if post is None or any(target.is_sendable for target in post.targets):
        labels[Verb.NOW] = "Publish now"
    is_draft = status is PostStatus.DRAFT
    labels[Verb.SAVE] = "Save draft" if is_draft else "Save changes"
    return Sending(main=_main(visit, written, labels, status), labels=labels)


def _main(visit: Visit, written: Composition, labels: dict[Verb, str], status: PostStatus) -> Verb:
    asked = visit.query["do"] or visit.form["do"]
    has_time = bool(written.at or any(part.at for part in written.parts))
    if Verb.RETRY in labels:
        return Verb.RETRY
    if status is PostStatus.SCHEDULED or Verb.SCHEDULE not in labels:
        return Verb.SAVE
    if has_time:
        return Verb.SCHEDULE
    if asked in {verb.value for verb in labels} and asked not in (Verb.NOW, Verb.SAVE):
        return Verb(asked)
    return Verb.QUEUE if Verb.QUEUE in labels else Verb.SCHEDULE


def _times(visit: Visit, written: Composition) -> dict[Verb, str]:
    """Return the ways to schedule, each named with the time or times that it would take."""
    caller, hours, now = visit.caller, visit.services.golden_hours, visit.now
    slots, learned = in_parallel(
        lambda: visit.services.queue_slots.list(caller), lambda: hours.learned(caller)
    )
    labels = {Verb.SCHEDULE: typed_label(written, visit.zone, now, "Schedule")}
    if slots.next_free is not None:
        labels[Verb.QUEUE] = f"Next queue time ({near(slots.next_free, visit.zone, now)})"
    best = [
        (part, hours.next_of(caller, part.platform, part.account_id, learned, now=now))
        for part in written.parts
        if part.target is None or part.target.is_unscheduled
    ]
    labels[Verb.BEST] = f"Golden hours{_each(visit, best, now)}"
    return labels


def _each(visit: Visit, best: Sequence[tuple[Part, datetime]], now: datetime) -> str:
    named = [
        f"{FACTS[part.platform].name} {near(at, visit.zone, now)}"
        for part, at in best[:_MOST_NAMED]
    ]
    more = " …" if len(best) > _MOST_NAMED else ""
    return f" ({', '.join(named)}{more})" if named else ""
