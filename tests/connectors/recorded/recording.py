"""Every request of a kind of post in a readable form, for whoever has a real account.

Recorded on the fakes; files stand in `tests/connectors/<platform>/requests/`, a request a
paragraph, each with the platform's page that it follows. After a change:

python -m tests.connectors.recorded
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from chalicelib.connectors.shared.link_cards import LinkCard, LinkCards, Picture
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.guarded import GuardedFetch
from tests.connectors.facebook.rig import a_rig as a_facebook_rig
from tests.connectors.google_business_profile.rig import a_rig as a_google_rig
from tests.connectors.instagram.rig import a_rig as an_instagram_rig
from tests.connectors.linkedin.fake import MEMBER
from tests.connectors.linkedin.fake import PAGE as LINKEDIN_PAGE
from tests.connectors.linkedin.rig import LinkedInRig
from tests.connectors.linkedin.rig import a_rig as a_linkedin_rig
from tests.connectors.support.fake_platform import Received
from tests.connectors.support.rig import Rig, a_publication
from tests.connectors.threads.rig import a_rig as a_threads_rig
from tests.connectors.tiktok.rig import a_rig as a_tiktok_rig

_META = "https://developers.facebook.com/docs"
_LINKEDIN = "https://learn.microsoft.com/linkedin/marketing/community-management/shares"
_GOOGLE = "https://developers.google.com/my-business"
_TIKTOK = "https://developers.tiktok.com/doc"

_PAGES: Mapping[str, tuple[tuple[str, str], ...]] = {
    "instagram": (
        ("comments", f"{_META}/instagram-platform/reference/instagram-media/comments"),
        ("limit", f"{_META}/instagram-platform/reference/ig-user/content_publishing_limit"),
        ("media_publish", f"{_META}/instagram-platform/reference/ig-user/media_publish"),
        ("", f"{_META}/instagram-platform/content-publishing"),
    ),
    "facebook": (
        ("video_reels", f"{_META}/video-api/guides/reels-publishing"),
        ("stories", f"{_META}/page-stories-api"),
        ("videos", f"{_META}/video-api/guides/publishing"),
        ("photos", f"{_META}/graph-api/reference/page/photos"),
        ("comments", f"{_META}/graph-api/reference/object/comments"),
        ("/up/", f"{_META}/video-api/guides/reels-publishing"),
        ("", f"{_META}/pages-api/posts"),
    ),
    "threads": (("", f"{_META}/threads/posts"),),
    "tiktok": (
        ("creator_info", f"{_TIKTOK}/content-posting-api-reference-query-creator-info"),
        ("status", f"{_TIKTOK}/content-posting-api-reference-get-video-status"),
        ("content/init", f"{_TIKTOK}/content-posting-api-reference-photo-post"),
        ("video/list", f"{_TIKTOK}/tiktok-api-v2-video-list"),
        ("PUT", f"{_TIKTOK}/content-posting-api-media-transfer-guide"),
        ("", f"{_TIKTOK}/content-posting-api-reference-direct-post"),
    ),
    "linkedin": (
        ("images", f"{_LINKEDIN}/images-api"),
        ("videos", f"{_LINKEDIN}/videos-api"),
        ("PUT /dms-uploads/I", f"{_LINKEDIN}/images-api"),
        ("PUT", f"{_LINKEDIN}/videos-api"),
        ("", f"{_LINKEDIN}/posts-api"),
    ),
    "google_business_profile": (
        ("", f"{_GOOGLE}/reference/rest/v4/accounts.locations.localPosts"),
    ),
}


def page_of(platform: str, name: str) -> str:
    """Return the page that a request follows, by a part of its method and path."""
    return next(page for part, page in _PAGES[platform] if part in name)


ROOT = Path(__file__).parents[1]
_SHOWN = ("content-type", "content-range", "linkedin-version", "offset")
_LOOPBACK = re.compile(r"http://127\.0\.0\.1:\d+|127\.0\.0\.1:\d+")
_LONGEST_BODY = 20_000


class _Menu(LinkCards):
    """Knows the preview of one page, and asks nobody."""

    def read(self, link: str) -> LinkCard | None:
        return LinkCard(
            url=link, title="The menu", description="Rye.", picture_url=f"{link}/loaf.jpg"
        )

    def picture(self, url: str) -> Picture | None:
        del url
        return Picture(bytes(500), "image/jpeg")


def _with_a_card(rig: LinkedInRig) -> LinkedInRig:
    """Add a text whose link is shown as a card."""
    rig.connector._cards = _Menu(GuardedFetch(frozenset()))
    link: dict[str, Json] = {"link": "https://bakery.example/menu"}
    rig.shapes = {**rig.shapes, "link": a_publication(rig.account, "Rye today", options=link)}
    return rig


RECORDED: Mapping[str, Mapping[str, Callable[[], Rig]]] = {
    "instagram": {"": an_instagram_rig, "by-facebook-": lambda: an_instagram_rig(by_facebook=True)},
    "facebook": {"": a_facebook_rig, "upload-": lambda: a_facebook_rig(videos=True)},
    "threads": {"": a_threads_rig},
    "tiktok": {"": lambda: a_tiktok_rig("video", "chunks", "photo")},
    "linkedin": {
        "page-": lambda: _with_a_card(a_linkedin_rig(LINKEDIN_PAGE)),
        "member-": lambda: _with_a_card(a_linkedin_rig(MEMBER)),
    },
    "google_business_profile": {"": a_google_rig},
}


def recordings(platform: str) -> Iterator[tuple[str, str]]:
    """Yield the name and text of each of a platform's files."""
    for prefix, make in RECORDED[platform].items():
        names = make_and_close(make)
        for shape in names:
            rig = make()
            rig.drive(shape).run()
            calls = [_spell(platform, call, rig) for call in rig.platform.calls]
            rig.platform.close()
            yield f"{prefix}{shape}.http", "\n".join(calls)


