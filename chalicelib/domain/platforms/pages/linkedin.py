"""LinkedIn's facts: learn.microsoft.com/linkedin, "Posts API"."""

from datetime import timedelta
from typing import Final

from chalicelib.domain.platforms.facts import Facts, Limits
from chalicelib.domain.platforms.option import Group, Option
from chalicelib.domain.platforms.option_rules import Choice, Flag, Form, Link, Text
from chalicelib.domain.platforms.shared_options import ALT_TEXTS, LINK_IN_CAPTION, TRIM, alt_text

FACTS: Final = Facts(
    name="LinkedIn",
    mark="in",
    limits=Limits(caption=3_000, longest_video=timedelta(minutes=10)),
    options=(
        TRIM,
        Option("link", Link(), label="Link card", help=LINK_IN_CAPTION, group=Group.COMMON),
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
            help="Who sees it (default PUBLIC).",
            group=Group.COMMON,
        ),
        alt_text(ALT_TEXTS, name="alt", of="the photo"),
        Option("title", Text(longest=400), label="File title", help="Title of the file."),
        Option(
            "disable_reshare",
            Flag(),
            label="Turn off resharing",
            help="Keeps others from sharing it (default false).",
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
            help="Label of the button of a page's post, as LEARN_MORE.",
        ),
        Option(
            "cta_url",
            Text(),
            label="Button link",
            help="Where that button leads.",
            asked_as=Form.ADDRESS,
        ),
    ),
)
