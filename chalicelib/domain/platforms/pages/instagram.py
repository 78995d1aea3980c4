"""Instagram's facts: developers.facebook.com/docs/instagram-platform."""

from datetime import timedelta
from typing import Final

from chalicelib.domain.platforms.facts import Facts, Limits
from chalicelib.domain.platforms.option import Fields, Group, Option
from chalicelib.domain.platforms.option_rules import Choice, Flag, Many, Number, Text
from chalicelib.domain.platforms.shared_options import ID, MADE_BY_AI, TRIM, alt_text, first_comment

_TAGGED = Fields(
    of=(
        Option(
            "username",
            Text(longest=100),
            label="User name",
            help="Who is in it, without the @.",
            group=Group.REQUIRED,
        ),
        Option(
            "x",
            Number(most=1, whole=False),
            label="From the left",
            help="Where in a photo, from 0 at the left edge to 1 at the right.",
        ),
        Option(
            "y",
            Number(most=1, whole=False),
            label="From the top",
            help="Where in a photo, from 0 at the top to 1 at the bottom.",
        ),
    )
)

FACTS: Final = Facts(
    name="Instagram",
    mark="Ig",
    limits=Limits(
        caption=2_200, longest_video=timedelta(minutes=3), needs_media=True, can_delete=False
    ),
    options=(
        TRIM,
        Option(
            "post_type",
            Choice({"feed": "Feed", "reel": "Reel", "story": "Story"}),
            label="Post as",
            help="Where it appears; a video is a reel by default.",
            group=Group.COMMON,
        ),
        Option(
            "share_to_feed",
            Flag(),
            label="Show on the profile's grid",
            help="Shows a reel on the profile's grid too (default true).",
        ),
        Option(
            "cover_offset_ms",
            Number(most=900_000),
            label="Cover (milliseconds)",
            help="Milliseconds into the video at which its cover is taken.",
        ),
        Option(
            "collaborators",
            Many(of=Text(longest=100), most=3),
            label="Collaborators",
            help="User names invited as joint authors.",
            group=Group.COMMON,
        ),
        alt_text(Text(longest=1_000)),
        Option(
            "user_tags",
            Many(of=_TAGGED, most=20),
            label="Tagged people",
            help="People in it; x and y, 0 to 1 from the top left, say where in a photo.",
        ),
        Option("location_id", ID, label="Location", help="Id of a Facebook Page that is a place."),
        first_comment(2_200),
        Option(
            "trial_reel",
            Choice({"MANUAL": "Until I share it", "SS_PERFORMANCE": "Until it does well"}),
            label="Trial reel",
            help="Shows a reel to non-followers first; followers get it by hand or when it does "
            "well.",
        ),
        Option("is_ai_generated", Flag(), label="Made with AI", help=MADE_BY_AI),
    ),
)
