"""How a post of ours is found on X again: docs.x.com/x-api/posts/timelines.

X has no handle that we could choose, so the account's own timeline is read from a minute before
the call. A file's key is certain; a text is compared as X gives it back: words with a link in them
stand for themselves, the file's own link is left out, and `&`, `<` and `>` are spelled as in HTML.
"""

import html
import re
import unicodedata
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from chalicelib.connectors.connector import Publication
from chalicelib.connectors.shared.reconciliation import (
    evidence_of_list,
    first_sent,
    page_of,
    tells_by_text,
)
from chalicelib.domain.engine.absence import Evidence
from chalicelib.domain.outcome import Checkpoint, Sent
from chalicelib.domain.platforms.platform import Platform
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.responses import find, moment

_BEFORE = timedelta(minutes=1)
_PAGE = "100"
_LINK = "\0"
_LINK_LIKE = re.compile(r"://|\w\.[^\W\d_]{2}")
"""What X may make a link of, in whatever alphabet; a number with a fraction is none."""

_SHORT_LINK = re.compile(r"https?://t\.co/\w+")
FIELDS = "created_at,text,entities,attachments"


def question(checkpoint: Checkpoint, sent: Sent) -> dict[str, str]:
    """Return what to ask of the timeline."""
    since = first_sent(checkpoint.data, sent.at) - _BEFORE
    return timeline_since(since, page_of(checkpoint.data, sent))


def timeline_since(since: datetime, page: Json) -> dict[str, str]:
    """Return what to ask for a page of the timeline."""
    asked = {
        "max_results": _PAGE,
        "start_time": since.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "exclude": "retweets",
    }
    return {**asked, "pagination_token": page} if isinstance(page, str) else asked


def made_at(post: Json) -> datetime | None:
    """Return when a post was made."""
    return moment(find(post, "created_at"))


def is_ours(post: Json, publication: Publication, checkpoint: Checkpoint, sent: Sent) -> bool:
    """Tell whether a post of the timeline is the one that was sent."""
    keys, key = find(post, "attachments", "media_keys"), checkpoint.data.get("media_key")
    files = keys if isinstance(keys, list) else []
    if key is not None and key in files:
        return True
    if (key is not None and checkpoint.step == "publish") or not tells_by_text(sent):
        return False
    has_file = publication.media is not None
    quoted = str(publication.options.get("quote_post_id") or "")
    return bool(files) == has_file and _read(post, quoted) == _words_of(sent.text)


def _words_of(text: str) -> list[str]:
    """Return the words of a text, one sign for each that has a link in it.

    X shortens links by a list of its own, and shows some under other names (a pasted t.co link, a
    host in another spelling, twitter.com for x.com): only that there is one is sure on both sides.
    """
    words = unicodedata.normalize("NFC", text).split()
    return [_LINK if _LINK_LIKE.search(word) else word for word in words]


def _read(post: Json, quoted: str = "") -> list[str]:
    """Return the words of a text of X in the same way, without the links that X itself adds.

    Those show the post's own file, and the post that it quotes.
    """
    files = _added_links(post, quoted)
    text = html.unescape(str(find(post, "text")))
    shown = _SHORT_LINK.sub(lambda short: "" if short[0] in files else short[0], text)
    return _words_of(shown)


def _added_links(post: Json, quoted: str) -> frozenset[str]:
    urls = find(post, "entities", "urls")
    own = f"/status/{find(post, 'id')}/"
    return frozenset(
        str(find(url, "url"))
        for url in (urls if isinstance(urls, list) else [])
        if find(url, "media_key") is not None
        or own in str(find(url, "expanded_url"))
        or (quoted and str(find(url, "expanded_url")).endswith(f"/status/{quoted}"))
    )


def evidence_of_timeline(publication: Publication, checkpoint: Checkpoint, sent: Sent) -> Evidence:
    """Return what it says that the timeline, read back to the call, does not have the post.

    X refuses the same text twice. What it refused as a duplicate, and what goes to a community
    alone, need not stand in the timeline: a newer post there is not waited for.
    """
    options = publication.options
    is_aside = bool(options.get("community_id")) and options.get("share_with_followers") is not True
    duplicate_refused = checkpoint.data.get("duplicate") is True
    seen = evidence_of_list(Platform.X, publication, checkpoint, sent)
    return replace(
        seen,
        gives_up_at=sent.at if is_aside or duplicate_refused else seen.gives_up_at,
        repeat_is_refused=bool(sent.text.strip()),
        duplicate_refused=duplicate_refused,
        is_aside=is_aside,
    )
