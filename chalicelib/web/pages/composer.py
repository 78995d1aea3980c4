"""The composer: the form for a new post and for an existing one.

There is one form. Each of its buttons sends everything that was typed; saving it and what the
button names both happen, or neither. While somebody types, a script asks for the chosen accounts'
panels, previews and problems.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from urllib.parse import urlencode

from chalicelib.domain.error_kinds import InvalidInput, ServiceError
from chalicelib.domain.errors import MediaNotFound
from chalicelib.domain.ids import is_id
from chalicelib.domain.media.media import Media
from chalicelib.domain.posts.post import Post, PostStatus
from chalicelib.domain.posts.target import Target, TargetStatus
from chalicelib.domain.posts.verbs import Verb
from chalicelib.domain.repeating import Making
from chalicelib.domain.workspace.access import Scope
from chalicelib.kit.asgi.messages import Response
from chalicelib.kit.json_value import Json
from chalicelib.services.in_parallel import in_parallel
from chalicelib.web.forms.chosen_accounts import chooser_values, count_chosen, with_group
from chalicelib.web.forms.chosen_labels import give_chosen, label_values, read_chosen
from chalicelib.web.forms.composition import (
    Composition,
    as_new_post,
    as_post,
    field_of,
    read_composition,
)
from chalicelib.web.forms.panels import Wrong, panels_of, read_offered, wrongs_of
from chalicelib.web.forms.previews import Sending, previews_of
from chalicelib.web.forms.times import exact, read_time, typed_time, why_other
from chalicelib.web.pages.keeping import draft_of, is_autosaved, rewrite_from_form
from chalicelib.web.pages.review import lead_to_link
from chalicelib.web.pages.sending import outcome_sentence, read_verb, sending_of, wants_another
from chalicelib.web.protection import security_headers
from chalicelib.web.routing import Visit, page

FILES = "/app/media/"
LOOK = "look"
"""In the address of a form that is only to be shown again, with the chosen accounts' fields."""
_FILES_SHOWN = 24


@page("GET", "/app/posts/new", scope=Scope.WRITE)
def new_post(visit: Visit) -> Response:
    """Show the composer with what was typed, or the file, time or accounts that the query names."""
    values = {**composer_values(visit, _read_typed(visit), None), "conflicts": ()}
    return with_storage(visit, visit.show_with("composer/new.html", values))


@page("POST", "/app/posts/new", scope=Scope.WRITE, pays=True, again=new_post)
def create_post(visit: Visit) -> Response:
    """Make a post and do with it what the button says, both or neither."""
    if LOOK in visit.query:
        return new_post(visit)
    written, verb, labels = _read_typed(visit), read_verb(visit), read_chosen(visit)
    post, making = visit.services.posting.drafts.create(
        visit.caller,
        as_new_post(written, visit.zone),
        idempotency_key=visit.once or None,
        then=partial(visit.services.posting.scheduling.ways, visit.caller, verb),
    )
    if making is not Making.NEW and post.status is PostStatus.DRAFT:
        post = rewrite_from_form(visit, post, verb)
    in_parallel(
        lambda: give_chosen(visit, post.id, labels), lambda: count_chosen(visit, written, making)
    )
    return lead_on(visit, post, verb, accepted="new")


def lead_on(visit: Visit, post: Post, verb: Verb, *, accepted: str) -> Response:
    """Redirect after a form was accepted: to its post, a copy of it, its link, or a new post."""
    match visit.form["then"]:
        case "duplicate":
            copy, _ = visit.services.posting.drafts.duplicate(visit.caller, post.id)
            said = "This is the copy. What you typed was saved in both."
            return visit.lead_to(f"/app/posts/{copy.id}", said, accepted=accepted)
        case "link":
            return lead_to_link(visit, post.id, accepted=accepted)
        case _:
            said = outcome_sentence(visit, post, verb)
            return visit.lead_to(_place_after(visit, post, verb), said, accepted=accepted)


def _place_after(visit: Visit, post: Post, verb: Verb) -> str:
    """Return the address after a form was accepted: the post's, or that of a new post."""
    if not wants_another(visit):
        return f"/app/posts/{post.id}"
    chosen = [("account", target.account_id) for target in post.targets]
    stays = [("another", "1")] if visit.form["another"] else []
    return f"/app/posts/new?{urlencode([*chosen, ('do', verb), *stays])}"


@page("POST", "/app/compose", scope=Scope.WRITE)
def compose(visit: Visit) -> Response:
    """Answer a script with a part of the composer, for what is typed so far."""
    post = draft_of(visit)
    part = visit.query["part"]
    template = part if part in ("panels", "options") else "beside"
    written = read_composition(visit.form, visit.who.accounts, visit.zone, post)
    values = {**_sheet(visit, written, post), "another": bool(visit.form["another"])}
    return visit.show_with(f"composer/{template}_part.html", values)


