"""Picnic's facts. It is invented: what a platform needs at least, and a little of everything."""

from datetime import timedelta
from typing import Final

from chalicelib.domain.platforms.facts import Facts, Figure, Limits
from chalicelib.domain.platforms.files import JPEG, PNG, Photos
from chalicelib.domain.platforms.layout import Layout
from chalicelib.domain.platforms.option import Fields, Group, Option
from chalicelib.domain.platforms.option_rules import Flag, Number, Text
from chalicelib.domain.platforms.shared_options import TRIM, alt_text
from chalicelib.domain.platforms.texts.marks import tags, web_links
from chalicelib.domain.platforms.texts.titles import given_title

_BASKET = Fields(
    of=(
        Option(
            "bread",
            Text(longest=100),
            label="Bread",
            help="What there is to eat.",
            group=Group.REQUIRED,
        ),
        Option("pieces", Number(most=20), label="Pieces", help="How many there are."),
    )
)

# Nobody has studied a platform that there is not. Picnics are at noon.
# fmt: off
_ACTIVITY: Final = (
    4, 3, 2, 2, 2, 4, 10, 22, 36, 50, 70, 90,
    100, 92, 80, 66, 50, 40, 30, 24, 18, 12, 8, 6,
)
# fmt: on

FACTS: Final = Facts(
    name="Picnic",
    mark="Pc",
    limits=Limits(caption=500, takes_video=False),
    photos=Photos(formats=frozenset({JPEG, PNG}), most_bytes=2_000_000),
    videos=None,
    read_lag=timedelta(seconds=30),
    activity=_ACTIVITY,
    figures=frozenset({Figure.VIEWS, Figure.LIKES}),
    layout=Layout(marks=(web_links, tags), title=given_title),
    lasting_api=("v1", "https://picnic.example/docs/changes"),
    options=(
        TRIM,
        Option(
            "blanket",
            Text(longest=40),
            label="Blanket",
            help="Id of the blanket that it is put on. Required to send.",
            group=Group.REQUIRED,
            offered=True,
        ),
        Option("title", Text(longest=80), label="Title", help="What stands above the text."),
        alt_text(Text(longest=500)),
        Option("basket", _BASKET, label="Basket", help="What is in the basket."),
        Option("rain", Flag(), label="In the rain too", help="Keeps it out when it rains."),
    ),
)
