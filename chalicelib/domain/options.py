"""The `options` of a target: which keys each platform knows and what their values must be.

The API refuses values of a wrong shape before anything is stored (422 `detail`); keys that nobody
knows are kept and ignored. Whether a board or community exists only its platform can tell: that
comes back as `invalid_options`. `trim` is known everywhere (SPEC "Target options").
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from chalicelib.domain.option_rules import (
    Choice,
    Fields,
    Flag,
    Loc,
    Many,
    Number,
    OneOrMany,
    OptionProblem,
    Rule,
    Text,
)
from chalicelib.domain.outcome import Json
from chalicelib.domain.platforms import Platform

DEEPEST: Final = 10
LARGEST_NUMBER: Final = 1e38
"""What a DynamoDB number can hold, and more than any option means."""

_YES_OR_NO = Flag()
_TEXT = Text()
_ALT = OneOrMany(of=Text(longest=2_000), most=20)

_EVERYWHERE: Mapping[str, Rule] = {"trim": Choice(("start", "end"))}

_INSTAGRAM: Mapping[str, Rule] = {
    "post_type": Choice(("feed", "reel", "story")),
    "share_to_feed": _YES_OR_NO,
    "cover_offset_ms": Number(most=900_000),
    "collaborators": Many(of=Text(longest=100), most=3),
    "alt_text": Text(longest=1_000),
    "user_tags": Many(
        of=Fields(
            of={
                "username": Text(longest=100),
                "x": Number(most=1, whole=False),
                "y": Number(most=1, whole=False),
            },
            required=("username",),
        ),
        most=20,
    ),
    "location_id": Text(longest=64),
    "first_comment": Text(longest=2_200),
    "trial_reel": Choice(("MANUAL", "SS_PERFORMANCE")),
    "is_ai_generated": _YES_OR_NO,
}
_TIKTOK: Mapping[str, Rule] = {
    "privacy_level": Text(longest=100),
    "allow_comment": _YES_OR_NO,
    "allow_duet": _YES_OR_NO,
    "allow_stitch": _YES_OR_NO,
    "disclose_commercial": _YES_OR_NO,
    "your_brand": _YES_OR_NO,
    "branded_content": _YES_OR_NO,
}
_YOUTUBE: Mapping[str, Rule] = {
    "title": Text(longest=100, pattern="[^<>]*"),
    "privacy": Choice(("public", "unlisted", "private")),
    "made_for_kids": _YES_OR_NO,
    "category": Text(longest=3, pattern="[0-9]+"),
    "tags": Many(of=Text(longest=500, pattern="[^<>]*"), most=250),
    "playlist": Text(longest=64),
    "notify_subscribers": _YES_OR_NO,
    "synthetic_media": _YES_OR_NO,
    "embeddable": _YES_OR_NO,
    "license": Choice(("youtube", "creativeCommon")),
    "cover": _TEXT,
}
_LINKEDIN: Mapping[str, Rule] = {
    "visibility": Choice(("PUBLIC", "CONNECTIONS", "LOGGED_IN")),
    "alt": _ALT,
    "title": Text(longest=400),
    "disable_reshare": _YES_OR_NO,
    "author": Text(longest=100, pattern="urn:li:[A-Za-z]+:[A-Za-z0-9_-]+"),
    "cta_label": Text(longest=50, pattern="[A-Z_]+"),
    "cta_url": _TEXT,
}
_X: Mapping[str, Rule] = {
    "alt": OneOrMany(of=Text(longest=1_000), most=4),
    "reply_settings": Choice(
        ("everyone", "following", "mentionedUsers", "subscribers", "verified")
    ),
    "made_with_ai": _YES_OR_NO,
    "paid_partnership": _YES_OR_NO,
    "community_id": Text(longest=20, pattern="[0-9]+"),
    "share_with_followers": _YES_OR_NO,
    "for_super_followers_only": _YES_OR_NO,
    "media_title": Text(longest=300),
    "media_description": Text(longest=1_000),
}
_FACEBOOK: Mapping[str, Rule] = {
    "post_type": Choice(("feed", "reel", "story")),
    "link": _TEXT,
    "alt_text": Text(longest=1_000),
    "title": Text(longest=255),
    "place_id": Text(longest=64),
    "first_comment": Text(longest=8_000),
    "targeting_countries": Many(of=Text(longest=2, pattern="[A-Z]{2}"), most=25),
    "collaborator_page_id": Text(longest=64),
}
_THREADS: Mapping[str, Rule] = {
    "reply_control": Choice(
        (
            "everyone",
            "accounts_you_follow",
            "mentioned_only",
            "parent_post_author_only",
            "followers_only",
        )
    ),
    "topic_tag": Text(longest=50, pattern="[^.&]+"),
    "link": _TEXT,
    "alt_text": Text(longest=1_000),
    "location_id": Text(longest=64),
    "quote_post_id": Text(longest=64),
    "spoiler": _YES_OR_NO,
    "countries": Many(of=Text(longest=2, pattern="[A-Z]{2}"), most=250),
    "reply_approvals": _YES_OR_NO,
    "share_to_ig_story": _YES_OR_NO,
    "ghost": _YES_OR_NO,
    "first_comment": Text(longest=500),
}
_PINTEREST: Mapping[str, Rule] = {
    "board": Text(longest=100),
    "board_section": Text(longest=100),
    "title": Text(longest=100),
    "link": _TEXT,
    "alt_text": Text(longest=500),
    "cover_second": Number(most=900),
    "dominant_color": Text(longest=7, pattern="#[0-9A-Fa-f]{6}"),
}
_BLUESKY: Mapping[str, Rule] = {
    "alt": _ALT,
    "langs": Many(of=Text(longest=35, pattern="[A-Za-z0-9-]+"), most=3),
    "reply_settings": Choice(("everyone", "nobody", "mentioned", "followers", "following")),
    "disable_quotes": _YES_OR_NO,
    "labels": Many(of=Text(longest=128), most=10),
    "tags": Many(of=Text(longest=640), most=8),
}
_REDDIT: Mapping[str, Rule] = {
    "subreddit": Text(longest=30, pattern="(?:/?[ru]/)?[A-Za-z0-9_-]{2,24}/?"),
    "title": Text(longest=300),
    "kind": Choice(("self", "link", "image", "video")),
    "link": _TEXT,
    "flair_id": Text(longest=36),
    "flair_text": Text(longest=64),
    "nsfw": _YES_OR_NO,
    "spoiler": _YES_OR_NO,
    "send_replies": _YES_OR_NO,
}
_GOOGLE_BUSINESS_PROFILE: Mapping[str, Rule] = {
    "topic_type": Choice(("STANDARD", "EVENT", "OFFER")),
    "call_to_action": Fields(
        of={
            "type": Choice(("BOOK", "ORDER", "SHOP", "LEARN_MORE", "SIGN_UP", "CALL")),
            "url": _TEXT,
        },
        required=("type",),
    ),
    "language": Text(longest=35, pattern="[A-Za-z0-9-]+"),
    "event": Fields(
        of={"title": Text(longest=58), "start": _TEXT, "end": _TEXT}, required=("title",)
    ),
    "offer": Fields(of={"coupon": Text(longest=58), "url": _TEXT, "terms": Text(longest=5_000)}),
}

KNOWN: Mapping[Platform, Mapping[str, Rule]] = MappingProxyType(
    {
        Platform.INSTAGRAM: _INSTAGRAM,
        Platform.TIKTOK: _TIKTOK,
        Platform.YOUTUBE: _YOUTUBE,
        Platform.LINKEDIN: _LINKEDIN,
        Platform.X: _X,
        Platform.FACEBOOK: _FACEBOOK,
        Platform.THREADS: _THREADS,
        Platform.PINTEREST: _PINTEREST,
        Platform.BLUESKY: _BLUESKY,
        Platform.REDDIT: _REDDIT,
        Platform.GOOGLE_BUSINESS_PROFILE: _GOOGLE_BUSINESS_PROFILE,
    }
)
"""The keys each platform knows, from its own documentation, besides `trim`."""


def option_problems(platform: Platform, options: Mapping[str, Json]) -> list[OptionProblem]:
    """Return what is wrong with a target's options; an empty list when they can be stored.

    Every known key must have a value of its kind. Everything, known or not, must be at most 10
    levels deep, with finite numbers below 1e38 and strings that are Unicode text.
    """
    unfit = list(_unfit(dict(options), (), depth=1))
    if unfit:
        return unfit
    rules = {**_EVERYWHERE, **KNOWN[platform]}
    return Fields(of=rules).problems(dict(options), ())


def _unfit(value: Json, loc: Loc, *, depth: int) -> Iterator[OptionProblem]:
    """Find what cannot be stored or sent on as JSON."""
    match value:
        case dict() | list() if depth > DEEPEST:
            message = f"Options can be nested at most {DEEPEST} levels deep"
            yield OptionProblem(loc=_printable(loc), msg=message, type="value_error")
        case dict():
            for key, inner in value.items():
                yield from _unfit(key, loc, depth=depth)
                yield from _unfit(inner, (*loc, key), depth=depth + 1)
        case list():
            for place, inner in enumerate(value):
                yield from _unfit(inner, (*loc, place), depth=depth + 1)
        case str() if not _is_unicode(value):
            message = "Input should be a valid string, unable to parse raw data as a unicode string"
            yield OptionProblem(loc=_printable(loc), msg=message, type="string_unicode")
        case int() | float() if not abs(value) < LARGEST_NUMBER:  # NaN is below nothing
            message = "Input should be a finite number below 1e38"
            yield OptionProblem(loc=_printable(loc), msg=message, type="finite_number")
        case _:
            pass


def _is_unicode(text: str) -> bool:
    """Tell whether there is no lone surrogate in it, which JSON can spell but nobody can send."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _printable(loc: Loc) -> Loc:
    return tuple(p if isinstance(p, int) or _is_unicode(p) else "?" for p in loc)
