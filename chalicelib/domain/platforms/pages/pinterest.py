"""Pinterest's facts: developers.pinterest.com/docs/api/v5/pins-create."""

from typing import Final

from chalicelib.domain.platforms.facts import Facts, Limits
from chalicelib.domain.platforms.option import Group, Option
from chalicelib.domain.platforms.option_rules import Form, Number, Text
from chalicelib.domain.platforms.shared_options import TRIM, alt_text

FACTS: Final = Facts(
    name="Pinterest",
    mark="P",
    limits=Limits(caption=800, needs_media=True),
    options=(
        TRIM,
        Option(
            "board",
            Text(longest=100),
            label="Board",
            help="Id of the board, digits only. Required to send.",
            group=Group.REQUIRED,
            offered=True,
        ),
        Option(
            "board_section",
            Text(longest=100),
            label="Section",
            help="Id of a section of the board.",
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
        alt_text(Text(longest=500), of="it"),
        Option(
            "cover_second",
            Number(most=900),
            label="Cover (second)",
            help="Second of the video at which its cover is taken.",
        ),
        Option(
            "dominant_color",
            Text(longest=7, pattern="#[0-9A-Fa-f]{6}"),
            label="Placeholder colour",
            help="Colour shown while the pin loads.",
        ),
    ),
)
