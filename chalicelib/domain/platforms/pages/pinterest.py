"""Pinterest's facts: developers.pinterest.com/docs/api/v5/pins-create."""

from datetime import timedelta
from typing import Final

from chalicelib.domain.platforms.facts import Facts, Figure, Limits
from chalicelib.domain.platforms.files import JPEG, PNG, Cover, Photos, Videos
from chalicelib.domain.platforms.layout import Chosen, Layout
from chalicelib.domain.platforms.option import Group, Option
from chalicelib.domain.platforms.option_rules import Form, Text
from chalicelib.domain.platforms.shared_options import (
    CROP,
    TRIM,
    ai_label,
    alt_text,
    cover_picture,
    cover_second,
)
from chalicelib.domain.platforms.texts.folds import Fold
from chalicelib.domain.platforms.texts.marks import tags
from chalicelib.domain.platforms.texts.titles import given_title, option_text

# HubSpot's infographic of 2016 over studies of others: evenings, 20-23, most at 21; also 14-16.
# Sprout Social 2023 agrees only that afternoons are better than mornings.
# https://bluedogmarketing.blogspot.com/2016/04/the-best-times-to-post-on-social-media.html
# fmt: off
_ACTIVITY: Final = (
    44, 28, 20, 16, 12, 14, 22, 34, 44, 52, 58, 62,
    66, 70, 75, 76, 70, 68, 72, 82, 93, 100, 90, 66,
)
# fmt: on


def _board(options: Chosen) -> str | None:
    board = option_text(options, "board")
    return f"board {board}" if board else None


FACTS: Final = Facts(
    name="Pinterest",
    mark="P",
    limits=Limits(caption=800, needs_media=True),
    photos=Photos(formats=frozenset({JPEG, PNG}), most_bytes=15_000_000),
    videos=Videos(
        pictures=frozenset({"h264", "hevc"}), cover=Cover(most_bytes=2_000_000, box=(1500, 2250))
    ),
    read_lag=timedelta(minutes=30),
    activity=_ACTIVITY,
    figures=frozenset(Figure),
    layout=Layout(
        acts=("heart", "reply", "share"),
        marks=(tags,),
        title=given_title,
        place=_board,
        file_first=True,
        link_beside_file=True,
        fold=Fold(characters=60),
    ),
    lasting_api=("v5", "https://developers.pinterest.com/docs/api/v5"),
    options=(
        TRIM,
        CROP,
        Option(
            "board",
            Text(longest=100),
            label="Board",
            help="Id of the board, digits only.",
            note=". Required to send",
            group=Group.REQUIRED,
            offered=True,
        ),
        Option(
            "board_section",
            Text(longest=100),
            label="Section",
            help="Id of a section of the board.",
            offered=True,
            offered_by="board",
        ),
        Option(
            "title",
            Text(longest=100),
            label="Title",
            help="The pin's title.",
            group=Group.COMMON,
        ),
        Option(
            "link",
            Text(),
            label="Link",
            help="Where a click on the pin leads.",
            group=Group.COMMON,
            asked_as=Form.ADDRESS,
        ),
        alt_text(Text(longest=500), of="it", only=frozenset()),
        cover_second(),
        cover_picture(),
        ai_label(),
        Option(
            "dominant_color",
            Text(longest=7, pattern="#[0-9A-Fa-f]{6}"),
            label="Placeholder colour",
            help="Colour shown while the pin loads.",
        ),
    ),
)