def composer_values(visit: Visit, written: Composition, post: Post | None) -> dict[str, object]:
    """Return what the composer's templates need."""
    storage = visit.services.media.direct_uploads.browsers_origin()
    sheet, labels, words, chooser = in_parallel(
        lambda: _sheet(visit, written, post, is_whole=True),
        lambda: label_values(visit, post),
        lambda: visit.services.posting.words.list(visit.caller),
        lambda: chooser_values(visit),
    )
    return {
        **sheet,
        **labels,
        **chooser,
        "words": words,
        "once": visit.form["once"] or visit.request_mark,
        "another": bool(visit.form["another"] or visit.query["another"]),
        "straight": storage is not None,
        "keeps": is_autosaved(visit, post),
    }


def with_storage(visit: Visit, shown: Response) -> Response:
    """Return a page with headers that let its scripts upload files to this stage's storage."""
    storage = visit.services.media.direct_uploads.browsers_origin()
    headers = security_headers(secure=visit.is_secure, leads_away=False, storage=storage)
    return replace(shown, headers={**headers, **shown.headers})


def _read_typed(visit: Visit) -> Composition:
    return read_composition(with_group(visit, visit.sent), visit.who.accounts, visit.zone)


def _sheet(
    visit: Visit, written: Composition, post: Post | None, *, is_whole: bool = False
) -> dict[str, object]:
    """Return the templates' values for what is typed; the library's files only if `is_whole`."""
    services, accounts = visit.services, {one.id: one for one in visit.who.accounts}
    media, library, sending = in_parallel(
        lambda: _picked_media(visit, written, post),
        lambda: (
            list(services.media.library.list_newest(visit.caller)[:_FILES_SHOWN])
            if is_whole
            else []
        ),
        lambda: sending_of(visit, written, post),
    )
    shown = as_post(written, media, visit.caller, post=post, now=visit.now)
    offered = read_offered(written, accounts, services.workspace.choices, shown)
    if media is not None and media.id not in {file.id for file in library}:
        library = [media, *library]
    wrongs = [*_wrong_times(visit, written), *_wrongs(visit, shown, written)]
    previews = previews_of(shown, as_sent_of(visit, shown))
    return {
        "written": written,
        "post": post,
        "panels": panels_of(written, previews, offered, shown),
        "previews": previews,
        "wrongs": wrongs,
        "wrong_at": {one.name: one for one in reversed(wrongs) if one.name and one.is_error},
        "wrong_in": {wrong.account_id for wrong in wrongs if wrong.is_error},
        "sending": sending,
        "failed": written.unchanged_failures(post),
        "media": media,
        "library": library,
        "chosen": {part.account_id for part in written.parts},
        "stays": {part.account_id for part in written.parts if part.is_fixed},
        "files": FILES,
        "draft_key": "new" if post is None else post.id,
    }


def as_sent_of(visit: Visit, post: Post) -> Sending:
    """Return a function that returns what will be sent for a target; None for a lost account."""

    def of(target: Target) -> Json:
        account = visit.find_account(target.account_id)
        if account is None:
            return None
        return visit.services.checking.as_sent.of(post, target, account, visit.now)

    return of


def _wrongs(visit: Visit, shown: Post, written: Composition) -> list[Wrong]:
    """Return what is wrong with a post; nothing while it has no text, file or accounts yet."""
    if not written.parts or not (shown.attachment or written.caption or has_own_text(written)):
        return []
    try:
        checked = visit.services.checking.checks.check_of(visit.caller, shown)
    except ServiceError:
        return wrongs_of(shown, (), written)
    return wrongs_of(shown, checked.problems, written)


def _wrong_times(visit: Visit, written: Composition) -> Iterator[Wrong]:
    """Yield problems of typed times: unreadable, past, or skipped when clocks change.

    The time at which something failed is none: it can be tried again as it is.
    """
    failed = {
        typed_time(part.target.scheduled_at, visit.zone)
        for part in written.parts
        if part.target is not None and part.target.status is TargetStatus.FAILED
    }
    typed = [("at", "", written.at)]
    typed += [(f"{field_of(one.account_id)}at", one.account_id, one.at) for one in written.parts]
    for name, account_id, text in typed:
        skipped = why_other(text, visit.zone)
        if skipped is not None:
            yield Wrong(name=name, account_id=account_id, sentence=skipped, is_error=False)
        try:
            at = read_time(text, visit.zone)
        except InvalidInput as error:
            yield Wrong(name=name, account_id=account_id, sentence=error.message, is_error=True)
            continue
        if at is not None and at <= visit.now and text not in failed:
            said = f"{exact(at, visit.zone)} has passed. Choose a later time, or publish it now."
            yield Wrong(name=name, account_id=account_id, sentence=said, is_error=True)


def has_own_text(written: Composition) -> bool:
    """Tell whether any account has a text of its own."""
    return any(part.text for part in written.parts)


def _picked_media(visit: Visit, written: Composition, post: Post | None) -> Media | None:
    is_kept = post is not None and written.media_id in post.media_ids
    if not is_id(written.media_id) or is_kept:
        return None
    try:
        return visit.services.media.library.get(visit.caller, written.media_id)
    except MediaNotFound:
        return None
