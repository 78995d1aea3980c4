"""Facebook Pages' facts: developers.facebook.com/docs/pages-api/posts."""

from datetime import timedelta
from typing import Final

from chalicelib.domain.platforms.facts import Cards, Facts, Figure, Golden, Limits
from chalicelib.domain.platforms.files import JPEG, PNG, Cover, Photos, Videos
from chalicelib.domain.platforms.layout import Layout, in_post_type
from chalicelib.domain.platforms.option import Group, Option
from chalicelib.domain.platforms.option_rules import Choice, Many, Text
from chalicelib.domain.platforms.setting import META_GRAPH
from chalicelib.domain.platforms.shared_options import (
    COUNTRY,
    CROP,
    ID,
    LINK_CARD,
    NOT_AS_STORY,
    TRIM,
    VIDEOS,
    ai_label,
    alt_text,
    cover_picture,
    cover_second,
    first_comment,
)
from chalicelib.domain.platforms.texts.folds import Fold
from chalicelib.domain.platforms.texts.marks import tags, web_links
from chalicelib.domain.platforms.texts.titles import given_title

# Sprout Social 2025, 600,000 profiles: Mon and Tue 9-12, Wed 8-11 and 15-17, Thu 8-12, Fri and
# Sat 9-10, Sun 8-13. Buffer's 14 million posts agree: Thu 9.
# https://sproutsocial.com/insights/?p=159401
# fmt: off
_ACTIVITY: Final = (
    16, 10, 8, 6, 8, 18, 36, 58, 76, 100, 88, 82,
    70, 66, 64, 66, 66, 62, 60, 60, 58, 50, 38, 26,
)
# fmt: on

FACTS: Final = Facts(
    name="Facebook",
    mark="f",
    limits=Limits(caption=63_206, longest_video=timedelta(minutes=4)),
    photos=Photos(formats=frozenset({JPEG, PNG}), most_bytes=4_000_000),
    videos=Videos(
        pictures=frozenset({"h264", "hevc", "vp9", "av1"}),
        shows_hdr=True,  # engineering.fb.com/2023/07/17/video-engineering/hdr-video-reels-meta
        rates=(24, 60),
        longest_s={"story": 60, "reel": 90},
        covers_by_file=True,
        cover=Cover(most_bytes=10_000_000, box=(1920, 1920)),
    ),
    read_lag=timedelta(seconds=60),
    activity=_ACTIVITY,
    figures=frozenset(Figure),
    settings=(META_GRAPH,),
    layout=Layout(
        acts=("thumb", "reply", "share"),
        marks=(web_links, tags),
        title=given_title,
        place=in_post_type,
        fold=Fold(characters=477, lines=5, across=96),
    ),
    golden_hour=Golden.IF_ASKED,
    cards=Cards.PLATFORM,
    options=(
        TRIM,
        CROP,
        Option(
            "post_type",
            Choice({"feed": "Feed", "reel": "Reel", "story": "Story"}),
            label="Post as",
            help="Where it appears; upright videos of 3 to 90 seconds are reels by default.",
            group=Group.COMMON,
        ),
        LINK_CARD,
        alt_text(Text(longest=1_000)),
        Option(
            "title",
            Text(longest=255),
            label="Video title",
            help="Title of a video.",
            only=VIDEOS,
            unless=NOT_AS_STORY,
        ),
        ai_label(only=VIDEOS),
        cover_second(unless=NOT_AS_STORY),
        cover_picture(unless=NOT_AS_STORY),
        Option(
            "place_id",
            ID,
            label="Place",
            help="Id of a Page that is the place.",
            searched=True,
            unless=NOT_AS_STORY,
        ),
        first_comment(8_000, unless=NOT_AS_STORY),
        Option(
            "targeting_countries",
            Many(of=COUNTRY, most=25),
            label="Countries",
            help="Two-letter codes of the countries it is shown in.",
            unless=NOT_AS_STORY,
        ),
        Option(
            "collaborator_page_id",
            ID,
            label="Collaborator",
            help="Id of a Page invited as joint author of a reel.",
            only=VIDEOS,
            unless=NOT_AS_STORY,
        ),
    ),
)
