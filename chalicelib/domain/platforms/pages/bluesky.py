"""Bluesky's facts: docs.bsky.app/docs/advanced-guides/posts."""

from typing import Final

from chalicelib.domain.platforms.facts import Facts, Limits
from chalicelib.domain.platforms.option import Group, Option
from chalicelib.domain.platforms.option_rules import Choice, Flag, Link, Many, Text
from chalicelib.domain.platforms.shared_options import (
    ALT_TEXTS,
    LANGUAGE,
    LINK_IN_CAPTION,
    TRIM,
    alt_text,
)

FACTS: Final = Facts(
    name="Bluesky",
    mark="Bs",
    limits=Limits(caption=300),
    options=(
        TRIM,
        Option("link", Link(), label="Link card", help=LINK_IN_CAPTION, group=Group.COMMON),
        alt_text(ALT_TEXTS, name="alt", of="the file"),
        Option(
            "langs", Many(of=LANGUAGE, most=3), label="Languages", help="Languages of the text."
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
            help="Who may reply (default everyone).",
            group=Group.COMMON,
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
