"""X's facts: docs.x.com/x-api/posts/create-post."""

from datetime import timedelta
from typing import Final

from chalicelib.domain.platforms.facts import Facts, Limits
from chalicelib.domain.platforms.option import Group, Option
from chalicelib.domain.platforms.option_rules import Choice, Flag, OneOrMany, Text
from chalicelib.domain.platforms.shared_options import MADE_BY_AI, TRIM, alt_text

FACTS: Final = Facts(
    name="X",
    mark="X",
    limits=Limits(caption=280, longest_video=timedelta(minutes=2, seconds=20)),
    options=(
        TRIM,
        alt_text(OneOrMany(of=Text(longest=1_000), most=4), name="alt", of="the photo"),
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
            help="Who may reply (default everyone).",
            group=Group.COMMON,
        ),
        Option("made_with_ai", Flag(), label="Made with AI", help=MADE_BY_AI),
        Option(
            "paid_partnership",
            Flag(),
            label="Paid partnership",
            help="Says that it is paid for.",
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
        Option("media_title", Text(longest=300), label="File title", help="Title of the file."),
        Option(
            "media_description",
            Text(longest=1_000),
            label="File description",
            help="Description of the file.",
        ),
    ),
)
