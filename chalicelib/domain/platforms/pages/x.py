"""X's facts: docs.x.com/x-api/posts/create-post."""

from datetime import timedelta
from fractions import Fraction
from typing import Final

from chalicelib.domain.platforms.facts import Counting, Facts, Figure, Golden, Limits
from chalicelib.domain.platforms.files import JPEG, PNG, WEBP, Photos, Videos
from chalicelib.domain.platforms.layout import Chosen, Frame, Layout
from chalicelib.domain.platforms.option import Group, Option
from chalicelib.domain.platforms.option_rules import Choice, Flag, OneOrMany, Text
from chalicelib.domain.platforms.platform import MediaKind
from chalicelib.domain.platforms.setting import Setting
from chalicelib.domain.platforms.shared_options import (
    CROP,
    FILES,
    TEXT_ALONE,
    TRIM,
    ai_label,
    alt_text,
    first_comment,
    older_alt,
)
from chalicelib.domain.platforms.texts.marks import bare_links, cashtags, mentions, tags

_LONGEST_TEXT: Final = 280 // 23 * 4_096 + 280
"""Twelve links of 4,096 characters, which weigh 23 each: a longer text weighs more than 280."""

# Sprout Social, October 2025: Mon 9-20, Tue 11-17, Wed to Fri 10-17, Sat 11-14, Sun 14-18; 2023:
# Tue and Thu 9-14, Wed 9-13, Fri 9-12. The days of both add up.
# https://sproutsocial.com/best-times-to-post/twitter-travel-and-tourism
# fmt: off
_ACTIVITY: Final = (
    24, 16, 10, 8, 10, 18, 34, 52, 64, 75, 90, 100,
    95, 90, 80, 80, 80, 70, 67, 65, 60, 54, 44, 34,
)
# fmt: on

_POST_ID: Final = Text(longest=19, pattern="[0-9]+")

_SHOWN_WHOLE: Final = (3 / 4, 2.0)


def _frame(_: Chosen, kind: MediaKind | None, aspect: float | None) -> Frame:
    """Return a photo's own shape, unless the feed cuts it because it is too tall or too wide."""
    tallest, widest = _SHOWN_WHOLE
    if kind is not MediaKind.IMAGE or aspect is None or tallest <= aspect <= widest:
        return Frame.WHOLE
    return Frame.TALL_CUT if aspect < tallest else Frame.BROAD_CUT


FACTS: Final = Facts(
    has_public_applications=True,
    name="X",
    mark="X",
    limits=Limits(
        caption=280,
        counted=Counting.WEIGHED,
        most_characters=_LONGEST_TEXT,
        longest_video=timedelta(minutes=2, seconds=20),
    ),
    photos=Photos(formats=frozenset({JPEG, PNG, WEBP}), most_bytes=5_000_000),
    videos=Videos(  # docs.x.com/x-api/media/quickstart/best-practices
        pictures=frozenset({"h264"}),
        progressive=True,
        rates=(0, 60),
        least_side=32,
        aspects=(Fraction(1, 3), Fraction(3)),
        sound=frozenset({"aac"}),
        plain_sound=True,
        shortest_s=0.5,
    ),
    read_lag=timedelta(seconds=60),
    activity=_ACTIVITY,
    figures=frozenset({Figure.VIEWS, Figure.LIKES, Figure.COMMENTS, Figure.SHARES}),
    settings=(Setting(name="x_metrics", default="on", pattern="on|off", example="on or off"),),
    layout=Layout(
        frame=_frame,
        acts=("reply", "repost", "heart", "views", "bookmark", "share"),
        marks=(bare_links, tags, cashtags, mentions),
    ),
    golden_hour=Golden.BY_DEFAULT,
    takes_from_allowance=True,
    lasting_api=("2", "https://docs.x.com/x-api"),
    link_price=(
        "A post with a link costs $0.20 at X, one without $0.015 (X's prices since April 2026)."
        " This service's operator pays it."
    ),
    options=(
        TRIM,
        CROP,
        alt_text(Text(longest=1_000), of="the photo"),
        older_alt(OneOrMany(of=Text(longest=1_000), most=4)),
        Option(
            "reply_settings",
            Choice(
                {
                    "everyone": "Everyone",
                    "following": "People you follow",
                    "mentionedUsers": "People you mention",
                    "subscribers": "Subscribers",
                    "verified": "Verified accounts",
                }
            ),
            label="Who can reply",
            help="Who may reply.",
            default="everyone",
            group=Group.COMMON,
        ),
        first_comment(280, "reply of the account's own"),
        ai_label(),
        Option(
            "made_with_ai", Flag(), label="Made with AI (X)", help="The same under X's own name."
        ),
        Option(
            "paid_partnership",
            Flag(),
            label="Paid partnership",
            help="Discloses that it is paid for.",
        ),
        Option(
            "community_id",
            Text(longest=20, pattern="[0-9]+"),
            label="Community",
            help="Id of the community it is posted to.",
        ),
        Option(
            "share_with_followers",
            Flag(),
            label="Show to followers too",
            help="Shows a community's post to the account's followers too.",
        ),
        Option(
            "for_super_followers_only",
            Flag(),
            label="Subscribers only",
            help="Shows it to paying followers only.",
        ),
        Option(
            "quote_post_id",
            _POST_ID,
            label="Quoted post",
            help="Id of a post that is quoted; X lets few applications quote.",
            only=TEXT_ALONE,
        ),
        Option(
            "reply_to_post_id",
            _POST_ID,
            label="Reply to",
            help="Id of the post that this one replies to; it must mention the account or be its "
            "own.",
        ),
        Option(
            "sensitive",
            Choice(
                {"adult_content": "Nudity", "graphic_violence": "Violence", "other": "Sensitive"}
            ),
            label="Content warning",
            help="Warns about the file.",
            only=FILES,
        ),
        Option("media_title", Text(longest=300), label="File title", help="Title of the file."),
        Option(
            "media_description",
            Text(longest=1_000),
            label="File description",
            help="Description of the file.",
        ),
    ),
)
