"""The list of posts, a new post, and the counts that a caption has on each platform."""

from dataclasses import replace
from functools import partial
from urllib.parse import urlencode

from chalicelib.domain.error_kinds import InvalidInput
from chalicelib.domain.errors import MediaNotFound
from chalicelib.domain.ids import is_id
from chalicelib.domain.media.media import Media, too_long_for
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.platforms.texts.captions import count
from chalicelib.domain.posts.post import PostStatus
from chalicelib.domain.posts.query import PostQuery
from chalicelib.domain.workspace.access import Scope
from chalicelib.web.forms.post_forms import read_new_post
from chalicelib.web.forms.previews import previews_for
from chalicelib.web.messages import Answer, Form, redirect
from chalicelib.web.pages.post import FILES
from chalicelib.web.protection import security_headers
from chalicelib.web.routing import Visit, page

_A_PAGE = 30
_FILES_SHOWN = 24


@page("GET", "/app/posts")
def list_posts(visit: Visit) -> Answer:
    """Show the newest posts that fit the filters."""
    query = visit.query
    chosen = {status.value for status in PostStatus} & set(query.all("status"))
    cursor = query["cursor"]
    found = visit.services.api.posts_reader.find(
        visit.caller,
        PostQuery(
            statuses=frozenset(PostStatus(status) for status in chosen),
            text=query["q"],
            limit=_A_PAGE,
            cursor=cursor if is_id(cursor) else None,
        ),
    )
    filters = [("q", query["q"]), *(("status", status) for status in sorted(chosen))]
    following = urlencode([*filters, ("cursor", found.cursor or "")])
    return visit.show(
        "posts/list.html",
        posts=found.posts,
        chosen=chosen,
        statuses=list(PostStatus),
        text=query["q"],
        following=None if found.cursor is None else f"/app/posts?{following}",
    )


@page("GET", "/app/posts/new", scope=Scope.WRITE)
def new_post(visit: Visit) -> Answer:
    """Show the form of a new post, with a file that was just uploaded or a time picked."""
    return _new_post_form(visit, visit.query)


@page("POST", "/app/posts/new", scope=Scope.WRITE, pays=True)
def create_post(visit: Visit) -> Answer:
    """Make a draft, or show the form again with what is wrong."""
    visit.show_again = partial(_new_post_form, visit, visit.form)
    draft = read_new_post(visit.form, visit.zone)
    if not draft.targets:
        raise InvalidInput("Choose at least one account.", loc=("body", "account"))
    post, _ = visit.services.api.drafts.create(
        visit.caller, draft, idempotency_key=visit.form["once"][:80] or None
    )
    return redirect(f"/app/posts/{post.id}")


@page("POST", "/app/looks", scope=Scope.WRITE)
def looks(visit: Visit) -> Answer:
    """Answer how a post that is not made yet will look on the chosen accounts."""
    chosen = set(visit.form.all("account"))
    media = _picked(visit, visit.form["media"])
    previews = previews_for(
        [account for account in visit.who.accounts if account.id in chosen],
        visit.form["caption"],
        media,
    )
    return visit.show("posts/looks.html", previews=previews, files=FILES)


@page("POST", "/app/counts", scope=Scope.WRITE)
def counts(visit: Visit) -> Answer:
    """Answer how long the typed caption is on each chosen platform, by the platform's own rules."""
    caption = visit.form["caption"]
    wanted = visit.form.all("account")
    chosen = {a.platform for a in visit.who.accounts if not wanted or a.id in wanted}
    return visit.show("posts/counts.html", counts=caption_counts(caption, chosen))


def caption_counts(caption: str, platforms: set[Platform]) -> list[tuple[Platform, int, int]]:
    """Return each platform's count and limit, in the platforms' order."""
    return [
        (platform, count(platform, caption), FACTS[platform].limits.caption)
        for platform in Platform
        if platform in platforms
    ]


def _new_post_form(
    visit: Visit, typed: Form, refused: str | None = None, status: int = 200
) -> Answer:
    chosen = typed.all("account")
    accounts = visit.who.accounts
    platforms = {a.platform for a in accounts if not chosen or a.id in chosen}
    media = _picked(visit, typed["media"])
    files = visit.services.api.media_library.newest(visit.caller)[:_FILES_SHOWN]
    if media is not None and media.id not in {file.id for file in files}:
        files = [media, *files]
    storage = visit.services.api.direct_uploads.browsers_origin()
    shown = visit.show(
        "posts/new.html",
        status=status,
        straight=storage is not None,
        refused=refused,
        caption=typed["caption"],
        at=typed["at"],
        chosen=set(chosen),
        media=media,
        too_long={} if media is None else too_long_for(media),
        files=files,
        once=typed["once"] or visit.request_mark,
        counts=caption_counts(typed["caption"], platforms),
    )
    headers = security_headers(secure=visit.is_secure, leads_away=False, storage=storage)
    return replace(shown, headers={**headers, **shown.headers})


def _picked(visit: Visit, media_id: str) -> Media | None:
    if not is_id(media_id):
        return None
    try:
        return visit.services.api.media_library.get(visit.caller, media_id)
    except MediaNotFound:
        return None
