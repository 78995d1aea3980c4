"""Instagram's facts: developers.facebook.com/docs/instagram-platform."""

from datetime import timedelta
from fractions import Fraction
from typing import Final

from chalicelib.domain.platforms.facts import Facts, Figure, Golden, Limits
from chalicelib.domain.platforms.files import JPEG, Cover, Photos, Videos
from chalicelib.domain.platforms.layout import Chosen, Frame, Layout, in_post_type, is_upright
from chalicelib.domain.platforms.option import Fields, Group, Option
from chalicelib.domain.platforms.option_rules import Choice, Flag, Many, Number, Text
from chalicelib.domain.platforms.platform import MediaKind
from chalicelib.domain.platforms.setting import META_GRAPH
from chalicelib.domain.platforms.shared_options import (
    CROP,
    ID,
    NOT_AS_STORY,
    TRIM,
    VIDEOS,
    ai_label,
    alt_text,
    cover_picture,
    cover_second,
    first_comment,
    fit,
)
from chalicelib.domain.platforms.texts.folds import Fold
from chalicelib.domain.platforms.texts.marks import mentions, tags

_ASPECTS: Final = (Fraction(4, 5), Fraction(191, 100))
"""The narrowest and the widest photo of the feed, width by height."""
_NEARLY: Final = Fraction(99, 100)
"""Nobody sees borders that are thinner than that."""

_TAGGED = Fields(
    of=(
        Option(
            "username",
            Text(longest=100),
            label="User name",
            help="Who is in the photo or video, without the @.",
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

# Sprout Social 2023, 34,000 customers: Mon 10-12, Tue 9-13, Wed 10-13, Fri 9-11.
# https://www.socialmediatoday.com/news/report-best-times-to-post-social-platforms-twitter-instagram-tiktok-facebook-pintrist-linkedin/650006/
# fmt: off
_ACTIVITY: Final = (
    20, 12, 8, 6, 8, 15, 30, 48, 65, 80, 100, 90,
    80, 68, 64, 62, 62, 64, 66, 68, 66, 58, 46, 32,
)
# fmt: on


def _frame(options: Chosen, kind: MediaKind | None, aspect: float | None) -> Frame:
    """Return the shape; photos that the feed does not accept get borders or are cut."""
    if is_upright(options) or kind is MediaKind.VIDEO:
        return Frame.UPRIGHT
    narrowest, widest = _ASPECTS
    is_taken = aspect is None or narrowest * _NEARLY <= aspect <= widest / _NEARLY
    if aspect is None or is_taken or options.get("fit") == "keep":
        return Frame.WHOLE
    if options.get("fit") == "crop":
        return Frame.PORTRAIT_CUT if aspect < narrowest else Frame.LANDSCAPE_CUT
    return Frame.PORTRAIT if aspect < narrowest else Frame.LANDSCAPE


FACTS: Final = Facts(
    name="Instagram",
    mark="Ig",
    limits=Limits(
        caption=2_200, longest_video=timedelta(minutes=3), needs_media=True, can_delete=False
    ),
    photos=Photos(
        formats=frozenset({JPEG}),
        most_bytes=8_000_000,
        box=(1440, 2560),
        aspects=_ASPECTS,
        srgb=True,
    ),
    videos=Videos(
        index_first=True,
        pictures=frozenset({"h264", "hevc"}),
        shows_hdr=True,  # engineering.fb.com/2023/07/17/video-engineering/hdr-video-reels-meta
        progressive=True,
        rates=(23, 60),
        most_columns=1920,
        most_bits_per_s=25_000_000,
        sound=frozenset({"aac"}),
        plain_sound=True,
        shortest_s=3,
        longest_s={"story": 60},
        cover=Cover(most_bytes=8_000_000, box=(1080, 1920), aspect=Fraction(9, 16)),
    ),
    read_lag=timedelta(seconds=60),
    activity=_ACTIVITY,
    figures=frozenset(Figure),
    settings=(META_GRAPH,),
    layout=Layout(
        acts=("heart", "reply", "send", "bookmark"),
        marks=(tags, mentions),
        place=in_post_type,
        frame=_frame,
        file_first=True,
        fold=Fold(characters=125),
    ),
    golden_hour=Golden.BY_DEFAULT,
    options=(
        TRIM,
        CROP,
        Option(
            "post_type",
            Choice({"feed": "Feed", "reel": "Reel", "story": "Story"}),
            label="Post as",
            help="Where it appears; videos are reels by default.",
            group=Group.COMMON,
        ),
        Option(
            "share_to_feed",
            Flag(),
            label="Show on the profile's grid",
            help="Shows a reel on the profile's grid too.",
            default=True,
            only=VIDEOS,
            unless=NOT_AS_STORY,
        ),
        Option(
            "cover_offset_ms",
            Number(most=900_000),
            label="Cover (milliseconds)",
            help="Milliseconds into the video at which its cover is taken.",
            only=VIDEOS,
            unless=NOT_AS_STORY,
        ),
        Option(
            "collaborators",
            Many(of=Text(longest=100), most=3),
            label="Collaborators",
            help="User names invited as joint authors.",
            group=Group.COMMON,
            unless=NOT_AS_STORY,
        ),
        alt_text(Text(longest=1_000), unless=NOT_AS_STORY),
        fit(unless=NOT_AS_STORY),
        Option(
            "user_tags",
            Many(of=_TAGGED, most=20),
            label="Tagged people",
            help="People in it.",
            note="; x and y, 0 to 1 from the top left, say where in a photo",
        ),
        Option(
            "location_id",
            ID,
            label="Location",
            help="Id of a Facebook Page that is a place; needs the sign-in with Facebook.",
            searched=True,
            unless=NOT_AS_STORY,
            sign_in="facebook",
        ),
        first_comment(2_200, unless=NOT_AS_STORY),
        Option(
            "disable_comments",
            Flag(),
            label="Turn off comments",
            help="Closes the comments right after the post.",
            unless=NOT_AS_STORY,
        ),
        Option(
            "trial_reel",
            Choice({"MANUAL": "Until I share it", "SS_PERFORMANCE": "Until it does well"}),
            label="Trial reel",
            help="Shows a reel to non-followers first, and to followers when you share it or when "
            "it does well.",
            only=VIDEOS,
            unless=NOT_AS_STORY,
        ),
        ai_label(),
        cover_second(unless=NOT_AS_STORY),
        cover_picture(unless=NOT_AS_STORY),
        Option(
            "audio_name",
            Text(longest=100),
            label="Name of the sound",
            help="What a reel's own sound is called.",
            only=VIDEOS,
            unless=NOT_AS_STORY,
        ),
        Option(
            "is_paid_partnership",
            Flag(),
            label="Paid partnership",
            help="Labels it as a paid partnership; needs the sign-in with Facebook.",
            unless=NOT_AS_STORY,
            sign_in="facebook",
        ),
        Option(
            "sponsors",
            Many(of=ID, most=2),
            label="Sponsors",
            help="Instagram ids of the partners that a paid partnership names.",
            unless=NOT_AS_STORY,
            sign_in="facebook",
        ),
    ),
)
