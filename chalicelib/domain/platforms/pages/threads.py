"""Threads' facts: developers.facebook.com/docs/threads/reference/publishing."""

from datetime import timedelta
from fractions import Fraction
from typing import Final

from chalicelib.domain.platforms.facts import Cards, Counting, Facts, Figure, Golden, Limits
from chalicelib.domain.platforms.files import JPEG, PNG, Photos, Videos
from chalicelib.domain.platforms.layout import Chosen, Layout
from chalicelib.domain.platforms.option import Group, Option
from chalicelib.domain.platforms.option_rules import Choice, Flag, Many, Text
from chalicelib.domain.platforms.shared_options import (
    COUNTRY,
    CROP,
    FILES,
    ID,
    LINK_CARD,
    TEXT_ALONE,
    TRIM,
    alt_text,
    first_comment,
    fit,
)
from chalicelib.domain.platforms.texts.marks import mentions, one_tag, web_links
from chalicelib.domain.platforms.texts.titles import option_text

# No study found. The mean of Instagram, whose accounts it shares, and X, which it is like.
# fmt: off
_ACTIVITY: Final = (
    23, 15, 9, 7, 9, 17, 34, 53, 68, 82, 100, 100,
    92, 83, 76, 75, 75, 71, 70, 70, 66, 59, 47, 35,
)
# fmt: on


def _topic(options: Chosen) -> str | None:
    return option_text(options, "topic_tag") or None


FACTS: Final = Facts(
    name="Threads",
    mark="@",
    limits=Limits(
        caption=500,
        counted=Counting.EMOJI_BYTES,
        most_characters=50_000,  # what is longer is not worth counting
        doubtful_bytes=500,  # github.com/gitroomhq/postiz-app/pull/1946: 504 bytes were refused
        longest_video=timedelta(minutes=5),
    ),
    photos=Photos(
        formats=frozenset({JPEG, PNG}),
        most_bytes=8_000_000,
        box=(4096, 4096),
        aspects=(Fraction(1, 10), Fraction(10)),
        srgb=True,
    ),
    videos=Videos(
        index_first=True,
        pictures=frozenset({"h264", "hevc"}),
        progressive=True,
        rates=(23, 60),
        most_columns=1920,
        most_bits_per_s=100_000_000,
        sound=frozenset({"aac"}),
        plain_sound=True,
    ),
    read_lag=timedelta(seconds=60),
    activity=_ACTIVITY,
    figures=frozenset({Figure.VIEWS, Figure.LIKES, Figure.COMMENTS, Figure.SHARES}),
    layout=Layout(
        acts=("heart", "reply", "repost", "send"),
        marks=(web_links, one_tag, mentions),
        place=_topic,
    ),
    golden_hour=Golden.IF_ASKED,
    prepares_texts=True,  # a container, as for a file: …/docs/threads/posts
    cards=Cards.PLATFORM,
    lasting_api=("v1.0", "https://developers.facebook.com/docs/threads/changelog"),
    options=(
        TRIM,
        CROP,
        Option(
            "reply_control",
            Choice(
                {
                    "everyone": "Everyone",
                    "accounts_you_follow": "Profiles you follow",
                    "mentioned_only": "Profiles you mention",
                    "parent_post_author_only": "The author you reply to",
                    "followers_only": "Your followers",
                }
            ),
            label="Who can reply",
            help="Who may reply.",
            default="everyone",
            group=Group.COMMON,
        ),
        Option(
            "topic_tag",
            Text(longest=50, pattern=r"[^.&\u0000-\u001F\u007F-\u009F]+"),
            label="Topic",
            help="The post's topic.",
            group=Group.COMMON,
        ),
        LINK_CARD,
        alt_text(Text(longest=1_000), of="the file", only=FILES),
        fit(),
        Option("location_id", ID, label="Location", help="Id of a place.", searched=True),
        Option("quote_post_id", ID, label="Quoted post", help="Id of a post that is quoted."),
        Option(
            "spoiler",
            Flag(),
            label="Spoiler",
            help="Hides the file until it is tapped.",
            only=FILES,
        ),
        Option(
            "countries",
            Many(of=COUNTRY, most=250),
            label="Countries",
            help="Two-letter codes of the countries it is shown in.",
        ),
        Option(
            "reply_approvals",
            Flag(),
            label="Approve replies first",
            help="Shows replies only once they are approved.",
        ),
        Option(
            "share_to_ig_story",
            Flag(),
            label="Share to the Instagram story",
            help="Shares it to the Instagram story too.",
        ),
        Option(
            "ghost",
            Flag(),
            label="Ghost post",
            help="Lets a text-only post disappear after a day.",
            only=TEXT_ALONE,
        ),
        first_comment(500, "reply"),
    ),
)
