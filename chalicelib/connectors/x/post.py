"""The body of a post on X, and what can be told of it before anything is uploaded.

docs.x.com/x-api/posts/create-post. The body is a closed set of fields: one that X does not know is
refused with the whole post.
"""

import re
from collections.abc import Mapping

from chalicelib.connectors.connector import MediaFile, Publication
from chalicelib.connectors.shared.prechecks import refuse, unfit_video
from chalicelib.connectors.x.refusals import XRefusal
from chalicelib.domain.outcome import Failed, FailureCode
from chalicelib.domain.platforms.platform import MediaKind, Platform
from chalicelib.domain.platforms.texts.caption_units import x_weight
from chalicelib.domain.text import with_line_feeds
from chalicelib.kit.json_value import Json

_LONGEST_COMMENT = 280
LARGEST_PHOTO = 5_242_880
LARGEST_VIDEO = 536_870_912
_INVALID_SIGNS = frozenset("\ufffe\ufeff\uffff")
_CASHTAG = re.compile(
    r"(?<!\S)\$[a-zA-Z]{1,6}(?:[._][a-zA-Z]{1,2})?"
    r"(?=$|\s|[!'#%&()*+,\\\-./:;<=>?@\[\]^_{|}~$])"
)
"""As in twitter-text's `validCashtag`: after a space, a sign, up to six letters, perhaps a class of
shares, and then the end, a space or a sign."""

_FLAGS = (
    "paid_partnership",
    "share_with_followers",
    "for_super_followers_only",
)
_CARD = {"media_title": "title", "media_description": "description"}


def precheck(publication: Publication) -> Failed | None:
    """Return why X would refuse the post, or None if nothing speaks against it."""
    unfit = _unfit_file(publication.media)
    if unfit is not None:
        return unfit
    if _INVALID_SIGNS.intersection(publication.text):
        return XRefusal.BYTE_ORDER_MARK.end()
    if len(_CASHTAG.findall(publication.text)) > 1:
        return XRefusal.CASHTAGS.end()
    return _unfit_option(publication)


def _unfit_option(publication: Publication) -> Failed | None:
    media, options = publication.media, publication.options
    comment = options.get("first_comment")
    if isinstance(comment, str) and x_weight(comment) > _LONGEST_COMMENT:
        return XRefusal.LONG_COMMENT.end(most=_LONGEST_COMMENT)
    if options.get("share_with_followers") is True and not options.get("community_id"):
        return XRefusal.NO_COMMUNITY.end()
    if media is None and any(options.get(name) for name in _CARD):
        return XRefusal.NO_FILE.end()
    return None


def _unfit_file(media: MediaFile | None) -> Failed | None:
    if media is not None and media.size_bytes > _most_bytes(media):
        return refuse(Platform.X, FailureCode.MEDIA_TOO_LARGE)
    return unfit_video(Platform.X, media)


def post_body(publication: Publication, data: Mapping[str, Json]) -> dict[str, Json]:
    """Return the body; X wants a text, if only an empty one, and counts a line's end as one."""
    options = publication.options
    body: dict[str, Json] = {"text": with_line_feeds(publication.text)}
    if "media_id" in data:
        card = {field: options[name] for name, field in _CARD.items() if options.get(name)}
        body["media"] = {"media_ids": [data["media_id"]], **card}
    if options.get("reply_settings", "everyone") != "everyone":
        body["reply_settings"] = options["reply_settings"]
    if options.get("community_id"):
        body["community_id"] = options["community_id"]
    if options.get("made_with_ai") is True or options.get("is_ai_generated") is True:
        body["made_with_ai"] = True
    if options.get("reply_to_post_id"):
        body["reply"] = {"in_reply_to_tweet_id": options["reply_to_post_id"]}
    if options.get("quote_post_id") and publication.media is None:
        body["quote_tweet_id"] = options["quote_post_id"]
    return body | {name: True for name in _FLAGS if options.get(name) is True}


def comment_body(publication: Publication, live: str) -> dict[str, Json]:
    """Return the body of the first comment: an answer to the post itself."""
    text = str(publication.options.get("first_comment")).replace("\r\n", "\n")
    body: dict[str, Json] = {"text": text, "reply": {"in_reply_to_tweet_id": live}}
    ai = any(publication.options.get(name) is True for name in ("made_with_ai", "is_ai_generated"))
    return {**body, "made_with_ai": True} if ai else body


def _most_bytes(media: MediaFile) -> int:
    return LARGEST_VIDEO if media.kind is MediaKind.VIDEO else LARGEST_PHOTO
