"""How a post of ours is found on X again: docs.x.com/x-api/posts/timelines.

X has no handle that we could choose, so the account's own timeline is read from a minute before
the call. A file's key is certain; a text is compared as X gives it back: with its links shortened,
the file's own link at the end, and `&`, `<` and `>` spelled as in HTML.
"""

import html
import re
import unicodedata
from datetime import UTC, timedelta

from chalicelib.connectors.connector import Publication
from chalicelib.connectors.reconciliation import first_sent, page_of
from chalicelib.connectors.text_comparison import normalize_text
from chalicelib.connectors.transport.responses import find
from chalicelib.domain.outcome import Checkpoint, Json, Sent
from chalicelib.domain.platforms.x_links import find_links

_BEFORE = timedelta(minutes=1)
_PAGE = "100"
_LINK, _FILE = "\0", ""
_SHORT_LINK = re.compile(r"https?://t\.co/\w+")
_FIELDS = "created_at,text,entities,attachments"
FIELDS = "tweet.fields"
"""OpenAPI 2.167 says `post.fields`; X's pages and every client in the field say this."""


def question(checkpoint: Checkpoint, sent: Sent) -> dict[str, str]:
    """Return what to ask of the timeline."""
    since = first_sent(checkpoint.data, sent.at) - _BEFORE
    asked = {
        "max_results": _PAGE,
        "start_time": since.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "exclude": "retweets",
        FIELDS: _FIELDS,
    }
    page = page_of(checkpoint.data, sent)
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
    return bool(files) == has_file and _read(post) == _written(sent.text)


def _written(text: str) -> tuple[str, list[str]]:
    """Return a text of ours without its links, and the links."""
    text = unicodedata.normalize("NFC", text)
    links = find_links(text)
    ends = [0, *(link.end for link in links)]
    starts = [*(link.start for link in links), len(text)]
    between = (text[end:start] for end, start in zip(ends, starts, strict=True))
    return normalize_text(_LINK.join(between)), [
        _bare(text[link.start : link.end]) for link in links
    ]


def _read(post: Json) -> tuple[str, list[str]]:
    """Return a text of X without its links, and where they lead."""
    leads, links = _leads(post), list[str]()

    def take_out(short: re.Match[str]) -> str:
        lead = leads.get(short[0], _FILE)
        if lead == _FILE:
            return ""
        links.append(_bare(lead))
        return _LINK

    text = _SHORT_LINK.sub(take_out, html.unescape(str(find(post, "text"))))
    return normalize_text(text), links


def _leads(post: Json) -> dict[str, str]:
    """Return where each short link leads; one that shows the post's own file to _FILE."""
    urls = find(post, "entities", "urls")
    own = f"/status/{find(post, 'id')}/"
    leads: dict[str, str] = {}
    for url in urls if isinstance(urls, list) else []:
        lead = str(find(url, "expanded_url"))
        is_file = find(url, "media_key") is not None or own in lead
        leads[str(find(url, "url"))] = _FILE if is_file else lead
    return leads


def _bare(link: str) -> str:
    """Return a link without what X may have added or left out."""
    return link.casefold().removeprefix("https://").removeprefix("http://").rstrip("/")
