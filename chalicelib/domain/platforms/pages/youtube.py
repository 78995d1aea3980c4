"""YouTube's facts: developers.google.com/youtube/v3/docs/videos."""

from datetime import timedelta
from fractions import Fraction
from typing import Final

from chalicelib.domain.platforms.facts import Facts, Figure, Golden, Limits
from chalicelib.domain.platforms.files import Cover, Videos
from chalicelib.domain.platforms.layout import Chosen, Frame, Layout
from chalicelib.domain.platforms.option import Group, Option
from chalicelib.domain.platforms.option_rules import Choice, Flag, Many, Text
from chalicelib.domain.platforms.platform import MediaKind
from chalicelib.domain.platforms.shared_options import (
    ID,
    TRIM,
    ai_label,
    cover_picture,
    cover_second,
    first_comment,
)
from chalicelib.domain.platforms.texts.folds import Fold
from chalicelib.domain.platforms.texts.marks import tags, web_links
from chalicelib.domain.platforms.texts.titles import youtube_title

_NO_ANGLE_BRACKETS = r"[^<>\u0000-\u001F\u007F-\u009F]*"

# An analysis of a million videos: Mon, Wed and Thu 16, weekdays 15-17, much from 12 to 15 and
# from 19 to 22, least from 3 to 5. Read in a retelling, not at its source.
# https://crosspostify.com/blog/best-time-to-post/youtube-shorts
# fmt: off
_ACTIVITY: Final = (
    36, 24, 16, 8, 6, 10, 20, 40, 46, 52, 58, 66,
    75, 76, 80, 90, 100, 88, 80, 80, 80, 78, 62, 48,
)
# fmt: on


def _frame(_: Chosen, __: MediaKind | None, aspect: float | None) -> Frame:
    return Frame.UPRIGHT if aspect is not None and aspect < 1 else Frame.WIDE


FACTS: Final = Facts(
    name="YouTube",
    mark="Yt",
    limits=Limits(
        caption=5_000, longest_video=timedelta(minutes=3), needs_media=True, takes_photo=False
    ),
    photos=None,
    videos=Videos(  # it unpacks what editors write: support.google.com/youtube/answer/1722171
        chroma=None,
        depths={},
        shows_hdr=True,
        square_pixels=False,
        covers_by_file=True,
        cover=Cover(most_bytes=2_000_000, box=(1280, 720), aspect=Fraction(16, 9)),
    ),
    read_lag=timedelta(0),  # asked of the upload's own session
    activity=_ACTIVITY,
    figures=frozenset(Figure),
    layout=Layout(
        acts=("thumb", "share", "bookmark"),
        marks=(web_links, tags),
        title=youtube_title,
        frame=_frame,
        file_first=True,
        fold=Fold(characters=100, lines=2),
    ),
    golden_hour=Golden.BY_DEFAULT,
    quiet_options=lambda _: {"privacy": "private", "notify_subscribers": False},
    lasting_api=("v3", "https://developers.google.com/youtube/v3/revision_history"),
    options=(
        TRIM,
        Option(
            "title",
            Text(longest=100, pattern=_NO_ANGLE_BRACKETS),
            label="Title",
            help="The video's title; by default the caption's first line.",
            group=Group.COMMON,
        ),
        Option(
            "privacy",
            Choice({"public": "Everybody", "unlisted": "With the link", "private": "Only you"}),
            label="Who can watch",
            help="Who can watch it.",
            default="public",
            group=Group.COMMON,
        ),
        Option(
            "made_for_kids",
            Flag(),
            label="Made for children",
            help="Says that it is made for children.",
            default=False,
            group=Group.COMMON,
        ),
        Option(
            "category",
            Text(longest=3, pattern="[0-9]+"),
            label="Category",
            help='Number of a YouTube category, such as "22".',
            offered=True,
        ),
        Option(
            "tags",
            Many(of=Text(longest=500, pattern=_NO_ANGLE_BRACKETS), most=250),
            label="Tags",
            help="Keywords, 500 characters in all; one with a space counts two more.",
        ),
        Option(
            "playlist",
            ID,
            label="Playlist",
            help="Id of a playlist of the channel that it is added to.",
            group=Group.COMMON,
            offered=True,
        ),
        Option(
            "notify_subscribers",
            Flag(),
            label="Notify subscribers",
            help="Notifies subscribers.",
            default=True,
        ),
        Option(
            "synthetic_media",
            Flag(),
            label="Altered or synthetic",
            help="Discloses that it shows realistic altered content.",
        ),
        ai_label(),
        Option(
            "paid_promotion",
            Flag(),
            label="Paid promotion",
            help="Discloses that it contains paid promotion.",
        ),
        cover_second(),
        cover_picture(),
        first_comment(10_000),
        Option(
            "embeddable",
            Flag(),
            label="Allow embedding",
            help="Lets other sites show it.",
            default=True,
        ),
        Option(
            "license",
            Choice({"youtube": "Standard YouTube licence", "creativeCommon": "Creative Commons"}),
            label="Licence",
            help="The licence it is published under.",
        ),
    ),
)
