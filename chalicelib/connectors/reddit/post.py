"""A submission's form, and what can be told of it before anything is sent: reddit.com/dev/api.

A post is a text, a link, an image or a video in one community, under a title of its own. Whether
it keeps the community's rules `validate_on_submit` judges, at the moment that counts: asking for
them ahead would cost calls of a quota that all accounts share, and could only guess.
"""

import re
from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from chalicelib.connectors.connector import MediaFile, Publication
from chalicelib.connectors.reddit.markdown import escape_text
from chalicelib.connectors.reddit.refusals import RedditRefusal
from chalicelib.connectors.shared.prechecks import is_web_address, refuse
from chalicelib.domain.outcome import Failed, FailureCode
from chalicelib.domain.platforms.platform import MediaKind, Platform
from chalicelib.domain.platforms.texts.titles import reddit_title
from chalicelib.kit.json_value import Json

LARGEST_PHOTO = 20_971_520
LARGEST_VIDEO = 1_000_000_000
EXTENSIONS: Mapping[str, str] = MappingProxyType(
    {
        "image/jpeg": "jpg",
        "image/png": "png",
        "image/gif": "gif",
        "video/mp4": "mp4",
        "video/quicktime": "mov",
    }
)
_COMMUNITY = re.compile(r"[A-Za-z0-9_]{2,21}|u_[A-Za-z0-9_-]{3,20}")
_PREFIXES: Mapping[str, str] = MappingProxyType({"r/": "", "u/": "u_"})
_FLAIR_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


class Kind(StrEnum):
    """What a submission is, as the form names it."""

    SELF = "self"
    LINK = "link"
    IMAGE = "image"
    VIDEO = "video"


_CARRIES: Mapping[Kind, MediaKind | None] = MappingProxyType(
    {
        Kind.SELF: None,
        Kind.LINK: None,
        Kind.IMAGE: MediaKind.IMAGE,
        Kind.VIDEO: MediaKind.VIDEO,
    }
)


def kind_of(publication: Publication) -> Kind:
    """Return the kind that was asked for, else the one that fits the file or the link."""
    named, media = publication.options.get("kind"), publication.media
    if isinstance(named, str) and named in set(Kind):
        return Kind(named)
    if media is not None:
        return Kind.VIDEO if media.kind is MediaKind.VIDEO else Kind.IMAGE
    return Kind.LINK if _text(publication.options, "link") else Kind.SELF


def community_of(options: Mapping[str, Json]) -> str | None:
    """Return the community's bare name, `u_name` for a profile; None if it cannot be one."""
    name = _text(options, "subreddit").strip("/")
    for prefix, instead in _PREFIXES.items():
        if name.startswith(prefix):
            name = instead + name.removeprefix(prefix)
            break
    return name if _COMMUNITY.fullmatch(name) else None


def title_of(options: Mapping[str, Json], text: str) -> str:
    """Return the title: the one that was given, else the first line of the text."""
    return reddit_title(text, options)[0]


def body_of(options: Mapping[str, Json], text: str) -> str:
    """Return the body: the text, without a first line that stands above it as the title."""
    return reddit_title(text, options)[1]


def precheck(publication: Publication) -> Failed | None:
    """Return why Reddit would refuse the post, or None if nothing speaks against it."""
    problem = _problem(publication.options, publication)
    if problem is not None:
        return problem
    return None if publication.media is None else _file_refusal(publication.media)


def form(publication: Publication, data: Mapping[str, Json]) -> dict[str, str]:
    """Return the fields of POST /api/submit; `data` has the addresses of what was uploaded."""
    options, kind = publication.options, kind_of(publication)
    body = body_of(options, publication.text)
    if options.get("markdown") is not True:
        body = escape_text(body)
    fields = {
        "kind": str(kind),
        "sr": community_of(options) or "",
        "title": title_of(options, publication.text),
        "nsfw": _flag(options, "nsfw", default=False),
        "spoiler": _flag(options, "spoiler", default=False),
        "sendreplies": _flag(options, "send_replies", default=True),
        "resubmit": "true",
        "validate_on_submit": "true",
    }
    if kind is Kind.LINK:
        fields["url"] = _text(options, "link")
    if kind in {Kind.IMAGE, Kind.VIDEO}:
        fields["url"] = str(data["url"])
    if kind is Kind.VIDEO:
        fields["video_poster_url"] = str(data["poster"])
    if body or kind is Kind.SELF:
        fields["text"] = body
    flair = {name: _text(options, name) for name in ("flair_id", "flair_text")}
    return fields | {name: value for name, value in flair.items() if value}


def _problem(options: Mapping[str, Json], publication: Publication) -> Failed | None:
    if community_of(options) is None:
        return RedditRefusal.NO_COMMUNITY.end()
    if not title_of(options, publication.text):
        return RedditRefusal.NO_TITLE.end()
    return _kind_problem(options, publication) or _flair_problem(options)


def _kind_problem(options: Mapping[str, Json], publication: Publication) -> Failed | None:
    kind, link = kind_of(publication), _text(options, "link")
    carried = None if publication.media is None else publication.media.kind
    if carried is not _CARRIES[kind]:
        return RedditRefusal.OTHER_KIND.end(kind=kind)
    if kind is Kind.LINK:
        return None if is_web_address(link) else RedditRefusal.NO_ADDRESS.end()
    return RedditRefusal.UNUSED_LINK.end() if link else None


def _flair_problem(options: Mapping[str, Json]) -> Failed | None:
    flair_id = _text(options, "flair_id")
    if _text(options, "flair_text") and not flair_id:
        return RedditRefusal.UNUSED_FLAIR_TEXT.end()
    # Reddit answers 500 to one of another form, as if it might have taken the post.
    if flair_id and not _FLAIR_ID.fullmatch(flair_id):
        return RedditRefusal.FLAIR_ID.end()
    return None


def _file_refusal(media: MediaFile) -> Failed | None:
    is_video = media.kind is MediaKind.VIDEO
    if media.mime not in EXTENSIONS:
        return refuse(Platform.REDDIT, FailureCode.MEDIA_REJECTED)
    if media.size_bytes > (LARGEST_VIDEO if is_video else LARGEST_PHOTO):
        return refuse(Platform.REDDIT, FailureCode.MEDIA_TOO_LARGE)
    if is_video and media.poster is None:
        return RedditRefusal.NO_STILL.end()
    return None


def _flag(options: Mapping[str, Json], name: str, *, default: bool) -> str:
    value = options.get(name)
    return "true" if (value if isinstance(value, bool) else default) else "false"


def _text(options: Mapping[str, Json], name: str) -> str:
    value = options.get(name)
    return value.strip() if isinstance(value, str) else ""
