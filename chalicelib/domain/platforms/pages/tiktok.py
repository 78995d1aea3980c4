"""TikTok's facts: developers.tiktok.com/doc/content-posting-api-get-started."""

from datetime import timedelta
from typing import Final

from chalicelib.domain.platforms.facts import Counting, Facts, Figure, Golden, Limits
from chalicelib.domain.platforms.files import JPEG, WEBP, Photos, Videos
from chalicelib.domain.platforms.layout import Chosen, Frame, Layout
from chalicelib.domain.platforms.option import Group, Option, When
from chalicelib.domain.platforms.option_rules import Flag, Text
from chalicelib.domain.platforms.platform import MediaKind
from chalicelib.domain.platforms.shared_options import CROP, TRIM, VIDEOS, ai_label, cover_second
from chalicelib.domain.platforms.texts.folds import Fold
from chalicelib.domain.platforms.texts.marks import mentions, tags
from chalicelib.domain.platforms.tiktok_form import AUDIT

# Sprout Social 2023: Tue 14-18, Wed 14-17, Thu 15-17; 2024: Tue 16-18, Wed 9-11, 12 and 14-18,
# Thu 9-11 and 14-18, Fri 16-18; 2025: Tue 17, Wed 14-17, Thu 15-17. The days of all three add up.
# https://sproutsocial.com/insights/?p=172822 (the list of 2025)
# fmt: off
_ACTIVITY: Final = (
    34, 22, 14, 10, 10, 16, 28, 44, 58, 70, 70, 67,
    70, 75, 82, 91, 100, 86, 80, 78, 76, 70, 60, 46,
)
# fmt: on


def _frame(_: Chosen, __: MediaKind | None, ___: float | None) -> Frame:
    return Frame.UPRIGHT


_AS_DRAFT: Final = When("draft", ("True",))
"""A draft is sent with its file, a photo with its text; the creator adds all else in the app."""

FACTS: Final = Facts(
    name="TikTok",
    mark="Tt",
    limits=Limits(
        caption=2_200,
        counted=Counting.UTF_16,
        longest_video=timedelta(minutes=3),
        needs_media=True,
        can_delete=False,
    ),
    photos=Photos(
        formats=frozenset({JPEG, WEBP}), most_bytes=20_000_000, box=(1080, 1920), box_turns=True
    ),
    videos=Videos(
        pictures=frozenset({"h264", "hevc", "vp8", "vp9"}),
        rates=(23, 60),
        least_side=360,
        most_side=4096,
    ),
    read_lag=timedelta(seconds=60),
    activity=_ACTIVITY,
    figures=frozenset({Figure.VIEWS, Figure.LIKES, Figure.COMMENTS, Figure.SHARES}),
    layout=Layout(
        acts=("heart", "reply", "bookmark", "share"),
        marks=(tags, mentions),
        frame=_frame,
        file_first=True,
        fold=Fold(characters=100, lines=2),
    ),
    golden_hour=Golden.BY_DEFAULT,
    has_creator=True,
    quiet_options=lambda _: {"privacy_level": "SELF_ONLY"},
    settings=(AUDIT,),
    lasting_api=("v2", "https://developers.tiktok.com/doc/content-posting-api-get-started"),
    options=(
        TRIM,
        CROP,
        Option(
            "privacy_level",
            Text(longest=100),
            label="Who can watch",
            help="Who sees it: a value that the creator options of the account offer.",
            note=". Required to send",
            group=Group.REQUIRED,
            offered=True,
        ),
        Option(
            "allow_comment",
            Flag(),
            label="Allow comments",
            help="Lets people comment.",
            default=False,
            group=Group.COMMON,
            unless=_AS_DRAFT,
        ),
        Option(
            "allow_duet",
            Flag(),
            label="Allow duets",
            help="Lets people make duets with a video.",
            default=False,
            group=Group.COMMON,
            only=VIDEOS,
            unless=_AS_DRAFT,
        ),
        Option(
            "allow_stitch",
            Flag(),
            label="Allow stitches",
            help="Lets people stitch a video.",
            default=False,
            group=Group.COMMON,
            only=VIDEOS,
            unless=_AS_DRAFT,
        ),
        Option(
            "disclose_commercial",
            Flag(),
            label="Promotes something",
            help="Discloses that it promotes something; needs one of the next two.",
            group=Group.COMMON,
            unless=_AS_DRAFT,
        ),
        Option(
            "your_brand",
            Flag(),
            label="Your brand",
            help="It promotes your own business.",
            group=Group.COMMON,
            unless=_AS_DRAFT,
        ),
        Option(
            "branded_content",
            Flag(),
            label="Branded content",
            help="It is a paid partnership; never with privacy_level SELF_ONLY.",
            group=Group.COMMON,
            unless=_AS_DRAFT,
        ),
        Option(
            "draft",
            Flag(),
            label="Draft in TikTok's inbox",
            help="Sends it to the creator's inbox in TikTok's app instead of publishing it; this "
            "needs the sign-in method draft. A video arrives there without its caption.",
            group=Group.COMMON,
        ),
        ai_label(only=VIDEOS, unless=_AS_DRAFT),
        cover_second(unless=_AS_DRAFT),
    ),
)
