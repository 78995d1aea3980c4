"""TikTok's facts: developers.tiktok.com/doc/content-posting-api-get-started."""

from datetime import timedelta
from typing import Final

from chalicelib.domain.platforms.facts import Facts, Limits
from chalicelib.domain.platforms.option import Group, Option
from chalicelib.domain.platforms.option_rules import Flag, Text
from chalicelib.domain.platforms.shared_options import TRIM

FACTS: Final = Facts(
    name="TikTok",
    mark="Tt",
    limits=Limits(
        caption=2_200, longest_video=timedelta(minutes=3), needs_media=True, can_delete=False
    ),
    options=(
        TRIM,
        Option(
            "privacy_level",
            Text(longest=100),
            label="Who can watch",
            help="Who sees it: a value that the creator options of the account offer. Required to "
            "send.",
            group=Group.REQUIRED,
            offered=True,
        ),
        Option(
            "allow_comment",
            Flag(),
            label="Allow comments",
            help="Lets people comment (default false).",
            group=Group.COMMON,
        ),
        Option(
            "allow_duet",
            Flag(),
            label="Allow duets",
            help="Lets people make duets with a video (default false).",
            group=Group.COMMON,
        ),
        Option(
            "allow_stitch",
            Flag(),
            label="Allow stitches",
            help="Lets people stitch a video (default false).",
            group=Group.COMMON,
        ),
        Option(
            "disclose_commercial",
            Flag(),
            label="Promotes something",
            help="Says that it promotes something; needs one of the next two.",
            group=Group.COMMON,
        ),
        Option(
            "your_brand",
            Flag(),
            label="Your brand",
            help="It promotes the creator's own business.",
            group=Group.COMMON,
        ),
        Option(
            "branded_content",
            Flag(),
            label="Branded content",
            help="It is a paid partnership; never with privacy_level SELF_ONLY.",
            group=Group.COMMON,
        ),
    ),
)