def make_and_close(make: Callable[[], Rig]) -> list[str]:
    """Return the kinds of post that a rig has."""
    rig = make()
    rig.platform.close()
    return list(rig.shapes)


def _spell(platform: str, call: Received, rig: Rig) -> str:
    query = f"?{urlencode(call.query, safe='{}:/,()')}" if call.query else ""
    lines = [f"# {page_of(platform, call.name)}", f"{call.name}{query}"]
    lines += [f"{name}: {call.headers[name]}" for name in _SHOWN if name in call.headers]
    lines += ["authorization: {token}"] if "authorization" in call.headers else []
    body = _body(call)
    return _without_secrets("\n".join([*lines, "", *body, ""] if body else [*lines, ""]), rig)


def _body(call: Received) -> list[str]:
    kind = call.headers.get("content-type", "")
    if call.size == 0:
        return []
    if "json" in kind and call.size < _LONGEST_BODY:
        return json.dumps(call.json, indent=2, ensure_ascii=False).splitlines()
    if "x-www-form-urlencoded" in kind:
        return [f"{name} = {value}" for name, value in call.form.items()]
    if "multipart" in kind and call.body:
        return [f"{part.name} = {_part(part.mime, part.content)}" for part in call.parts]
    return [f"({call.size} bytes of the file)"]


def _part(mime: str | None, content: bytes) -> str:
    is_file = mime is not None and not mime.startswith("text/")
    return f"({len(content)} bytes, {mime})" if is_file else content.decode()


def _without_secrets(text: str, rig: Rig) -> str:
    """Cut out tokens, and what differs from run to run: ports and boundaries."""
    host = urlsplit(rig.platform.url).netloc
    for secret in [*rig.secrets, rig.tokens.access]:
        text = text.replace(secret, "{secret}")
    text = text.replace(host, "{host}")
    return re.sub(r"boundary=\S+", "boundary={boundary}", _LOOPBACK.sub("{host}", text))
