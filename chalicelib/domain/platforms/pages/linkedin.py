"""LinkedIn's facts: learn.microsoft.com/linkedin, "Posts API"."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Final

from chalicelib.domain.platforms.facts import Account, Cards, Facts, Figure, Golden, Limits
from chalicelib.domain.platforms.files import JPEG, PNG, Cover, Photos, Videos
from chalicelib.domain.platforms.layout import Layout
from chalicelib.domain.platforms.option import Fields, Group, Option
from chalicelib.domain.platforms.option_rules import Choice, Flag, Form, Many, Text
from chalicelib.domain.platforms.setting import Setting
from chalicelib.domain.platforms.shared_options import (
    ALT,
    ALT_TEXTS,
    CROP,
    FILES,
    LINK_CARD,
    TRIM,
    alt_text,
    cover_picture,
    first_comment,
    older_alt,
)
from chalicelib.domain.platforms.texts.folds import Fold
from chalicelib.domain.platforms.texts.marks import tags, web_links
from chalicelib.domain.platforms.texts.titles import given_title
from chalicelib.kit.json_value import Json

# Sprout Social 2023: Tue and Wed 10-12; 2021: Tue to Thu 9-12. Hootsuite 2021: Tue and Wed 9,
# which is why 10 stands before 11.
# https://www.odwyerpr.com/story/public/19714/2023-06-07/midweek-afternoons-best-post-time-for-tiktok.html
# fmt: off
_ACTIVITY: Final = (
    8, 5, 4, 4, 6, 14, 30, 52, 70, 85, 100, 95,
    82, 72, 66, 62, 60, 56, 44, 36, 30, 24, 18, 12,
)
# fmt: on


def _quiet(account: Account) -> Mapping[str, Json]:
    is_member = (account.remote_identity or "").startswith("urn:li:person:")
    return {"visibility": "CONNECTIONS"} if is_member else {}


def _ends(version: str) -> datetime:
    """Return when LinkedIn stops answering a version: 202609 ends on 2027-09-15."""
    return datetime(int(version[:4]) + 1, int(version[4:]), 15, tzinfo=UTC)


VERSION: Final = Setting(
    name="linkedin_version",
    default="202609",
    pattern="20[0-9]{2}(?:0[1-9]|1[0-2])",
    example="a year and month like 202609",
    api="LinkedIn API",
    ends=_ends,
    source="https://learn.microsoft.com/linkedin/marketing/versioning",
)
"""learn.microsoft.com/linkedin/marketing/versioning: a version is named after a month and ends a
year later, in the middle of that month."""

_MENTIONED: Final = Fields(
    of=(
        Option(
            "handle",
            Text(longest=100, pattern="@?[A-Za-z0-9._-]+"),
            label="Handle",
            help="As the caption has it after @; a page's is the last part of its address.",
            group=Group.REQUIRED,
        ),
        Option(
            "urn",
            Text(longest=100, pattern="urn:li:(person|organization):[A-Za-z0-9_-]+"),
            label="URN",
            help="Whom it means, if it is not a page that LinkedIn finds by its address.",
        ),
        Option("name", Text(longest=200), label="Name", help="The full name, beside a urn."),
    )
)

FACTS: Final = Facts(
    name="LinkedIn",
    mark="in",
    limits=Limits(caption=3_000, longest_video=timedelta(minutes=10)),
    photos=Photos(
        formats=frozenset({JPEG, PNG}),
        most_bytes=5_000_000,
        box=(6000, 6000),
        most_pixels=36_000_000,
    ),
    videos=Videos(
        mp4_only=True,
        pictures=frozenset({"h264"}),
        sound=frozenset({"aac"}),
        cover=Cover(most_bytes=10_000_000, like_video=True),
    ),
    read_lag=timedelta(seconds=60),
    activity=_ACTIVITY,
    figures=frozenset({Figure.VIEWS, Figure.LIKES, Figure.COMMENTS, Figure.SHARES}),
    settings=(VERSION,),
    layout=Layout(
        acts=("thumb", "reply", "repost", "send"),
        marks=(web_links, tags),
        title=given_title,
        fold=Fold(lines=3),
    ),
    golden_hour=Golden.BY_DEFAULT,
    quiet_options=_quiet,
    cards=Cards.SERVICE,
    searches_people=True,
    options=(
        TRIM,
        CROP,
        LINK_CARD,
        Option(
            "visibility",
            Choice(
                {
                    "PUBLIC": "Anyone",
                    "CONNECTIONS": "Connections only",
                    "LOGGED_IN": "LinkedIn members only",
                }
            ),
            label="Who can see it",
            help="Who sees it.",
            default="PUBLIC",
            group=Group.COMMON,
        ),
        alt_text(ALT, of="the file", only=FILES),
        older_alt(ALT_TEXTS, only=FILES),
        cover_picture(),
        Option("title", Text(longest=400), label="Video title", help="Title of a video."),
        Option(
            "disable_reshare",
            Flag(),
            label="Turn off resharing",
            help="Keeps others from sharing it.",
            default=False,
        ),
        Option(
            "author",
            Text(longest=100, pattern="urn:li:[A-Za-z]+:[A-Za-z0-9_-]+"),
            label="Post as",
            help="URN of the member or page it is posted as, if not the account's own.",
        ),
        Option(
            "cta_label",
            Text(longest=50, pattern="[A-Z_]+"),
            label="Button",
            help="Label of the button of a page's post, such as LEARN_MORE.",
        ),
        Option(
            "cta_url",
            Text(),
            label="Button link",
            help="Where that button leads.",
            asked_as=Form.ADDRESS,
        ),
        Option(
            "mentions",
            Many(of=_MENTIONED, most=20),
            label="Mentions",
            help="Whom an @handle of the caption means on LinkedIn.",
        ),
        first_comment(1_250),
    ),
)
