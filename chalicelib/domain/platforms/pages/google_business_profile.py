"""Google Business Profile's facts: developers.google.com/my-business/content/posts-data."""

from datetime import timedelta
from typing import Final

from chalicelib.domain.platforms.facts import Facts, Figure, Limits
from chalicelib.domain.platforms.files import JPEG, PNG, Photos
from chalicelib.domain.platforms.layout import Chosen, Layout
from chalicelib.domain.platforms.option import Fields, Group, Option, When
from chalicelib.domain.platforms.option_rules import Choice, Form, Text
from chalicelib.domain.platforms.shared_options import CROP, LANGUAGE, TRIM
from chalicelib.domain.platforms.texts.folds import Fold
from chalicelib.domain.platforms.texts.marks import web_links
from chalicelib.domain.platforms.texts.titles import option_text

_BUTTON = Fields(
    of=(
        Option(
            "type",
            Choice(
                {
                    "BOOK": "Book",
                    "ORDER": "Order online",
                    "SHOP": "Shop",
                    "LEARN_MORE": "Learn more",
                    "SIGN_UP": "Sign up",
                    "CALL": "Call now",
                }
            ),
            label="Button",
            help="What the button says.",
            group=Group.REQUIRED,
        ),
        Option(
            "url",
            Text(),
            label="Link",
            help="Where the button leads; CALL uses the location's own number.",
            when=When("type", ("BOOK", "ORDER", "SHOP", "LEARN_MORE", "SIGN_UP")),
            asked_as=Form.ADDRESS,
        ),
    )
)
_EVENT = Fields(
    of=(
        Option(
            "title",
            Text(longest=58),
            label="Event title",
            help="What the event or offer is called.",
            group=Group.REQUIRED,
        ),
        Option(
            "start",
            Text(),
            label="Starts",
            help="Day, or day and time, in the location's own time.",
            group=Group.COMMON,
            asked_as=Form.TIME,
        ),
        Option(
            "end",
            Text(),
            label="Ends",
            help="Day, or day and time, in the location's own time.",
            group=Group.COMMON,
            asked_as=Form.TIME,
        ),
    )
)
_OFFER = Fields(
    of=(
        Option(
            "coupon",
            Text(longest=58),
            label="Coupon code",
            help="What customers show or type.",
            group=Group.COMMON,
        ),
        Option(
            "url",
            Text(),
            label="Link to redeem",
            help="Where the offer is redeemed online.",
            asked_as=Form.ADDRESS,
        ),
        Option(
            "terms",
            Text(longest=5_000),
            label="Terms",
            help="Terms and conditions of the offer.",
        ),
    )
)

# No study of its posts found. Chitika's of local searches: most from 10 to 13 with the peak at
# 11, less in the afternoon, a drop at 17, next to nothing from 23 to 8.
# https://www.castleford.com.au/content-marketing-blog/local-searches-peak-from-lunchtime-missions/
# fmt: off
_ACTIVITY: Final = (
    3, 2, 2, 2, 2, 3, 6, 10, 24, 55, 86, 100,
    90, 62, 54, 52, 50, 36, 28, 22, 16, 11, 7, 4,
)
# fmt: on


def _event_title(text: str, options: Chosen) -> tuple[str | None, str]:
    return option_text(options.get("event"), "title") or None, text


FACTS: Final = Facts(
    name="Google Business Profile",
    mark="G",
    limits=Limits(caption=1_500, takes_video=False),
    photos=Photos(formats=frozenset({JPEG, PNG}), most_bytes=5_000_000),
    videos=None,
    read_lag=timedelta(seconds=150),
    activity=_ACTIVITY,
    figures=frozenset({Figure.VIEWS}),
    layout=Layout(marks=(web_links,), title=_event_title, fold=Fold(characters=250)),
    lasting_api=(
        "v4 (posts), v1 (all else)",
        "https://developers.google.com/my-business/content/sunset-dates",
    ),
    options=(
        TRIM,
        CROP,
        Option(
            "topic_type",
            Choice({"STANDARD": "Update", "EVENT": "Event", "OFFER": "Offer"}),
            label="Post type",
            help="What kind of post it is.",
            default="STANDARD",
            group=Group.COMMON,
        ),
        Option(
            "call_to_action",
            _BUTTON,
            label="Button",
            help="The post's button; CALL takes no url, the others need one.",
            group=Group.COMMON,
        ),
        Option("language", LANGUAGE, label="Language", help="Language of the text."),
        Option(
            "event",
            _EVENT,
            label="Event",
            help="The event, or when an offer is valid, in the location's own time.",
            when=When("topic_type", ("EVENT", "OFFER")),
        ),
        Option(
            "offer",
            _OFFER,
            label="Offer",
            help="What is offered, with topic_type OFFER and an event.",
        ),
    ),
)
