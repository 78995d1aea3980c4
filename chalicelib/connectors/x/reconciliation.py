"""How a post of ours is found on X again: docs.x.com/x-api/posts/timelines.

X has no handle that we could choose, so the account's own timeline is read from a minute before
the call. A file's key is certain; a text is compared as X gives it back: words with a link in them
stand for themselves, the file's own link is left out, and `&`, `<` and `>` are spelled as in HTML.
"""

import html
import re
import unicodedata
from datetime import UTC, datetime, timedelta

from chalicelib.connectors.connector import Publication
from chalicelib.connectors.shared.reconciliation import (
    RESTORED,
    absent_beside_witness,
    first_sent,
    page_of,
)
from chalicelib.domain.outcome import Absent, Checkpoint, Sent, Unknown, Wait
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.responses import find

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


def is_ours(post: Json, publication: Publication, checkpoint: Checkpoint, sent: Sent) -> bool:
    """Tell whether a post of the timeline is the one that was sent."""
    keys, key = find(post, "attachments", "media_keys"), checkpoint.data.get("media_key")
    files = keys if isinstance(keys, list) else []
    if key is not None and key in files:
        return True
    if key is not None and checkpoint.step == "publish":
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


def conclude(
    publication: Publication, checkpoint: Checkpoint, sent: Sent
) -> Absent | Wait | Unknown:
    """Say what it means that the timeline does not have the post.

    X refused it as a duplicate: it has it somewhere. What goes to a community alone need not stand
    in the timeline. A text can be sent again, since X refuses the same one; a file alone only if
    the timeline shows a newer post. After a restore the engine itself asks for one.
    """
    options = publication.options
    is_aside = bool(options.get("community_id")) and options.get("share_with_followers") is not True
    if checkpoint.data.get("duplicate") is True or is_aside:
        return Unknown()
    if sent.text.strip() or checkpoint.step == RESTORED:
        return Absent()
    return absent_beside_witness(publication, checkpoint, sent)
