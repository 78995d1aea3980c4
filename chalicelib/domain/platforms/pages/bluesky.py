"""Bluesky's facts: docs.bsky.app/docs/advanced-guides/posts."""

from datetime import timedelta
from typing import Final

from chalicelib.domain.platforms.facts import Cards, Counting, Facts, Figure, Limits
from chalicelib.domain.platforms.files import JPEG, PNG, WEBP, Elsewhere, Photos, Videos
from chalicelib.domain.platforms.layout import Layout
from chalicelib.domain.platforms.option import Fields, Group, Option
from chalicelib.domain.platforms.option_rules import Choice, Flag, Many, Text
from chalicelib.domain.platforms.shared_options import (
    ALT,
    ALT_TEXTS,
    CROP,
    FILES,
    LANGUAGE,
    LINK_CARD,
    TRIM,
    VIDEOS,
    alt_text,
    first_comment,
    older_alt,
)
from chalicelib.domain.platforms.texts.marks import facets

# No study with a method found, only what two makers of tools say: 8-10 and 12-13 (mediafa.st),
# 9-11, 12-14 and 16-18 (theblue.social, July 2025).
# fmt: off
_ACTIVITY: Final = (
    22, 14, 9, 7, 10, 20, 40, 65, 85, 100, 88, 86,
    95, 85, 74, 72, 75, 75, 68, 66, 64, 56, 44, 32,
)
# fmt: on

_REPLY_RULE: Final = "(mentioned|followers|following|at://[a-zA-Z0-9:._-]+/app\\.bsky\\.graph\\.list/[a-zA-Z0-9._~-]+)"
_SUBTITLES: Final = Fields(
    of=(
        Option("language", LANGUAGE, label="Language", help="Such as pt-BR.", group=Group.REQUIRED),
        Option(
            "text",
            Text(longest=20_000, pattern=r"WEBVTT[\s\S]*"),
            label="Text",
            help="WebVTT, up to 20,000 characters.",
            group=Group.REQUIRED,
        ),
    )
)

_ELSEWHERE: Final = Elsewhere(own=("bsky.network", "bsky.social"), most_bytes=976 * 1024)
"""app.bsky.embed.images allows 2,000,000 bytes, and so do Bluesky's own servers. A server run by
somebody else may be older and refuse more than 1,000,000 (@atproto/pds 0.4.217 does)."""

FACTS: Final = Facts(
    has_public_applications=True,
    name="Bluesky",
    mark="Bs",
    limits=Limits(caption=300, counted=Counting.GRAPHEMES, most_bytes=3_000),
    photos=Photos(
        formats=frozenset({JPEG, PNG, WEBP}),
        most_bytes=2_000_000,
        elsewhere=_ELSEWHERE,
        box=(2000, 2000),
    ),
    videos=Videos(mp4_only=True),
    read_lag=timedelta(0),  # asked for our own key, under which writing twice is harmless
    activity=_ACTIVITY,
    figures=frozenset({Figure.LIKES, Figure.COMMENTS, Figure.SHARES}),
    layout=Layout(acts=("reply", "repost", "heart", "more"), marks=(facets,)),
    signs_in_by_handle=True,
    cards=Cards.SERVICE,
    finds_people=True,
    searches_people=True,
    lasting_api=("no version: lexicons grow in place", "https://atproto.com/specs/lexicon"),
    options=(
        TRIM,
        CROP,
        LINK_CARD,
        alt_text(ALT, of="the file", only=FILES),
        older_alt(ALT_TEXTS, only=FILES),
        first_comment(3_000, "reply of the account's own"),
        Option(
            "langs",
            Many(of=LANGUAGE, most=3),
            label="Languages",
            help="Languages of the text; by default those set for the account.",
        ),
        Option(
            "reply_settings",
            Choice(
                {
                    "everyone": "Everybody",
                    "nobody": "Nobody",
                    "mentioned": "People you mention",
                    "followers": "Your followers",
                    "following": "People you follow",
                }
            ),
            label="Who can reply",
            help="Who may reply.",
            default="everyone",
            group=Group.COMMON,
        ),
        Option(
            "reply_rules",
            Many(of=Text(pattern=_REPLY_RULE), most=5),
            label="Who can reply, several",
            help="Any of mentioned, followers, following and addresses of lists.",
        ),
        Option(
            "video_captions",
            Many(of=_SUBTITLES, most=20),
            label="Video captions",
            help="Subtitles in WebVTT, one text for each language.",
            only=VIDEOS,
        ),
        Option(
            "disable_quotes",
            Flag(),
            label="Turn off quotes",
            help="Keeps others from quoting it.",
        ),
        Option(
            "labels",
            Many(of=Text(longest=128), most=10),
            label="Content warnings",
            help="Content warnings, such as graphic-media.",
        ),
        Option(
            "tags",
            Many(of=Text(longest=640), most=8),
            label="Hidden hashtags",
            help="Hashtags that do not show in the text.",
        ),
    ),
)
